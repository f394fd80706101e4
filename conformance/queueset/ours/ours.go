// Package ours makes a subject of the product's queue set. Only this file knows both
// packages, so that a wrong queue set is driven by a copy of it.
package ours

import (
	"time"

	"github.com/apfsim/apfsim/conformance/queueset"
	product "github.com/apfsim/apfsim/scheduler/fairqueue"
	subject "github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
)

// set adapts subject.Set. The conversions cost nothing for the product itself; they
// are there for copies of its package, whose types are other types.
type set struct {
	*subject.Set
	tags []uint32
}

var _ queueset.Subject = (*set)(nil)

// New makes a queue set at a virtual time.
func New(now time.Duration) queueset.Subject {
	return &set{Set: subject.NewSet(now, subject.Rules(release.For(release.Last).Queues))}
}

// Configure implements queueset.Subject.
func (s *set) Configure(now time.Duration, cfg product.Config, limit int) []uint32 {
	return s.note(s.Set.Configure(now, subject.Config(cfg), limit))
}

// Arrive implements queueset.Subject.
func (s *set) Arrive(now time.Duration, e product.Estimate, hand []int32, tag uint32) (int32, int, string, []uint32) {
	h, queue, reason, out := s.Set.Arrive(now, subject.Estimate(e), hand, tag)
	return int32(h), queue, reason.String(), s.note(out)
}

// Finish implements queueset.Subject.
func (s *set) Finish(now time.Duration, handle int32) (time.Duration, bool, []uint32) {
	freeAt, lingers, out := s.Set.Finish(now, subject.Handle(handle))
	return freeAt, lingers, s.note(out)
}

// Release implements queueset.Subject.
func (s *set) Release(now time.Duration, handle int32) []uint32 {
	return s.note(s.Set.Release(now, subject.Handle(handle)))
}

// Expire implements queueset.Subject.
func (s *set) Expire(now time.Duration, handle int32) {
	s.Set.Expire(now, subject.Handle(handle))
}

// Waiting implements queueset.Subject.
func (s *set) Waiting(handle int32) bool { return s.Set.Waiting(subject.Handle(handle)) }

// TakeDemand implements queueset.Subject.
func (s *set) TakeDemand(now time.Duration) queueset.Demand {
	d := s.Set.TakeDemand(now)
	return queueset.Demand{Seconds: d.Seconds, Avg: d.Avg, StdDev: d.StdDev, Max: d.Max}
}

// State implements queueset.Subject.
func (s *set) State() product.State {
	st := s.Set.State()
	return product.State{
		Limit:        st.Limit,
		SeatsInUse:   st.SeatsInUse,
		SeatsWaiting: st.SeatsWaiting,
		Waiting:      st.Waiting,
		Executing:    st.Executing,
		Queues:       st.Queues,
		ActiveQueues: st.ActiveQueues,
		R:            product.SeatSeconds(st.R),
	}
}

// Queue implements queueset.Subject.
func (s *set) Queue(index int) product.QueueState {
	q := s.Set.QueueState(index)
	return product.QueueState{
		Waiting:       q.Waiting,
		Executing:     q.Executing,
		SeatsInUse:    q.SeatsInUse,
		Work:          product.SeatSeconds(q.Work),
		NextDispatchR: product.SeatSeconds(q.NextDispatchR),
	}
}

// note keeps the tags of what was dispatched.
func (s *set) note(out []subject.Dispatch) []uint32 {
	s.tags = s.tags[:0]
	for _, d := range out {
		s.tags = append(s.tags, d.Tag)
	}
	return s.tags
}
