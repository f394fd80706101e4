package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload"
)

// Info is what a result tells of its scenario beside what the replications know.
type Info struct {
	// Scenario is its name, KubernetesVersion the release that was simulated.
	Scenario, KubernetesVersion string
	// Replications is how many there should have been. A result of fewer is partial.
	Replications int
}

// Merge makes one result of the replications of a scenario. The result does not depend
// on their order. It panics without any, and if they are not of one scenario.
func Merge(info Info, runs []*Collected) *Result {
	if len(runs) == 0 {
		panic("reports: a result needs a replication")
	}
	runs = slices.Clone(runs)
	slices.SortFunc(runs, func(a, b *Collected) int { return cmp.Compare(a.replication, b.replication) })
	m := &merger{runs: runs}
	m.enterAll()
	r := m.header(info)
	r.Changes = m.changes()
	r.Server, r.Servers, r.Etcd = m.server(), m.servers(), m.etcd()
	r.Deadlocks, r.Inversions = m.deadlocks(), m.inversions()
	r.PriorityLevels = m.priorityLevels()
	r.FlowSchemas = m.flowSchemas()
	r.Populations = m.populations()
	r.Traffic = m.traffic()
	m.flows(r)
	r.Timeline = m.timeline()
	r.Figures, r.own = m.figures(), m.own
	r.markFew()
	r.Caveats = m.caveats(r)
	r.Diagnoses = diagnoses(r)
	slices.SortStableFunc(r.PriorityLevels, func(a, b PriorityLevel) int { return cmp.Compare(a.Name, b.Name) })
	return r
}

// merger holds the replications that are being merged.
type merger struct {
	runs  []*Collected // by number
	first *Collected
	books *books   // of all
	own   []*books // of each
}

// enterAll opens the books of the replications.
func (m *merger) enterAll() {
	// A replication that was interrupted may not have met all that others have.
	widest := slices.MaxFunc(m.runs, func(a, b *Collected) int {
		return cmp.Or(cmp.Compare(len(a.columns), len(b.columns)), cmp.Compare(len(a.levels), len(b.levels)))
	})
	m.first, m.books = m.runs[0], openBooks(widest)
	for _, run := range m.runs {
		m.books.check(run)
		m.books.enter(run)
		m.own = append(m.own, openOwn(run))
	}
}

func (m *merger) header(info Info) *Result {
	r := &Result{
		APIVersion:        APIVersion,
		Kind:              Kind,
		Metadata:          Metadata{Name: info.Scenario},
		KubernetesVersion: info.KubernetesVersion,
		Seed:              m.first.seed,
		Duration:          Duration(m.first.duration),
		Warmup:            Duration(m.first.warmup),
		Partial:           len(m.runs) < info.Replications,
		Configuration:     digest(m.first.configuration),
		FlowControl:       m.first.flowControl,
		books:             m.books,
	}
	for _, run := range m.runs {
		r.Partial = r.Partial || run.partial
		r.Replications = append(r.Replications, Replication{
			Replication: run.replication,
			Requests:    run.requests,
			End:         Duration(run.end),
			Partial:     run.partial,
			Fingerprint: fmt.Sprintf("%016x", run.fingerprint),
		})
	}
	return r
}

func (m *merger) server() Server {
	whole := m.books.sum(selection{all, all, all})
	limited := &cell{}
	var seatTime Total
	for i := range m.books.levels {
		if !m.books.exempt(i) {
			limited.merge(m.books.sum(selection{all, all, i}))
		}
		seatTime.plus(m.levelSums(i).seatTime)
	}
	passed := int64(0)
	for p := range m.books.populations {
		passed += m.books.at(p, longRunning).arrivals
	}
	panics := 0
	for _, run := range m.runs {
		panics += run.panics
	}
	return Server{
		Panics:         panics,
		Seats:          m.first.seats,
		RequestTimeout: Duration(m.first.requestTimeout),
		Requests:       whole.requests(),
		Wait:           limited.waits.render(),
		SeatsUsed:      m.books.perTime(seatTime),
		LongRunning:    passed,
	}
}

// levelSums adds up the gauges of one level.
func (m *merger) levelSums(level int) gauge {
	var sums gauge
	sums.limitLow = math.MaxInt64
	for _, run := range m.runs {
		if level >= len(run.levels) {
			continue
		}
		l := &run.levels[level]
		sums.seatTime.plus(l.seatTime)
		sums.waitTime.plus(l.waitTime)
		sums.limitTime.plus(l.limitTime)
		sums.seatPeak = max(sums.seatPeak, l.seatPeak)
		sums.waitPeak = max(sums.waitPeak, l.waitPeak)
		sums.backlog = sums.backlog.larger(l.backlog)
		sums.longestQueue = max(sums.longestQueue, l.longestQueue)
		sums.limitHigh = max(sums.limitHigh, l.limitHigh)
		sums.limitLow = min(sums.limitLow, l.limitLow)
	}
	if sums.limitLow > sums.limitHigh {
		sums.limitLow = 0 // it was gone all the time
	}
	return sums
}

func (m *merger) priorityLevels() []PriorityLevel {
	out := []PriorityLevel{}
	for i := range m.books.levels {
		out = append(out, m.priorityLevel(i))
	}
	return out
}

// level returns a level as the first replication saw it last, if it has met it.
func (m *merger) level(i int) *levelRun {
	if i < len(m.first.levels) {
		return &m.first.levels[i]
	}
	return &levelRun{info: m.books.levels[i].info}
}

func (m *merger) priorityLevel(i int) PriorityLevel {
	level := m.level(i)
	info := &level.info
	whole := m.books.sum(selection{all, all, i})
	sums := m.levelSums(i)
	out := PriorityLevel{
		Name:     info.Name,
		Exempt:   info.Exempt,
		Requests: whole.requests(),
		Widths:   whole.renderWidths(m.books.buckets),
		Seats: Seats{
			Nominal:        info.Nominal,
			Min:            info.Min,
			Max:            info.Max,
			Current:        int(level.limit),
			CurrentLowest:  int(sums.limitLow),
			CurrentHighest: int(sums.limitHigh),
		},
		Occupancy:   m.occupancy(sums),
		Adjustments: level.adjustments(),
		Backlog:     sums.backlog.backlog(),
		Blame:       m.blame(i),
		SaturatedIn: m.saturatedIn(i),
	}
	if info.Status != scheduler.Active {
		out.Status = info.Status.String()
	}
	if info.Queues > 0 {
		out.Queuing = &Queuing{info.Queues, info.HandSize, info.QueueLengthLimit}
	}
	if !info.Exempt {
		out.Wait, out.WaitHistogram = whole.waits.renderWhole(), whole.waitHistogram(m.books.buckets)
	}
	if len(m.runs) > 1 {
		var s samples
		for n, own := range m.own {
			var seatTime Total
			if i < len(own.levels) {
				seatTime = m.runs[n].levels[i].seatTime
			}
			s.add(own.sum(selection{all, all, i}), seatTime, float64(own.window))
		}
		out.Intervals = s.intervals()
	}
	return out
}

// saturatedIn counts the replications in which a level was saturated.
func (m *merger) saturatedIn(level int) (n int) {
	if m.books.exempt(level) {
		return 0
	}
	for i, own := range m.own {
		cell := own.sum(selection{all, all, level})
		if level < len(own.levels) && (m.runs[i].levels[level].full || m.runs[i].levels[level].waitPeak > 0) || cell.refused() > 0 || cell.waits.some > 0 {
			n++
		}
	}
	return n
}

func (m *merger) occupancy(sums gauge) *Occupancy {
	if m.books.window == 0 {
		return nil
	}
	return &Occupancy{
		CurrentAverage:   *m.books.perTime(sums.limitTime),
		SeatsUsedAverage: *m.books.perTime(sums.seatTime),
		SeatsUsedPeak:    sums.seatPeak,
		WaitingAverage:   *m.books.perTime(sums.waitTime),
		WaitingPeak:      sums.waitPeak,
		LongestQueue:     int64(sums.longestQueue),
	}
}

// adjustments renders a series.
func (s *series) adjustments() []Adjustment {
	out := make([]Adjustment, 0, len(s.moments))
	for _, m := range s.moments {
		out = append(out, Adjustment{Duration(m.time), m.gone, m.limit, m.seats, m.queued, m.peak})
	}
	return out
}

func (m *merger) flowSchemas() []FlowSchema {
	out := []FlowSchema{}
	for _, c := range m.books.bySchema() {
		whole := m.books.sum(selection{all, c.schema, c.level})
		f := FlowSchema{
			Name:          m.books.schemas[c.schema],
			PriorityLevel: m.levelName(c.level),
			Requests:      whole.requests(),
			Widths:        whole.renderWidths(m.books.buckets),
			SeatsUsed:     m.books.perTime(whole.seatTime),
		}
		if !m.books.exempt(c.level) {
			f.Wait, f.WaitHistogram = whole.waits.render(), whole.waitHistogram(m.books.buckets)
		}
		out = append(out, f)
	}
	return out
}

func (m *merger) levelName(i int) string { return m.books.levels[i].info.Name }

func (m *merger) populations() []Population {
	out := []Population{}
	for i, p := range m.books.populations {
		limited, passed := m.books.sum(selection{i, all, all}), m.books.at(i, longRunning)
		wait, seats := limited.waits.renderWhole(), m.books.perTime(limited.seatTime)
		whole := &cell{}
		whole.merge(limited)
		whole.merge(passed)
		stats := &m.books.stats[i]
		pop := Population{
			Name:            p.name,
			Preset:          p.preset,
			Clients:         p.clients,
			FirstAttempts:   whole.first,
			Requests:        whole.requests(),
			LongRunning:     passed.arrivals,
			Wait:            wait,
			Retries:         stats.events[workload.Retried],
			GaveUp:          stats.events[workload.GaveUp],
			LeasesRenewed:   stats.events[workload.LeaseRenewed],
			LeasesLost:      stats.events[workload.LeaseLost],
			SeatsUsed:       seats,
			Refused:         stats.refusals(),
			Operations:      stats.operations(),
			Executions:      whole.executions(),
			Throttled:       stats.events[workload.Throttled],
			HeldAtEnd:       stats.heldAtEnd,
			Restarts:        stats.events[workload.Restarted],
			PlannedRestarts: stats.planned,
			Dropped:         stats.events[workload.Dropped],
			NotReady:        stats.nodes(),
			Sync:            stats.sync(),
			Backlog:         stats.backlog.peak.backlog(),
			Barren:          stats.barrenTime(),
		}
		if len(m.runs) > 1 {
			var s samples
			for n, own := range m.own {
				c := own.sum(selection{i, all, all})
				s.add(c, c.seatTime, float64(own.window))
				s.addClients(&m.runs[n].populationStats[i])
			}
			pop.Intervals = s.intervals()
		}
		out = append(out, pop)
	}
	return out
}

func (m *merger) traffic() []Traffic {
	out := []Traffic{}
	for p := range m.books.populations {
		for _, c := range m.books.bySchema() {
			sum := m.books.sum(selection{p, c.schema, c.level})
			if sum.arrivals == 0 {
				continue
			}
			t := Traffic{
				Population:    m.books.populations[p].name,
				FlowSchema:    m.books.schemas[c.schema],
				PriorityLevel: m.levelName(c.level),
				Requests:      sum.requests(),
				SeatsUsed:     m.books.perTime(sum.seatTime),
			}
			if !m.books.exempt(c.level) {
				t.Wait = sum.waits.render()
			}
			out = append(out, t)
		}
	}
	return out
}
