package borrowing

import (
	"math"
	"time"
)

// Demand is what an Integrator measured over a period: the statistics of the seats
// that a level would use at once if it were not limited.
type Demand struct {
	// Seconds is the length of the period.
	Seconds float64
	// Avg is the average over time; NaN for a period of no length.
	Avg float64
	// StdDev is the standard deviation over time. It is NaN for a period of no length,
	// and where rounding made the variance negative.
	StdDev float64
	// Max is the highest value, that of the beginning and of the end included.
	Max float64
}

// Integrator measures a quantity that changes stepwise. The zero value measures 0
// from time 0 on. It is upstream's integrator (fairqueuing/integrator.go).
//
// The integrals are sums of one product for each call, so that their last bits
// depend on how often Set is called, with an unchanged value too. Whoever wants
// upstream's numbers must call it just when upstream does.
type Integrator struct {
	since time.Duration // the integrals reach to here
	x     float64
	max   float64
	// the integrals of 1, x and x*x over time, in seconds
	s0, s1, s2 float64
}

// NewIntegrator returns an integrator that measures 0 from now on.
func NewIntegrator(now time.Duration) Integrator { return Integrator{since: now} }

// Set changes the value from now on.
func (g *Integrator) Set(now time.Duration, x float64) {
	g.advance(now)
	g.x = x
	if x > g.max {
		g.max = x
	}
}

// Take returns the statistics of the period that ends now, and starts a new one. The
// maximum starts again at the current value.
func (g *Integrator) Take(now time.Duration) Demand {
	g.advance(now)
	avg, stdDev := g.moments()
	d := Demand{Seconds: g.s0, Avg: avg, StdDev: stdDev, Max: g.max}
	*g = Integrator{since: now, x: g.x, max: g.x}
	return d
}

// advance brings the integrals up to now. At one instant that adds nothing: the several
// changes that one event brings cost the arithmetic of one.
func (g *Integrator) advance(now time.Duration) {
	if now == g.since {
		return
	}
	dt := (now - g.since).Seconds()
	g.since = now
	g.s0 += dt
	g.s1 += float64(g.x * dt)
	g.s2 += float64(float64(g.x*g.x) * dt)
}

// moments returns the average and the standard deviation.
func (g *Integrator) moments() (avg, stdDev float64) {
	if g.s0 <= 0 {
		return math.NaN(), math.NaN()
	}
	avg = g.s1 / g.s0
	variance := g.s2/g.s0 - float64(avg*avg)
	if variance < 0 {
		return avg, math.NaN()
	}
	return avg, math.Sqrt(variance)
}

// smoothing is the weight of the past in Stats.Smoothed at each adjustment. With
// adjustments every ten seconds the past is halved in five minutes.
const smoothing = 0.977

// Stats are a level's demand statistics, as the adjustments see them.
type Stats struct {
	// Avg and StdDev are those of the latest period of any length.
	Avg, StdDev float64
	// Smoothed follows Avg + StdDev: up at once, down slowly.
	Smoothed float64
	// HighWatermark is the maximum of the latest period, in seats.
	HighWatermark int
}

// Update takes in the demand of one more period. A period of no length changes the
// high watermark and nothing else. A standard deviation that is not a number counts as
// none, unless NaNStays.
//
// With NaNStays a period of no length would spoil the statistics too. No real clock
// measures one, and virtual time does at every start, so that part of the fault is left
// out.
func (s *Stats) Update(d Demand, r Rules) {
	s.HighWatermark = int(math.Round(d.Max))
	if d.Seconds <= 0 {
		return
	}
	if math.IsNaN(d.StdDev) && !r.NaNStays {
		d.StdDev = 0
	}
	s.Avg, s.StdDev = d.Avg, d.StdDev
	envelope := d.Avg + d.StdDev
	faded := float64(smoothing*s.Smoothed) + float64((1-smoothing)*envelope)
	s.Smoothed = math.Max(envelope, faded)
}

// Sums is the state of an Integrator.
type Sums struct {
	// Since is until when it has integrated, Value what it measures from then on, and Max the
	// highest value of the period.
	Since      time.Duration
	Value, Max float64
	// Seconds, Integral and Squares are the integrals of 1, the value and its square.
	Seconds, Integral, Squares float64
}

// Sums returns the state of the integrator.
func (g Integrator) Sums() Sums { return Sums{g.since, g.x, g.max, g.s0, g.s1, g.s2} }

// Integrator returns an integrator of this state.
func (s Sums) Integrator() Integrator {
	return Integrator{since: s.Since, x: s.Value, max: s.Max, s0: s.Seconds, s1: s.Integral, s2: s.Squares}
}
