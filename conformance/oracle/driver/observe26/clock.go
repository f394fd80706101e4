package observe26

import (
	"runtime"
	"strings"
	"time"

	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/eventclock"
)

// Clock is the controller's clock. It is right but for the creation of an integrator of
// a level's demand, which takes place a nanosecond earlier than everything else at the
// same virtual time. On a real server, too, time passes between the creation and the
// first sample; in the releases up to 1.26.12, 1.27.9 and 1.28.5 a sample over no time
// at all would turn the level's smoothed demand into NaN for good.
type Clock struct{ eventclock.Real }

// Now returns the time.
func (c Clock) Now() time.Time {
	now := c.Real.Now()
	var callers [4]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.Function, "fairqueuing.NewNamedIntegrator") {
			return now.Add(-1)
		}
		if !more {
			return now
		}
	}
}
