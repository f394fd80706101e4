package backoff

import (
	"math"
	"time"
)

// Backoff is a sequence of delays that grows from step to step: wait.Backoff.
type Backoff struct {
	// Duration is the first delay, before jitter.
	Duration time.Duration
	// Factor multiplies the delay at each step; 0 leaves it as it is.
	Factor float64
	// Jitter adds up to this share of a delay to it, without a part in the next one. 0 or less
	// for none.
	Jitter float64
	// Steps is how many times the delay grows at most. With 0 or less it never does.
	Steps int
	// Cap bounds the delay before jitter. At the step that would exceed it the growth ends. 0
	// for no bound.
	Cap time.Duration
}

// Steps is where a Backoff is. It begins as what Backoff.Start returns. The zero value gives
// delays of 0.
type Steps struct {
	// Duration is the next delay, before jitter.
	Duration time.Duration
	// Left is how many times it may still grow.
	Left int
}

// Start returns the state before the first step.
func (b Backoff) Start() Steps { return Steps{b.Duration, b.Steps} }

// Step returns the next delay (wait.Backoff.Step).
func (b Backoff) Step(s Steps, u float64) (next Steps, delay time.Duration) {
	delay = s.Duration
	if b.Jitter > 0 {
		delay = Jitter(delay, b.Jitter, u)
	}
	if s.Left < 1 {
		return Steps{s.Duration, 0}, delay
	}
	next = Steps{s.Duration, s.Left - 1}
	if b.Factor != 0 {
		next.Duration = truncated(float64(s.Duration) * b.Factor)
		if b.Cap > 0 && next.Duration > b.Cap {
			next = Steps{b.Cap, 0}
		}
	}
	return next, delay
}

// Resetting is a Backoff that begins anew at the first step after an interval has passed since
// it began, however often it was asked meanwhile (wait.Backoff.DelayWithReset). Reflectors use
// it. With an interval of 0 or less the delay never grows; without a factor there is nothing
// to reset.
type Resetting struct {
	Backoff
	Interval time.Duration
}

// Since is where a Resetting or an Idle is: its step, and the time from which its interval
// counts.
type Since struct {
	Steps
	Time time.Duration
}

// Reflector is the backoff of a reflector whose list or watch fails (client-go
// tools/cache/reflector.go, v0.37.2): 0.8 s to 30 s, each up to twice as long, anew after 2 min.
func Reflector() Resetting {
	return Resetting{
		Backoff: Backoff{
			Duration: 800 * time.Millisecond, Factor: 2, Jitter: 1,
			Steps: 38, // 30 s / 0.8 s, rounded up
			Cap:   30 * time.Second,
		},
		Interval: 2 * time.Minute,
	}
}

// Start returns the state of one that is made now.
func (b Resetting) Start(now time.Duration) Since {
	s := Since{b.Backoff.Start(), now}
	if b.Factor > 0 && b.Interval <= 0 {
		s.Left = 0
	}
	return s
}

// Step returns the next delay.
func (b Resetting) Step(s Since, now time.Duration, u float64) (next Since, delay time.Duration) {
	if b.Factor > 0 && b.Interval > 0 && now-s.Time > b.Interval {
		s = Since{b.Backoff.Start(), now}
	}
	s.Steps, delay = b.Backoff.Step(s.Steps, u)
	return s, delay
}

// Idle is a Backoff that begins anew if it was not asked for longer than an interval
// (wait.NewExponentialBackoffManager, deprecated and still in use). Its Steps are of no account:
// it grows until it reaches the cap.
type Idle struct {
	Backoff
	Interval time.Duration
}

// Start returns the state of one that is made now.
func (b Idle) Start(now time.Duration) Since {
	return Since{Steps{b.Duration, math.MaxInt32}, now}
}

// Step returns the next delay.
func (b Idle) Step(s Since, now time.Duration, u float64) (next Since, delay time.Duration) {
	if now-s.Time > b.Interval {
		s = b.Start(now)
	}
	s.Time = now
	s.Steps, delay = b.Backoff.Step(s.Steps, u)
	return s, delay
}
