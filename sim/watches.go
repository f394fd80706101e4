package sim

// openWatch counts a watch from its dispatch on. A client keeps each of its watches
// open until it opens the same one again, which takes the place of the first.
func (w *World) openWatch(r *slotRecord) {
	if p := &w.populations[r.Population]; p.def.Trace == nil {
		i := int(r.Client)*len(p.def.Requests) + int(r.Template)
		if !p.opened[i] {
			p.opened[i] = true
			q := &p.prepared[i]
			w.server.OpenWatch(q.Target, q.Name, q.Options)
		}
		return
	}
	w.server.OpenWatch(r.target, r.name, r.options)
}

// endInitialisation closes the watch of a trace: the record holds its initialisation
// and does not tell for how long it stayed open.
func (w *World) endInitialisation(r *slotRecord) {
	if w.populations[r.Population].def.Trace != nil {
		w.server.CloseWatch(r.target, r.name, r.options)
	}
}
