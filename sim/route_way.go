package sim

import (
	"time"

	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
)

// way is what a request holds on its way: a stream to its server, and a place in the
// gateway. It ends with the answer, or, for a watch that has been opened, with the watch.
type way struct {
	stream balance.Stream
	token  gateway.Token
	// back is how long the answer takes from the gateway to the client.
	back time.Duration
	// open and admitted tell which of the two it holds.
	open, admitted bool
}

// endWay gives back what a way holds, once.
func (w *World) endWay(v *way) {
	if v.open {
		w.routing.balancer.Done(w.now, v.stream)
	}
	if v.admitted {
		w.routing.gateway.Done(w.now, v.token)
	}
	*v = way{}
}

// closeWay ends the way of a request that is answered, or hands it to the watch that was
// opened. It returns how long the answer takes. The stream ends when the server has answered:
// that the answer has a way to go keeps no connection busy, and no limit of the gateway.
func (w *World) closeWay(r *slotRecord, a workload.Answer) time.Duration {
	back := r.way.back
	if leftByClient(r, a, w.now) {
		back = 0
	} else if r.way.open {
		w.routing.balancer.Answered(r.way.stream)
	}
	if held := w.watchWay(r, a); held != nil {
		w.endWay(held) // of another request for the same watch
		*held, r.way = r.way, way{}
		return back
	}
	w.endWay(&r.way)
	return back
}

// A GOAWAY travels with the headers of an answer, so it has no effect if there are none.

// leftByClient tells that a request ends without an answer of its server: its client has
// gone, or the connection.
func leftByClient(r *slotRecord, a workload.Answer, now time.Duration) bool {
	switch a.Status {
	case workload.Withdrawn, workload.Lost, workload.Refused:
		return true
	case workload.TimedOut:
		return r.errand.patience > 0 && now >= r.errand.patience
	}
	return false
}

// watchWay returns where the way of a request goes on if it has opened a watch, else nil. A
// client may have closed the watch while it was being initialised.
func (w *World) watchWay(r *slotRecord, a workload.Answer) *way {
	if r.Template == none || a.Status != workload.OK || !w.holdsWatch(r) {
		return nil
	}
	p := &w.populations[r.Population]
	return &p.ways[int(r.Client)*len(p.def.Requests)+int(r.Template)]
}

// comingAnswer is an answer on its way back, with what the client needs to know of its
// request. The server has forgotten that by then, and its slot may have been used again.
type comingAnswer struct {
	request slotRecord
	answer  workload.Answer
	// ended tells that it has opened a watch which has ended since, and end how.
	ended bool
	end   workload.Answer
	next  int32 // links unused ones
}

// answerLater lets an answer come to the client after its latency. A client whose patience
// ends before that does not hear it.
func (w *World) answerLater(r *slotRecord, a workload.Answer, back time.Duration) {
	at := w.now + back
	if p := r.errand.patience; p > 0 && at > p {
		at, a = max(p, w.now), workload.Answer{Status: workload.TimedOut, Own: true}
	}
	if r.errand.operation != none {
		// The request is over for everybody but the client, so there is nothing to withdraw.
		w.operations[r.errand.operation].slot = none
	}
	g := w.routing
	i := g.freeAnswer
	if i == none {
		i = int32(len(g.answers))
		g.answers = append(g.answers, comingAnswer{})
	} else {
		g.freeAnswer = g.answers[i].next
	}
	g.answers[i] = comingAnswer{request: *r, answer: a}
	w.queue.push(at, classClient, actAnswer, i)
}

// answerComes is the end of an answer's way.
func (w *World) answerComes(i int32) {
	g := w.routing
	// A copy, since what the client does next may send another answer on its way.
	coming := g.answers[i]
	g.answers[i] = comingAnswer{next: g.freeAnswer}
	g.freeAnswer = i
	r := &coming.request
	gone := w.withdrawn(r.errand.operation)
	if gone {
		coming.answer = workload.Answer{Status: workload.Withdrawn}
	}
	if coming.answer.Status != workload.OK {
		// The client does not know that its watch is open, and will never read from it.
		w.dropWatch(r)
	}
	w.hear(r, coming.answer)
	if coming.ended && !gone {
		p := &w.populations[r.Population]
		p.machine.WatchEnded(p.hands, r.Client, r.Template, coming.end)
	}
}

// A client hears in their order that its watch is open and that it has ended. One that was told
// of the end first would take the watch for open for ever.

// endComing ends the watches of a server whose clients do not know yet that they are open. Each
// will be told of the end right after that.
func (w *World) endComing(server int32, end workload.Answer) {
	if w.routing == nil {
		return
	}
	for i := range w.routing.answers {
		if c := &w.routing.answers[i]; c.request.Server == server && w.closeComing(c) {
			// A client that has lost patience is told of neither.
			c.ended, c.end = c.answer.Status == workload.OK, end
		}
	}
}

// withdrawComing closes the watch of an operation that its client has withdrawn while the answer
// was on its way.
func (w *World) withdrawComing(operation int32) {
	if w.routing == nil {
		return
	}
	for i := range w.routing.answers {
		if c := &w.routing.answers[i]; c.request.errand.operation == operation {
			w.closeComing(c)
		}
	}
}

// closeComing closes the watch of a machine that an answer on its way tells of, and tells whether
// there is one. Unused records are of no watch.
func (w *World) closeComing(c *comingAnswer) bool {
	r := &c.request
	if r.Template == none || w.populations[r.Population].machine == nil || !w.holdsWatch(r) {
		return false
	}
	w.dropWatch(r)
	return true
}
