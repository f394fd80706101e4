package seats

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// compareValues lists where two values differ. Maps are compared field by field, lists
// element by element.
func compareValues(path string, a, b any) []FieldChange {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	switch old := a.(type) {
	case map[string]any:
		if now, ok := b.(map[string]any); ok {
			return compareMaps(path, old, now)
		}
	case []any:
		if now, ok := b.([]any); ok {
			return compareLists(path, old, now)
		}
	}
	return []FieldChange{{path, a, b}}
}

// compareMaps compares fields, in the order of their names.
func compareMaps(path string, a, b map[string]any) []FieldChange {
	var changes []FieldChange
	for _, name := range union(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b))) {
		changes = append(changes, compareValues(path+"."+name, a[name], b[name])...)
	}
	return changes
}

// compareLists compares elements with what became of them, so that a rule put in front of
// others does not make all of them seem changed.
func compareLists(path string, a, b []any) []FieldChange {
	var changes []FieldChange
	for _, p := range align(a, b) {
		switch {
		case p.a < 0:
			changes = append(changes, FieldChange{element(path, p.b), nil, b[p.b]})
		case p.b < 0:
			changes = append(changes, FieldChange{element(path, p.a), a[p.a], nil})
		default:
			changes = append(changes, compareValues(element(path, p.b), a[p.a], b[p.b])...)
		}
	}
	return changes
}

func element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// pair is an element of one list and what became of it in the other, as indexes; -1 is
// nothing.
type pair struct{ a, b int }

// alignMax bounds the table of align. Lists whose product of lengths is larger are paired
// in order; one would have to name a thousand namespaces in a rule to see that.
const alignMax = 1 << 20

// align pairs the elements of two lists, in their order, such that the least has changed:
// the textbook's edit distance, where to add or remove an element costs its size, and to
// change it the size of what changes in it.
func align(a, b []any) []pair {
	start := 0
	for start < len(a) && start < len(b) && reflect.DeepEqual(a[start], b[start]) {
		start++
	}
	var pairs []pair
	for i := range start {
		pairs = append(pairs, pair{i, i})
	}
	costs := newDistances(a[start:], b[start:])
	for i, j := start, start; i < len(a) || j < len(b); {
		switch costs.step(i-start, j-start) {
		case keep:
			pairs = append(pairs, pair{i, j})
			i, j = i+1, j+1
		case remove:
			pairs = append(pairs, pair{i, -1})
			i++
		case add:
			pairs = append(pairs, pair{-1, j})
			j++
		}
	}
	return pairs
}

// step is what becomes of the next elements.
type step uint8

const (
	keep step = iota
	remove
	add
)

// distances are the steps to take from each pair of indexes on.
type distances struct {
	a, b  int // the lengths
	steps [][]step
}

// newDistances fills the table from its end, row by row.
func newDistances(a, b []any) distances {
	d := distances{a: len(a), b: len(b)}
	if len(a)*len(b) > alignMax {
		return d
	}
	below := make([]int, len(b)+1) // costs from the next element of a on
	for j := len(b) - 1; j >= 0; j-- {
		below[j] = below[j+1] + size(b[j])
	}
	d.steps = make([][]step, len(a))
	for i := len(a) - 1; i >= 0; i-- {
		d.steps[i] = make([]step, len(b))
		row := make([]int, len(b)+1)
		row[len(b)] = below[len(b)] + size(a[i])
		for j := len(b) - 1; j >= 0; j-- {
			kept, removed, added := below[j+1]+distance(a[i], b[j]), below[j]+size(a[i]), row[j+1]+size(b[j])
			row[j] = min(kept, removed, added)
			switch row[j] {
			case kept:
				d.steps[i][j] = keep
			case removed:
				d.steps[i][j] = remove
			default:
				d.steps[i][j] = add
			}
		}
		below = row
	}
	return d
}

// step is the one to take from a pair of indexes on.
func (d *distances) step(i, j int) step {
	switch {
	case i >= d.a:
		return add
	case j >= d.b:
		return remove
	case d.steps == nil:
		return keep
	}
	return d.steps[i][j]
}

// distance is the size of what differs between two values.
func distance(a, b any) int {
	n := 0
	for _, c := range compareValues("", a, b) {
		n += size(c.Before) + size(c.After)
	}
	return n
}

// size is the number of plain values in a value.
func size(v any) int {
	switch v := v.(type) {
	case nil:
		return 0
	case map[string]any:
		n := 0
		for _, inner := range v { // Any order: the sizes are added up
			n += size(inner)
		}
		return n
	case []any:
		n := 0
		for _, inner := range v {
			n += size(inner)
		}
		return n
	}
	return 1
}
