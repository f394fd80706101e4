package dump

import (
	"cmp"
	"fmt"
	"slices"
)

// complete puts what was read in order, finds out when the pages were made, and holds the pages
// against each other.
func (r *reader) complete() {
	for i := range r.moment.Servers {
		s := &r.moment.Servers[i]
		slices.SortStableFunc(s.Levels, func(a, b Level) int { return cmp.Compare(a.Name, b.Name) })
		for j := range s.Levels {
			l := &s.Levels[j]
			slices.SortStableFunc(l.Queues, func(a, b Queue) int { return cmp.Compare(a.Index, b.Index) })
			s.noteTimes(l)
			r.gaps(l)
			r.agree(s, l)
		}
	}
}

// noteTimes finds the time of the pages: the one that they tell, or the latest in them.
func (s *Server) noteTimes(l *Level) {
	if l.Whole != nil && !l.Whole.at.IsZero() {
		s.Time, s.Told = l.Whole.at, true
	}
	if s.Told {
		return
	}
	for i := range l.Requests {
		q := &l.Requests[i]
		if q.Arrival.After(s.Time) {
			s.Time = q.Arrival
		}
		if q.Start.After(s.Time) {
			s.Time = q.Start
		}
	}
}

// gaps reports queues that are missing: a page lists all of them.
func (r *reader) gaps(l *Level) {
	for i := range l.Queues {
		if q := &l.Queues[i]; q.Index != i {
			r.at = q.Place
			r.fault(1, fmt.Sprintf("queue %d of %s follows no queue %d", q.Index, l.Name, q.Index-1), "all queues of a level, from 0 on", "was the page cut, or filtered?")
			return
		}
	}
}

// agree notes where the pages differ: they were made one after the other, and what happened between
// them is in some of them only.
func (r *reader) agree(s *Server, l *Level) {
	waiting, executing := 0, 0
	for i := range l.Requests {
		switch l.Requests[i].Phase {
		case Waiting:
			waiting++
		case Executing:
			executing++
		}
	}
	if !s.Pages.Requests {
		return
	}
	if l.Waiting != Unknown && l.Waiting != waiting {
		r.account.Assume(fmt.Sprintf("level %s: %d wait by dump_priority_levels and %d by dump_requests, which is gone by", l.Name, l.Waiting, waiting))
	}
	if s.Pages.Executing && l.Executing != Unknown && l.Executing != executing {
		r.account.Assume(fmt.Sprintf("level %s: %d execute by dump_priority_levels and %d by dump_requests, which is gone by", l.Name, l.Executing, executing))
	}
}
