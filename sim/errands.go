package sim

import (
	"time"

	"github.com/apfsim/apfsim/workload"
)

// An errand is what a client wants done: one request, with all attempts at it. It is part of
// the request while that is in flight, and of a draft before and between attempts.
type errand struct {
	// began is when the client wanted it. throttled and paused are how long its own limiter,
	// and its pauses between attempts, have held it back.
	began, throttled, paused time.Duration
	// queued and executing are how long its attempts have waited in queues and executed.
	queued, executing time.Duration
	// unsent tells that it ends while it waits to be sent.
	unsent bool
	// patience is when the client gives it up, 0 for never.
	patience time.Duration
	// since is the version, as a time, that a watch goes on from; 0 is any.
	since time.Duration
	// operation is the index of the operation of a machine, or of a calling request, that it
	// is for; none for other clients.
	operation int32
}

// draft is an attempt that a client is going to make: the first one at an errand, or one
// more.
type draft struct {
	errand
	client   int32
	template int32 // none: yet to be chosen
	attempt  int32
	// execution stays the same from one attempt to the next: it is the same request.
	execution time.Duration
	// traced is the rejected request of a trace, to be sent again.
	traced *tracedRequest
	next   int32 // links free drafts
	// passes is when the client's own limiter lets it pass, if it has to wait for that; 0 is
	// not known yet.
	passes time.Duration
	// due is when it is sent.
	due time.Duration
	// expired tells that the client's patience ends before it would be sent; dropped that
	// nobody wants it any more.
	expired, dropped bool
}

// interrupt takes back what is left of the time that holds a draft back: it is not wanted any
// more. One that was to begin later has not begun.
func (d *draft) interrupt(now time.Duration) {
	left := d.due - now
	switch {
	case d.began > now:
		d.began = now
	case d.passes > now:
		d.throttled -= left
	case left > 0:
		d.paused -= left
	}
}

// turnaround is the least time between an attempt that failed and what a client does next
// where nothing else makes it wait: a connection that is refused takes a round trip. It
// keeps time going.
const turnaround = workload.DefaultTurnaround

// sendLater keeps a draft until it is due. It arrives with the class of all arrivals, so
// what a client sends in answer to something of this instant comes after all of it.
func (w *World) sendLater(at time.Duration, d draft) int32 {
	at = w.queue.whole(at)
	d.due = at
	i := w.freeDraft
	if i == none {
		i = int32(len(w.drafts))
		w.drafts = append(w.drafts, d)
	} else {
		w.freeDraft = w.drafts[i].next
		w.drafts[i] = d
	}
	if d.operation != none {
		w.operations[d.operation].draft = i
	}
	w.queue.push(at, classArrive, actSend, i)
	return i
}

// sendDraft sends a draft that is due, unless it is not wanted.
func (w *World) sendDraft(i int32) {
	d := w.drafts[i]
	w.drafts[i] = draft{next: w.freeDraft}
	w.freeDraft = i
	if d.dropped {
		return
	}
	if d.operation != none {
		w.operations[d.operation].draft = none
	}
	switch {
	case d.expired:
		w.concludeDraft(&d, workload.TimedOut)
	case d.traced != nil:
		w.sendTraced(d)
	case d.template == none:
		d.template, d.execution = w.choose(d.client)
		w.attempt(&d)
	default:
		w.attempt(&d)
	}
}

// attempt makes a request of a client arrive now, unless its own limiter holds it back. The
// prepared request is shared by all requests of this client and template; the server reads
// it during the call and does not keep it.
func (w *World) attempt(d *draft) {
	c := &w.clients[d.client]
	p := &w.populations[c.population]
	verb := p.def.Requests[d.template].Verb
	method := workload.MethodOf(verb)
	if p.limits != nil && w.throttle(p, d, method) {
		return
	}
	if end := w.queue.whole(w.now + p.def.Timeout); p.def.Timeout > 0 && d.attempt == 0 && (d.patience == 0 || end < d.patience) {
		d.patience = end
	}
	slot := w.newRecord()
	r := &w.slots[slot]
	r.ID = w.nextID
	w.nextID++
	r.Population, r.Client, r.Template, r.Attempt = c.population, c.index, d.template, d.attempt
	r.Execution, r.errand = d.execution, d.errand
	r.Options, r.Timeout = &p.def.Requests[d.template].Options, p.prepared[int(c.index)*len(p.def.Requests)+int(d.template)].Timeout
	r.method, r.watch, r.list = method, method == workload.MethodWatch, verb == "list"
	if d.operation != none {
		w.operations[d.operation].slot = slot
	}
	w.submit(slot)
}

// answer tells the client how its attempt has ended: it tries again, or the errand is over.
//
// The client may know before the server is done with the request (its patience was over, and
// the server took no notice), and is told nothing a second time then. Who decides whether
// to try again is the client's library, and not the machine above it: as in client-go, where
// the rest client retries by itself and its caller sees the last answer only.
func (w *World) answer(r *slotRecord, a workload.Answer) {
	if r.answered {
		return
	}
	r.answered = true
	a.Own = a.Status == workload.TimedOut && leftByClient(r, a, w.now)
	w.spend(r)
	if r.way.open || r.way.admitted {
		if back := w.closeWay(r, a); back > 0 {
			w.answerLater(r, a, back)
			return
		}
	}
	w.hear(r, a)
}

// hear is the moment at which the client has the answer.
func (w *World) hear(r *slotRecord, a workload.Answer) {
	if r.errand.operation != none {
		w.operations[r.errand.operation].slot = none
	}
	if a.Status != workload.OK && a.Status != workload.Withdrawn {
		if w.tryAgain(r, a) {
			return
		}
		w.observer.Client(w.now, workload.GaveUp, r.Population, r.Client, 0)
	}
	w.conclude(&r.errand, r.Population, r.Client, r.Template, r.Attempt+1, a)
}

// spend adds up where the time went of an attempt that is over for its client. What it spent
// on its way is not among it: that is what remains of the errand's time in the end. An attempt
// whose client has lost patience may execute on, which costs the client nothing more; and what
// lingers after an execution has never been part of its time.
func (w *World) spend(r *slotRecord) {
	switch {
	case r.Dispatched >= 0:
		r.errand.queued += r.Dispatched - r.Arrival
		r.errand.executing += w.now - r.Dispatched
	case r.state == stateWaiting:
		r.errand.queued += w.now - r.Arrival
	}
}

// tryAgain schedules the next attempt at an errand, if there is to be one. A client whose
// patience ends before that waits for its end in vain.
func (w *World) tryAgain(r *slotRecord, a workload.Answer) bool {
	e := &r.errand
	if w.withdrawn(e.operation) {
		return false
	}
	p := &w.populations[r.Population]
	at, again, expired := p.def.Again(w.now, e.patience, a, r.method, int(r.Attempt)+1, p.jitter(r.Client))
	if !again {
		return false
	}
	d := draft{errand: *e, client: p.first + r.Client, template: r.Template, attempt: r.Attempt + 1, execution: r.Execution, expired: expired}
	d.paused += w.queue.whole(at) - w.now
	if p.def.Trace != nil {
		d.traced = w.tracedAgain(r)
	}
	w.sendLater(at, d)
	w.observer.Client(w.now, workload.Retried, r.Population, r.Client, 0)
	return true
}

// concludeDraft ends an errand between two attempts.
func (w *World) concludeDraft(d *draft, s workload.Status) {
	population, index := int32(0), int32(0)
	if d.traced != nil {
		population = d.traced.population
	} else {
		population, index = w.clients[d.client].population, w.clients[d.client].index
	}
	d.errand.unsent = true
	w.conclude(&d.errand, population, index, d.template, d.attempt, workload.Answer{Status: s, Own: s == workload.TimedOut})
}

// conclude ends an errand, and lets its client go on.
func (w *World) conclude(e *errand, population, client, template, attempts int32, a workload.Answer) {
	w.concluded = Operation{
		Population: population, Client: client, Template: template, Attempts: attempts,
		Began: e.began, Throttled: e.throttled, Paused: e.paused,
		Queued: e.queued, Executing: e.executing, Unsent: e.unsent, Status: a.Status,
	}
	w.observer.Concluded(w.now, &w.concluded)
	p := &w.populations[population]
	switch ref := p.first + client; {
	case e.operation != none:
		w.operationEnded(e.operation, a)
	case p.def.Closed != nil:
		w.think(ref, a)
	}
}
