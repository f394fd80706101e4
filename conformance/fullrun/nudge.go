package fullrun

import (
	"fmt"
	"math/rand/v2"
	"sort"

	"github.com/apfsim/apfsim/sim"
)

// nudgeRounds bounds how often a trace is changed and run again.
const nudgeRounds = 100

// Nudge moves arrivals and durations by nanoseconds until no two events of the run
// coincide, and returns that run. It changes the trace in place. Changes of the
// configuration stay where they are.
//
// It believes the simulator about when things happen. If the simulator is wrong
// about that, the comparison that follows shows it.
func Nudge(r *rand.Rand, config *sim.Config, trace []Request) (*Simulated, error) {
	separateArrivals(trace)
	for range nudgeRounds {
		traced, err := withTrace(config, trace)
		if err != nil {
			return nil, err
		}
		run, err := Simulate(traced)
		if err != nil {
			return nil, err
		}
		clashes := coincidences(run.Events)
		if len(clashes) == 0 {
			return run, nil
		}
		for _, e := range clashes {
			nudge(r, &trace[e.Request], e.Kind)
		}
		separateArrivals(trace)
	}
	return nil, fmt.Errorf("events still coincide after %d rounds of nudging", nudgeRounds)
}

// nudge moves an event of a request by some nanoseconds.
func nudge(r *rand.Rand, request *Request, kind EventKind) {
	some := Duration(1 + r.IntN(200))
	switch kind {
	case Finish, Release:
		request.Duration += some
	default: // an expiry follows the arrival
		request.Arrival += some
	}
}

// separateArrivals sorts the trace and gives every request a nanosecond of its own,
// none of them that of time 0.
func separateArrivals(trace []Request) {
	sort.SliceStable(trace, func(i, j int) bool { return trace[i].Arrival < trace[j].Arrival })
	last := Duration(0)
	for i := range trace {
		trace[i].Arrival = max(trace[i].Arrival, last+1)
		last = trace[i].Arrival
	}
}

// coincidences returns an event of a request out of every pair of events at the same
// time.
func coincidences(events []Event) []Event {
	var clashes []Event
	for i := 1; i < len(events); i++ {
		a, b := events[i-1], events[i]
		if a.Time != b.Time {
			continue
		}
		if b.Request < 0 {
			b = a
		}
		if b.Request >= 0 {
			clashes = append(clashes, b)
		}
	}
	return clashes
}
