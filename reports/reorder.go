package reports

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
)

// entry is one request until its line is written.
type entry struct {
	arrival, dispatched, finished time.Duration
	latency                       time.Duration
	initialSeats, finalSeats      int32
	schema, level, flow, queue    int32
	retryAfter, server            int32
	fate                          fate
	why                           sim.Refusal // of one that was refused
	reason                        fairqueue.Reason
	again                         bool // it is a retry
	state                         entryState
}

// fate is how a request ended, beside what APF made of it.
type fate uint8

const (
	ordinary fate = iota
	cut           // its server has stopped
	refused       // it has reached no server
)

type entryState uint8

const (
	absent  entryState = iota
	present            // arrived, and not finished or rejected
	settled            // nothing more will happen
)

// pageSize is the number of consecutive ids in a page.
const pageSize = 256

type page [pageSize]entry

// reorder holds the entries of requests until those with smaller ids are written. Its
// pages are of consecutive ids, and exist only where there are entries.
type reorder struct {
	write func(id int64, e *entry)
	pages map[int64]*page // by id / pageSize
	spare []*page
	next  int64 // the id whose line is due
	last  *page // the page that was used last
	lastN int64 // its number, -1 for none

	// lateness is known where ids are the line numbers of a trace; see skipGap.
	lateness time.Duration
	// checkAt is the number of pages at which to look for a gap.
	checkAt int
}

func newReorder(write func(int64, *entry)) reorder {
	return reorder{write: write, pages: map[int64]*page{}, lastN: -1, checkAt: math.MaxInt}
}

// numbersLines tells that ids are the line numbers of a trace, which blank lines have
// too, and how far out of order its lines are.
func (o *reorder) numbersLines(lateness time.Duration) {
	o.lateness, o.checkAt = lateness, minCheck
}

// minCheck is the smallest number of pages at which it is worth to look for a gap.
const minCheck = 4

// open returns the entry of a request that arrives.
func (o *reorder) open(now time.Duration, id int64) *entry {
	if id < o.next {
		panic(fmt.Sprintf("reports: request %d arrives at %v, but all lines before %d are written", id, now, o.next))
	}
	if len(o.pages) >= o.checkAt {
		for o.skipGap(now) {
			continue
		}
		o.checkAt = max(2*len(o.pages), minCheck)
	}
	e := o.at(id)
	if e.state != absent {
		panic(fmt.Sprintf("reports: two requests have the id %d: they arrive at %v and %v", id, e.arrival, now))
	}
	return e
}

// skipGap passes over line numbers that no request has: those of blank lines. It
// reports whether there were any at the place that holds up the rest.
//
// A number is known to be missing by the lateness of the trace, the most that a line
// arrives before any line above it. So whatever stands above a line that arrived at a has
// arrived by a plus the lateness. Retries are no lines and tell nothing.
func (o *reorder) skipGap(now time.Duration) bool {
	id, e := o.first()
	if e == nil || id == o.next || e.again || e.arrival+o.lateness >= now {
		return false
	}
	for _, n := range slices.Sorted(maps.Keys(o.pages)) {
		if n < id/pageSize {
			o.drop(n)
		}
	}
	o.next = id
	o.advance()
	return true
}

// first returns the entry with the smallest id that is not written, nil if there is
// none.
func (o *reorder) first() (int64, *entry) {
	for _, n := range slices.Sorted(maps.Keys(o.pages)) {
		for i := range o.pages[n] {
			if e := &o.pages[n][i]; e.state != absent && n*pageSize+int64(i) >= o.next {
				return n*pageSize + int64(i), e
			}
		}
	}
	return 0, nil
}

// at returns the entry with this id.
func (o *reorder) at(id int64) *entry {
	n := id / pageSize
	if n != o.lastN {
		p := o.pages[n]
		if p == nil {
			p = o.newPage()
			o.pages[n] = p
		}
		o.last, o.lastN = p, n
	}
	return &o.last[id%pageSize]
}

// newPage returns an empty page.
func (o *reorder) newPage() *page {
	n := len(o.spare)
	if n == 0 {
		return &page{}
	}
	p := o.spare[n-1]
	o.spare = o.spare[:n-1]
	*p = page{}
	return p
}

// flush writes the lines that are due once the request with this id is settled: none,
// unless it is the next one.
func (o *reorder) flush(id int64) {
	if id == o.next {
		o.advance()
	}
}

// advance writes lines until one is due that is not settled.
func (o *reorder) advance() {
	for {
		n := o.next / pageSize
		p := o.pages[n]
		if p == nil {
			return
		}
		for i := o.next % pageSize; i < pageSize; i++ {
			if p[i].state != settled {
				return
			}
			o.write(o.next, &p[i])
			o.next++
		}
		o.drop(n)
	}
}

// drop forgets a page whose lines are written.
func (o *reorder) drop(n int64) {
	o.spare = append(o.spare, o.pages[n])
	delete(o.pages, n)
	if o.lastN == n {
		o.last, o.lastN = nil, -1
	}
}

// drain writes all that is left.
func (o *reorder) drain() {
	for _, n := range slices.Sorted(maps.Keys(o.pages)) {
		p := o.pages[n]
		for i := range p {
			if id := n*pageSize + int64(i); id >= o.next && p[i].state != absent {
				o.write(id, &p[i])
			}
		}
		o.drop(n)
	}
}
