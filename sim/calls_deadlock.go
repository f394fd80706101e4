package sim

import "slices"

// occurrence is a deadlock with what it takes to tell its end.
type occurrence struct {
	*Deadlock
	// caught counts the callers whose last deadlock it is, and that have neither gone on nor
	// failed.
	caught int
	// settled tells that it is over for good: time has gone on since.
	settled bool
}

// A deadlock that breaks often closes again at the same instant: a caller has failed, and the
// seat goes to the next one, which calls and waits as well. That is one deadlock. So the end of
// one is certain only when time has gone on, and until then the levels remember it.

// lookForDeadlocks compares what is stuck after an event with what was before it.
func (w *World) lookForDeadlocks(e event) {
	g := &w.graph
	w.settle()
	if w.candidates() || len(g.stuck) > 0 {
		if g.changed {
			w.search()
			w.compareDeadlocks(e)
		}
	}
	g.changed = false
	w.tellEnds()
	g.breaker = NotBroken
	g.busy = len(g.listed) > 0 || len(g.deadlocks) > 0
}

// settle makes the ends certain that were before now.
func (w *World) settle() {
	g := &w.graph
	for i := range g.deadlocks {
		d := &g.deadlocks[i]
		if d.settled || d.Ended < 0 || d.Ended == w.now {
			continue
		}
		d.settled = true
		for s := range g.levels {
			for l := range g.levels[s] {
				if g.levels[s][l].deadlock == int32(d.Number) {
					g.levels[s][l].deadlock = none
				}
			}
		}
	}
}

// tellEnds tells of the deadlocks that are over, and have no callers any more.
func (w *World) tellEnds() {
	g := &w.graph
	g.deadlocks = slices.DeleteFunc(g.deadlocks, func(d occurrence) bool {
		over := d.settled && d.caught == 0
		if over {
			w.observer.Stuck(w.now, d.Deadlock)
		}
		return over
	})
}

// compareDeadlocks matches the levels that are stuck with the deadlocks that are known. Levels
// that wait for each other, in whatever direction, belong to one.
func (w *World) compareDeadlocks(e event) {
	g := &w.graph
	for i, ref := range g.stuck {
		g.at(ref).component = int32(i)
	}
	for i := range w.callings {
		if l := w.stuckLevel(int32(i)); l != nil {
			w.connect(l, int32(i))
		}
	}
	known := g.found
	for i := range g.stuck {
		if g.at(g.stuck[i]).component == int32(i) {
			w.nameComponent(int32(i))
		}
	}
	w.catch()
	for i := range g.deadlocks {
		if d := &g.deadlocks[i]; d.Number >= known {
			w.describe(d)
			w.observer.Stuck(w.now, d.Deadlock)
		}
	}
	w.noteEnds(e)
}

// Two servers that are stuck each by itself have two deadlocks. Levels that are stuck because of
// a third one, with no cycle of their own, belong to its deadlock: they are freed with it.

// connect joins a level with those that a caller there waits for.
func (w *World) connect(l *levelWaits, i int32) {
	for op := w.callings[i].open; op != none; op = w.operations[op].after {
		if !w.callBlocked(op) {
			continue
		}
		if w.operations[op].blockade.kind == notBlocked {
			w.connect(l, w.nested(op))
			continue
		}
		w.graph.merge(l.component, w.graph.at(w.operations[op].blockade.levelRef).component)
	}
}

// merge makes one of two components, with the lower number.
func (g *waitGraph) merge(a, b int32) {
	for _, ref := range g.stuck {
		if l := g.at(ref); l.component == a || l.component == b {
			l.component = min(a, b)
		}
	}
}

// A deadlock keeps its number while it grows or shrinks by a level. If two become one, the older
// one goes on, and the younger one ends; if one comes apart, the part with the lowest level goes
// on, and the other one is new.

// nameComponent lets the levels of a component belong to the oldest deadlock that one of them
// belongs to, or to a new one.
func (w *World) nameComponent(component int32) {
	g := &w.graph
	oldest := int32(none)
	for _, ref := range g.stuck {
		l := g.at(ref)
		if l.component == component && l.deadlock != none && (oldest == none || l.deadlock < oldest) {
			oldest = l.deadlock
		}
	}
	if oldest == none || g.taken(component, oldest) {
		oldest = int32(g.found)
		g.found++
		g.deadlocks = append(g.deadlocks, occurrence{Deadlock: &Deadlock{Number: int(oldest), Since: w.now, Ended: -1}})
	}
	for _, ref := range g.stuck {
		if l := g.at(ref); l.component == component {
			l.deadlock = oldest
		}
	}
}

// taken tells whether a component before this one goes on with a deadlock already: it has come
// apart.
func (g *waitGraph) taken(component, deadlock int32) bool {
	return slices.ContainsFunc(g.stuck, func(ref levelRef) bool {
		l := g.at(ref)
		return l.component < component && l.deadlock == deadlock
	})
}

// catch notes which deadlock each caller is in.
func (w *World) catch() {
	g := &w.graph
	for i := range w.callings {
		l, c := w.stuckLevel(int32(i)), &w.callings[i]
		if l == nil || l.deadlock == c.deadlock {
			continue
		}
		if before := g.occurrence(c.deadlock); before != nil {
			before.caught--
		}
		c.deadlock = l.deadlock
		d := g.occurrence(c.deadlock)
		d.caught++
		d.Requests++
	}
}

// occurrence returns a deadlock by its number, nil if it is forgotten.
func (g *waitGraph) occurrence(number int32) *occurrence {
	for i := range g.deadlocks {
		if g.deadlocks[i].Number == int(number) {
			return &g.deadlocks[i]
		}
	}
	return nil
}

// Whether a caller that got out of a deadlock goes on or fails is known when its calls are over.
// That is why a deadlock is told a second time only then, and not when it breaks.

// released notes that a caller which was caught in a deadlock waits for calls no longer.
func (g *waitGraph) released(deadlock int32, failed bool) {
	if d := g.occurrence(deadlock); d != nil {
		d.caught--
		if failed {
			d.Failed++
		}
	}
}

// noteEnds notes which deadlocks have no levels any more.
func (w *World) noteEnds(e event) {
	g := &w.graph
	for i := range g.deadlocks {
		d := &g.deadlocks[i]
		lasts := slices.ContainsFunc(g.stuck, func(ref levelRef) bool { return g.at(ref).deadlock == int32(d.Number) })
		switch {
		case lasts:
			d.Ended, d.By = -1, NotBroken
		case d.Ended < 0:
			d.Ended, d.By = w.now, g.breakerOf(e)
		}
	}
}

// What ends a deadlock is never inside of it. Those who can tell better than by the kind of the
// event, as at the end of a wait limit, have done so (waitGraph.breaks).

// breakerOf tells what ends a deadlock at an event.
func (g *waitGraph) breakerOf(e event) Breaker {
	if g.breaker != NotBroken {
		return g.breaker
	}
	switch e.act {
	case actAdjust:
		return BrokenByAdjustment
	case actChange:
		return BrokenByChange
	case actOperation:
		return BrokenByServer
	case actWithdraw:
		return BrokenByWithdrawal
	}
	return BrokenByOthers
}

// endDeadlocks tells what is still to be told at the end of the run.
func (w *World) endDeadlocks() {
	for i := range w.callings {
		if w.callings[i].slot == none {
			continue
		}
		for op := w.callings[i].open; op != none; op = w.operations[op].after {
			if w.operations[op].blockade.kind == queued {
				w.tellInversion(op)
			}
		}
	}
	for i := range w.graph.deadlocks {
		w.observer.Stuck(w.now, w.graph.deadlocks[i].Deadlock)
	}
}

// describe fills in what a deadlock consists of.
func (w *World) describe(d *occurrence) {
	g := &w.graph
	for _, ref := range g.stuck {
		if g.at(ref).deadlock != int32(d.Number) {
			continue
		}
		s := w.servers[ref.server].apf.LevelState(int(ref.level))
		d.Levels = append(d.Levels, StuckLevel{Server: ref.server, Level: ref.level, Limit: s.Limit, Seats: s.SeatsInUse, Waiting: s.Waiting})
		d.Seats += s.SeatsInUse
	}
	first := d.Levels[0]
	d.Cycle = w.cycle(levelRef{first.Server, first.Level})
	for i := range d.Cycle {
		w.countLink(&d.Cycle[i])
	}
}

// Which cycle of several is told is a matter of the order in which callers lie in memory. It is
// the same in each run, and any of them shows what to change.

// cycle walks from a level of the set to the level where one of its callers waits, and on, until
// it comes to a level where it was before. The way to there does not belong to the cycle.
func (w *World) cycle(at levelRef) []Link {
	var links []Link
	visited := map[levelRef]int{}
	for {
		if from, been := visited[at]; been {
			return links[from:]
		}
		visited[at] = len(links)
		for i := range w.callings {
			if w.stuckLevel(int32(i)) != nil && w.levelOf(w.callings[i].slot) == at {
				links, at = w.follow(links, int32(i))
				break
			}
		}
	}
}

// follow adds the links from a caller to the level where it waits in the end, through calls that
// execute and wait themselves.
func (w *World) follow(links []Link, i int32) ([]Link, levelRef) {
	for {
		op := w.callings[i].open
		for !w.callBlocked(op) {
			op = w.operations[op].after
		}
		link := Link{Caller: w.callerParty(i), Called: w.calledParty(op)}
		b := &w.operations[op].blockade
		link.Executing = b.kind == notBlocked
		links = append(links, link)
		if !link.Executing {
			return links, b.levelRef
		}
		i = w.nested(op)
	}
}

func (w *World) callerParty(i int32) Party {
	r := &w.slots[w.callings[i].slot]
	return Party{r.Population, r.Template, r.Server, r.Schema, r.Level}
}

// calledParty is the party of a call, which may be between two attempts.
func (w *World) calledParty(op int32) Party {
	o := &w.operations[op]
	if b := &o.blockade; b.kind != notBlocked {
		return Party{o.population, o.template, b.server, b.schema, b.level}
	}
	return w.callerParty(w.nested(op))
}

// countLink counts the callers that wait in the way of a link.
func (w *World) countLink(l *Link) {
	for i := range w.callings {
		if w.callings[i].slot == none || w.callerParty(int32(i)) != l.Caller {
			continue
		}
		for op := w.callings[i].open; op != none; op = w.operations[op].after {
			executing := w.operations[op].blockade.kind == notBlocked
			if w.callBlocked(op) && executing == l.Executing && w.calledParty(op) == l.Called {
				l.Requests++
				l.Seats += w.slots[w.callings[i].slot].Estimate.Width()
				break
			}
		}
	}
}
