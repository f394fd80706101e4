package reports

import "time"

// blame follows one priority level at one server: who holds its seats, and who waits
// meanwhile. At each instant the requests of a population that wait, w, are blamed on the
// populations that hold seats in proportion to these: w times seats of the holder over seats
// of all. Seats are those that were estimated on arrival, and held until they are released.
//
// Of each waiter the integral of w is counted exactly, and that of w over the seats of all is
// brought up to a time when the seats change for longer than a moment: in between it grows as
// the former does. What a waiter has to blame on a holder is the sum of the holder's seats
// times what the latter integral has grown by while they were so many. Full levels change their
// seats all the time, but mostly a request hands them to one of the same population at the same
// instant, which is no change. So a request costs a few additions, a change of who holds the
// seats some for each population of the level, none where nobody waits, and memory does
// not follow requests.
type blame struct {
	now time.Duration // of the latest call
	// waiting is how many requests wait. seats are those of all populations before what has changed
	// at now, or since somebody waited last, and each is one over seats.
	waiting, seats int64
	each           float64
	eachOf         int64
	// uneven counts the parties with more or fewer seats than before that.
	uneven int
	// waited tells that somebody has waited for some time since the integrals grew last, and
	// grown counts how often they have.
	waited  bool
	grown   uint64
	parties []*party
	// integrals are those of waiting over the seats of all, by party, in nanoseconds.
	integrals []float64
	ledgers   []blameLedger
}

// party is a population in a level. Party 0 is nobody, who has the seats while there are none.
type party struct {
	// lanes are the ways of its requests, which know how long these have waited. mark is what that
	// was, modulo 1<<64, when it was added to the two sums below.
	lanes []*lane
	mark  uint64
	// waited is the time that its requests have waited.
	waited Total
	// seats are what it held before now, or when somebody waited last, and moved what it has more or
	// less since.
	seats, moved int64
}

// blameLedger is what is blamed on one party as a holder.
type blameLedger struct {
	population int32
	// grown is how often the integrals had grown when the ledger was settled last.
	grown uint64
	lines []blameLine // by party
}

// blameLine is what one party blames on a holder: what its integral was when the ledger was settled
// last, and the time that it has waited for, in nanoseconds.
type blameLine struct{ mark, time float64 }

// nobody is the party that holds the seats while nobody does.
const nobody = 0

// newBlame returns what is known of a level to which nobody has come yet.
func newBlame() blame {
	return blame{parties: []*party{{}}, integrals: []float64{0}, ledgers: []blameLedger{{population: -1}}}
}

// party returns a population, which may be new here.
func (b *blame) party(population int32) *party {
	for i := range b.ledgers {
		if b.ledgers[i].population == population {
			return b.parties[i]
		}
	}
	p := &party{}
	b.parties, b.integrals = append(b.parties, p), append(b.integrals, 0)
	b.ledgers = append(b.ledgers, blameLedger{population: population})
	return p
}

// change counts seats that a party has got or given back now.
func (b *blame) change(p *party, seats int64) {
	if p.moved != 0 {
		b.uneven--
	}
	if p.moved += seats; p.moved != 0 {
		b.uneven++
	}
}

// advance brings the state up to now.
func (b *blame) advance(now time.Duration) {
	if now != b.now {
		b.pass(now)
	}
}

// pass lets the instant of the latest call be over: what has changed at it has lasted. Who holds seats
// matters only while somebody waits.
func (b *blame) pass(now time.Duration) {
	if b.waiting != 0 {
		if b.uneven != 0 {
			b.grow()
			b.move()
		}
		b.waited = true
	}
	b.now = now
}

// move takes over the seats that have changed, once the integrals are up to that time.
func (b *blame) move() {
	b.uneven = 0
	for i := range b.parties {
		if p := b.parties[i]; p.moved != 0 {
			b.settle(i)
			p.seats += p.moved
			b.seats += p.moved
			p.moved = 0
		}
	}
}

// grow brings the integrals up to the time of the latest call.
func (b *blame) grow() {
	if !b.waited {
		return
	}
	b.waited = false
	b.grown++
	if b.seats != b.eachOf && b.seats != 0 {
		b.eachOf, b.each = b.seats, 1/float64(b.seats)
	}
	for i := nobody + 1; i < len(b.parties); i++ {
		p := b.parties[i]
		sum := p.clock(b.now)
		d := time.Duration(sum - p.mark)
		if d == 0 {
			continue
		}
		p.mark = sum
		p.waited.add(d)
		if b.seats == 0 {
			b.ledgers[nobody].widen(len(b.parties))
			b.ledgers[nobody].lines[i].time += float64(d)
			continue
		}
		b.integrals[i] += float64(float64(d) * b.each)
	}
}

// clock returns how long the requests of a party have waited until a time, modulo 1<<64.
func (p *party) clock(at time.Duration) uint64 {
	sum := uint64(0)
	for _, l := range p.lanes {
		sum += l.waiting.total.lo + uint64(l.waiting.seats)*uint64(at)
	}
	return sum
}

// settle blames on a holder what the integrals have grown by since it was settled last. If they
// have not grown no time has passed, or nobody has waited.
func (b *blame) settle(holder int) {
	l := &b.ledgers[holder]
	if l.grown == b.grown {
		return
	}
	l.grown = b.grown
	l.widen(len(b.parties))
	seats, lines := float64(b.parties[holder].seats), l.lines
	for i := nobody + 1; i < len(lines); i++ {
		integral, line := b.integrals[i], &lines[i]
		line.time += float64(seats * (integral - line.mark))
		line.mark = integral
	}
}

// widen makes room for parties that are new.
func (l *blameLedger) widen(parties int) {
	for len(l.lines) < parties {
		l.lines = append(l.lines, blameLine{})
	}
}

// settleAll brings everything up to now.
func (b *blame) settleAll(now time.Duration) {
	b.advance(now)
	b.grow()
	for i := range b.parties {
		b.settle(i)
	}
	b.move()
}

// begin forgets what has been before the end of the warm-up, but not who waits and who holds
// seats.
func (b *blame) begin(now time.Duration) {
	b.settleAll(now)
	for i := range b.parties {
		b.parties[i].waited = Total{}
		for j := range b.ledgers[i].lines {
			b.ledgers[i].lines[j].time = 0
		}
	}
}

// stop tells that the server has stopped, or that the time is over that matters: nobody waits or
// holds seats any more.
func (b *blame) stop(now time.Duration) {
	b.settleAll(now)
	for _, p := range b.parties {
		p.seats = 0
	}
	b.waiting, b.seats = 0, 0
}

// blamed is what a population has waited for in a level, of all servers, and what of it is
// blamed on each population, in nanoseconds; the last one is nobody.
type blamed struct {
	waited Total
	on     []float64
}

// addTo adds what is known of one server to what is known of a level, by population.
func (b *blame) addTo(level []blamed) {
	for i, p := range b.parties {
		if p.waited == (Total{}) {
			continue
		}
		sum := &level[b.ledgers[i].population]
		if sum.on == nil {
			sum.on = make([]float64, len(level)+1)
		}
		sum.waited.plus(p.waited)
		for j := range b.ledgers {
			if holder := &b.ledgers[j]; i < len(holder.lines) {
				sum.on[holder.place(len(level))] += holder.lines[i].time
			}
		}
	}
}

// place is where the times of a holder are among those of so many populations.
func (l *blameLedger) place(populations int) int {
	if l.population < 0 {
		return populations
	}
	return int(l.population)
}
