package sim

// Watches of clients stay open: the request is over when the watch has been initialised,
// and the watch goes on. A client has at most one open watch of each of its templates.
// When it asks for that watch again, it does so because the old one has ended, so that
// is no longer counted, whatever becomes of the request. A trace tells of a watch for
// how long it was initialised, and not for how long it stayed open.

// watchAsked ends the open watch that a client asks for again.
func (w *World) watchAsked(p *population, client, template int32) {
	i := int(client)*len(p.def.Requests) + int(template)
	if p.opened[i] {
		p.opened[i] = false
		q := &p.prepared[i]
		w.server.CloseWatch(q.Target, q.Name, q.Options)
	}
}

// openWatch counts a watch from its dispatch on.
func (w *World) openWatch(r *slotRecord) {
	p := &w.populations[r.Population]
	if p.def.Trace != nil {
		w.server.OpenWatch(r.target, r.name, r.options)
		return
	}
	// Two requests for the same watch may have waited side by side.
	w.watchAsked(p, r.Client, r.Template)
	i := int(r.Client)*len(p.def.Requests) + int(r.Template)
	p.opened[i] = true
	q := &p.prepared[i]
	w.server.OpenWatch(q.Target, q.Name, q.Options)
}

// endInitialisation closes the watch of a trace.
func (w *World) endInitialisation(r *slotRecord) {
	if w.populations[r.Population].def.Trace != nil {
		w.server.CloseWatch(r.target, r.name, r.options)
	}
}
