package workload

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/workload/detmath"
)

// ArrivalKind names an arrival process.
type ArrivalKind uint8

// The arrival processes.
const (
	NoArrivals ArrivalKind = iota
	KindPoisson
	KindPeriodic
	KindBurst
	KindStages
)

// String returns the name that scenario files use.
func (k ArrivalKind) String() string {
	return [...]string{"none", "poisson", "periodic", "burst", "stages"}[k]
}

// Arrivals is an open arrival process of one client. Make it with Poisson, Periodic, Burst
// or Stages, and Validate it before use.
type Arrivals struct {
	Kind ArrivalKind
	// Rate is a Poisson process's, in requests per second.
	Rate float64
	// Every and Jitter are a periodic process's.
	Every, Jitter time.Duration
	// At, Count and Over are a burst's.
	At, Over time.Duration
	Count    int
	// Stages are those of a process whose rate ramps. Read only.
	Stages []Stage
}

// Stage is a ramp: over Duration the rate goes linearly from that of the stage before (0
// at the beginning) to Rate, in requests per second. A Duration of 0 makes it jump.
type Stage struct {
	Duration time.Duration
	Rate     float64
}

// ArrivalState is where a client is in its arrival process. The zero value is the
// beginning.
type ArrivalState struct {
	// last is the arrival before; base is, for a periodic process, its place without
	// jitter, and for stages the time at which the current stage begins.
	last, base time.Duration
	// mass is what part of the current stage's requests is over, or what part of a burst
	// is still ahead.
	mass float64
	// count is the number of arrivals so far, where it matters.
	count int
	stage int32
}

// Poisson returns the process with independent exponential gaps: rate requests per second.
func Poisson(rate float64) Arrivals { return Arrivals{Kind: KindPoisson, Rate: rate} }

// Periodic returns the process that first arrives at a random moment in [0, every), which
// is its phase, and then once each every, each moved later by a random part of jitter. The
// jitter does not add up, and is at most every, so that the order stays.
func Periodic(every, jitter time.Duration) Arrivals {
	return Arrivals{Kind: KindPeriodic, Every: every, Jitter: jitter}
}

// Burst returns the process with count arrivals at random moments of [at, at+over), all
// independent and equally likely; over 0 means all of them at the moment at. They are
// random and not evenly spaced so that the bursts of many clients do not fall on the same
// nanoseconds.
func Burst(at time.Duration, count int, over time.Duration) Arrivals {
	return Arrivals{Kind: KindBurst, At: at, Count: count, Over: over}
}

// Stages returns the Poisson process whose rate follows the stages, and which ends after
// the last one.
func Stages(stages []Stage) Arrivals { return Arrivals{Kind: KindStages, Stages: stages} }

// Next returns the next arrival, never before the one before it, or false if there is none
// (also when it would be at MaxDuration or later). It does not allocate.
func (a *Arrivals) Next(st *ArrivalState, s *Stream) (time.Duration, bool) {
	at, ok := a.next(st, s)
	if !ok || at >= MaxDuration {
		return 0, false
	}
	st.last = max(st.last, at)
	return st.last, true
}

func (a *Arrivals) next(st *ArrivalState, s *Stream) (time.Duration, bool) {
	switch a.Kind {
	case KindPoisson:
		return later(st.last, toDuration(s.Exp()*(float64(time.Second)/a.Rate))), true
	case KindPeriodic:
		return a.nextPeriodic(st, s), true
	case KindBurst:
		return a.nextBurst(st, s)
	case KindStages:
		return a.nextStaged(st, s)
	}
	return 0, false
}

// nextPeriodic keeps the place without jitter in st.base. The first arrival is the phase
// itself.
func (a *Arrivals) nextPeriodic(st *ArrivalState, s *Stream) time.Duration {
	if st.count == 0 {
		st.count = 1
		st.base = part(s.Float64(), a.Every)
		return st.base
	}
	st.base = later(st.base, a.Every)
	if a.Jitter == 0 {
		return st.base
	}
	return later(st.base, part(s.Float64(), a.Jitter))
}

// nextBurst draws the order statistics of independent uniform moments one after another: of
// the n still to come, the first lies after a part 1 - V^(1/n) of what is left of the
// interval (L. Devroye, "Non-Uniform Random Variate Generation", 1986, section V.3.3).
// st.mass is the part that is over.
func (a *Arrivals) nextBurst(st *ArrivalState, s *Stream) (time.Duration, bool) {
	ahead := a.Count - int(st.count)
	if ahead <= 0 {
		return 0, false
	}
	st.count++
	if a.Over == 0 {
		return a.At, true
	}
	left := float64((1 - st.mass) * detmath.Exp(-s.Exp()/float64(ahead)))
	st.mass = 1 - left
	return later(a.At, part(st.mass, a.Over)), true
}

// nextStaged inverts the integrated rate: the arrivals of a Poisson process of varying rate
// are where the integral of the rate reaches the arrivals of one of rate 1. st.mass is that
// integral since st.base, the beginning of the current stage. No arrival is drawn in vain,
// so what happens later does not depend on how steep an earlier stage was.
func (a *Arrivals) nextStaged(st *ArrivalState, s *Stream) (time.Duration, bool) {
	st.mass += s.Exp()
	from := 0.0
	if st.stage > 0 {
		from = a.Stages[st.stage-1].Rate
	}
	for int(st.stage) < len(a.Stages) {
		stage := &a.Stages[st.stage]
		seconds := float64(stage.Duration) / float64(time.Second)
		mass := (from + stage.Rate) / 2 * seconds
		if st.mass <= mass && mass > 0 {
			x := rampTime(from, stage.Rate, seconds, st.mass)
			return later(st.base, min(toDuration(x*float64(time.Second)), stage.Duration)), true
		}
		st.mass -= float64(mass)
		st.base = later(st.base, stage.Duration)
		from = stage.Rate
		st.stage++
	}
	return 0, false
}

// rampTime returns the t for which a rate that goes from one value to another within some
// seconds has the integral m over [0, t]: from t + (to-from)/(2 seconds) t^2 = m, solved so
// that nothing cancels, whichever way the ramp goes.
func rampTime(from, to, seconds, m float64) float64 {
	slope := (to - from) / seconds
	root := float64(from*from) + float64(2*slope*m)
	return 2 * m / (from + math.Sqrt(max(root, 0)))
}

// later returns t + d, MaxDuration at most. Neither t nor d is longer than that.
func later(t, d time.Duration) time.Duration { return t + min(d, MaxDuration-t) }

// part returns the fraction u of d, rounded down to nanoseconds, and so below d for u < 1.
func part(u float64, d time.Duration) time.Duration {
	return min(time.Duration(u*float64(d)), max(d-1, 0))
}
