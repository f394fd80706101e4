package lint

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler/release"
)

// What happens to objects when the server is upgraded.

// arrival is the first release that has a built-in object of a name.
type arrival struct{ minor int }

// arrivals are the built-in objects of all releases by kind and name, "FlowSchema
// probes", with the first minor release that has each.
var arrivals = sync.OnceValue(func() map[string]arrival {
	out := map[string]arrival{}
	for minor := release.First.Minor; minor <= release.Last.Minor; minor++ {
		native := builtInOf(release.Version{Minor: minor, Patch: release.Newest})
		note := func(kind, name string) {
			if _, known := out[kind+" "+name]; !known {
				out[kind+" "+name] = arrival{minor}
			}
		}
		for i := range native.Schemas {
			note(schemaKind, native.Schemas[i].Object.Name)
		}
		for i := range native.Levels {
			note(levelKind, native.Levels[i].Object.Name)
		}
	}
	return out
})

const (
	schemaKind = "FlowSchema"
	levelKind  = "PriorityLevelConfiguration"
)

// checkName looks for an object whose name belongs to a built-in one of a later release.
// That release takes it for its own, unless the annotation says that somebody else looks
// after it.
func (c *checker) checkName(at scenarios.Source, kind, name string, annotations map[string]string) {
	first, known := arrivals()[kind+" "+name]
	if !known || first.minor <= c.cfg.Release.Minor {
		return
	}
	if kept, err := strconv.ParseBool(annotations[flowcontrolv1.AutoUpdateAnnotationKey]); err == nil && !kept {
		return
	}
	c.say(at, "metadata.name", advice{code: "APF030",
		message: fmt.Sprintf("Kubernetes 1.%d has a built-in %s of the name %s, and may overwrite this one after an upgrade", first.minor, kind, name),
		hint:    "choose another name, or annotate it with " + flowcontrolv1.AutoUpdateAnnotationKey + `: "false"`})
}

// checkVersions looks for versions of the API that the next release does not serve, once
// for each in a file.
func (c *checker) checkVersions() {
	next := release.Version{Minor: c.cfg.Release.Minor + 1, Patch: release.Newest}
	if release.Last.Minor < next.Minor {
		return
	}
	said := map[string]bool{}
	look := func(at scenarios.Source) {
		file := at.At("").File
		key := file + " " + at.APIVersion
		if at.BuiltIn || said[key] || scenarios.Serves(next, at.APIVersion) || !scenarios.Serves(c.cfg.Release, at.APIVersion) {
			return
		}
		said[key] = true
		_, version, _ := strings.Cut(at.APIVersion, "/")
		c.say(at, "apiVersion", advice{code: "APF032",
			message: fmt.Sprintf("Kubernetes 1.%d does not serve %s any more; what is stored stays, and this file can no longer be applied", next.Minor, version),
			hint:    "write a newer version, as kubectl convert does"})
	}
	for _, source := range c.written() {
		look(source)
	}
}
