package calibration

import (
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload/recording"
)

// View is how a record of single requests sees what happens.
type View struct {
	// Spans are what is looked at, and End when the record ends: what happens later is not in it.
	Spans []Span
	End   time.Duration
	// Told is of which requests it tells the wait.
	Told Told
	// Alike gives the name of a group of users that are called alike.
	Alike func(user string) string
	// Servers tells that it tells servers apart.
	Servers bool
}

// seen is what a record tells of a request.
type seen struct {
	arrival           time.Duration
	waited, execution time.Duration // recording.Unknown if it does not tell
	alone             time.Duration
	seats             int
	rejected, watch   bool
}

// place are the sums that a request counts in, and the name of its level.
type place struct {
	name                         string
	level, schema, users, server []Sum
	// executors are the users at the level.
	executors []Sum
}

// realWait is from when on a rejection counts as one after a wait: what a log of the server takes
// for a wait holds the time in other filters.
const realWait = 100 * time.Millisecond

// book counts requests.
type book struct {
	*Side
	view View
	// cells and users find the sums of levels and schemas, and of users, by their numbers.
	cells map[[2]int32]place
	users map[[2]int32]place
}

func newBook(v View) *book {
	return &book{Side: newSide(v.Spans), view: v, cells: map[[2]int32]place{}, users: map[[2]int32]place{}}
}

// cell finds the sums of a level and schema by their numbers.
func (b *book) cell(level, schema int32, names func() (level, schema string)) place {
	key := [2]int32{level, schema}
	p, known := b.cells[key]
	if !known {
		l, s := names()
		p.name, p.level, p.schema = l, b.of(Subject{OfLevel, l, ""}), b.of(Subject{OfSchema, s, l})
		b.cells[key] = p
	}
	return p
}

// by fills in the sums of who sent a request to a level.
func (b *book) by(p *place, w *sim.World, r *sim.Request) {
	key := [2]int32{int32(r.Subject), r.Level}
	u, known := b.users[key]
	if !known || u.name != p.name {
		name := b.view.Alike(w.Asker(r.Subject).User)
		u = place{name: p.name, users: b.of(Subject{OfUsers, name, ""}), executors: b.of(Subject{usersAtLevel, name, p.name})}
		b.users[key] = u
	}
	p.users, p.executors = u.users, u.executors
	if b.view.Servers {
		p.server = b.of(Subject{OfServer, serverName(r.Server), ""})
	}
}

// each calls f for the sums of all subjects of a request in a span.
func (p *place) each(span int, f func(*Sum)) {
	for _, sums := range [...][]Sum{p.level, p.schema, p.users, p.server} {
		if sums != nil {
			f(&sums[span])
		}
	}
}

// arrived counts an arrival.
func (b *book) arrived(p *place, at time.Duration) {
	if i := b.span(at); i >= 0 {
		p.each(i, func(s *Sum) { s.Arrivals++ })
	}
}

// ended counts what became of a request.
func (b *book) ended(p *place, q *seen) {
	if !q.rejected && q.execution > 0 {
		from := q.arrival + max(q.waited, 0)
		b.occupy(p.level, from, from+q.execution, q.seats)
	}
	i := b.span(q.arrival)
	if i < 0 {
		return
	}
	if q.rejected {
		why := AtOnce
		if q.waited > realWait {
			why = AfterWait
			p.level[i].GaveUp = counted(p.level[i].GaveUp, q.waited)
		}
		p.each(i, func(s *Sum) { s.Rejected[why]++ })
		return
	}
	p.each(i, func(s *Sum) { s.Executed++ })
	if q.watch {
		return
	}
	p.executors[i].All.add(q.execution)
	if q.waited > SlowRequest || b.view.Told == ToldAll {
		p.executors[i].Clean.add(q.execution)
	}
	p.level[i].Alone = counted(p.level[i].Alone, q.alone)
	// Of schemas only the whole time is of interest, which is the sum of all spans.
	for _, s := range [...]*Sum{&p.level[i], &p.schema[0]} {
		s.Execution = counted(s.Execution, q.execution)
		if q.waited >= 0 {
			s.Wait = counted(s.Wait, q.waited)
		}
	}
}

// hide hides of a request what the record does not tell.
func (v *View) hide(q *seen) {
	total := q.waited + q.execution
	if v.Told == ToldAll || v.Told == ToldSlow && total > SlowRequest {
		return
	}
	if !q.rejected {
		q.execution = total
	}
	q.waited = recording.Unknown
}

// Observer counts what a replication does as a record would tell it.
type Observer struct {
	sim.Silent
	*book
	world *sim.World
}

var _ sim.Observer = (*Observer)(nil)

// NewObserver returns an observer of one replication.
func NewObserver(v View) *Observer { return &Observer{book: newBook(v)} }

// Start learns the limits.
func (o *Observer) Start(w *sim.World) {
	o.world = w
	o.learn(w)
}

// learn takes over what the servers are.
func (s *Side) learn(w *sim.World) {
	s.Servers = w.Servers()
	s.Seats, s.Schemas = 0, map[string]bool{}
	for _, name := range w.Server().Schemas() {
		s.Schemas[name] = true
	}
	for i := range s.Servers {
		server := w.ServerAt(int32(i))
		s.Seats += server.Seats()
		for _, l := range server.Levels() {
			if i == 0 {
				s.Nominal[l.Name], s.Least[l.Name] = 0, 0
			}
			s.Nominal[l.Name] += l.Nominal
			s.Least[l.Name] += l.Min
		}
	}
}

func (o *Observer) place(r *sim.Request) place {
	p := o.cell(r.Level, r.Schema, func() (string, string) {
		s := o.world.ServerAt(r.Server)
		return s.Levels()[r.Level].Name, s.Schemas()[r.Schema]
	})
	o.by(&p, o.world, r)
	return p
}

// Arrived counts an arrival.
func (o *Observer) Arrived(now time.Duration, r *sim.Request) {
	if r.Level < 0 || now > o.view.End {
		return
	}
	o.WaitLimit = max(o.WaitLimit, r.WaitLimit)
	p := o.place(r)
	o.arrived(&p, now)
}

// Rejected counts a rejection.
func (o *Observer) Rejected(now time.Duration, r *sim.Request) {
	if r.Level < 0 || now > o.view.End {
		return
	}
	q := seen{arrival: r.Arrival, waited: r.Wait(), rejected: true}
	if r.Reason != fairqueue.TimeOut && r.Reason != fairqueue.Cancelled {
		q.waited = 0
	}
	o.view.hide(&q)
	p := o.place(r)
	o.ended(&p, &q)
}

// Finished counts an execution.
func (o *Observer) Finished(now time.Duration, r *sim.Request) {
	if r.Level < 0 || now > o.view.End {
		return
	}
	p := o.place(r)
	q := seen{
		arrival: r.Arrival, waited: r.Wait(), execution: now - r.Dispatched, alone: now - r.Dispatched,
		seats: int(r.Estimate.InitialSeats), watch: r.Watch,
	}
	o.longest(p.name, q.waited)
	o.view.hide(&q)
	o.ended(&p, &q)
}

// longest notes a wait.
func (s *Side) longest(level string, wait time.Duration) {
	if x := wait.Seconds(); x > s.Longest[level] {
		s.Longest[level] = x
	}
}

// Counted returns what was counted, after the end of the run.
func (o *Observer) Counted() *Side { return o.Side }
