package observe26

import (
	"runtime"
	"strings"
	"sync"
	"time"

	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/eventclock"
)

// Clock is a clock for the controllers of the releases up to 1.26.12, 1.27.9 and 1.28.5,
// in which a sample of a level's demand over no time at all turns its smoothed demand into
// NaN for good. On a real server time passes between the creation of a level, the sample
// of the first digestion of the configuration and that of the first periodic adjustment.
// In virtual time all of them are at one instant, in an order that is left to Go's
// scheduler. So this clock has the creation two nanoseconds ago and the first of the
// samples one. It is right about everything else, and about the samples that follow.
type Clock struct {
	eventclock.Real
	sync.Mutex
	// first is the instant of the first periodic adjustment, and periodicFirst tells that
	// no digestion came before it there.
	first         time.Time
	periodicFirst bool
	// digested is the instant of the last digestion.
	digested time.Time
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	now := c.Real.Now()
	switch what := caller(); what {
	case creation:
		return now.Add(-2)
	case digestion, periodic:
		c.Lock()
		defer c.Unlock()
		if what == digestion {
			c.digested = now
		} else if c.first.IsZero() {
			c.first, c.periodicFirst = now, !c.digested.Equal(now)
		}
		begun := c.first.IsZero() || c.first.Equal(now)
		if begun && (what == periodic) == c.periodicFirst {
			return now.Add(-1)
		}
	}
	return now
}

// What a reading of the clock is for.
const (
	anything = iota
	creation
	digestion
	periodic
)

// caller tells what the clock is read for.
func caller() int {
	var callers [16]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	what := anything
	for {
		frame, more := frames.Next()
		switch name := frame.Function; {
		case strings.HasSuffix(name, "fairqueuing.NewNamedIntegrator"):
			return creation
		case strings.HasSuffix(name, "(*integrator).Reset"):
			what = digestion
		case what == digestion && strings.HasSuffix(name, "(*configController).updateBorrowing"):
			return periodic
		}
		if !more {
			return what
		}
	}
}
