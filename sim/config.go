package sim

import (
	"errors"
	"fmt"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload"
)

// AdjustmentPeriod is how often the limits of all levels are adjusted
// (borrowingAdjustmentPeriod in pkg/util/flowcontrol/apf_controller.go).
const AdjustmentPeriod = 10 * time.Second

// Config is all that a run depends on, apart from the number of the replication.
type Config struct {
	// Scheduler configures the API server's APF.
	Scheduler scheduler.Config
	// Populations are the clients. Their names must differ: they name random streams.
	Populations []workload.Population
	// Duration is the virtual time at which the run ends; what is due at that moment or
	// later does not happen any more. 0 means when the last request has ended, which
	// only traces reach.
	Duration time.Duration
	// Warmup is the time at the beginning that statistics leave out. The world itself
	// makes no difference.
	Warmup time.Duration
	// Seed is what all random streams derive from.
	Seed uint64
}

// validate returns what makes the configuration impossible to run. Scenario files are
// checked where they are read, with positions; this is the check for other callers.
func (c *Config) validate() error {
	var faults []error
	names := map[string]bool{}
	for i := range c.Populations {
		p := &c.Populations[i]
		if names[p.Name] {
			faults = append(faults, fmt.Errorf("population %q is there twice", p.Name))
		}
		names[p.Name] = true
		kinds := 0
		for _, has := range []bool{p.Open != nil, p.Closed != nil, p.Lease != nil, p.Trace != nil} {
			if has {
				kinds++
			}
		}
		if kinds != 1 {
			faults = append(faults, fmt.Errorf("population %q has %d kinds of arrivals, not 1", p.Name, kinds))
		}
		if p.Trace == nil && len(p.Requests) == 0 {
			faults = append(faults, fmt.Errorf("population %q has no request to send", p.Name))
		}
		if p.Trace == nil && c.Duration <= 0 {
			faults = append(faults, fmt.Errorf("population %q never stops, so the run needs a duration", p.Name))
		}
	}
	return errors.Join(faults...)
}
