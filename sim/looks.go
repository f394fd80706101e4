package sim

// A look is an event that changes nothing. Only the next one is in the event queue, and a run
// that ends with its traces does not wait for it.

// awaitLook schedules a look, if there is one of this number.
func (w *World) awaitLook(number int32) {
	if int(number) < len(w.cfg.Looks) {
		w.queue.push(w.cfg.Looks[number], classLook, actLook, number)
		w.background++
	}
}

// look lets the observer look.
func (w *World) look(number int32) {
	w.background--
	w.awaitLook(number + 1)
	w.observer.Look(w.now)
}
