package sim

import (
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload"
)

// selectorCache holds what the server reads in list options with selectors, by their
// texts, so that a trace in which they come again and again is replayed without an
// allocation for each.
//
// There may be as many different selectors as objects, and so as lines. A full cache is
// emptied and begins anew: a trace whose selectors fit fills it once, and one with more
// pays for those that it has not met lately. The zero value is an empty cache.
type selectorCache struct {
	known map[selectorKey]selected
	bytes int
}

// selectorKey is a set of options, by its number in the trace, and the selectors that a
// line adds to it.
type selectorKey struct {
	options        int32
	fields, labels string
}

// selected is what the server reads in the options of a list or watch.
type selected struct {
	options scheduler.ListOptions
	// name is the object that the field selector asks for, "" if none.
	name string
	// raw are the texts.
	raw *workload.RawOptions
}

const (
	// selectorBytes bounds a cache. It is enough for some twenty thousand selectors of the
	// usual length: one for the node of each kubelet of a large cluster, and more.
	selectorBytes = 4 << 20
	// selectorCost is what an entry takes beside its texts, roughly.
	selectorCost = 128
)

// find returns an entry, without an allocation.
func (c *selectorCache) find(options int32, fields, labels []byte) (selected, bool) {
	// In this form the compiler looks up the bytes and makes no strings of them.
	s, known := c.known[selectorKey{options, string(fields), string(labels)}]
	return s, known
}

// keep makes an entry. A cache is over its bound by the last entry at most.
func (c *selectorCache) keep(key selectorKey, s selected) {
	switch {
	case c.known == nil:
		c.known = make(map[selectorKey]selected)
	case c.bytes >= selectorBytes:
		clear(c.known)
		c.bytes = 0
	}
	c.known[key] = s
	c.bytes += len(key.fields) + len(key.labels) + selectorCost
}
