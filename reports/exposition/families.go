package exposition

import (
	"slices"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
)

// scrape is one answer in the making.
type scrape struct {
	*process
	now     time.Duration
	infos   []scheduler.LevelInfo
	schemas []string
	// series are those of the metric that is being answered.
	series []reports.MetricSeries
}

// families returns what the process tells at a time. A metric without series is left out.
func (p *process) families(now time.Duration) []reports.MetricFamily {
	s := &scrape{process: p, now: now, infos: p.apf.Levels(), schemas: p.apf.Schemas()}
	var all []reports.MetricFamily
	for i := range p.catalog {
		d := &p.catalog[i]
		s.series = nil
		s.collect(d)
		if len(s.series) == 0 {
			continue
		}
		slices.SortFunc(s.series, func(a, b reports.MetricSeries) int { return slices.Compare(a.Labels, b.Labels) })
		all = append(all, reports.MetricFamily{
			Name: d.name, Help: d.text(p.version), Type: d.typeName(), Labels: d.labels, Buckets: d.buckets, Series: s.series,
		})
	}
	return all
}

// typeName returns the type that Prometheus sees.
func (d *definition) typeName() string {
	if d.kind == timing {
		return string(histogram)
	}
	return string(d.kind)
}

// collect answers for one metric.
func (s *scrape) collect(d *definition) {
	switch {
	case d.id <= noAccommodation:
		for i := range s.columns {
			c := &s.columns[i]
			s.ofColumn(d, c, s.infos[c.level].Name, s.schemas[c.schema])
		}
	case d.id <= targetSeats:
		for i := range s.levels {
			s.ofLevel(d, i, s.infos[i].Name)
		}
	case d.id == fairFraction:
		s.add(s.apf.FairFrac())
	case d.id <= requestMarks && d.id != kindRatio:
		for i := range s.levels {
			s.ofRatio(d, &s.levels[i], s.infos[i].Name)
		}
	default:
		s.ofKind(d, &s.kinds[0], "readOnly")
		s.ofKind(d, &s.kinds[1], "mutating")
	}
}

// add appends a series with a value.
func (s *scrape) add(value float64, labels ...string) {
	s.series = append(s.series, reports.MetricSeries{Labels: labels, Value: reports.MetricValue(value)})
}

// addCounts appends a histogram, if anything was counted.
func (s *scrape) addCounts(d *definition, c *counts, per float64, labels ...string) {
	if c.n > 0 {
		s.series = append(s.series, c.series(d, per, labels...))
	}
}

// ofColumn answers for the requests of a schema in a level.
func (s *scrape) ofColumn(d *definition, c *column, level, schema string) {
	gauge := func(is bool, value int64) {
		if is {
			s.add(float64(value), schema, level)
		}
	}
	switch d.id {
	case rejectedTotal:
		for reason, n := range c.rejected {
			if r := fairqueue.Reason(reason); n > 0 && r != fairqueue.Ejected {
				s.add(float64(n), schema, level, r.String())
			}
		}
	case dispatchedTotal:
		gauge(c.dispatched > 0, int64(c.dispatched))
	case inqueueRequests:
		gauge(c.queued, c.inqueue)
	case inqueueSeats:
		gauge(c.queued, c.inqueueSeats)
	case executingRequests:
		gauge(c.executed, c.executing)
	case executingSeats:
		gauge(c.executed, c.executingSeats)
	case queueLength:
		s.addCounts(d, &c.length, 1, schema, level)
	case waitSeconds:
		s.addCounts(d, &c.waited, 1e9, "true", schema, level)
		s.addCounts(d, &c.turnedAway, 1e9, "false", schema, level)
	case executionSeconds:
		s.executions(d, c, level, schema)
	case watchCount:
		s.addCounts(d, &c.watchers, 1, schema, level)
	case estimatedSeats:
		s.addCounts(d, &c.width, 1, schema, level)
	case noAccommodation:
		n := s.apf.Refusals(int(c.level), int(c.schema))
		gauge(n > 0, int64(n))
	}
}

// executions answers for execution times, which have a type from 1.24 on.
func (s *scrape) executions(d *definition, c *column, level, schema string) {
	if len(d.labels) == len(ofType) {
		s.addCounts(d, &c.regular, 1e9, schema, level, "regular")
		s.addCounts(d, &c.watches, 1e9, schema, level, "watch")
		return
	}
	both := c.regular
	both.n += c.watches.n
	both.sum.add(c.watches.sum)
	for i, n := range c.watches.buckets {
		both.buckets[i] += n
	}
	s.addCounts(d, &both, 1e9, schema, level)
}

// ofLevel answers for the limits, the demand and the virtual time of a level.
func (s *scrape) ofLevel(d *definition, i int, name string) {
	if !s.levels[i].counted {
		return
	}
	info := &s.infos[i]
	switch d.id {
	case nominalLimit:
		s.add(float64(info.Nominal), name)
	case lowerLimit:
		s.add(float64(info.Min), name)
	case upperLimit:
		s.add(float64(info.Max), name)
	case currentLimit:
		s.add(float64(info.Current), name)
	case demandHighest:
		s.add(float64(info.Stats.HighWatermark), name)
	case demandAverage:
		s.add(info.Stats.Avg, name)
	case demandDeviation:
		s.add(info.Stats.StdDev, name)
	case demandSmoothed:
		s.add(info.Stats.Smoothed, name)
	case targetSeats:
		s.add(s.target(info), name)
	default:
		if p, known := s.apf.Progress(i); known {
			s.ofProgress(d, &p, name)
		}
	}
}

// target is what an adjustment aims at for a level. From 1.31 on the exempt level has the target of another
// one, of whichever it is; here it is the first of those in use by name.
func (s *scrape) target(info *scheduler.LevelInfo) float64 {
	if info.Exempt && s.version.Minor >= 31 {
		first := -1
		for i := range s.infos {
			if l := &s.infos[i]; !l.Exempt && l.Status != scheduler.Gone && (first < 0 || l.Name < s.infos[first].Name) {
				first = i
			}
		}
		info = &s.infos[first]
	}
	floor := max(info.Min, min(info.Nominal, info.Stats.HighWatermark))
	return max(float64(floor), info.Stats.Smoothed)
}

// ofProgress answers for the virtual time of a level.
func (s *scrape) ofProgress(d *definition, p *fairqueue.Progress, name string) {
	switch d.id {
	case epochAdvances:
		if n := p.EpochAdvances - p.EpochFaults; n > 0 {
			s.add(float64(n), name, "true")
		}
		if p.EpochFaults > 0 {
			s.add(float64(p.EpochFaults), name, "false")
		}
		return
	case currentR:
		s.add(p.R, name)
		return
	}
	if !p.Dispatched {
		return
	}
	switch d.id {
	case dispatchR:
		s.add(p.DispatchR, name)
	case latestS:
		s.add(p.S, name)
	case nextS:
		s.add(p.MinS, "min", name)
		s.add(p.MaxS, "max", name)
	case nextDiscountedS:
		s.add(p.MinDiscounted, "min", name)
		s.add(p.MaxDiscounted, "max", name)
	}
}

// ofRatio answers for the ratios of a level.
func (s *scrape) ofRatio(d *definition, l *level, name string) {
	switch d.id {
	case demandRatio:
		s.series = append(s.series, l.demand.series(s.now, name))
	case seatRatio:
		s.series = append(s.series, l.seats.series(s.now, "executing", name))
	case requestRatio:
		s.series = append(s.series, l.executing.series(s.now, "executing", name), l.waiting.series(s.now, "waiting", name))
	case seatSamples, seatMarks:
		if l.counted {
			s.samples(d, &l.seats, "executing", name)
		}
	case requestSamples, requestMarks:
		if l.counted {
			s.samples(d, &l.executing, "executing", name)
			s.samples(d, &l.waiting, "waiting", name)
		}
	}
}

// samples answers for a ratio that is sampled, once there is a sample.
func (s *scrape) samples(d *definition, r *ratio, labels ...string) {
	at := r.samples.at(s.now, r.value())
	switch {
	case at.ended == 0:
	case d.id == seatMarks || d.id == requestMarks || d.id == kindMarks:
		s.series = append(s.series,
			at.lows.series(slices.Concat([]string{"low"}, labels)...), at.highs.series(slices.Concat([]string{"high"}, labels)...))
	default:
		s.series = append(s.series, at.values.series(labels...))
	}
}

// ofKind answers for the requests of a kind.
func (s *scrape) ofKind(d *definition, k *kindCounts, name string) {
	switch d.id {
	case kindRatio:
		s.series = append(s.series, k.executing.series(s.now, "executing", name), k.waiting.series(s.now, "waiting", name))
	case kindSamples, kindMarks:
		s.samples(d, &k.executing, "executing", name)
		s.samples(d, &k.waiting, "waiting", name)
	case inflightKinds:
		s.add(float64(k.shown[1]), name)
	case inqueueKinds:
		s.add(float64(k.shown[0]), name)
	case droppedTotal:
		if k.dropped > 0 {
			s.add(float64(k.dropped), name)
		}
	}
}

// Metrics returns what a release can tell, without series.
func Metrics(v release.Version) []reports.MetricFamily {
	var all []reports.MetricFamily
	for _, d := range catalog(v) {
		all = append(all, reports.MetricFamily{Name: d.name, Help: d.text(v), Type: d.typeName(), Labels: d.labels, Buckets: d.buckets})
	}
	return all
}
