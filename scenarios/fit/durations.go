package fit

import (
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// Durations is a fitted distribution of durations.
type Durations struct {
	// Points are its quantiles; a single one is a constant.
	Points []workload.Quantile
	// Seen counts what it is fitted to, Distance is the Kolmogorov-Smirnov distance, and MeanError
	// the error of the mean, as a share.
	Seen                int64
	Distance, MeanError float64
}

// grid are the quantiles that a distribution may be described by, beside the least and the
// largest.
var grid = []float64{0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999}

const (
	// pointsMax is how many points one can read.
	pointsMax = 8
	// enough is how near the quantiles must come: the area between the two distributions, as a share
	// of the mean, and their Kolmogorov-Smirnov distance.
	enough = 0.05
	// spread is up to which difference of the least and the largest, as a share of the median,
	// durations are constant.
	spread = 0.01
)

// fitDurations describes a sample by few quantiles: it begins with the least, the median and the
// largest, and adds what brings the two distributions nearest to each other.
func fitDurations(s *sample) *Durations {
	if len(s.points) == 0 {
		return nil
	}
	low, mid, high := s.quantile(0), s.quantile(0.5), s.quantile(1)
	d := &Durations{Seen: s.seen}
	if float64(high-low) <= spread*float64(mid) {
		d.Points = []workload.Quantile{{P: 0.5, Value: rounded(mid)}}
		d.MeanError = share(float64(mid), s.mean())
		return d
	}
	points := []workload.Quantile{point(s, 0), point(s, 0.5), point(s, 1)}
	for len(points) < pointsMax && area(s, points)/s.mean()+distanceOf(s, points) > enough {
		points = nearer(s, points)
		if points == nil {
			break
		}
		d.Points = points
	}
	if d.Points == nil {
		d.Points = []workload.Quantile{point(s, 0), point(s, 0.5), point(s, 1)}
	}
	d.judge(s)
	smooth := &Durations{Points: slices.Clone(d.Points), Seen: d.Seen}
	smooth.smooth(s)
	smooth.judge(s)
	if smooth.Distance+math.Abs(smooth.MeanError) <= d.Distance+math.Abs(d.MeanError) {
		return smooth
	}
	return d
}

// judge sets the mean right and tells how well the points fit.
func (d *Durations) judge(s *sample) {
	d.level(s.mean())
	d.Distance = distanceOf(s, d.Points)
	d.MeanError = share(meanOf(d.Points), s.mean())
}

// smooth moves the points so that the squares of the differences between the two inverse
// distribution functions are least: lines between the quantiles themselves lie above where the
// quantiles rise ever more steeply, which makes all means too large. It solves the normal equations
// of linear splines, which are tridiagonal.
func (d *Durations) smooth(s *sample) {
	n := len(d.Points)
	diagonal, beside, right := make([]float64, n), make([]float64, n), make([]float64, n)
	below, i := 0.0, 1
	for _, w := range s.points {
		p := (below + w.weight/2) / s.weight
		below += w.weight
		for i < n-1 && d.Points[i].P < p {
			i++
		}
		x := (p - d.Points[i-1].P) / (d.Points[i].P - d.Points[i-1].P)
		diagonal[i-1] += float64((1 - x) * (1 - x) * w.weight)
		diagonal[i] += float64(x * x * w.weight)
		beside[i] += float64(x * (1 - x) * w.weight)
		right[i-1] += float64((1 - x) * float64(w.value) * w.weight)
		right[i] += float64(x * float64(w.value) * w.weight)
	}
	for i := 1; i < n; i++ { // the sweep of Thomas
		m := beside[i] / diagonal[i-1]
		diagonal[i] -= float64(m * beside[i])
		right[i] -= float64(m * right[i-1])
	}
	next := 0.0
	low, high := float64(s.points[0].value), float64(s.points[len(s.points)-1].value)
	for i := n - 1; i >= 0; i-- {
		over := 0.0
		if i < n-1 {
			over = float64(beside[i+1] * next)
		}
		next = (right[i] - over) / diagonal[i]
		if !(next >= low && next <= high) { // also where a segment holds too few values
			continue
		}
		d.Points[i].Value = rounded(int64(next))
	}
	for i := 1; i < n; i++ {
		d.Points[i].Value = max(d.Points[i].Value, d.Points[i-1].Value)
	}
}

// level moves the largest value so that the mean is right: how much work there is matters more than
// what the longest request took, and a line from a high quantile to it overrates all between.
func (d *Durations) level(mean float64) {
	last, before := &d.Points[len(d.Points)-1], d.Points[len(d.Points)-2]
	off := 2 * (meanOf(d.Points) - mean) / (1 - before.P)
	moved := min(max(float64(last.Value)-off, float64(before.Value)), 2*float64(last.Value))
	last.Value = max(rounded(int64(moved)), before.Value)
}

func point(s *sample, p float64) workload.Quantile {
	return workload.Quantile{P: p, Value: rounded(s.quantile(p))}
}

// rounded rounds to three digits, but not beyond a hundred nanoseconds, since more would pretend
// to know more.
func rounded(nanos int64) time.Duration {
	unit := int64(1)
	for nanos/unit >= 1000 {
		unit *= 10
	}
	return time.Duration((nanos + unit/2) / unit * unit)
}

// nearer adds the quantile of the grid that leaves the least area; nil if there is none left that
// the sample can tell.
func nearer(s *sample, points []workload.Quantile) []workload.Quantile {
	var best []workload.Quantile
	least := math.Inf(1)
	for _, p := range grid {
		known := slices.ContainsFunc(points, func(q workload.Quantile) bool { return q.P == p })
		if known || min(p, 1-p)*float64(len(s.points)) < 2 {
			continue
		}
		with := append(slices.Clone(points), point(s, p))
		slices.SortFunc(with, func(a, b workload.Quantile) int {
			if a.P < b.P {
				return -1
			}
			return 1
		})
		if a := area(s, with)/s.mean() + 2*distanceOf(s, with); a < least {
			best, least = with, a
		}
	}
	return best
}

// distanceOf is the Kolmogorov-Smirnov distance of a sample and quantiles.
func distanceOf(s *sample, points []workload.Quantile) float64 {
	cdf := func(v float64) float64 { return inverse(points, v, true) }
	below := func(v float64) float64 { return inverse(points, v, false) }
	return s.distance(cdf, below)
}

// area is the area between the inverse distribution functions of the sample and the points.
func area(s *sample, points []workload.Quantile) float64 {
	total, below, i := 0.0, 0.0, 1
	for _, w := range s.points {
		p := (below + w.weight/2) / s.weight
		below += w.weight
		for i < len(points)-1 && points[i].P < p {
			i++
		}
		a, b := points[i-1], points[i]
		at := float64(a.Value) + float64((p-a.P)/(b.P-a.P)*float64(b.Value-a.Value))
		total += float64(math.Abs(at-float64(w.value)) * w.weight)
	}
	return total / s.weight
}

// inverse is the share of values up to v, or below it.
func inverse(points []workload.Quantile, v float64, upTo bool) float64 {
	share := 0.0
	for i, p := range points {
		value := float64(p.Value)
		if v > value || upTo && v == value {
			share = p.P
			continue
		}
		if i > 0 && v > float64(points[i-1].Value) {
			a := points[i-1]
			share = a.P + float64((v-float64(a.Value))/(value-float64(a.Value))*(p.P-a.P))
		}
		break
	}
	return share
}

func meanOf(points []workload.Quantile) float64 {
	total := 0.0
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		total += float64((b.P - a.P) * (float64(a.Value) + float64(b.Value)) / 2)
	}
	return total
}

// share is by which share of the second the first is off; 0 if both are 0.
func share(got, want float64) float64 {
	if want == 0 {
		return 0
	}
	return (got - want) / want
}
