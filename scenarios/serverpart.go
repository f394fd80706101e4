package scenarios

import (
	"reflect"
	"slices"
)

// ServerPart returns, as YAML of the top level, what a scenario says of the servers and not of
// those who use them: the release, the servers, the balancer, flow control, and stored objects and
// watches. path gives the name of a manifest in the file that the text will be in.
//
// What stands before and behind the servers is not in it, and neither are changes during the run:
// what is recorded at a server has been through the one, holds the time of the other, and tells no
// time of the third.
func (s *Scenario) ServerPart(path func(manifest string) string) ([]byte, error) {
	from := &s.spec
	spec := scenarioSpec{
		KubernetesVersion: from.KubernetesVersion, Server: from.Server, Balancer: from.Balancer,
		FlowControl: from.FlowControl, Objects: from.Objects, Watches: from.Watches,
	}
	spec.FlowControl.Manifests = slices.Clone(spec.FlowControl.Manifests)
	for i, name := range spec.FlowControl.Manifests {
		spec.FlowControl.Manifests[i] = path(name)
	}
	n := encode(reflect.ValueOf(&spec).Elem())
	n.fields = slices.DeleteFunc(n.fields, func(f field) bool {
		return slices.Contains([]string{"apiVersion", "kind", "metadata"}, f.name)
	})
	if len(n.fields) == 0 {
		return nil, nil
	}
	inline(n, 1)
	return encodeYAML(n)
}

// Manifests are the files and folders that flowControl names.
func (s *Scenario) Manifests() []string { return s.spec.FlowControl.Manifests }
