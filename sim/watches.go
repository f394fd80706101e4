package sim

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload"
)

// Watches of clients stay open: the request is over when the watch has been initialised,
// and the watch goes on. A client has at most one open watch of each of its templates.
// When it asks for that watch again, it does so because the old one has ended, so that
// is no longer counted, whatever becomes of the request. A watch of a trace ends when its line
// says, and else with its initialisation.

// opener is a request that has opened a watch: the serial number of its slot, and its id.
type opener struct {
	serial uint64
	id     int64
}

// watchAsked ends the open watch that a client asks for again.
func (w *World) watchAsked(p *population, client, template int32) {
	i := int(client)*len(p.def.Requests) + int(template)
	if server := p.opened[i]; server != none {
		p.opened[i] = none
		if p.ways != nil {
			w.endWay(&p.ways[i])
		}
		q := &p.prepared[i]
		w.servers[server].apf.CloseWatch(q.Target, q.Name, q.Options)
		w.observer.WatchEnded(w.now, p.openers[i].id, int32(server))
	}
}

// openWatch counts a watch from its dispatch on, unless it asks for a version that the
// server does not know any more.
func (w *World) openWatch(r *slotRecord) {
	s := &w.servers[r.Server]
	if since := r.errand.since; since > 0 && since < s.cacheFrom {
		r.Status = workload.Expired
		return
	}
	r.opened = true
	p := &w.populations[r.Population]
	if r.Template == none {
		s.apf.OpenWatch(r.target, r.name, r.options)
		return
	}
	// Two requests for the same watch may have waited side by side.
	w.watchAsked(p, r.Client, r.Template)
	i := int(r.Client)*len(p.def.Requests) + int(r.Template)
	p.opened[i], p.openers[i] = int16(r.Server), opener{r.serial, r.ID}
	q := &p.prepared[i]
	s.apf.OpenWatch(q.Target, q.Name, q.Options)
}

// endInitialisation closes a watch that was not initialised, and one of a trace whose life is over
// by then.
func (w *World) endInitialisation(r *slotRecord) {
	traced := r.Template == none
	switch {
	case r.Status != workload.OK || traced && r.lives <= w.now:
		w.dropWatch(r)
	case traced && r.opened:
		w.keepTraced(r)
	}
}

// holdsWatch tells whether the open watch of a client is the one that a request has opened, and
// not that of a later request for the same watch.
func (w *World) holdsWatch(r *slotRecord) bool {
	if !r.opened {
		return false
	}
	p := &w.populations[r.Population]
	i := int(r.Client)*len(p.def.Requests) + int(r.Template)
	return p.opened[i] != none && p.openers[i].serial == r.serial
}

// dropWatch ends the watch that a request has opened, if it has, and if it is still open.
func (w *World) dropWatch(r *slotRecord) {
	switch {
	case r.Template == none && r.opened:
		w.servers[r.Server].apf.CloseWatch(r.target, r.name, r.options)
		w.observer.WatchEnded(w.now, r.ID, r.Server)
	case r.Template != none && w.holdsWatch(r):
		w.watchAsked(&w.populations[r.Population], r.Client, r.Template)
	}
	r.opened = false
}

// endWatches ends all watches that clients have open on a server, and tells those who care.
func (w *World) endWatches(server int32, a workload.Answer) {
	w.endComing(server, a)
	w.endTraced(server)
	for i := range w.populations {
		p := &w.populations[i]
		for j := range p.opened {
			if p.opened[j] != int16(server) {
				continue
			}
			client, template := int32(j/len(p.def.Requests)), int32(j%len(p.def.Requests))
			w.watchAsked(p, client, template)
			if p.machine != nil {
				p.machine.WatchEnded(p.hands, client, template, a)
			}
		}
	}
}

// tracedWatch is an open watch of a trace. Its end is in the event queue, and finds it closed
// already if its server has ended it before.
type tracedWatch struct {
	id      int64
	server  int32 // none: it is closed
	target  scheduler.TargetID
	name    string
	options scheduler.ListOptions
	next    int32 // links unused ones
}

// keepTraced keeps the watch of a trace that a request has opened until its life is over.
func (w *World) keepTraced(r *slotRecord) {
	i := w.freeWatch
	if i == none {
		i = int32(len(w.watches))
		w.watches = append(w.watches, tracedWatch{})
	} else {
		w.freeWatch = w.watches[i].next
	}
	w.watches[i] = tracedWatch{id: r.ID, server: r.Server, target: r.target, name: r.name, options: r.options}
	w.queue.push(r.lives, classClient, actEndWatch, i)
	w.background++
}

// endTracedWatch is the end of the life of a watch of a trace.
func (w *World) endTracedWatch(i int32) {
	w.background--
	w.closeTraced(&w.watches[i])
	w.watches[i] = tracedWatch{server: none, next: w.freeWatch}
	w.freeWatch = i
}

// endTraced ends the watches of traces at a server.
func (w *World) endTraced(server int32) {
	for i := range w.watches {
		if t := &w.watches[i]; t.server == server {
			w.closeTraced(t)
		}
	}
}

func (w *World) closeTraced(t *tracedWatch) {
	if t.server == none {
		return
	}
	w.servers[t.server].apf.CloseWatch(t.target, t.name, t.options)
	w.observer.WatchEnded(w.now, t.id, t.server)
	t.server = none
}

// livesUntil is when a watch ends that lives for so long from its arrival on, 0 if nothing tells.
func livesUntil(arrival, life time.Duration) time.Duration {
	if life == 0 {
		return 0
	}
	return arrival + life
}
