package queueset

import (
	"time"

	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/eventclock"
)

// origin is the wall clock reading at virtual time 0. It has no monotonic part, and
// only differences from it are ever used.
var origin = time.Unix(1_700_000_000, 0).UTC()

// Clock is virtual time for the real queue set. It moves when the driver says so, and
// what is scheduled on it runs when the driver says so.
type Clock struct {
	now    time.Duration
	events []event
}

// event is one thing that the queue set has asked to be called for.
type event struct {
	at time.Duration
	fn eventclock.EventFunc
}

var _ eventclock.Interface = (*Clock)(nil)

// Now returns the virtual time as a wall clock reading.
func (c *Clock) Now() time.Time { return origin.Add(c.now) }

// Since returns the virtual time that has passed since t.
func (c *Clock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// Sleep panics: on one goroutine nobody could end it.
func (c *Clock) Sleep(d time.Duration) {
	panic("queueset: the real queue set sleeps for " + d.String())
}

// EventAfterDuration keeps f until the driver takes it.
func (c *Clock) EventAfterDuration(f eventclock.EventFunc, d time.Duration) {
	c.events = append(c.events, event{at: c.now + d, fn: f})
}

// EventAfterTime keeps f until the driver takes it.
func (c *Clock) EventAfterTime(f eventclock.EventFunc, t time.Time) {
	c.events = append(c.events, event{at: t.Sub(origin), fn: f})
}

// take returns the event scheduled since the last call, or a zero one. The queue set
// schedules at most one per call, the end of the lingering of the request at hand.
func (c *Clock) take() event {
	switch len(c.events) {
	case 0:
		return event{}
	case 1:
		e := c.events[0]
		c.events = c.events[:0]
		return e
	default:
		panic("queueset: the real queue set has scheduled several events in one call")
	}
}
