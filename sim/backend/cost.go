package backend

import (
	"math"
	"math/bits"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// Facts are what a request does to the stored objects, in objects and bytes.
type Facts struct {
	// Verb is that of the request.
	Verb string
	// Read is how many objects are looked at, FromStorage whether they come from etcd.
	Read        int64
	FromStorage bool
	// ReadsStorage tells that etcd is asked for something, be it for no more than its
	// latest version.
	ReadsStorage bool
	// Returned is how many objects the answer has. Streamed tells that it never exists as a
	// whole.
	Returned int64
	Streamed bool
	// Written is how many objects are written, one after the other.
	Written int64
	// ObjectBytes is the size of an object.
	ObjectBytes int64
}

// Cost is the work that a request brings to each stage, and what its answer holds.
type Cost struct {
	// Before and After are core time, before storage is asked and after it has answered.
	Before, After time.Duration
	// Read and Write are the times of an operation of etcd that is alone. Reads and Writes
	// tell whether there is one: it may take no time.
	Read, Write   time.Duration
	Reads, Writes bool
	// Held is how many bytes the answer holds from the moment on at which its objects are
	// read.
	Held int64
}

// Alone is how long all stages take if nothing else is going on.
func (c *Cost) Alone() time.Duration { return c.Before + c.Read + c.Write + c.After }

// Prices tells what requests cost under a configuration.
type Prices struct {
	c     *Config
	nodes int64 // how many there are, 0 if that is not known
}

// NewPrices returns the prices of a valid configuration, which must not change, in front of
// an API server.
func NewPrices(c *Config, server *scheduler.Server) *Prices {
	nodes, _ := server.StoredObjects("", "nodes")
	return &Prices{c, nodes}
}

// Rejected is the core time of a request that is answered with 429.
func (p *Prices) Rejected() time.Duration { return p.c.CPU.Rejected }

// Facts returns what a request does, from what is known of reads with its target, name and
// options.
func (p *Prices) Facts(t *scheduler.Target, r *scheduler.ReadFacts) Facts {
	f := Facts{Verb: t.Verb, ObjectBytes: r.ObjectBytes}
	if f.ObjectBytes <= 0 {
		f.ObjectBytes = p.c.Objects.Bytes
	}
	if t.Path != "" || !stored(t) {
		return f
	}
	switch t.Verb {
	case "get":
		f.Read, f.Returned, f.FromStorage, f.ReadsStorage = 1, 1, r.FromStorage, r.FromStorage
	case "list":
		p.list(&f, t, r)
	case "watch":
		if r.Initial {
			p.list(&f, t, r)
			f.Streamed = true
		}
	case "create", "update", "patch":
		// The object as it was comes from the watch cache (GuaranteedUpdate in
		// pkg/storage/cacher/delegator.go).
		f.Returned, f.Written = 1, 1
	case "delete":
		f.Read, f.FromStorage, f.ReadsStorage, f.Returned, f.Written = 1, true, true, 1, 1
	case "deletecollection":
		p.list(&f, t, r)
		f.Written = f.Returned
	}
	return f
}

// stored tells whether a request is about objects in etcd. Reviews and tokens are answered
// and forgotten; what is forwarded is another server's.
func stored(t *scheduler.Target) bool {
	switch t.APIGroup {
	case "authentication.k8s.io", "authorization.k8s.io":
		return false
	}
	switch t.Subresource {
	case "token", "proxy", "exec", "attach", "portforward", "log":
		return false
	}
	return t.Verb != "proxy" && t.Verb != "connect"
}

// list fills in what a LIST looks at and returns. Where a page is asked for of what a
// selector selects, it looks at as many as it takes on average to fill the page.
func (p *Prices) list(f *Facts, t *scheduler.Target, r *scheduler.ReadFacts) {
	count := p.count(t, r)
	f.FromStorage, f.ReadsStorage = r.FromStorage, r.FromStorage || r.Consistent
	if r.Named {
		// With the name in a field selector one key is read (pkg/registry/generic, ListPredicate).
		f.Read = min(1, count)
		f.Returned = f.Read
		return
	}
	matching := p.matching(count, t, r)
	f.Returned = matching
	if r.Limit > 0 {
		f.Returned = min(matching, r.Limit)
	}
	f.Read = count
	switch {
	case !r.FromStorage && byNode(t, r):
		f.Read = matching // the watch cache has an index of pods by node
	case f.Returned < matching:
		f.Read = min(count, ceilRatio(f.Returned, count, matching))
	}
}

// count is how many objects there are where a request looks.
func (p *Prices) count(t *scheduler.Target, r *scheduler.ReadFacts) int64 {
	if t.Namespace != "" {
		for i := range p.c.Objects.Namespaces {
			if n := &p.c.Objects.Namespaces[i]; n.Namespace == t.Namespace && n.Resource == t.Resource && n.Group == t.APIGroup {
				return n.Count
			}
		}
	}
	return r.Count
}

// matching is how many of them are selected.
func (p *Prices) matching(count int64, t *scheduler.Target, r *scheduler.ReadFacts) int64 {
	switch {
	case !r.Selector:
		return count
	case byNode(t, r) && p.nodes > 0:
		return ceilRatio(count, 1, p.nodes)
	}
	return min(count, int64(math.Ceil(float64(count)*p.c.Objects.Selected)))
}

// byNode tells whether the pods of a node are asked for.
func byNode(t *scheduler.Target, r *scheduler.ReadFacts) bool {
	return r.NodeSelector && t.Resource == "pods" && t.APIGroup == ""
}

// Of returns what a request costs.
func (p *Prices) Of(f *Facts) Cost {
	cpu, etcd := &p.c.CPU, &p.c.Etcd
	read, returned := product(f.Read, f.ObjectBytes), product(f.Returned, f.ObjectBytes)
	c := Cost{
		Before: cpu.Request + p.verb(f.Verb) + megabytes(f.ObjectBytes, cpu.Encode, min(1, f.Written)),
		After:  times(f.Read, cpu.Object) + megabytes(returned, cpu.Encode, 1),
		Reads:  f.ReadsStorage,
		Writes: f.Written > 0,
		Held:   p.held(f, read, returned),
	}
	if f.FromStorage {
		c.After += megabytes(read, cpu.Decode, 1)
		c.Read = etcd.Reads.of(f.Read, read)
	} else if f.ReadsStorage {
		c.Read = etcd.Reads.Latency
	}
	if c.Writes {
		c.Write = times(f.Written, etcd.Writes.of(1, f.ObjectBytes))
	}
	return c
}

// held is what the answer takes in memory. From etcd, all that is read is there at once,
// as it came and decoded; from the watch cache, what is returned.
func (p *Prices) held(f *Facts, read, returned int64) int64 {
	m := &p.c.Memory
	switch {
	case f.Verb == "watch":
		return 0 // object by object, and no more of them at once than a channel has places
	case f.FromStorage:
		return scaled(read, m.StorageFactor)
	case m.Streamed || f.Streamed:
		return min(scaled(returned, m.CacheFactor), StreamedBytes)
	}
	return scaled(returned, m.CacheFactor)
}

// verb is the core time of a verb.
func (p *Prices) verb(verb string) time.Duration {
	for i := range p.c.CPU.Verbs {
		if p.c.CPU.Verbs[i].Verb == verb {
			return p.c.CPU.Verbs[i].Work
		}
	}
	return 0
}

// of is how long an operation takes on so many objects with so many bytes together.
func (o *Operations) of(objects, bytes int64) time.Duration {
	return capped(o.Latency + times(max(0, objects-1), o.Object) + megabytes(bytes, o.Megabyte, 1))
}

// A cost is cut off at a year: the sum of all stages stays far from what a Duration can tell.
const costMax = 365 * 24 * time.Hour

func capped(d time.Duration) time.Duration { return min(d, costMax) }

// times is n times a duration.
func times(n int64, d time.Duration) time.Duration {
	high, low := bits.Mul64(uint64(n), uint64(d))
	return capped(time.Duration(div128(high, low, 1)))
}

// megabytes is what n times so many bytes cost, rounded to the nearest nanosecond.
func megabytes(bytes int64, each time.Duration, n int64) time.Duration {
	const megabyte = 1_000_000
	high, low := addProduct(0, megabyte/2, uint64(bytes)*uint64(n), uint64(each))
	return capped(time.Duration(div128(high, low, megabyte)))
}

// product is a*b of numbers that are not negative, at most MaxInt64.
func product(a, b int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	return div128(high, low, 1)
}

// ceilRatio is a*b/by, rounded up. by is above 0.
func ceilRatio(a, b, by int64) int64 {
	high, low := addProduct(0, uint64(by)-1, uint64(a), uint64(b))
	return div128(high, low, uint64(by))
}

// scaled is so many bytes times a factor.
func scaled(bytes int64, factor float64) int64 {
	return int64(min(float64(bytes)*factor, bytesMax))
}
