package reports

import (
	"cmp"
	"fmt"
	"slices"
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
	m := &merger{runs: runs, first: runs[0], books: openBooks(runs[0])}
	for _, run := range runs {
		m.books.check(run)
		m.books.enter(run)
		own := openBooks(run)
		own.cells, own.window, own.runs = run.cells, run.window, 1
		m.own = append(m.own, own)
	}
	r := m.header(info)
	r.Server = m.server()
	r.PriorityLevels = m.priorityLevels()
	r.FlowSchemas = m.flowSchemas()
	r.Populations = m.populations()
	r.Traffic = m.traffic()
	m.flows(r)
	return r
}

// merger holds the replications that are being merged.
type merger struct {
	runs  []*Collected // by number
	first *Collected
	books *books   // of all
	own   []*books // of each
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
		Configuration:     m.first.configuration,
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
	for i := range m.first.levels {
		if !m.first.levels[i].info.Exempt {
			limited.merge(m.books.sum(selection{all, all, i}))
		}
		seatTime.plus(m.levelSums(i).seatTime)
	}
	longRunning := int64(0)
	for p := range m.books.populations {
		longRunning += m.books.at(p, -1).arrivals
	}
	return Server{
		Seats:          m.first.seats,
		RequestTimeout: Duration(m.first.requestTimeout),
		Requests:       whole.requests(),
		Wait:           limited.waits.render(),
		SeatsUsed:      m.books.perTime(seatTime),
		LongRunning:    longRunning,
	}
}

// levelSums adds up the gauges of one level.
func (m *merger) levelSums(level int) gauge {
	var sums gauge
	for i, run := range m.runs {
		l := &run.levels[level]
		sums.seatTime.plus(l.seatTime)
		sums.waitTime.plus(l.waitTime)
		sums.limitTime.plus(l.limitTime)
		sums.seatPeak = max(sums.seatPeak, l.seatPeak)
		sums.waitPeak = max(sums.waitPeak, l.waitPeak)
		sums.longestQueue = max(sums.longestQueue, l.longestQueue)
		sums.limitHigh = max(sums.limitHigh, l.limitHigh)
		if i == 0 || l.limitLow < sums.limitLow {
			sums.limitLow = l.limitLow
		}
	}
	return sums
}

func (m *merger) priorityLevels() []PriorityLevel {
	out := []PriorityLevel{}
	for i := range m.first.levels {
		out = append(out, m.priorityLevel(i))
	}
	return out
}

func (m *merger) priorityLevel(i int) PriorityLevel {
	info := &m.first.levels[i].info
	whole := m.books.sum(selection{all, all, i})
	sums := m.levelSums(i)
	out := PriorityLevel{
		Name:     info.Name,
		Exempt:   info.Exempt,
		Requests: whole.requests(),
		Widths:   whole.renderWidths(),
		Seats: Seats{
			Nominal:        info.Nominal,
			Min:            info.Min,
			Max:            info.Max,
			Current:        int(m.first.levels[i].limit),
			CurrentLowest:  int(sums.limitLow),
			CurrentHighest: int(sums.limitHigh),
		},
		Occupancy:   m.occupancy(sums),
		Adjustments: m.first.levels[i].adjustments(),
	}
	if info.Queues > 0 {
		out.Queuing = &Queuing{info.Queues, info.HandSize, info.QueueLengthLimit}
	}
	if !info.Exempt {
		out.Wait, out.WaitHistogram = whole.waits.render(), whole.waitHistogram()
	}
	if len(m.runs) > 1 {
		var s samples
		for n, own := range m.own {
			s.add(own.sum(selection{all, all, i}), m.runs[n].levels[i].seatTime, float64(own.window))
		}
		out.Intervals = s.intervals()
	}
	return out
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
		out = append(out, Adjustment{Duration(m.time), m.limit, m.seats, m.queued, m.peak})
	}
	return out
}

func (m *merger) flowSchemas() []FlowSchema {
	out := []FlowSchema{}
	for i, s := range m.books.schemas {
		whole := m.books.sum(selection{all, i, all})
		f := FlowSchema{
			Name:          s.name,
			PriorityLevel: m.levelName(s.level),
			Requests:      whole.requests(),
			Widths:        whole.renderWidths(),
			SeatsUsed:     m.books.perTime(whole.occupancy.total),
		}
		if !m.books.exempt(i) {
			f.Wait, f.WaitHistogram = whole.waits.render(), whole.waitHistogram()
		}
		out = append(out, f)
	}
	return out
}

func (m *merger) levelName(i int) string { return m.first.levels[i].info.Name }

func (m *merger) populations() []Population {
	out := []Population{}
	for i, p := range m.books.populations {
		whole := m.books.sum(selection{i, all, all})
		wait, seats := whole.waits.render(), m.books.perTime(whole.occupancy.total)
		longRunning := m.books.at(i, -1)
		whole.merge(longRunning)
		events := &m.books.clients[i]
		pop := Population{
			Name:          p.name,
			Preset:        p.preset,
			Clients:       p.clients,
			FirstAttempts: whole.first,
			Requests:      whole.requests(),
			LongRunning:   longRunning.arrivals,
			Wait:          wait,
			Retries:       events.retried,
			GaveUp:        events.gaveUp,
			LeasesRenewed: events.renewed,
			LeasesLost:    events.lost,
			SeatsUsed:     seats,
		}
		if len(m.runs) > 1 {
			var s samples
			for _, own := range m.own {
				c := own.sum(selection{i, all, all})
				s.add(c, c.occupancy.total, float64(own.window))
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
		for f, s := range m.books.schemas {
			c := m.books.at(p, f)
			if c.arrivals == 0 {
				continue
			}
			t := Traffic{
				Population:    m.books.populations[p].name,
				FlowSchema:    s.name,
				PriorityLevel: m.levelName(s.level),
				Requests:      c.requests(),
				SeatsUsed:     m.books.perTime(c.occupancy.total),
			}
			if !m.books.exempt(f) {
				t.Wait = c.waits.render()
			}
			out = append(out, t)
		}
	}
	return out
}
