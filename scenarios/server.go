package scenarios

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload"
)

// DefaultVersion is the release of Kubernetes that a scenario without a
// kubernetesVersion runs on.
const DefaultVersion = "1.37"

// Versions are the minor releases that are known, oldest first.
func Versions() []string {
	var out []string
	for minor := release.First.Minor; minor <= release.Last.Minor; minor++ {
		out = append(out, minorText(minor))
	}
	return out
}

// The API server's defaults (--max-requests-inflight and so on).
const (
	defaultMaxInflight         = 400
	defaultMaxMutatingInflight = 200
	DefaultRequestTimeout      = 60 * time.Second
)

// server makes the server's part of the configuration.
func (l *loader) server(s *serverSpec) scheduler.Config {
	l.inRange("server.count", int64(value(s.Count, 1)), 1, maxServers)
	reads, writes := value(s.MaxRequestsInflight, defaultMaxInflight), value(s.MaxMutatingRequestsInflight, defaultMaxMutatingInflight)
	sound := l.inRange("server.maxRequestsInflight", int64(reads), 0, math.MaxInt32)
	sound = l.inRange("server.maxMutatingRequestsInflight", int64(writes), 0, math.MaxInt32) && sound
	if sound && reads+writes == 0 {
		l.refuse("server.maxRequestsInflight", fault{code: CodeOutOfRange,
			message: "maxRequestsInflight and maxMutatingRequestsInflight are both 0, so the server has no seats", legal: "a sum of at least 1"})
	}
	timeout := time.Duration(value(s.RequestTimeout, duration(DefaultRequestTimeout)))
	if timeout == 0 {
		l.refuse("server.requestTimeout", fault{code: CodeOutOfRange, message: "server.requestTimeout is 0", legal: "a duration above 0"})
	}
	return scheduler.Config{
		Seats: reads + writes, RequestTimeout: timeout,
		ConsistentReadsFromCache: value(s.ConsistentReadsFromCache, true),
	}
}

// version reads the release of the server. After a fault it is the newest, so that the
// rest can be read.
func (l *loader) version(v *string) release.Version {
	if v == nil {
		v = ref(DefaultVersion)
	}
	if out := l.parseVersion("kubernetesVersion", *v); out != (release.Version{}) {
		return out
	}
	return release.Last
}

// versionLegal is how releases are written.
var versionLegal = fmt.Sprintf("%q to %q, or with a patch: \"1.28.4\"", minorText(release.First.Minor), minorText(release.Last.Minor))

// parseVersion reads a release, the zero value after a fault.
func (d *decoder) parseVersion(path, text string) release.Version {
	out, err := release.Parse(text)
	if err != nil {
		d.refuse(path, fault{code: CodeUnsupported, message: fmt.Sprintf("%s: %s", path, err), legal: versionLegal, hint: versionHint(text)})
		return release.Version{}
	}
	return out
}

var versionParts = regexp.MustCompile(`^v?1\.(\d{1,3})(\.|$)`)

// versionHint names the release nearest to one that is not known.
func versionHint(text string) string {
	m := versionParts.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	minor, _ := strconv.Atoi(m[1]) // digits, and few of them
	switch {
	case minor < release.First.Minor:
		return fmt.Sprintf("%s is the oldest that is known: before, the feature was off unless asked for", minorText(release.First.Minor))
	case minor > release.Last.Minor:
		return fmt.Sprintf("%s is the newest that is known; try it", minorText(release.Last.Minor))
	}
	return ""
}

// objects makes the counts of stored objects, in order of their names.
func (l *loader) objects(specs map[string]objectSpec) []scheduler.ObjectCount {
	var out []scheduler.ObjectCount
	for _, key := range sortedKeys(specs) {
		s, path := specs[key], "objects["+key+"]"
		resource, group, dotted := strings.Cut(key, ".")
		if !plainName(resource) || dotted && !plainName(strings.ReplaceAll(group, ".", "")) {
			l.refuse(path, fault{code: CodeNotLegal, message: fmt.Sprintf("%q is no resource", shorten(key)),
				legal: "a resource in the plural, with its group if it has one: pods, deployments.apps, leases.coordination.k8s.io"})
		}
		l.require(path, "count", "how many of them are stored")
		count, bytes := value(s.Count, 0), value(s.AverageBytes, 0)
		l.inRange(join(path, "count"), count, 0, 1e12)
		if !s.Stale && count > 0 {
			l.require(path, "averageBytes", "the mean size of one of them, serialized, in bytes")
		}
		if l.inRange(join(path, "averageBytes"), bytes, 0, 1e9) && count > 0 && bytes > math.MaxInt64/count {
			l.tooLarge(join(path, "averageBytes"), count, bytes)
		}
		out = append(out, scheduler.ObjectCount{Group: group, Resource: resource, Count: count, AverageBytes: bytes, Stale: s.Stale})
	}
	return out
}

// tooLarge refuses objects that are more bytes together than the API server's own
// estimate of a LIST can count (estimate.Stats.Fits).
func (l *loader) tooLarge(path string, count, bytes int64) {
	l.refuse(path, fault{code: CodeOutOfRange,
		message: fmt.Sprintf("%s is out of range: %d objects of %d bytes are more bytes than 64 bits can count", path, count, bytes),
		legal:   fmt.Sprintf("0 to %d with a count of %d", math.MaxInt64/count, count)})
}

// uncounted warns of LISTs of resources that objects says nothing about. A real server
// counts what it stores; here that would be an oversight.
func (l *loader) uncounted(populations []workload.Population, objects []scheduler.ObjectCount) {
	for i := range populations {
		warned := map[string]bool{}
		for j, t := range populations[i].Requests {
			known := slices.ContainsFunc(objects, func(o scheduler.ObjectCount) bool { return o.Group == t.APIGroup && o.Resource == t.Resource })
			key := strings.TrimSuffix(t.Resource+"."+t.APIGroup, ".")
			path := index(index("clients", i)+".requests", j)
			if t.Verb != "list" || t.Resource == "" || known || warned[key] || !l.sound(path) || !l.sound("objects") {
				continue
			}
			warned[key] = true
			l.c.warning(l.at(path), fault{code: CodeUncounted, message: fmt.Sprintf("%s lists %s, and objects does not say how many there are: each LIST counts as one seat", path, key),
				hint: fmt.Sprintf("objects: {%s: {count: ..., averageBytes: ...}}", key)})
		}
	}
}

// watches makes the watches that are open before the run.
func (l *loader) watches(specs []watchSpec) []scheduler.WatchCount {
	var out []scheduler.WatchCount
	total := int64(0)
	for i, s := range specs {
		path := index("watches", i)
		if l.require(path, "resource", "a resource in the plural, such as pods") {
			l.resourceName(join(path, "resource"), s.Resource)
		}
		l.groupName(join(path, "apiGroup"), s.APIGroup)
		l.require(path, "count", "how many such watches are open")
		count := value(s.Count, 0)
		if l.inRange(join(path, "count"), int64(count), 0, 1e9) {
			total += int64(count)
		}
		out = append(out, scheduler.WatchCount{Group: s.APIGroup, Resource: s.Resource, Namespace: s.Namespace, Name: s.Name, Count: count})
	}
	l.inRange("watches", total, 0, scheduler.WatchesMax)
	return out
}
