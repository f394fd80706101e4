package reports

import (
	"time"

	"github.com/apfsim/apfsim/sim"
)

// Tee returns an observer that tells others all that it is told, one after the other in their
// order. Of one observer it is that one, so that nothing stands between it and the run.
func Tee(observers ...sim.Observer) sim.Observer {
	if len(observers) == 1 {
		return observers[0]
	}
	return tee(observers)
}

type tee []sim.Observer

var _ sim.Observer = tee(nil)

func (t tee) Start(w *sim.World) {
	for _, o := range t {
		o.Start(w)
	}
}

func (t tee) Arrived(now time.Duration, r *sim.Request) {
	for _, o := range t {
		o.Arrived(now, r)
	}
}

func (t tee) Dispatched(now time.Duration, r *sim.Request) {
	for _, o := range t {
		o.Dispatched(now, r)
	}
}

func (t tee) Rejected(now time.Duration, r *sim.Request) {
	for _, o := range t {
		o.Rejected(now, r)
	}
}

func (t tee) Finished(now time.Duration, r *sim.Request) {
	for _, o := range t {
		o.Finished(now, r)
	}
}

func (t tee) Released(now time.Duration, r *sim.Request) {
	for _, o := range t {
		o.Released(now, r)
	}
}

func (t tee) WatchEnded(now time.Duration, id int64, server int32) {
	for _, o := range t {
		o.WatchEnded(now, id, server)
	}
}

func (t tee) Refused(now time.Duration, r *sim.Request, why sim.Refusal) {
	for _, o := range t {
		o.Refused(now, r, why)
	}
}

func (t tee) Cut(now time.Duration, r *sim.Request) {
	for _, o := range t {
		o.Cut(now, r)
	}
}

func (t tee) Concluded(now time.Duration, op *sim.Operation) {
	for _, o := range t {
		o.Concluded(now, op)
	}
}

func (t tee) Adjusted(now time.Duration, server int32) {
	for _, o := range t {
		o.Adjusted(now, server)
	}
}

func (t tee) Reconfigured(now time.Duration, server int32) {
	for _, o := range t {
		o.Reconfigured(now, server)
	}
}

func (t tee) Server(now time.Duration, e sim.ServerEvent, server int32) {
	for _, o := range t {
		o.Server(now, e, server)
	}
}

func (t tee) Client(now time.Duration, e sim.ClientEvent, population, client int32, value time.Duration) {
	for _, o := range t {
		o.Client(now, e, population, client, value)
	}
}

func (t tee) Inverted(now time.Duration, caller, called *sim.Request, wait time.Duration) {
	for _, o := range t {
		o.Inverted(now, caller, called, wait)
	}
}

func (t tee) Stuck(now time.Duration, d *sim.Deadlock) {
	for _, o := range t {
		o.Stuck(now, d)
	}
}

func (t tee) Look(now time.Duration) {
	for _, o := range t {
		o.Look(now)
	}
}

func (t tee) End(now time.Duration, partial bool) {
	for _, o := range t {
		o.End(now, partial)
	}
}
