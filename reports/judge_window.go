package reports

import "time"

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

// booksOf returns the books of a part of the run, of all replications and of each.
func (r *Result) booksOf(Window) (pooled *books, own []*books) {
	return r.books, r.own
}
