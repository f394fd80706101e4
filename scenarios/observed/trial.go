package observed

import (
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// Trial finds, for each level whose requests waited or were rejected, the setting whose run is nearest to
// what was observed. All levels are tried at the same time, each with its own.
type Trial struct {
	fitted *Fitted
	seen   map[string]*levelTotal
	// best are the settings that are nearest up to now, from those of the stage's beginning.
	best, from map[string]setting
	near       map[string]float64
	// chosen are the settings of the run that was the best in all, with a distance of least.
	chosen   map[string]setting
	nearest  map[string]float64
	least    float64
	stages   []stage
	at, next int
	asked    map[string]bool
	// again tells that the run is of the best of each level together.
	again bool
}

// levelTotal is what became of the requests of a level.
type levelTotal struct {
	arrivals int64
	rejected map[string]int64
	wait     *recording.ObservedHistogram
}

// NewTrial prepares trials. It returns nil if there is nothing to try: nobody waited or was rejected.
func (f *Fitted) NewTrial(o *Observation) *Trial {
	t := &Trial{
		fitted: f, seen: o.levelTotals(), best: map[string]setting{}, from: map[string]setting{}, near: map[string]float64{},
		stages: stages(len(f.spans) == 1), asked: map[string]bool{}, chosen: map[string]setting{}, least: math.Inf(1),
	}
	for _, src := range f.sources {
		if level := t.seen[src.total.PriorityLevel]; level != nil && level.waited() {
			t.best[src.total.PriorityLevel] = plain
			t.near[src.total.PriorityLevel] = math.Inf(1)
		}
	}
	if len(t.best) == 0 {
		return nil
	}
	maps.Copy(t.from, t.best)
	return t
}

// waited tells whether requests of a level waited, or were rejected.
func (l *levelTotal) waited() bool {
	return len(l.rejected) > 0 || l.wait.Count() > 0 && l.wait.Quantile(0.99) > 0.02
}

// Next sets what is to be tried next. It returns false if there is nothing more to try, or all levels are
// near enough. Each stage begins with the best of each level together, as levels lend each other seats.
func (t *Trial) Next() bool {
	t.again = false
	for ; t.at < len(t.stages); t.at, t.next = t.at+1, 0 {
		if t.next == 0 {
			t.next++
			if !maps.Equal(t.best, t.chosen) {
				t.again = true
				t.apply(t.best)
				return true
			}
		}
		if t.next == 1 {
			maps.Copy(t.from, t.best)
		}
		for t.next <= len(t.stages[t.at]) {
			m := t.stages[t.at][t.next-1]
			t.next++
			if t.set(m) {
				return true
			}
		}
	}
	return false
}

// apply makes the populations of settings.
func (t *Trial) apply(settings map[string]setting) {
	t.fitted.settings = maps.Clone(settings)
	t.fitted.build()
}

// set sets what a move makes of each level that is not near enough. It returns false if that
// was tried before, or none is left.
func (t *Trial) set(m move) bool {
	key, left, settings := "", false, map[string]setting{}
	for _, level := range sortedKeys(t.best) {
		s := t.best[level]
		if t.near[level] > enough {
			s, left = m(t.from[level]), true
		}
		settings[level] = s
		key += fmt.Sprintf("%v ", s)
	}
	if !left || t.asked[key] {
		return false
	}
	t.asked[key] = true
	t.apply(settings)
	return true
}

// enough is the distance from which on nothing more is tried: the rejections within some percents.
const enough = 0.1

// Judge compares a run with what was observed, and keeps the setting for the levels for which it is
// the best up to now, and all settings if it is the best in all.
func (t *Trial) Judge(run *Observation) {
	got := run.levelTotals()
	all := 0.0
	now := map[string]float64{}
	for _, level := range sortedKeys(t.best) {
		now[level] = far
		if got[level] != nil {
			now[level] = min(far, t.seen[level].distance(got[level]))
		}
		all += now[level]
	}
	if all < t.least {
		t.least, t.chosen, t.nearest = all, maps.Clone(t.fitted.settings), now
	}
	switch {
	case !t.again:
		for _, level := range sortedKeys(now) {
			if now[level] < t.near[level] {
				t.near[level], t.best[level] = now[level], t.fitted.settings[level]
			}
		}
	case all > t.least: // together they are not as good as another run was
		maps.Copy(t.best, t.chosen)
		maps.Copy(t.near, t.nearest)
	default:
		maps.Copy(t.near, now)
	}
}

// far is the most that a distance counts.
const far = 100

// Choose sets the best settings.
func (t *Trial) Choose() {
	if len(t.chosen) == 0 {
		t.chosen = t.best
	}
	t.apply(t.chosen)
	for i := range t.fitted.Populations {
		p := &t.fitted.Populations[i]
		if _, tried := t.best[p.Level]; tried && p.why != whyGiven && p.why != whyOne {
			p.why += whyTried
		}
	}
}

// Requests is how many requests a run of the scenario has, about.
func (f *Fitted) Requests() float64 {
	n := 0.0
	for i := range f.Populations {
		if b := f.Populations[i].burst; b != nil {
			n += float64(b.count * f.Populations[i].Flows)
		}
		for j, r := range f.Populations[i].rates {
			length := time.Duration(r.until - r.from)
			if j == 0 && !f.Populations[i].lead {
				length += f.Lead
			}
			n += float64(r.perSecond * length.Seconds())
		}
	}
	return n
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
// rejections by reason as shares of the rejections, or of a thousandth of the arrivals if that is more, and those
// of three quantiles of the wait as shares of these, or of 20 ms. What is beyond the 5 % and 10 % that
// a run is to keep counts more.
func (l *levelTotal) distance(run *levelTotal) float64 {
	rejected := 0.0
	for _, reason := range sortedKeys(l.rejected) {
		rejected += float64(l.rejected[reason])
	}
	unit := max(rejected, float64(l.arrivals)/1000, 1)
	d := 0.0
	for _, reason := range [...]string{"queue-full", "time-out", "concurrency-limit", "cancelled"} {
		d += beyond(math.Abs(float64(l.rejected[reason]-run.rejected[reason]))/unit, 0.04)
	}
	for _, q := range [...]struct{ p, weight float64 }{{0.5, 0.05}, {0.9, 0.1}, {0.99, 1}} {
		a, b := l.wait.Quantile(q.p), run.wait.Quantile(q.p)
		if math.IsNaN(a) || math.IsNaN(b) {
			continue
		}
		x := math.Abs(a-b) / max(a, 0.02)
		if q.p == 0.99 {
			x = beyond(x, 0.08)
		}
		d += min(x, 3) * q.weight
	}
	return d
}

// beyond makes a difference that is more than allowed weigh more.
func beyond(d, allowed float64) float64 {
	if d <= allowed {
		return 0.2 * d
	}
	return 0.2*d + 2*(d-allowed) + 0.1
}
