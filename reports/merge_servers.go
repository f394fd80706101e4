package reports

import (
	"cmp"
	"slices"
	"time"

	"github.com/apfsim/apfsim/sim"
)

// servers renders what happened at each server, if there are several or any had a fate of its
// own.
func (m *merger) servers() []ServerUse {
	sums := m.serverSums()
	told := len(sums) > 1 || len(m.first.machines) > 0
	total := int64(0)
	for i := range sums {
		s := &sums[i]
		told = told || s.refused > 0 || s.down != Total{} || slices.ContainsFunc(s.events[:], func(n int64) bool { return n > 0 })
		total += s.arrivals + s.longRunning
	}
	if !told {
		return nil
	}
	out := make([]ServerUse, 0, len(sums))
	for i := range sums {
		s := &sums[i]
		use := ServerUse{
			Server:      i,
			Requests:    s.requests(),
			LongRunning: s.longRunning,
			Refused:     s.refused,
			Stops:       s.events[sim.ServerStopped],
			Starts:      s.events[sim.ServerStarted],
			OutOfMemory: s.events[sim.OutOfMemory],
			Down:        s.down,
			Machine:     m.machineOf(i),
		}
		if total > 0 {
			share := newNumber(float64(s.arrivals+s.longRunning) / float64(total))
			use.Share = &share
		}
		if len(sums) > 1 {
			peak := s.seatPeak
			use.SeatsUsedAverage, use.SeatsUsedPeak = m.books.perTime(s.seatTime), &peak
		}
		out = append(out, use)
	}
	return out
}

// serverSums adds up the replications.
func (m *merger) serverSums() []serverStats {
	sums := make([]serverStats, len(m.first.servers))
	for _, run := range m.runs {
		for i := range run.servers {
			sums[i].plus(&run.servers[i])
		}
	}
	return sums
}

// plus adds the figures of another replication.
func (s *serverStats) plus(from *serverStats) {
	s.counts.plus(&from.counts)
	s.longRunning += from.longRunning
	s.refused += from.refused
	for i := range s.events {
		s.events[i] += from.events[i]
	}
	s.down.plus(from.down)
	s.seatTime.plus(from.seatTime)
	s.seatPeak = max(s.seatPeak, from.seatPeak)
}

// maxDeadlocks bounds the deadlocks that a result tells of one by one.
const maxDeadlocks = 10

// deadlocksThatCount leaves out those that were over before the end of the warm-up.
func (o *Collected) deadlocksThatCount() []*sim.Deadlock {
	return slices.DeleteFunc(slices.Clone(o.deadlocks), func(d *sim.Deadlock) bool { return d.Ended >= 0 && d.Ended < o.warmup })
}

// deadlocks renders the deadlocks, nil if there are none.
func (m *merger) deadlocks() *Deadlocks {
	out := &Deadlocks{}
	for _, run := range m.runs {
		for _, d := range run.deadlocksThatCount() {
			out.Count++
			if len(out.Listed) < maxDeadlocks {
				out.Listed = append(out.Listed, m.deadlock(run.replication, d))
			}
		}
	}
	if out.Count == 0 {
		return nil
	}
	return out
}

func (m *merger) deadlock(replication int, d *sim.Deadlock) Deadlock {
	out := Deadlock{Replication: replication, Since: Duration(d.Since), Requests: d.Requests, Failed: d.Failed, Seats: d.Seats}
	if d.Ended >= 0 {
		ended := Duration(d.Ended)
		out.Ended, out.By = &ended, d.By.String()
	}
	for i := range d.Cycle {
		link := &d.Cycle[i]
		out.Cycle = append(out.Cycle, DeadlockStep{
			Server:        int(link.Caller.Server),
			PriorityLevel: m.levelName(int(link.Caller.Level)),
			Population:    m.populationName(link.Caller.Population),
			Requests:      link.Requests,
			Seats:         link.Seats,
			Calls:         m.populationName(link.Called.Population),
			AtServer:      int(link.Called.Server),
			AtLevel:       m.levelName(int(link.Called.Level)),
			Executing:     link.Executing,
		})
	}
	for _, l := range d.Levels {
		out.Levels = append(out.Levels, StuckLevel{int(l.Server), m.levelName(int(l.Level)), l.Limit, l.Seats, l.Waiting})
	}
	return out
}

func (m *merger) populationName(i int32) string { return m.books.populations[i].name }

// inversions renders the inversions, those that cost the most time first.
func (m *merger) inversions() []Inversion {
	var sums []inversion
	for _, run := range m.runs {
		for i := range run.inversions {
			sums = addInversion(sums, &run.inversions[i])
		}
	}
	slices.SortStableFunc(sums, func(a, b inversion) int {
		return cmp.Or(b.time.compare(a.time), cmp.Compare(a.caller, b.caller), cmp.Compare(a.called, b.called),
			cmp.Compare(a.callerLevel, b.callerLevel), cmp.Compare(a.calledLevel, b.calledLevel))
	})
	var out []Inversion
	for i := range sums {
		in := &sums[i]
		out = append(out, Inversion{
			Caller:      m.populationName(in.caller),
			CallerLevel: m.levelName(int(in.callerLevel)),
			Called:      m.populationName(in.called),
			CalledLevel: m.levelName(int(in.calledLevel)),
			Requests:    in.requests,
			Time:        in.time,
			Longest:     Duration(in.longest),
		})
	}
	return out
}

// backlog renders a peak, nil if nothing was ever left to do.
func (p peak) backlog() *Backlog {
	if p.value == 0 {
		return nil
	}
	out := &Backlog{Peak: p.value, PeakAt: Duration(p.at)}
	if p.drained >= 0 {
		drained := Duration(p.drained)
		out.DrainedAt = &drained
	}
	return out
}

// leastBarren is the shortest time without success that is told.
const leastBarren = 30 * time.Second

// barrenTime renders the longest time without success, nil if there was none worth telling.
func (p *populationStats) barrenTime() *Barren {
	b := &p.longest
	if b.until-b.from < leastBarren {
		return nil
	}
	return &Barren{Duration(b.from), Duration(b.until), b.requests}
}
