package backend

import (
	"fmt"
	"slices"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/traceline"
)

// The bounds of what may be asked for. A slip of the pen stays below them, and no sum of what
// is within them overflows.
const (
	coresMin       = 0.001
	coresMax       = milliCoresMax / perCore
	membersMax     = 9
	concurrencyMax = 1_000_000
	workMax        = time.Hour
	bytesMax       = 1 << 50
	factorMax      = 1000
)

// Validate returns all faults at once, each a *workload.FieldError with the path of the field
// as scenario files have it below "backend"; nil if there are none. servers is the number of
// API servers at the beginning.
func (c *Config) Validate(servers int) []error {
	all := slices.Concat(c.CPU.validate(), c.Etcd.validate(), c.Memory.validate(), c.Objects.validate())
	for i := range c.Stalls {
		all = append(all, c.Stalls[i].validate(fmt.Sprintf("stalls[%d].", i), servers, c.Etcd.Members)...)
	}
	if all = slices.DeleteFunc(all, func(err error) bool { return err == nil }); len(all) == 0 {
		return nil
	}
	return all
}

func (c *CPUConfig) validate() []error {
	all := []error{
		number("cpu.cores", c.Cores, coresMin, coresMax),
		duration("cpu.request", c.Request, 1, workMax),
		work("cpu.rejected", c.Rejected),
		work("cpu.object", c.Object),
		work("cpu.decode", c.Decode),
		work("cpu.encode", c.Encode),
	}
	verbs := slices.Concat(traceline.ResourceVerbs(), traceline.PathVerbs())
	for i, v := range c.Verbs {
		field := "cpu.verbs." + v.Verb
		all = append(all, work(field, v.Work))
		if !slices.Contains(verbs, v.Verb) {
			all = append(all, fault(field, "is about no verb", "the verbs of requests: list, create and others"))
		}
		if slices.ContainsFunc(c.Verbs[:i], func(o VerbWork) bool { return o.Verb == v.Verb }) {
			all = append(all, fault(field, "is there twice", "one entry for each verb"))
		}
	}
	return all
}

func (c *Etcd) validate() []error {
	all := []error{whole("etcd.members", int64(c.Members), 1, membersMax)}
	if all[0] == nil {
		all = append(all, whole("etcd.leader", int64(c.Leader), 0, int64(c.Members)-1))
	}
	if c.Choice > Balanced {
		all = append(all, fault("etcd.choice", fmt.Sprintf("%d is out of range", c.Choice), "pinned or balanced"))
	}
	if c.PinnedTo != nil {
		all = append(all, whole("etcd.pinnedTo", int64(*c.PinnedTo), 0, max(0, int64(c.Members)-1)))
		if c.Choice == Balanced {
			all = append(all, fault("etcd.pinnedTo", "is given, but the members are balanced", "choice: pinned, or no pinnedTo"))
		}
	}
	return append(append(all, c.Reads.validate("etcd.reads.")...), c.Writes.validate("etcd.writes.")...)
}

func (o *Operations) validate(prefix string) []error {
	return []error{
		whole(prefix+"concurrency", int64(o.Concurrency), 1, concurrencyMax),
		work(prefix+"latency", o.Latency),
		work(prefix+"object", o.Object),
		work(prefix+"megabyte", o.Megabyte),
	}
}

func (c *MemoryConfig) validate() []error {
	all := []error{
		whole("memory.limit", c.Limit, 0, bytesMax),
		whole("memory.base", c.Base, 0, bytesMax),
		number("memory.cacheFactor", c.CacheFactor, 0, factorMax),
		number("memory.storageFactor", c.StorageFactor, 0, factorMax),
		work("memory.startup", c.Startup),
	}
	if c.Limit > 0 && c.Base >= c.Limit {
		all = append(all, fault("memory.base", fmt.Sprintf("%d is no less than the limit, %d", c.Base, c.Limit),
			"less than the limit, or the server cannot live"))
	}
	return all
}

func (o *Objects) validate() []error {
	all := []error{whole("objects.bytes", o.Bytes, 0, bytesMax)}
	if !(o.Selected > 0 && o.Selected <= 1) {
		all = append(all, fault("objects.selected", fmt.Sprintf("%v is out of range", o.Selected), "a number above 0 and at most 1"))
	}
	for i, n := range o.Namespaces {
		field := fmt.Sprintf("objects.namespaces[%d]", i)
		all = append(all, whole(field+".count", n.Count, 0, bytesMax))
		if n.Namespace == "" || n.Resource == "" {
			all = append(all, fault(field, "has no namespace or no resource", "both"))
		}
		if slices.ContainsFunc(o.Namespaces[:i], n.sameAs) {
			all = append(all, fault(field, "is there twice", "one entry for each resource and namespace"))
		}
	}
	return all
}

// sameAs tells whether two entries are about the same.
func (n NamespaceObjects) sameAs(o NamespaceObjects) bool {
	return n.Group == o.Group && n.Resource == o.Resource && n.Namespace == o.Namespace
}

func (s *Stall) validate(prefix string, servers, members int) []error {
	all := []error{
		duration(prefix+"at", s.At, 0, workload.MaxDuration),
		duration(prefix+"for", s.For, 1, workload.MaxDuration),
	}
	if !s.Factor.valid() {
		all = append(all, fault(prefix+"factor", fmt.Sprintf("%v is out of range", s.Factor),
			fmt.Sprintf("how much slower it becomes, from 1 to %v; 0 lets it stand still", SlowestFactor)))
	}
	switch s.Of {
	case OfEtcd:
		all = append(all, s.validateOnly(prefix+"member", members))
	case OfCPU:
		all = append(all, s.validateOnly(prefix+"server", servers))
	default:
		all = append(all, fault(prefix+"of", fmt.Sprintf("%d is out of range", s.Of), "etcd or cpu"))
	}
	return all
}

func (s *Stall) validateOnly(field string, n int) error {
	if s.Only == nil {
		return nil
	}
	return whole(field, int64(*s.Only), 0, int64(n)-1)
}

// fault is a fault in a field.
func fault(field, problem, legal string) error {
	return &workload.FieldError{Field: field, Problem: problem, Legal: legal}
}

// work returns an error unless d can be what something costs.
func work(field string, d time.Duration) error { return duration(field, d, 0, workMax) }

// duration returns an error unless least <= d <= most.
func duration(field string, d, least, most time.Duration) error {
	if d >= least && d <= most {
		return nil
	}
	return fault(field, fmt.Sprintf("%v is out of range", d), fmt.Sprintf("a duration from %v to %v", least, most))
}

// whole returns an error unless least <= n <= most.
func whole(field string, n, least, most int64) error {
	if n >= least && n <= most {
		return nil
	}
	return fault(field, fmt.Sprintf("%d is out of range", n), fmt.Sprintf("a whole number from %d to %d", least, most))
}

// number returns an error unless least <= x <= most; NaN is not.
func number(field string, x, least, most float64) error {
	if x >= least && x <= most {
		return nil
	}
	return fault(field, fmt.Sprintf("%v is out of range", x), fmt.Sprintf("a number from %g to %g", least, most))
}
