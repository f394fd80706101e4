package sim

import (
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
)

// submit sends a request on its way: a server is chosen, and it arrives there, or it is
// refused.
//
// The way to a server is the same for a first attempt and for one more: client-go sends a
// retry through the same transport, and so through the same balancer, which may choose
// another server for it.
func (w *World) submit(slot int32) {
	if w.routing != nil {
		w.submitRouted(slot)
		return
	}
	w.submitTo(slot, 0)
}

// submitTo sends a request to a server past gateway and balancer: there is none, or the request
// was recorded behind them.
func (w *World) submitTo(slot, server int32) {
	w.slots[slot].Server = server
	if !w.servers[server].serves() {
		w.refuse(slot, NoServer, workload.Answer{Status: workload.Refused})
		return
	}
	w.deliver(slot)
}

// submitRouted asks the gateway, if there is one, and then the balancer.
//
//	client ── gateway ── balancer ── server      there, after the latency of the gateway
//	client ◄─ gateway ◄───────────── server      and back
//
// The server is chosen when the gateway sends the request on, and not when it comes: what
// happens to servers meanwhile is known to nobody before.
func (w *World) submitRouted(slot int32) {
	r := &w.slots[slot]
	r.Server = none
	var v gateway.Verdict
	if w.routing.gateway != nil {
		if v = w.admit(r); v.Reason != gateway.Admitted {
			w.refuse(slot, refusalOf(v.Reason), refusalAnswer(&v))
			return
		}
		r.way.token, r.way.back, r.way.admitted = v.Token, v.Back, true
	}
	stream, outcome := w.openStream(r, v.Rule)
	r.Server = stream.Server
	if outcome != balance.Sent {
		// What the gateway has admitted is told to it as over by the answer, as for all others.
		r.way.back = 0 // no server sends this answer
		w.refuse(slot, NoServer, workload.Answer{Status: w.unreachable()})
		return
	}
	r.way.stream, r.way.open = stream, true
	w.fingerprint.add(factRouted, r.ID, w.now, int64(stream.Server))
	if v.There > 0 {
		r.state = stateSent
		// A client that loses patience before the request arrives does so on time.
		if p := r.errand.patience; p > 0 && p < w.now+v.There {
			w.awaitDeadline(slot, max(p, w.now))
		}
		w.queue.push(w.now+v.There, classArrive, actDeliver, slot)
		return
	}
	w.deliver(slot)
}

// delivered is the end of a request's way to its server. The server may have gone meanwhile,
// and so may the client, whose gateway then gives the request up before any server has seen
// it. A server that has gone and come back takes the request: what is on its way is in the
// gateway, and not on a connection that has broken.
func (w *World) delivered(slot int32) {
	r := &w.slots[slot]
	switch {
	case r.answered:
		w.freeRecord(slot)
	case !w.servers[r.Server].serves():
		r.way.back = 0
		w.refuse(slot, NoServer, workload.Answer{Status: w.unreachable()})
	default:
		w.deliver(slot)
	}
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
	return scheduler.Request{Subject: r.subject, Target: r.target, Name: r.name, Options: r.options, Timeout: r.Timeout}
}

// refuse answers a request that reaches no server.
func (w *World) refuse(slot int32, why Refusal, a workload.Answer) {
	r := &w.slots[slot]
	r.Finished = w.now
	r.Status = a.Status
	r.RetryAfter = a.RetryAfter
	r.Schema, r.Level, r.Flow, r.Queue = none, none, none, none
	w.fingerprint.add(factRefused, int64(r.Population)<<32|int64(r.Client), w.now, int64(why))
	w.observer.Refused(w.now, &r.Request, why)
	w.answer(r, a)
	w.freeRecord(slot)
}

// admit asks the gateway about a request. Every attempt is asked for anew, and takes a token
// anew: to a gateway a retry is one more request.
func (w *World) admit(r *slotRecord) gateway.Verdict {
	subject, target := r.subject, r.target
	if r.Template != none {
		q := w.prepared(r)
		subject, target = q.Subject, q.Target
	}
	g := w.routing
	return g.gateway.Admit(w.now, g.subjects[subject], g.targets[target])
}

// openStream gives a request a server: by the rule of the gateway if that chooses, else by
// the balancer and the connections of the client.
func (w *World) openStream(r *slotRecord, rule int32) (balance.Stream, balance.Outcome) {
	g := w.routing
	if g.gateway != nil {
		if chooser, random := g.gateway.Choice(rule); chooser != nil {
			return g.balancer.OpenBy(w.now, chooser, random)
		}
	}
	// Who owns connections is a client of a population, or a user of a trace: one process with
	// one transport, whose requests share what is open.
	owner := w.populations[r.Population].connected + r.Client
	if r.Template == none {
		owner = g.users[r.subject]
	}
	return g.balancer.Open(w.now, owner, &g.connections[owner])
}

// unreachable is what the client of a request without a server is told: a gateway, and a
// balancer that reads requests, answer with 503; behind one that does not, no connection can
// be made.
func (w *World) unreachable() workload.Status {
	if w.routing.perRequest {
		return workload.Unavailable
	}
	return workload.Refused
}

// refusalOf is the reason of a gateway in the words of observers.
func refusalOf(why gateway.Reason) Refusal {
	switch why {
	case gateway.RateExceeded:
		return GatewayRate
	case gateway.TooManyInFlight:
		return GatewayInFlight
	case gateway.Degraded:
		return GatewayDegraded
	}
	return GatewayNoRule
}

// refusalAnswer is what the gateway answers.
func refusalAnswer(v *gateway.Verdict) workload.Answer {
	status := workload.TooManyRequests
	if v.Code == gateway.ServiceUnavailable {
		status = workload.Unavailable
	}
	return workload.Answer{Status: status, RetryAfter: v.RetryAfter}
}
