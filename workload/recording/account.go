package recording

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// FirstFaults is how many of the malformed lines an Account shows.
const FirstFaults = 10

// Account tells what a reader has read, what it has left out and what it has made up. The zero
// value is ready.
type Account struct {
	// Lines counts what was read, in lines or in objects, and Requests what came of it.
	Lines, Requests int64
	// Faults are the first of the malformed lines, and Malformed counts all of them.
	Faults    []Fault
	Malformed int64
	// LeftOut counts what was understood and is no request of the result, by reason; Assumed
	// counts requests of which something was assumed, by what.
	LeftOut, Assumed map[string]int64
	// Notes counts what else is worth knowing, such as what was there twice.
	Notes map[string]int64
	// Evidence counts the requests of the result by where their execution times come from.
	Evidence [Absent + 1]int64
	// First and Last are the first arrival and the last time that the record tells of, in
	// nanoseconds since 1970; they mean something once Seen is true.
	First, Last int64
	Seen        bool
	// Stops are when servers seem to have stopped, as far as requests without an end tell.
	Stops []Stop
}

// Fault is something malformed.
type Fault struct {
	// File and Line are where it is; the line counts from 1.
	File string
	Line int64
	// Problem says what is wrong, and Text is how the line begins.
	Problem, Text string
}

// Entry is a reason with its count.
type Entry struct {
	Reason string
	Count  int64
}

// textMax is how many bytes of a malformed line are kept.
const textMax = 120

// Fault counts a malformed line, and keeps it if it is one of the first.
func (a *Account) Fault(file string, line int64, problem string, text []byte) {
	a.Malformed++
	if len(a.Faults) < FirstFaults {
		a.Faults = append(a.Faults, Fault{file, line, problem, string(text[:min(len(text), textMax)])})
	}
}

// LeaveOut counts something that is left out.
func (a *Account) LeaveOut(reason string) { count(&a.LeftOut, reason) }

// Assume counts a request of which something is assumed.
func (a *Account) Assume(what string) { count(&a.Assumed, what) }

// Note counts something that is worth knowing.
func (a *Account) Note(what string) { count(&a.Notes, what) }

// Span widens the period of the record by an arrival and a time at or after it.
func (a *Account) Span(first, last int64) {
	if !a.Seen {
		a.First, a.Last, a.Seen = first, last, true
	}
	a.First, a.Last = min(a.First, first), max(a.Last, last)
}

func count(m *map[string]int64, key string) {
	if *m == nil {
		*m = map[string]int64{}
	}
	(*m)[key]++
}

// Entries lists counts, the largest first, and those that are equal by name.
func Entries(m map[string]int64) []Entry {
	out := make([]Entry, 0, len(m))
	for _, reason := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Entry{reason, m[reason]})
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

// OneLine makes a name that was read fit for a comment of one line: what would end the line, and
// what YAML allows nowhere, becomes a space.
func OneLine(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029 || c == 0xfffe || c == 0xffff || c == 0xfeff {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(s, " "))
}
