package reports

import (
	"time"

	"github.com/apfsim/apfsim/sim"
)

// Tee returns an observer that tells two others all that it is told, a first.
func Tee(a, b sim.Observer) sim.Observer { return tee{a, b} }

type tee [2]sim.Observer

func (t tee) Start(w *sim.World) {
	t[0].Start(w)
	t[1].Start(w)
}

func (t tee) Arrived(now time.Duration, r *sim.Request) {
	t[0].Arrived(now, r)
	t[1].Arrived(now, r)
}

func (t tee) Dispatched(now time.Duration, r *sim.Request) {
	t[0].Dispatched(now, r)
	t[1].Dispatched(now, r)
}

func (t tee) Rejected(now time.Duration, r *sim.Request) {
	t[0].Rejected(now, r)
	t[1].Rejected(now, r)
}

func (t tee) Finished(now time.Duration, r *sim.Request) {
	t[0].Finished(now, r)
	t[1].Finished(now, r)
}

func (t tee) Released(now time.Duration, r *sim.Request) {
	t[0].Released(now, r)
	t[1].Released(now, r)
}

func (t tee) Refused(now time.Duration, r *sim.Request, why sim.Refusal) {
	t[0].Refused(now, r, why)
	t[1].Refused(now, r, why)
}

func (t tee) Cut(now time.Duration, r *sim.Request) {
	t[0].Cut(now, r)
	t[1].Cut(now, r)
}

func (t tee) Concluded(now time.Duration, o *sim.Operation) {
	t[0].Concluded(now, o)
	t[1].Concluded(now, o)
}

func (t tee) Adjusted(now time.Duration, server int32) {
	t[0].Adjusted(now, server)
	t[1].Adjusted(now, server)
}

func (t tee) Reconfigured(now time.Duration, server int32) {
	t[0].Reconfigured(now, server)
	t[1].Reconfigured(now, server)
}

func (t tee) Server(now time.Duration, e sim.ServerEvent, server int32) {
	t[0].Server(now, e, server)
	t[1].Server(now, e, server)
}

func (t tee) Client(now time.Duration, e sim.ClientEvent, population, client int32, value time.Duration) {
	t[0].Client(now, e, population, client, value)
	t[1].Client(now, e, population, client, value)
}

func (t tee) Inverted(now time.Duration, caller, called *sim.Request, wait time.Duration) {
	t[0].Inverted(now, caller, called, wait)
	t[1].Inverted(now, caller, called, wait)
}

func (t tee) Stuck(now time.Duration, d *sim.Deadlock) {
	t[0].Stuck(now, d)
	t[1].Stuck(now, d)
}

func (t tee) End(now time.Duration, partial bool) {
	t[0].End(now, partial)
	t[1].End(now, partial)
}
