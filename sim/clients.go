package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload"
)

// population is what the world knows of one workload.Population.
type population struct {
	def     *workload.Population
	first   int32 // its first client in World.clients
	chooser workload.Chooser
	// prepared holds the request of each client and template, client by client.
	prepared []scheduler.Request
	// opened tells for each of them at which server its watch is open, none for not open.
	// openers are the requests that have opened them, nil without watches.
	opened  []int16
	openers []opener
	// ways are those of the open watches, if there is routing and the population has any;
	// connected is the balancer's number of the first client.
	ways      []way
	connected int32
	pauses
	// callees are the populations that its requests call for, by template and call; nil if no
	// request of it calls.
	callees [][]int32
	// machine is that of a behaviour, and hands what it acts with.
	machine workload.Machine
	hands   *hands
}

// client is one client of a population. Each of its purposes draws from a stream of
// its own.
type client struct {
	population int32
	index      int32
	arrivals   workload.Stream // when to send, and how long to think
	choices    workload.Stream // what to send
	durations  workload.Stream // how long it executes
	open       workload.ArrivalState
}

// populate makes the clients and their first events, population by population. Only the
// sequence numbers of events at the same instant depend on the order of populations.
func (w *World) populate() error {
	w.populations = make([]population, len(w.cfg.Populations))
	for i := range w.cfg.Populations {
		def := &w.cfg.Populations[i]
		p := &w.populations[i]
		p.def, p.first, p.pauses = def, int32(len(w.clients)), w.newPauses(def)
		if def.Trace != nil {
			if err := w.openTrace(int32(i)); err != nil {
				return err
			}
			continue
		}
		if def.Present {
			continue
		}
		chooser, err := workload.NewChooser(weights(def.Requests))
		if err != nil {
			return fmt.Errorf("population %q: %w", def.Name, err)
		}
		p.chooser = chooser
		w.prepare(p)
		for index := range def.Clients {
			w.addClient(int32(i), index)
		}
		w.startMachine(int32(i))
	}
	w.resolveCalls()
	return nil
}

func weights(templates []workload.Template) []float64 {
	all := make([]float64, len(templates))
	for i := range templates {
		all[i] = templates[i].Weight
	}
	return all
}

// prepare makes the requests that the clients of a population can send, so that sending
// one is a matter of finding it: names are expanded and looked up here and never again.
// What is the same for all clients is interned once.
func (w *World) prepare(p *population) {
	n := len(p.def.Requests)
	p.prepared = make([]scheduler.Request, p.def.Clients*n)
	p.opened = slices.Repeat([]int16{none}, p.def.Clients*n)
	if slices.ContainsFunc(p.def.Requests, func(t workload.Template) bool { return t.Verb == "watch" }) {
		p.openers = make([]opener, p.def.Clients*n)
		if w.routing != nil {
			p.ways = make([]way, p.def.Clients*n)
		}
	}
	for t := range p.def.Requests {
		template := &p.def.Requests[t]
		shared := !workload.HasIndex(template.Namespace + template.Name + template.Path)
		var base scheduler.Request
		for index := range p.def.Clients {
			if index == 0 || !shared {
				base = w.request(template, index)
				// client-go asks the server for its own time limit (Request.URL in rest/request.go).
				base.Timeout = cmp.Or(base.Timeout, p.def.Timeout)
			}
			p.prepared[index*n+t] = base
		}
	}
	for index := range p.def.Clients {
		subject := w.subject(workload.Expand(p.def.User, index), p.def.Groups)
		for t := range n {
			p.prepared[index*n+t].Subject = subject
		}
	}
}

// request makes the request of a template for one client, all but the subject.
func (w *World) request(t *workload.Template, index int) scheduler.Request {
	options := rawOptions(t.Options)
	return scheduler.Request{
		Target: w.target(scheduler.Target{
			Verb:        t.Verb,
			APIGroup:    t.APIGroup,
			Resource:    t.Resource,
			Subresource: t.Subresource,
			Namespace:   workload.Expand(t.Namespace, index),
			Path:        workload.Expand(t.Path, index),
		}),
		Name:    scheduler.RequestName(t.Verb, workload.Expand(t.Name, index), options),
		Options: scheduler.ParseListOptions(options),
		Timeout: t.Timeout,
	}
}

func rawOptions(o workload.RawOptions) scheduler.RawListOptions {
	return scheduler.RawListOptions(o)
}

// addClient makes one client and its first event. The names of its streams hold the
// population, the number of the client and the purpose: a population that is renamed
// draws other numbers, one that is added, removed or moved changes nothing for others.
func (w *World) addClient(populationIndex int32, index int) {
	def := w.populations[populationIndex].def
	stream := func(purpose string) workload.Stream {
		return NewStream(w.cfg.Seed, w.replication, fmt.Sprintf("%s/%d/%s", def.Name, index, purpose))
	}
	w.connectClient(&w.populations[populationIndex], index)
	ref := int32(len(w.clients))
	w.clients = append(w.clients, client{
		population: populationIndex,
		index:      int32(index),
		arrivals:   stream("arrivals"),
		choices:    stream("choices"),
		durations:  stream("durations"),
	})
	switch {
	case def.Open != nil:
		w.nextOpen(ref)
	case def.Closed != nil:
		for range def.Closed.Concurrency {
			w.think(ref, workload.Answer{})
		}
	}
}

// nextOpen schedules the next arrival of an open client, which comes whatever becomes of
// this one. Only one arrival of each client is in the event queue at a time.
func (w *World) nextOpen(ref int32) {
	c := &w.clients[ref]
	if at, more := w.populations[c.population].def.Open.Next(&c.open, &c.arrivals); more {
		w.queue.push(at, classArrive, actOpen, ref)
	}
}

// openArrival sends the request of an open client that is due. The next arrival goes into
// the event queue first, into the hole that this one has just left at the root.
func (w *World) openArrival(ref int32) {
	w.nextOpen(ref)
	template, execution := w.choose(ref)
	w.attempt(&draft{errand: errand{began: w.now, operation: none}, client: ref, template: template, execution: execution})
}

// think lets one loop of a closed client pause before its next request. What it will ask
// is chosen when the pause is over. All pauses of a client are draws from one stream, in
// the order in which its answers come, so with a concurrency above 1 they are not the same
// under another configuration: a closed loop's traffic follows from the answers it gets.
//
// After a failure that says nothing of when to come back the pause is a turnaround at least.
func (w *World) think(ref int32, a workload.Answer) {
	c := &w.clients[ref]
	pause := w.populations[c.population].def.Closed.Think.Sample(&c.arrivals)
	if a.Status != workload.OK && a.RetryAfter == 0 {
		pause = max(pause, turnaround)
	}
	at := w.queue.whole(w.now + pause)
	w.sendLater(at, draft{errand: errand{began: at, operation: none}, client: ref, template: none})
}

// choose makes a new request of a client: what it is and how long it will
// execute. A population with one template draws no number for the choice, and since each
// purpose has its own stream, a second template leaves the arrival times as they are.
func (w *World) choose(ref int32) (template int32, execution time.Duration) {
	c := &w.clients[ref]
	p := &w.populations[c.population]
	t := 0
	if len(p.def.Requests) > 1 {
		t = p.chooser.Choose(c.choices.Float64())
	}
	return int32(t), w.executionOf(ref, int32(t))
}

// executionOf draws how long a request of a client will execute.
func (w *World) executionOf(ref, template int32) time.Duration {
	c := &w.clients[ref]
	def := w.populations[c.population].def
	duration := def.Requests[template].Duration
	if duration == nil {
		duration = &def.Duration
	}
	return w.queue.whole(duration.Sample(&c.durations))
}

// startMachine starts the clients of a population that has a behaviour.
func (w *World) startMachine(index int32) {
	p := &w.populations[index]
	if p.def.Behaviour == nil {
		return
	}
	p.machine, p.hands = p.def.Behaviour.Machine(p.def.Clients, p.def.Requests), &hands{w, index}
	for client := range int32(p.def.Clients) {
		p.machine.Start(p.hands, client)
	}
}
