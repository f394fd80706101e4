// Package worldtest has a small workload.World for tests of machines: one machine, a server that
// a function plays, and a journal of all that happens.
package worldtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// Request is one that has been sent.
type Request struct {
	Client, Request int32
	// Since is what a watch or LIST goes on from.
	Since time.Duration
}

// Respond tells how a request ends: how long after it was sent, and with which answer. A
// duration below 0 is never.
type Respond func(at time.Duration, r Request) (after time.Duration, a workload.Answer)

// OK is a server that answers at once that all is well.
func OK(time.Duration, Request) (time.Duration, workload.Answer) { return 0, workload.Answer{} }

// World is a world with one machine. Events of the same time happen in the order in which they
// were asked for.
type World struct {
	// Machine is what is tested, and Respond its server.
	Machine workload.Machine
	Respond Respond
	// Lines is the journal: what was sent and answered, and what the machine told.
	Lines []string
	// Watches are the requests that stay open when they are answered OK.
	Watches []int32
	// Script, if not nil, tells the number that a client draws next, in [0, 1).
	Script func(client int32) float64

	now      time.Duration
	queue    []event
	sequence int
	serial   uint64
	streams  []workload.Stream
	sending  map[workload.Operation]Request
	open     map[Request]bool // watches, without Since
	scripted workload.Stream
}

type event struct {
	at       time.Duration
	sequence int
	do       func()
}

// New makes a world for clients 0 to clients-1.
func New(m workload.Machine, clients int, respond Respond) *World {
	w := &World{Machine: m, Respond: respond, sending: map[workload.Operation]Request{}, open: map[Request]bool{}}
	for i := range clients {
		w.streams = append(w.streams, workload.NewStream(uint64(i), 1))
	}
	return w
}

// Start starts the clients.
func (w *World) Start() *World {
	for i := range w.streams {
		w.Machine.Start(w, int32(i))
	}
	return w
}

// At does something at a time.
func (w *World) At(at time.Duration, do func()) {
	w.sequence++
	e := event{max(at, w.now), w.sequence, do}
	i, _ := slices.BinarySearchFunc(w.queue, e, func(a, b event) int {
		if a.at != b.at {
			return int(min(max(a.at-b.at, -1), 1))
		}
		return a.sequence - b.sequence
	})
	w.queue = slices.Insert(w.queue, i, e)
}

// RunUntil lets all happen that is due before a time, and then it is that time.
func (w *World) RunUntil(end time.Duration) {
	for len(w.queue) > 0 && w.queue[0].at < end {
		e := w.queue[0]
		w.queue = w.queue[1:]
		w.now = e.at
		e.do()
	}
	w.now = end
}

// EndWatches ends all open watches of all clients.
func (w *World) EndWatches(a workload.Answer) {
	var all []Request
	// Any order: they are sorted below.
	for q := range w.open {
		all = append(all, q)
	}
	slices.SortFunc(all, func(a, b Request) int {
		if a.Client != b.Client {
			return int(a.Client - b.Client)
		}
		return int(a.Request - b.Request)
	})
	for _, q := range all {
		delete(w.open, q)
		w.note("client %d watch %d ended %v", q.Client, q.Request, a.Status)
		w.Machine.WatchEnded(w, q.Client, q.Request, a)
	}
}

func (w *World) note(format string, args ...any) {
	w.Lines = append(w.Lines, fmt.Sprintf("%v ", w.now)+fmt.Sprintf(format, args...))
}

// Now is part of workload.World.
func (w *World) Now() time.Duration { return w.now }

// Random is part of workload.World.
func (w *World) Random(client int32) *workload.Stream {
	if w.Script == nil {
		return &w.streams[client]
	}
	w.scripted = Gives(w.Script(client))
	return &w.scripted
}

// Send is part of workload.World.
func (w *World) Send(client, request int32, at, since time.Duration) workload.Operation {
	w.serial++
	op := workload.Operation(w.serial)
	w.sending[op] = Request{client, request, since}
	w.At(at, func() { w.send(op) })
	return op
}

func (w *World) send(op workload.Operation) {
	q, ok := w.sending[op]
	if !ok {
		return
	}
	text := ""
	if q.Since > 0 {
		text = fmt.Sprintf(" since %v", q.Since)
	}
	w.note("client %d sends %d%s", q.Client, q.Request, text)
	after, a := w.Respond(w.now, q)
	if after < 0 {
		return
	}
	w.At(w.now+after, func() {
		if _, ok := w.sending[op]; !ok {
			return
		}
		delete(w.sending, op)
		if a.Status != workload.OK || after > 0 {
			w.note("client %d has %v of %d", q.Client, a.Status, q.Request)
		}
		if a.Status == workload.OK && slices.Contains(w.Watches, q.Request) {
			w.open[Request{Client: q.Client, Request: q.Request}] = true
		}
		w.Machine.Answered(w, q.Client, op, a)
	})
}

// Withdraw is part of workload.World.
func (w *World) Withdraw(op workload.Operation) {
	if q, ok := w.sending[op]; ok {
		delete(w.sending, op)
		w.note("client %d withdraws %d", q.Client, q.Request)
	}
}

// CloseWatch is part of workload.World.
func (w *World) CloseWatch(client, request int32) {
	delete(w.open, Request{Client: client, Request: request})
	w.note("client %d closes %d", client, request)
}

// Wake is part of workload.World.
func (w *World) Wake(client, timer int32, at time.Duration) {
	w.At(at, func() { w.Machine.Due(w, client, timer) })
}

// Tell is part of workload.World.
func (w *World) Tell(client int32, e workload.ClientEvent, value time.Duration) {
	w.note("client %d: %v %v", client, e, value)
}
