package fit

import (
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// The rules of what is recognised as what. The tests tell how often they are wrong.
const (
	// periodicShare of the gaps must be at most twice the median, and vary by periodicCV at most. A
	// jitter as long as the period makes gaps of up to twice the period, with a coefficient of
	// variation of 1/sqrt(6) = 0.41; exponential ones have a quarter beyond and one of 1.
	periodicShare = 0.9
	periodicMost  = 2.05
	periodicCV    = 0.43
	// gapsLeast is how many gaps tell of a period.
	gapsLeast = 10
	// burstPart is up to which part of the period a burst lasts.
	burstPart = 0.05
	// exceedances is how often a client that sends at random would have had more requests in
	// flight than it ever had, for its being a closed loop.
	exceedances = 20
	// cappedLeast is from how many requests in flight on it may be the server's queues that bound
	// them, if it rejects more than a hundredth.
	cappedLeast = 32
)

// recogniseLoop tells whether users are closed loops. A client that sends at random has a number
// of requests in flight that is Poisson distributed with a mean of its rate times the time that
// they take. So it is known how often more would have been in flight than there ever were.
func recogniseLoop(users []*user, period int64, by policy) *Closed {
	most := 0
	var pauses []*reservoir
	for _, u := range users {
		if u.loop.over || 10*u.loop.unknown > u.loop.arrivals {
			return nil
		}
		most = max(most, u.loop.most)
		pauses = append(pauses, u.loop.of(by))
	}
	expected := 0.0
	followed := int64(0)
	arrivals := int64(0)
	for _, u := range users {
		expected += float64(float64(u.loop.arrivals) * poissonTail(u.loop.busy/float64(period), most))
		followed += u.loop.pauses.seen
		arrivals += u.loop.arrivals
	}
	rejected, all := int64(0), int64(0)
	for _, u := range users {
		for _, s := range u.series {
			rejected += s.rejected
			all += s.count
		}
	}
	if most >= cappedLeast && 100*rejected > all || expected < exceedances || 2*followed < arrivals || len(merged(pauses).points) == 0 {
		return nil
	}
	return &Closed{most, fitDurations(merged(pauses))}
}

// poissonTail is the probability of n or more at a mean.
func poissonTail(mean float64, n int) float64 {
	term, below := math.Exp(-mean), 0.0
	for i := range n {
		below += term
		term *= mean / float64(i+1)
	}
	return max(0, 1-below)
}

// recognisePeriod tells whether gaps are those of a periodic process.
func recognisePeriod(gaps *sample) (a workload.Arrivals, distance float64, periodic bool) {
	if gaps.seen < gapsLeast {
		return a, 0, false
	}
	median := float64(gaps.quantile(0.5))
	near, sum, squares := 0.0, 0.0, 0.0
	for _, w := range gaps.points {
		if v := float64(w.value); v <= periodicMost*median {
			near += w.weight
			sum += float64(v * w.weight)
		}
	}
	if near < periodicShare*gaps.weight || median == 0 {
		return a, 0, false
	}
	mean := sum / near
	for _, w := range gaps.points {
		if v := float64(w.value); v <= periodicMost*median {
			squares += float64((v - mean) * (v - mean) * w.weight)
		}
	}
	deviation := math.Sqrt(squares / near)
	if deviation > periodicCV*mean {
		return a, 0, false
	}
	// A gap is the period and the difference of two jitters, each even in [0, jitter): its variance
	// is jitter^2/6.
	every := time.Duration(mean)
	jitter := min(rounded(int64(deviation*math.Sqrt(6))), every)
	if float64(jitter) < 0.001*mean {
		jitter = 0
	}
	a = workload.Periodic(roundedPeriod(every), min(jitter, roundedPeriod(every)))
	return a, gaps.distance(triangle(a, true), triangle(a, false)), true
}

// roundedPeriod rounds to four digits: periods are round, and their errors add up.
func roundedPeriod(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 10000 {
		unit *= 10
	}
	return d.Round(unit)
}

// triangle is the distribution function of the gaps of a periodic process. Without jitter it is
// a jump, and a thousandth of the period around it is taken for it.
func triangle(a workload.Arrivals, upTo bool) func(float64) float64 {
	every, jitter := float64(a.Every), max(float64(a.Jitter), float64(a.Every)*0.002)
	return func(v float64) float64 {
		x := (v - every) / jitter
		switch {
		case x <= -1:
			return 0
		case x >= 1:
			return 1
		case x < 0:
			return float64((1 + x) * (1 + x) / 2)
		}
		return 1 - float64((1-x)*(1-x)/2)
	}
}

// together tells whether the phases of periodic clients are the same, which a periodic
// population does not show: the length of their mean as points on a circle (Rayleigh).
func together(all []*series, every time.Duration) bool {
	if len(all) < 5 {
		return false
	}
	x, y := 0.0, 0.0
	for _, s := range all {
		angle := 2 * math.Pi * float64(s.first%int64(every)) / float64(every)
		x += math.Cos(angle)
		y += math.Sin(angle)
	}
	return math.Hypot(x, y) > 0.9*float64(len(all))
}

// exponentialDistance is the distance of gaps from those of a Poisson process of their mean.
func exponentialDistance(gaps *sample) float64 {
	if gaps.seen < gapsLeast {
		return -1
	}
	mean := gaps.mean()
	cdf := func(v float64) float64 { return 1 - math.Exp(-v/mean) }
	return gaps.distance(cdf, cdf)
}

// stagesOf makes stages of segments: a jump to the rate of each, which then holds. times are where
// they end.
func stagesOf(rates []float64, ends []time.Duration) []workload.Stage {
	var out []workload.Stage
	begin, before := time.Duration(0), 0.0
	for i, rate := range rates {
		if rate != before {
			out = append(out, workload.Stage{Rate: rate})
		}
		out = append(out, workload.Stage{Duration: ends[i] - begin, Rate: rate})
		begin, before = ends[i], rate
	}
	if n := len(out); n > 0 && out[n-1].Rate == 0 && out[n-1].Duration > 0 {
		out = slices.Delete(out, n-1, n) // it ends after the last one in any case
	}
	return out
}
