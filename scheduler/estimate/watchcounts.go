package estimate

import (
	"fmt"
	"strings"
)

// WatchCounts knows how many watches are open on this server, and how many of them
// each write concerns (upstream's watch tracker, pkg/util/flowcontrol/watch_tracker.go).
// The zero value has none.
//
// Watches are counted by exactly what they were opened for: a resource, the same in
// one namespace, or one object. The first two are cells that a caller finds once and
// keeps, so that asking about a write costs two additions as long as nobody watches
// single objects.
type WatchCounts struct {
	cells []cell
	found map[cellKey]int32
}

// cell counts the watches of a resource in one namespace, or, with the namespace
// empty, of those opened for all namespaces or for a resource that has none.
type cell struct {
	key     cellKey
	watches int
	// named counts the watches of single objects by name, those in named only. It is
	// nil while there are none.
	named map[string]int
}

type cellKey struct {
	group, resource, namespace string
}

// Scope is where the watches that concern a request are counted.
type Scope struct {
	all int32 // of all namespaces
	own int32 // of the request's namespace; the same as all if it has none
}

// Scope returns where to count for requests of that API group, resource and
// namespace. Scopes stay valid; the strings are not kept. A subresource does not
// matter.
func (w *WatchCounts) Scope(group, resource, namespace string) Scope {
	s := Scope{all: w.cell(cellKey{group, resource, ""})}
	s.own = s.all
	if namespace != "" {
		s.own = w.cell(cellKey{group, resource, namespace})
	}
	return s
}

// cell returns the number of the cell and makes it if it is new.
func (w *WatchCounts) cell(key cellKey) int32 {
	if i, ok := w.found[key]; ok {
		return i
	}
	if w.found == nil {
		w.found = make(map[cellKey]int32)
	}
	i := int32(len(w.cells))
	key = cellKey{strings.Clone(key.group), strings.Clone(key.resource), strings.Clone(key.namespace)}
	w.cells = append(w.cells, cell{key: key})
	w.found[key] = i
	return i
}

// Register counts a watch that has been dispatched, until Forget is called with the
// same arguments. name is that of the watched object, "" if there is no single one.
//
// A watch of pods for one node is not counted: the server keeps an index by which it
// finds the watches of just the node concerned, and upstream takes those for none.
func (w *WatchCounts) Register(s Scope, name string, o ListOptions) {
	if w.counted(s, o) {
		w.Add(s, name, 1)
	}
}

// Forget undoes Register when the watch has ended.
func (w *WatchCounts) Forget(s Scope, name string, o ListOptions) {
	if w.counted(s, o) {
		w.Add(s, name, -1)
	}
}

// counted tells whether such a watch counts. As upstream, it looks at the name of the
// resource alone and not at its group.
func (w *WatchCounts) counted(s Scope, o ListOptions) bool {
	return !o.NodeSelector || w.cells[s.own].key.resource != "pods"
}

// Add changes the number of watches without a node selector by n. It panics if that
// makes it negative.
func (w *WatchCounts) Add(s Scope, name string, n int) {
	c := &w.cells[s.own]
	if name == "" {
		c.watches = c.changed(name, c.watches, n)
		return
	}
	count, known := c.named[name]
	count = c.changed(name, count, n)
	switch {
	case count == 0:
		delete(c.named, name)
	case known:
		c.named[name] = count
	default:
		if c.named == nil {
			c.named = make(map[string]int)
		}
		c.named[strings.Clone(name)] = count
	}
}

// changed returns count + n, which must not be negative.
func (c *cell) changed(name string, count, n int) int {
	if count+n < 0 {
		panic(fmt.Sprintf("estimate: %d watches of %+v, name %q, cannot change by %d", count, c.key, name, n))
	}
	return count + n
}

// Interested returns how many watches would be notified of a write to the object of
// that name: those of the resource everywhere, those of its namespace, and those of
// the object itself. With name "", as for a create, the latter are left out. It
// allocates nothing.
func (w *WatchCounts) Interested(s Scope, name string) int {
	own := &w.cells[s.own]
	n := own.watches
	if s.own != s.all {
		n += w.cells[s.all].watches
	}
	if name != "" && len(own.named) > 0 {
		n += own.named[name]
	}
	return n
}
