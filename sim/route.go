package sim

import (
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload"
)

// submit sends a request on its way: a server is chosen, and it arrives there, or it is
// refused.
func (w *World) submit(slot int32) {
	r := &w.slots[slot]
	server := w.route(r)
	if server == none || !w.servers[server].serves() {
		r.Server = server
		w.refuse(slot, NoServer, workload.Answer{Status: workload.Refused})
		return
	}
	r.Server = server
	w.deliver(slot)
}

// deliver brings a request to its server, now.
func (w *World) deliver(slot int32) {
	r := &w.slots[slot]
	if r.Template == none {
		q := r.traced()
		w.arrive(slot, &q)
		return
	}
	p := &w.populations[r.Population]
	if r.watch {
		w.watchAsked(p, r.Client, r.Template)
	}
	w.arrive(slot, w.prepared(r))
}

// prepared is what a request of a client asks for.
func (w *World) prepared(r *slotRecord) *scheduler.Request {
	p := &w.populations[r.Population]
	return &p.prepared[int(r.Client)*len(p.def.Requests)+int(r.Template)]
}

// traced is what a request of a trace asks for.
func (r *slotRecord) traced() scheduler.Request {
	return scheduler.Request{Subject: r.subject, Target: r.target, Name: r.name, Options: r.options, Timeout: r.timeout}
}

// The way to a server is the same for a first attempt and for one more: client-go sends a
// retry through the same transport, and so through the same balancer, which may choose
// another server for it.

// route chooses the server of a request, none if there is none to choose.
func (w *World) route(r *slotRecord) int32 {
	if len(w.servers) == 1 {
		return 0
	}
	for i := range w.servers {
		if server := int32((int(r.Client) + i) % len(w.servers)); w.servers[server].serves() {
			return server
		}
	}
	return none
}

// refuse answers a request that reaches no server.
func (w *World) refuse(slot int32, why Refusal, a workload.Answer) {
	r := &w.slots[slot]
	r.Finished = w.now
	r.Status = a.Status
	r.Schema, r.Level, r.Flow, r.Queue = none, none, none, none
	w.fingerprint.add(factRefused, int64(r.Population)<<32|int64(r.Client), w.now, int64(why))
	w.observer.Refused(w.now, &r.Request, why)
	w.answer(r, a)
	w.freeRecord(slot)
}
