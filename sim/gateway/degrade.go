package gateway

import (
	"time"

	"github.com/apfsim/apfsim/workload"
)

// degradation is where a gateway is in its phases.
type degradation struct {
	// active tells that the phases have begun, at start.
	active bool
	start  time.Duration
	// phase is the one that holds, -1 before the first.
	phase int
	// admits holds, for each phase and rule, whether it lets the rule in; the row before the
	// first phase is as usual.
	admits [][]bool
}

// newDegradation writes the phases out rule by rule, so that a request looks no names up.
func newDegradation(cfg *Config) degradation {
	d := degradation{active: cfg.Trigger == nil && len(cfg.Phases) > 0, phase: -1}
	usual := make([]bool, len(cfg.Rules)+1)
	for i := range usual {
		usual[i] = true
	}
	d.admits = append(d.admits, usual)
	for p := range cfg.Phases {
		row := make([]bool, len(cfg.Rules)+1)
		for i := range row {
			row[i] = cfg.Phases[p].admits(cfg.ruleName(i))
		}
		d.admits = append(d.admits, row)
	}
	return d
}

// The phases follow the clock and need no events: which one holds is found when a request
// comes, and times never go back.

// trigger begins the phases if too many requests are in flight.
func (g *Gateway) trigger(now time.Duration) {
	d := &g.degradation
	if d.active || g.cfg.Trigger == nil || g.inFlight <= g.cfg.Trigger.InFlight {
		return
	}
	d.active, d.start, d.phase = true, now, -1
}

// letsIn tells whether degradation lets a request of a rule in. It takes a number from the
// stream while a share of the rule is let in.
func (g *Gateway) letsIn(now time.Duration, rule int32, random *workload.Stream) bool {
	d := &g.degradation
	if !d.active {
		return true
	}
	since := now - d.start
	for d.phase+1 < len(g.cfg.Phases) && g.cfg.Phases[d.phase+1].At <= since {
		d.phase++
	}
	if d.phase < 0 {
		return true
	}
	p := &g.cfg.Phases[d.phase]
	before, admitted := d.admits[d.phase][rule], d.admits[d.phase+1][rule]
	passed := since - p.At
	if passed >= p.Over {
		// The phase is all there by now. If it is the last and lets everything in, the gateway
		// is as before the trigger.
		if p.All && g.cfg.Trigger != nil && d.phase == len(g.cfg.Phases)-1 {
			d.active = false // and may be triggered again
		}
		return admitted
	}
	if before || !admitted {
		// What was let in before stays in, and what is shut out is shut out at once: only the
		// way back is bit by bit, since that is when a crowd waits outside.
		return admitted
	}
	return random.Float64()*float64(p.Over) < float64(passed)
}

// Phase returns the index of the phase that holds since the latest request, -1 for none.
func (g *Gateway) Phase() int {
	if !g.degradation.active {
		return -1
	}
	return g.degradation.phase
}
