package reports

import (
	"math/bits"
	"time"
)

// blame follows one priority level at one server: who holds its seats, and who waits
// meanwhile. At each instant the requests of a population that wait, w, are blamed on the
// populations that hold seats in proportion to these: w times seats of the holder over seats
// of all. Seats are those that were estimated on arrival, and held until they are released.
//
// Of each waiter the integral of w over the seats of all is kept. What it has to blame on a
// holder is the sum of the holder's seats times what the integral has grown by while they were
// so many. Full levels change their seats all the time, but mostly a request hands them to one
// of the same population at the same instant, which is no change. So a request costs a few
// additions for each population of the level, none where nobody waits, and memory does
// not follow requests.
type blame struct {
	now time.Duration // up to when the integrals go
	// waiting and seats are those of all populations, and each is one over seats.
	waiting, seats int64
	each           float64
	eachOf         int64
	// grown counts the times at which the integrals have grown. moved tells that seats have
	// changed since.
	grown uint64
	moved bool
	// number is the place of each population among the parties, 0 for one that was not met.
	number  []int32
	parties []party
	ledgers []blameLedger
}

// party is a population in a level. Party 0 is nobody, who has the seats while there are none.
type party struct {
	waiting int64
	// integral is that of waiting over the seats of all, in nanoseconds.
	integral float64
	// seats are what it held when the integrals grew last, and moved what it has more or less since.
	seats, moved int64
	// waited is the time that its requests have waited: see occupancy.
	waited Total
}

// blameLedger is what is blamed on one party as a holder.
type blameLedger struct {
	population int32
	// grown is how often the integrals had grown when the ledger was settled last, marks what
	// they were.
	grown uint64
	marks []float64
	// times are what each party has waited for that is blamed on this one, in nanoseconds.
	times []float64
}

// nobody is the party that holds the seats while nobody does.
const nobody = 0

// newBlame returns what is known of a level in which nobody of so many populations has come yet.
func newBlame(populations int) blame {
	return blame{
		number:  make([]int32, populations),
		parties: []party{{}},
		ledgers: []blameLedger{{population: -1}},
	}
}

// party returns a population, which may be new here.
func (b *blame) party(population int32) *party {
	n := b.number[population]
	if n == 0 {
		n = b.meet(population)
	}
	return &b.parties[n]
}

func (b *blame) meet(population int32) int32 {
	n := int32(len(b.parties))
	b.number[population] = n
	b.parties, b.ledgers = append(b.parties, party{}), append(b.ledgers, blameLedger{population: population})
	return n
}

// enter counts a request that comes and waits.
func (b *blame) enter(now time.Duration, population int32) {
	b.advance(now)
	p := b.party(population)
	p.waited.sub(now)
	p.waiting++
	b.waiting++
}

// leave counts a request that waits no longer, and takes seats if it is dispatched.
func (b *blame) leave(now time.Duration, population int32, seats int) {
	b.advance(now)
	p := b.party(population)
	p.waited.add(now)
	p.waiting--
	b.waiting--
	p.moved += int64(seats)
	b.seats += int64(seats)
	b.moved = true
}

// free counts seats that are given back.
func (b *blame) free(now time.Duration, population int32, seats int) {
	b.advance(now)
	b.party(population).moved -= int64(seats)
	b.seats -= int64(seats)
	b.moved = true
}

// sub takes a time away: see subProduct.
func (t *Total) sub(d time.Duration) {
	var borrow uint64
	t.lo, borrow = bits.Sub64(t.lo, uint64(d), 0)
	t.hi -= borrow
}

// advance brings the integrals up to now.
func (b *blame) advance(now time.Duration) {
	d := now - b.now
	b.now = now
	if d != 0 && b.waiting != 0 {
		b.grow(float64(d))
	}
}

// grow lets the integrals grow for a time in which somebody has waited.
func (b *blame) grow(d float64) {
	if b.moved {
		b.move()
	}
	b.grown++
	if b.seats == 0 {
		b.blameNobody(d)
		return
	}
	if b.seats != b.eachOf {
		b.eachOf, b.each = b.seats, 1/float64(b.seats)
	}
	d *= b.each
	for i := range b.parties {
		p := &b.parties[i]
		p.integral += float64(float64(p.waiting) * d)
	}
}

// blameNobody is grow while no seat is in use.
func (b *blame) blameNobody(d float64) {
	l := &b.ledgers[nobody]
	l.widen(len(b.parties))
	for i := range b.parties {
		l.times[i] += float64(float64(b.parties[i].waiting) * d)
	}
}

// move takes over the seats that have changed.
func (b *blame) move() {
	b.moved = false
	for i := range b.parties {
		if p := &b.parties[i]; p.moved != 0 {
			b.settle(i)
			p.seats, p.moved = p.seats+p.moved, 0
		}
	}
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
	seats := float64(b.parties[holder].seats)
	for i := range b.parties {
		integral := b.parties[i].integral
		l.times[i] += float64(seats * (integral - l.marks[i]))
		l.marks[i] = integral
	}
}

// widen makes room for parties that are new.
func (l *blameLedger) widen(parties int) {
	for len(l.marks) < parties {
		l.marks, l.times = append(l.marks, 0), append(l.times, 0)
	}
}

// settleAll brings everything up to now.
func (b *blame) settleAll(now time.Duration) {
	b.advance(now)
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
		p := &b.parties[i]
		p.waited = Total{}
		p.waited.subProduct(p.waiting, now)
		clear(b.ledgers[i].times)
	}
}

// stop tells that the server has stopped, or that the time is over that matters: nobody waits or
// holds seats any more.
func (b *blame) stop(now time.Duration) {
	b.settleAll(now)
	for i := range b.parties {
		p := &b.parties[i]
		p.waited.addProduct(p.waiting, now)
		p.waiting, p.seats = 0, 0
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
	for i := range b.parties {
		p := &b.parties[i]
		if p.waited == (Total{}) {
			continue
		}
		sum := &level[b.ledgers[i].population]
		if sum.on == nil {
			sum.on = make([]float64, len(level)+1)
		}
		sum.waited.plus(p.waited)
		for j := range b.ledgers {
			if holder := &b.ledgers[j]; i < len(holder.times) {
				sum.on[holder.place(len(level))] += holder.times[i]
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
