package sim

import "github.com/apfsim/apfsim/workload"

// Watches of clients stay open: the request is over when the watch has been initialised,
// and the watch goes on. A client has at most one open watch of each of its templates.
// When it asks for that watch again, it does so because the old one has ended, so that
// is no longer counted, whatever becomes of the request. A trace tells of a watch for
// how long it was initialised, and not for how long it stayed open.

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
	if p.def.Trace != nil {
		s.apf.OpenWatch(r.target, r.name, r.options)
		return
	}
	// Two requests for the same watch may have waited side by side.
	w.watchAsked(p, r.Client, r.Template)
	i := int(r.Client)*len(p.def.Requests) + int(r.Template)
	p.opened[i], p.openers[i] = int16(r.Server), r.serial
	q := &p.prepared[i]
	s.apf.OpenWatch(q.Target, q.Name, q.Options)
}

// endInitialisation closes the watch of a trace, and one that was not initialised.
func (w *World) endInitialisation(r *slotRecord) {
	if w.populations[r.Population].def.Trace != nil || r.Status != workload.OK {
		w.dropWatch(r)
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
	return p.opened[i] != none && p.openers[i] == r.serial
}

// dropWatch ends the watch that a request has opened, if it has, and if it is still open.
func (w *World) dropWatch(r *slotRecord) {
	p := &w.populations[r.Population]
	switch {
	case p.def.Trace != nil && r.opened:
		w.servers[r.Server].apf.CloseWatch(r.target, r.name, r.options)
	case p.def.Trace == nil && w.holdsWatch(r):
		w.watchAsked(p, r.Client, r.Template)
	}
	r.opened = false
}

// endWatches ends all watches that clients have open on a server, and tells those who care.
func (w *World) endWatches(server int32, a workload.Answer) {
	w.endComing(server, a)
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
