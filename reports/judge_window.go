package reports

import (
	"fmt"
	"slices"
	"time"
)

// Window is a part of a run: what arrived from From on and before Until, and what was so in that
// time. The zero value is all that is after the warm-up; without Until it goes to the end.
type Window struct {
	From  time.Duration
	Until time.Duration
}

// String says in words which part it is, "" for the zero value.
func (w Window) String() string {
	switch {
	case w == Window{}:
		return ""
	case w.Until == 0:
		return "from " + w.From.String()
	case w.From == 0:
		return "until " + w.Until.String()
	}
	return "from " + w.From.String() + " until " + w.Until.String()
}

// Windowed is a collector of a part of a replication.
type Windowed struct {
	Window Window
	*Collector
}

// Windows makes a collector for each of the parts of a run that expectations are about. Most
// runs need none.
func Windows(expectations []Expectation) []Windowed {
	var out []Windowed
	for i := range expectations {
		w := expectations[i].Window
		if w != (Window{}) && !slices.ContainsFunc(out, func(o Windowed) bool { return o.Window == w }) {
			out = append(out, Windowed{w, NewCollector(Between(w.From, w.Until))})
		}
	}
	return out
}

// Attach keeps with a replication what was collected of parts of it.
func (o *Collected) Attach(w Window, part *Collected) {
	if o.parts == nil {
		o.parts = map[Window]*Collected{}
	}
	o.parts[w] = part
}

// booksOf returns the books of a part of the run, of all replications and of each. It panics if
// nobody has collected it.
func (r *Result) booksOf(w Window) (pooled *books, own []*books) {
	if w == (Window{}) {
		return r.books, r.own
	}
	if known, ok := r.parts[w]; ok {
		return known.books, known.own
	}
	m := &merger{}
	for _, whole := range r.books.replications {
		part := whole.parts[w]
		if part == nil {
			panic(fmt.Sprintf("reports: nothing was collected %s", w))
		}
		m.runs = append(m.runs, part)
	}
	m.enterAll()
	if r.parts == nil {
		r.parts = map[Window]*merger{}
	}
	r.parts[w] = m
	return m.books, m.own
}
