package sim

// A change of the configuration is an event like others. Only the next one is in the event
// queue: they are few, and a run that ends with its traces must not wait for them.

// awaitChange schedules a change, if there is one of this number.
func (w *World) awaitChange(number int32) {
	w.changesAwaited = 0
	if int(number) < len(w.cfg.Changes) {
		w.queue.push(w.cfg.Changes[number].At, classChange, actChange, number)
		w.changesAwaited = 1
	}
}

// change puts a configuration into force. Requests that are present keep what was decided
// about them, and their wait limits.
func (w *World) change(number int32) {
	w.awaitChange(number + 1)
	c := &w.cfg.Changes[number]
	decisions, err := w.server.Reconfigure(w.now, c.PriorityLevels, c.FlowSchemas)
	if err != nil {
		panic("sim: a change that was found valid is not: " + err.Error())
	}
	w.decide(decisions)
	w.noticeDigest()
}

// noticeDigest records that the server has put a configuration into force since the last
// call. It is due wherever that may have been so: at a change, and when a request leaves,
// since the last request of a level that quiesces takes the level with it.
func (w *World) noticeDigest() {
	if n := w.server.Digests(); n != w.digests {
		w.digests = n
		w.reconfigured()
	}
}

// reconfigured records what has changed, and the limits that came of it.
func (w *World) reconfigured() {
	for _, c := range w.server.Changes() {
		w.fingerprint.add(factChange, int64(c.Number), w.now, int64(c.Kind))
	}
	w.recordLimits()
	w.observer.Reconfigured(w.now)
}
