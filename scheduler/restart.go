package scheduler

import (
	"time"

	"github.com/apfsim/apfsim/scheduler/borrowing"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/scheduler/retryafter"
)

// Restart makes the server begin anew at now, as the process of an API server does: no
// request is there, no demand and no rejection is remembered, and the limits are adjusted
// for the first time. The configuration in force stays, as do the numbers of levels and
// schemas, subjects, targets and flows, which name the same things as before. Watches
// stay counted; whoever knows that they have ended closes them.
//
// All IDs are void after that. A release that is not zero is what the server is one of from
// then on.
func (s *Server) Restart(now time.Duration, v release.Version) {
	if v != (release.Version{}) {
		s.cfg.Release = v
		s.profile = release.For(v)
	}
	s.out, s.changes = s.out[:0], s.changes[:0]
	for i := range s.levels {
		l := &s.levels[i]
		l.set, l.setNumber = nil, 0
		l.retryAfter, l.refusals = retryafter.Tracker{}, nil
		l.info.Status, l.info.MaxSeats, l.info.Stats = Gone, 0, borrowing.Stats{}
	}
	s.panics = s.Panics()
	s.sets = s.sets[:0]
	s.inForce, s.quiescing = nil, 0
	s.begin(now)
}

// begin puts the configuration into force for the first time in the life of a process.
func (s *Server) begin(now time.Duration) {
	s.digests++
	opened := s.digestLevels(now)
	s.digestSchemas()
	s.divide(opened)
	// Before upstream's controller has read any object it knows the mandatory levels
	// alone, of which this one has all the shares. It keeps that limit if the first
	// allocation among all levels has no solution.
	s.levels[s.levelNumbers[CatchAll]].info.Current = s.cfg.Seats
	s.adjust(now)
	s.writeConditions()
	s.changes = s.changes[:0]
}
