package scheduler

import (
	"cmp"
	"fmt"
	"time"

	"github.com/apfsim/apfsim/scheduler/borrowing"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/retryafter"
)

// Moment is what a server is doing at a moment, as far as it is known.
type Moment struct {
	Levels []LevelMoment
	// Whole tells that nothing is left out, so that a server which is put into this state goes
	// on as the one that was in it: not even a limit is looked at anew. Of other moments what can
	// be dispatched is dispatched at once, since something that was not known may have kept it.
	Whole bool
}

// LevelMoment is what a level is doing. A level that is not listed is idle.
type LevelMoment struct {
	Name string
	// Limit is the limit in force, and Nominal the nominal limit that it was made of; -1 where
	// that is not known.
	Limit, Nominal int
	// Stats are those of the last adjustment.
	Stats borrowing.Stats
	// RetryAfter is what is known of rejections.
	RetryAfter retryafter.Saved
	// Set is the state of the queue set, and Requests tell more of each of its requests.
	Set      fairqueue.Saved
	Requests []PresentRequest
}

// PresentRequest is what makes a present request one of a schema and a flow.
type PresentRequest struct {
	// Schema is the name of the FlowSchema that it was classified by.
	Schema string
	// Subject and Target are as in Request.
	Subject SubjectID
	Target  TargetID
	// WaitLimit is how long it may wait; 0 is for as long as one whose client has asked for no
	// deadline.
	WaitLimit time.Duration
}

// Save returns the state of a level that is not gone, all but its Requests.
func (s *Server) Save(now time.Duration, level int) LevelMoment {
	l := &s.levels[level]
	return LevelMoment{
		Name: l.info.Name, Limit: l.info.Current, Nominal: l.info.Nominal,
		Stats: l.info.Stats, RetryAfter: l.retryAfter.Save(now), Set: l.set.Save(),
	}
}

// Restore puts a server to which nothing has happened since New into the state of a moment. It
// returns what Arrive would have returned of each request, level by level, and what is decided
// about them now.
//
// The limits are those of the moment if all of them are known and its nominal limits are those of
// the configuration. Otherwise all limits are adjusted to the demand of the moment, as they are
// when a configuration has changed.
//
// It panics if a level or a schema is not there, or for what fairqueue.Set.Restore refuses.
func (s *Server) Restore(now time.Duration, m *Moment) (arrivals [][]Arrival, out []Decision) {
	s.out = s.out[:0]
	known := s.knowsLimits(m)
	for i := range m.Levels {
		arrivals = append(arrivals, s.restoreLevel(now, &m.Levels[i], known))
	}
	s.arrival = Arrival{Schema: -1, Level: -1, Flow: -1, Queue: -1, Watchers: -1}
	switch {
	case !known:
		s.adjust(now)
	case !m.Whole:
		for _, number := range s.inForce {
			l := &s.levels[number]
			s.collect(l.setNumber, l.set.Configure(now, l.config, l.info.Current))
		}
	}
	return arrivals, s.out
}

// knowsLimits tells whether the limits of a moment can be used.
func (s *Server) knowsLimits(m *Moment) bool {
	listed := map[int32]bool{}
	for i := range m.Levels {
		lm := &m.Levels[i]
		number := s.levelOf(lm.Name)
		if lm.Limit < 0 || lm.Nominal >= 0 && lm.Nominal != s.levels[number].info.Nominal {
			return false
		}
		listed[number] = true
	}
	for _, number := range s.inForce {
		if !listed[number] && !s.levels[number].info.Exempt {
			return false
		}
	}
	return true
}

func (s *Server) levelOf(name string) int32 {
	number, known := s.levelNumbers[name]
	if !known || s.levels[number].set == nil {
		panic(fmt.Sprintf("scheduler: a moment has level %q, which is not in force", name))
	}
	return number
}

// restoreLevel restores a level, with the limit of the moment if that can be used.
func (s *Server) restoreLevel(now time.Duration, lm *LevelMoment, limit bool) []Arrival {
	number := s.levelOf(lm.Name)
	l := &s.levels[number]
	if limit {
		l.info.Current = lm.Limit
		l.set.Configure(now, l.config, lm.Limit)
	}
	l.info.Stats, l.retryAfter = lm.Stats, retryafter.Restored(now, &lm.RetryAfter)
	arrivals := make([]Arrival, len(lm.Requests))
	for i, h := range l.set.Restore(&lm.Set) {
		r, saved := &lm.Requests[i], &lm.Set.Requests[i]
		schema, known := s.schemaNumbers[r.Schema]
		if !known {
			panic(fmt.Sprintf("scheduler: a moment has schema %q, which is not in force", r.Schema))
		}
		t := &s.targets[r.Target]
		a := Arrival{
			ID: makeID(l.setNumber, h), Schema: schema, Level: number, Flow: -1, Queue: int32(saved.Queue),
			Estimate: saved.Estimate, WaitLimit: cmp.Or(r.WaitLimit, s.waitLimit(t, 0)), Watchers: -1, Watch: t.watch, Mutating: t.mutating,
		}
		if l.dealer != nil {
			a.Flow = s.flowOf(schema, &s.schemas[schema], l, &Request{Subject: r.Subject, Target: r.Target})
		}
		s.sets[l.setNumber].noteSchema(h, schema)
		arrivals[i] = a
	}
	return arrivals
}
