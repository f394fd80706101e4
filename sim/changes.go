package sim

// A change of the configuration is an event like others. Only the next one is in the event
// queue: they are few, and a run that ends with its traces must not wait for them.

// awaitChange schedules a change, if there is one of this number.
func (w *World) awaitChange(number int32) {
	if int(number) < len(w.cfg.Changes) {
		w.queue.push(w.cfg.Changes[number].At, classChange, actChange, number)
		w.background++
	}
}

// change puts a configuration into force, on all servers; one that is down will find it when
// it starts. Requests that are present keep what was decided about them, and their wait
// limits.
func (w *World) change(number int32) {
	w.background--
	w.awaitChange(number + 1)
	c := &w.cfg.Changes[number]
	for i := range w.servers {
		decisions, err := w.servers[i].apf.Reconfigure(w.now, c.PriorityLevels, c.FlowSchemas)
		if err != nil {
			panic("sim: a change that was found valid is not: " + err.Error())
		}
		w.decide(decisions)
		w.noticeDigest(int32(i))
	}
}

// noticeDigest records that a server has put a configuration into force since the last
// call. It is due wherever that may have been so: at a change, and when a request leaves,
// since the last request of a level that quiesces takes the level with it.
func (w *World) noticeDigest(server int32) {
	s := &w.servers[server]
	if n := s.apf.Digests(); n != s.digests {
		s.digests = n
		w.reconfigured(server)
	}
}

// reconfigured records what has changed, and the limits that came of it.
func (w *World) reconfigured(server int32) {
	for _, c := range w.servers[server].apf.Changes() {
		w.fingerprint.add(factChange, int64(server)<<32|int64(c.Number), w.now, int64(c.Kind))
	}
	w.recordLimits(server)
	w.observer.Reconfigured(w.now, server)
}
