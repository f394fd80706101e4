package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim/backend"
	"github.com/apfsim/apfsim/workload"
)

// etcdChoice is how an API server finds the etcd member that it asks.
type etcdChoice string

func (etcdChoice) legal() []string {
	return []string{backend.Pinned.String(), backend.Balanced.String()}
}

// stalledPart is what a stall is about.
type stalledPart string

func (stalledPart) legal() []string { return []string{backend.OfEtcd.String(), backend.OfCPU.String()} }

// backend makes what is behind the servers, nil if the file does not say.
func (l *loader) backend(s *backendSpec, v release.Version) *backend.Config {
	if s == nil {
		return nil
	}
	c := backend.Default(v)
	if s.CPU != nil {
		s.CPU.set(&c.CPU)
	}
	slices.SortFunc(c.CPU.Verbs, func(a, b backend.VerbWork) int { return cmp.Compare(a.Verb, b.Verb) })
	if s.Etcd != nil {
		s.Etcd.set(&c.Etcd)
	}
	if s.Memory != nil {
		s.Memory.set(&c.Memory)
	}
	if s.Objects != nil {
		l.backendObjects(s.Objects, &c.Objects)
	}
	for i := range s.Stalls {
		c.Stalls = append(c.Stalls, l.stall(i, &s.Stalls[i]))
	}
	if l.sound("server.count") {
		for _, err := range c.Validate(value(l.spec.Server.Count, 1)) {
			l.backendFault(err)
		}
	}
	return &c
}

// backendFault reports a fault that the backend finds, unless what it is about is missing or
// faulty anyway.
func (l *loader) backendFault(err error) {
	var fe *workload.FieldError
	if errors.As(err, &fe) {
		if verb, ok := strings.CutPrefix(fe.Field, "cpu.verbs."); ok {
			fe.Field = "cpu.verbs[" + verb + "]"
		}
		if l.faultWithin(join("backend", fe.Field)) {
			return
		}
	}
	l.workloadFault("backend", err)
}

// set takes over what is given.
func set[T any](to *T, given *T) {
	if given != nil {
		*to = *given
	}
}

func setDuration(to *time.Duration, given *duration) {
	if given != nil {
		*to = time.Duration(*given)
	}
}

func (s *cpuSpec) set(c *backend.CPUConfig) {
	set(&c.Cores, s.Cores)
	setDuration(&c.Request, s.Request)
	setDuration(&c.Rejected, s.Rejected)
	setDuration(&c.Object, s.Object)
	setDuration(&c.Decode, s.Decode)
	setDuration(&c.Encode, s.Encode)
	for _, verb := range sortedKeys(s.Verbs) {
		work := backend.VerbWork{Verb: verb, Work: time.Duration(s.Verbs[verb])}
		if i := slices.IndexFunc(c.Verbs, func(o backend.VerbWork) bool { return o.Verb == verb }); i >= 0 {
			c.Verbs[i] = work
		} else {
			c.Verbs = append(c.Verbs, work)
		}
	}
}

func (s *etcdSpec) set(c *backend.Etcd) {
	set(&c.Members, s.Members)
	set(&c.Leader, s.Leader)
	c.PinnedTo = s.PinnedTo
	if s.Choice != "" {
		c.Choice = backend.Balanced
		if string(s.Choice) == backend.Pinned.String() {
			c.Choice = backend.Pinned
		}
	}
	if s.Reads != nil {
		s.Reads.set(&c.Reads)
	}
	if s.Writes != nil {
		s.Writes.set(&c.Writes)
	}
}

func (s *storageWorkSpec) set(c *backend.Operations) {
	set(&c.Concurrency, s.Concurrency)
	setDuration(&c.Latency, s.Latency)
	setDuration(&c.Object, s.Object)
	setDuration(&c.Megabyte, s.Megabyte)
}

func (s *memorySpec) set(c *backend.MemoryConfig) {
	set((*byteSize)(&c.Limit), s.Limit)
	set((*byteSize)(&c.Base), s.Base)
	set(&c.CacheFactor, s.CacheFactor)
	set(&c.StorageFactor, s.StorageFactor)
	set(&c.Streamed, s.Streamed)
	setDuration(&c.Startup, s.Startup)
}

func (l *loader) backendObjects(s *backendObjectsSpec, c *backend.Objects) {
	set((*byteSize)(&c.Bytes), s.Bytes)
	set(&c.Selected, s.Selected)
	for i, n := range s.Namespaces {
		path := index("backend.objects.namespaces", i)
		if l.require(path, "resource", "a resource in the plural, such as pods") {
			l.resourceName(join(path, "resource"), n.Resource)
		}
		l.groupName(join(path, "apiGroup"), n.APIGroup)
		l.require(path, "namespace", "a namespace")
		l.require(path, "count", "how many objects there are in it")
		c.Namespaces = append(c.Namespaces, backend.NamespaceObjects{Group: n.APIGroup, Resource: n.Resource, Namespace: n.Namespace, Count: value(n.Count, 0)})
	}
}

// stall makes a time in which something is slower.
func (l *loader) stall(i int, s *stallSpec) backend.Stall {
	path := index("backend.stalls", i)
	l.requireAll(path, "at", "for", "of")
	out := backend.Stall{At: time.Duration(value(s.At, 0)), For: time.Duration(value(s.For, 0)), Factor: backend.Stopped}
	// A factor is a number of thousandths. What rounds to 0 would stand still.
	if f := value(s.Factor, 0); f != 0 {
		out.Factor = backend.Factor(math.Round(min(max(f*float64(backend.Unchanged), -math.MaxInt32), math.MaxInt32)))
		if out.Factor == backend.Stopped {
			out.Factor = 1 // not legal, as f is not
		}
	}
	switch string(s.Of) {
	case backend.OfCPU.String():
		out.Of, out.Only = backend.OfCPU, s.Server
		l.excluded(path, "in a stall of "+string(s.Of), "member")
	default:
		out.Of, out.Only = backend.OfEtcd, s.Member
		l.excluded(path, "in a stall of "+string(s.Of), "server")
	}
	if end := time.Duration(value(l.spec.Duration, 0)); end > 0 && s.At != nil && out.At >= end && l.sound(path) {
		l.c.warning(l.at(join(path, "at")), fault{code: CodeNoEffect, field: join(path, "at"),
			message: fmt.Sprintf("%s is %s, and the run is over by then", join(path, "at"), durationText(out.At))})
	}
	return out
}
