package observed

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// Trials are the factors by which the numbers of flows are tried, beside the first guess. Shuffle
// sharding follows from how many flows there are by powers, not by single flows.
var Trials = []float64{1, 0.7, 0.5, 0.35, 0.25, 1.4, 2}

// Trial is a scenario with other numbers of flows, until the best is chosen for each level.
type Trial struct {
	fitted *Fitted
	seen   map[string]*levelTotal
	first  []int
	best   map[string]float64
	chosen map[string]float64
}

// levelTotal is what became of the requests of a level.
type levelTotal struct {
	arrivals int64
	rejected map[string]int64
	wait     *recording.ObservedHistogram
}

// NewTrial prepares trials. It returns nil if no number of flows matters: nobody waited, or all are
// given.
func (f *Fitted) NewTrial(o *Observation) *Trial {
	t := &Trial{fitted: f, seen: o.levelTotals(), best: map[string]float64{}, chosen: map[string]float64{}}
	any := false
	for i := range f.Populations {
		p := &f.Populations[i]
		t.first = append(t.first, p.Flows)
		any = any || t.tried(p)
	}
	if !any {
		return nil
	}
	return t
}

// tried tells whether the number of flows of a population is tried: it is not known, and requests
// of its level waited.
func (t *Trial) tried(p *Population) bool {
	level := t.seen[p.Level]
	if p.why == whyGiven || p.why == whyOne || level == nil || level.wait.Count() == 0 {
		return false
	}
	return level.wait.Quantile(0.9) > 0.02 || len(level.rejected) > 0
}

// Requests is how many requests a run of the scenario has, about.
func (f *Fitted) Requests() float64 {
	n := 0.0
	for i := range f.Populations {
		for j, r := range f.Populations[i].rates {
			length := time.Duration(r.until - r.from)
			if j == 0 {
				length += f.Lead
			}
			n += float64(r.perSecond * length.Seconds())
		}
	}
	return n
}

// Set sets the numbers of flows to a multiple of the first guess.
func (t *Trial) Set(factor float64) {
	for i := range t.fitted.Populations {
		if p := &t.fitted.Populations[i]; t.tried(p) {
			p.Flows = max(1, int(math.Round(float64(t.first[i])*factor)))
		}
	}
}

// Judge compares a run with what was observed, and keeps the factor for the levels for which it is
// the best up to now.
func (t *Trial) Judge(factor float64, run *Observation) {
	got := run.levelTotals()
	for _, level := range sortedKeys(t.seen) {
		d := math.Inf(1)
		if got[level] != nil {
			d = t.seen[level].distance(got[level])
		}
		if best, known := t.best[level]; !known || d < best {
			t.best[level], t.chosen[level] = d, factor
		}
	}
}

// Choose sets the best numbers of flows.
func (t *Trial) Choose() {
	for i := range t.fitted.Populations {
		p := &t.fitted.Populations[i]
		if !t.tried(p) {
			continue
		}
		p.Flows = max(1, int(math.Round(float64(t.first[i])*t.chosen[p.Level])))
		p.why += "; of some numbers tried, the one whose run is nearest to what was observed"
	}
}

// levelTotals adds up what became of the requests of each level.
func (o *Observation) levelTotals() map[string]*levelTotal {
	out := map[string]*levelTotal{}
	for _, t := range o.totals(o.spans()) {
		l := out[t.PriorityLevel]
		if l == nil {
			l = &levelTotal{rejected: map[string]int64{}}
			out[t.PriorityLevel] = l
		}
		l.arrivals += t.Arrivals
		for _, reason := range sortedKeys(t.Rejected) {
			l.rejected[reason] += t.Rejected[reason]
		}
		l.wait = plus(l.wait, t.Wait)
	}
	return out
}

// distance tells how far a level of a run is from what was observed: the differences of the
// rejections by reason as shares of the rejections, or of a hundredth of the arrivals if that is more, and those
// of three quantiles of the wait as shares of these, or of 100 ms.
func (l *levelTotal) distance(run *levelTotal) float64 {
	rejected := 0.0
	for _, reason := range sortedKeys(l.rejected) {
		rejected += float64(l.rejected[reason])
	}
	unit := max(rejected, float64(l.arrivals)/100)
	d := 0.0
	for _, reason := range [...]string{"queue-full", "time-out", "concurrency-limit", "cancelled"} {
		d += math.Abs(float64(l.rejected[reason]-run.rejected[reason])) / max(1, unit)
	}
	for _, q := range [...]float64{0.5, 0.9, 0.99} {
		a, b := l.wait.Quantile(q), run.wait.Quantile(q)
		if math.IsNaN(a) || math.IsNaN(b) {
			continue
		}
		d += math.Abs(a-b) / max(a, 0.1)
	}
	return d
}
