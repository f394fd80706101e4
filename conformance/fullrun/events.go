package fullrun

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
)

// EventKind is what happens in an Event.
type EventKind uint8

// The kinds of events that come to pass by themselves. Dispatches and immediate
// rejections do not: they are consequences, at the same time.
const (
	Arrive EventKind = iota
	Finish
	Release
	Expire
	Adjust
	Reconfigure
)

// Event is one happening at a time of its own.
type Event struct {
	Time time.Duration
	Kind EventKind
	// Request is the line of the trace, -1 for an adjustment and for a change of the
	// configuration.
	Request int64
}

// events are a recorded run's.
type events []Event

func (e events) inOrder() []Event {
	sort.SliceStable(e, func(i, j int) bool { return e[i].Time < e[j].Time })
	return e
}

// watcher observes a run of the simulator: when things happen, and what each
// adjustment leaves behind.
type watcher struct {
	sim.Silent
	world       *sim.World
	events      events
	adjustments []LevelAdjustment
	changes     map[scheduler.ChangeKind]int
	expired     fairqueue.Reason
}

var _ sim.Observer = (*watcher)(nil)

func (w *watcher) add(now time.Duration, kind EventKind, request int64) {
	w.events = append(w.events, Event{now, kind, request})
}

// Start keeps the world, and what its release calls a request whose time is over.
func (w *watcher) Start(world *sim.World) {
	w.world, w.changes = world, map[scheduler.ChangeKind]int{}
	w.expired = release.For(cmp.Or(world.Config().Scheduler.Release, release.Last)).Waiting.Expired
}

// Arrived notes an event.
func (w *watcher) Arrived(now time.Duration, r *sim.Request) { w.add(now, Arrive, r.ID) }

// Dispatched is a consequence of something else.
func (w *watcher) Dispatched(time.Duration, *sim.Request) {}

// Rejected notes an event if the request's time was over. Up to 1.28.4 another one may
// have waited for too long when a request comes, which is a consequence of that.
func (w *watcher) Rejected(now time.Duration, r *sim.Request) {
	if r.Reason == w.expired {
		w.add(now, Expire, r.ID)
	}
}

// Finished notes an event.
func (w *watcher) Finished(now time.Duration, r *sim.Request) { w.add(now, Finish, r.ID) }

// Released notes an event if the seats had been lingering.
func (w *watcher) Released(now time.Duration, r *sim.Request) {
	if now != r.Finished {
		w.add(now, Release, r.ID)
	}
}

// Adjusted notes an event and the state of every level.
func (w *watcher) Adjusted(now time.Duration, _ int32) {
	w.add(now, Adjust, -1)
	w.note(now)
}

// note keeps the state of every level in use, by name.
func (w *watcher) note(now time.Duration) {
	levels := w.world.Server().Levels()
	slices.SortFunc(levels, func(a, b scheduler.LevelInfo) int { return cmp.Compare(a.Name, b.Name) })
	for _, l := range levels {
		if l.Status == scheduler.Gone {
			continue
		}
		w.adjustments = append(w.adjustments, LevelAdjustment{
			Time: now, Level: l.Name, Quiescing: l.Status == scheduler.Quiescing,
			Nominal: l.Nominal, Min: l.Min, Max: l.Max, MaxSeats: l.MaxSeats,
			Current: l.Current, HighWatermark: l.Stats.HighWatermark,
			Avg: l.Stats.Avg, StdDev: l.Stats.StdDev, Smoothed: l.Stats.Smoothed,
		})
	}
}

// Reconfigured notes an event and the state of every level, unless it is the consequence
// of another event: the last request of a level that quiesces has left.
func (w *watcher) Reconfigured(now time.Duration, _ int32) {
	for _, c := range w.world.Server().Changes() {
		w.changes[c.Kind]++
	}
	if !slices.ContainsFunc(w.world.Config().Changes, func(c sim.Change) bool { return c.At == now }) {
		return
	}
	// The objects of one change come one by one; what counts is what they have come to.
	if n := len(w.events); n == 0 || w.events[n-1] != (Event{now, Reconfigure, -1}) {
		w.add(now, Reconfigure, -1)
	}
	w.adjustments = slices.DeleteFunc(w.adjustments, func(a LevelAdjustment) bool { return a.Time == now })
	w.note(now)
}

// End concerns nobody here.
func (w *watcher) End(time.Duration, bool) {}
