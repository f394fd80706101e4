package sim

import (
	"fmt"
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
	// opened tells for each of them whether its watch is open.
	opened []bool
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
	lease      leaseState
}

// populate makes the clients and their first events, population by population. Only the
// sequence numbers of events at the same instant depend on the order of populations.
func (w *World) populate() error {
	w.populations = make([]population, len(w.cfg.Populations))
	for i := range w.cfg.Populations {
		def := &w.cfg.Populations[i]
		p := &w.populations[i]
		p.def, p.first = def, int32(len(w.clients))
		if def.Trace != nil {
			if err := w.openTrace(int32(i)); err != nil {
				return err
			}
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
	}
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
	p.opened = make([]bool, p.def.Clients*n)
	for t := range p.def.Requests {
		template := &p.def.Requests[t]
		shared := !workload.HasIndex(template.Namespace + template.Name + template.Path)
		var base scheduler.Request
		for index := range p.def.Clients {
			if index == 0 || !shared {
				base = w.request(template, index)
			}
			p.prepared[index*n+t] = base
		}
	}
	for index := range p.def.Clients {
		subject := w.server.Subject(workload.Expand(p.def.User, index), p.def.Groups)
		for t := range n {
			p.prepared[index*n+t].Subject = subject
		}
	}
}

// request makes the request of a template for one client, all but the subject.
func (w *World) request(t *workload.Template, index int) scheduler.Request {
	options := rawOptions(t.Options)
	return scheduler.Request{
		Target: w.server.Target(scheduler.Target{
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
			w.think(ref)
		}
	case def.Lease != nil:
		w.startLease(ref)
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
	w.send(ref, template, 0, 0, execution)
}

// think lets one loop of a closed client pause before its next request. What it will ask
// is chosen when the pause is over. All pauses of a client are draws from one stream, in
// the order in which its answers come, so with a concurrency above 1 they are not the same
// under another configuration: a closed loop's traffic follows from the answers it gets.
func (w *World) think(ref int32) {
	c := &w.clients[ref]
	pause := w.populations[c.population].def.Closed.Think.Sample(&c.arrivals)
	w.sendLater(w.now+pause, draft{client: ref, template: none})
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
	duration := p.def.Requests[t].Duration
	if duration == nil {
		duration = &p.def.Duration
	}
	return int32(t), duration.Sample(&c.durations)
}

// send makes a request arrive now. The prepared request is shared by all requests of this
// client and template; the server reads it during the call and does not keep it.
func (w *World) send(ref, template, attempt, round int32, execution time.Duration) {
	c := &w.clients[ref]
	p := &w.populations[c.population]
	slot := w.newRecord()
	r := &w.slots[slot]
	r.ID = w.nextID
	w.nextID++
	r.Population, r.Client, r.Template, r.Attempt = c.population, c.index, template, attempt
	r.Execution, r.round = execution, round
	q := &p.prepared[int(c.index)*len(p.def.Requests)+int(template)]
	if r.watch = p.def.Requests[template].Verb == "watch"; r.watch {
		w.watchAsked(p, c.index, template)
	}
	if p.def.Lease != nil {
		c.lease.slot, c.lease.serial = slot, r.serial
	}
	w.arrive(slot, q)
}

// sendLater keeps a draft until it is due. It arrives with the class of all arrivals, so
// what a client sends in answer to something of this instant comes after all of it.
func (w *World) sendLater(at time.Duration, d draft) {
	i := w.freeDraft
	if i == none {
		i = int32(len(w.drafts))
		w.drafts = append(w.drafts, d)
	} else {
		w.freeDraft = w.drafts[i].next
		w.drafts[i] = d
	}
	w.queue.push(at, classArrive, actSend, i)
}

// sendDraft sends a draft that is due, unless its lease round is over.
func (w *World) sendDraft(i int32) {
	d := w.drafts[i]
	w.drafts[i] = draft{next: w.freeDraft}
	w.freeDraft = i
	switch {
	case d.traced != nil:
		w.sendTraced(d)
	case !w.beginsOrGoesOn(&d):
	case d.template == none:
		template, execution := w.choose(d.client)
		w.send(d.client, template, 0, d.round, execution)
	default:
		w.send(d.client, d.template, d.attempt, d.round, d.execution)
	}
}

// answerRejected lets the client react to a 429: it tries again or gives up. One that gives
// up goes on as after any other answer: a closed loop thinks, a leader waits for its next
// try, and an open client does not care.
func (w *World) answerRejected(r *slotRecord) {
	p := &w.populations[r.Population]
	ref := p.first + r.Client
	if p.def.Lease != nil && r.round != w.clients[ref].lease.round {
		return // nobody waits for this answer any more
	}
	delay, again := p.def.Retry.Delay(int(r.Attempt)+1, int(r.RetryAfter))
	if again {
		d := draft{client: ref, template: r.Template, attempt: r.Attempt + 1, round: r.round, execution: r.Execution}
		if p.def.Trace != nil {
			d.traced = w.tracedAgain(r)
		}
		w.sendLater(w.now+delay, d)
		w.observer.Client(w.now, Retried, r.Population, r.Client)
		return
	}
	w.observer.Client(w.now, GaveUp, r.Population, r.Client)
	switch {
	case p.def.Closed != nil:
		w.think(ref)
	case p.def.Lease != nil:
		w.renewalFailed(ref)
	}
}

// answerFinished lets the client go on after its request has been executed.
func (w *World) answerFinished(r *slotRecord) {
	p := &w.populations[r.Population]
	switch ref := p.first + r.Client; {
	case p.def.Closed != nil:
		w.think(ref)
	case p.def.Lease != nil:
		if r.round == w.clients[ref].lease.round {
			w.renewed(ref)
		}
	}
}
