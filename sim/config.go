package sim

import (
	"errors"
	"fmt"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim/backend"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
)

// AdjustmentPeriod is how often the limits of all levels are adjusted
// (borrowingAdjustmentPeriod in pkg/util/flowcontrol/apf_controller.go).
const AdjustmentPeriod = 10 * time.Second

// Config is all that a run depends on, apart from the number of the replication.
type Config struct {
	// Scheduler configures the APF of each API server. Its Watches are those of each.
	Scheduler scheduler.Config
	// Servers is how many API servers there are, those that join later included; 0 is 1.
	Servers int
	// Operations are what is done to the servers, in order of time. A server whose first
	// operation is Start is not there before.
	Operations []ServerOperation
	// CacheFill is how long a server that starts during the run needs to fill its watch cache.
	// What is read from the cache waits for that; watches from before have to begin anew.
	CacheFill time.Duration
	// Backend is what is behind the servers; nil lets requests execute for as long as their
	// populations say. With a backend that time comes on top, and may be left out.
	Backend *backend.Config
	// Balancer is what spreads requests or connections over the servers. nil means none if
	// there is one server, and else the zero Config: at random, for each connection.
	Balancer *balance.Config
	// Gateway is what stands before the servers; nil is nothing.
	Gateway *gateway.Config
	// Populations are the clients. Their names must differ: they name random streams.
	Populations []workload.Population
	// Start is what the servers are doing at the beginning; nil is nothing.
	Start *StartState
	// Changes are what becomes of the server's levels and FlowSchemas during the run, in
	// order of time. Several at one time happen in their order, each by itself.
	Changes []Change
	// Looks are the times at which observers are asked to look, ascending. They change nothing
	// of the run.
	Looks []time.Duration
	// Names lets observers see the name of each object that a trace asks for. Otherwise they see
	// those only that a decision may depend on, since the others cost an allocation each.
	Names bool
	// Matches notes which FlowSchema took what, if it is not nil. It is for one run.
	Matches *Matches
	// Duration is the virtual time at which the run ends; what is due at that moment or
	// later does not happen any more. 0 means when the last request has ended, which
	// only traces reach. It is at most workload.MaxDuration.
	Duration time.Duration
	// Warmup is the time at the beginning that statistics leave out. The world itself
	// makes no difference.
	Warmup time.Duration
	// Seed is what all random streams derive from.
	Seed uint64
	// Resolution makes the times whole at which happens what a record of a server can hold: each
	// is put off to the next multiple of it. 0 leaves times as they are. See resolution.go.
	Resolution time.Duration
}

// MaxResolution bounds Config.Resolution: clients and servers act within fractions of a second.
const MaxResolution = time.Second

// OperationKind is what is done to a server.
type OperationKind uint8

// The kinds of operations.
const (
	// Stop ends the server at once, with all that is in flight: a crash.
	Stop OperationKind = iota
	// Drain makes the server refuse what is new, end its watches and finish what it has.
	Drain
	// Unready makes the health checks of the server fail, while it serves as before: the
	// beginning of a shutdown in good order, which has to be followed by Drain or Stop.
	Unready
	// Start makes the server serve. Its APF knows nothing of the time before.
	Start
)

// String returns the kind in lower case.
func (k OperationKind) String() string { return [...]string{"stop", "drain", "unready", "start"}[k] }

// ServerOperation is one thing that is done to a server.
type ServerOperation struct {
	At     time.Duration
	Server int32
	Kind   OperationKind
	// Release is what the server starts as; zero is the release that it had.
	Release release.Version
}

// Change is a change of the configuration: all levels and all FlowSchemas that there are
// from then on.
type Change struct {
	// At is when it comes into force, later than 0.
	At             time.Duration
	PriorityLevels []scheduler.PriorityLevel
	FlowSchemas    []scheduler.FlowSchema
}

// Validate returns all that makes the configuration impossible to run, joined: the faults of
// each population by itself, and what concerns more than one of them. Scenario files are
// checked where they are read, with positions; this is the check for other callers. The
// server's part is checked by scheduler.New.
func (c *Config) Validate() error {
	var faults []error
	if c.Duration < 0 || c.Duration > workload.MaxDuration {
		faults = append(faults, fmt.Errorf("the duration is %v; legal: 0s to %v", c.Duration, workload.MaxDuration))
	}
	if c.Warmup < 0 {
		faults = append(faults, fmt.Errorf("the warm-up is %v; legal: 0s or more", c.Warmup))
	}
	if c.Resolution < 0 || c.Resolution > MaxResolution {
		faults = append(faults, fmt.Errorf("the resolution is %v; legal: 0s to %v", c.Resolution, MaxResolution))
	}
	faults = append(faults, c.validateChanges()...)
	for i, at := range c.Looks {
		if at < 0 || i > 0 && at <= c.Looks[i-1] {
			faults = append(faults, fmt.Errorf("looks[%d] is at %v; legal: 0s or more, and after the one before it", i, at))
		}
	}
	faults = append(faults, c.validateServers()...)
	faults = append(faults, c.validateStart()...)
	if c.Backend != nil {
		for _, err := range c.Backend.Validate(max(c.Servers, 1)) {
			faults = append(faults, fmt.Errorf("backend: %w", err))
		}
	}
	faults = append(faults, c.validateRouting()...)
	names := map[string]bool{}
	for i := range c.Populations {
		p := &c.Populations[i]
		if names[p.Name] {
			faults = append(faults, fmt.Errorf("population %q is there twice", p.Name))
		}
		names[p.Name] = true
		if c.Backend != nil {
			p = withOwnTime(p)
		}
		for _, err := range p.Validate() {
			faults = append(faults, fmt.Errorf("population %q: %w", p.Name, err))
		}
		if p.Trace == nil && !p.Present && c.Duration == 0 {
			faults = append(faults, fmt.Errorf("population %q never stops, so the run needs a duration", p.Name))
		}
	}
	faults = append(faults, c.validateCalls()...)
	return errors.Join(faults...)
}

// validateChanges holds every change against the rules of the server, so that none of them
// can fail in the middle of a run.
func (c *Config) validateChanges() []error {
	var faults []error
	last := time.Duration(0)
	for i := range c.Changes {
		change := &c.Changes[i]
		if change.At <= 0 || change.At < last {
			faults = append(faults, fmt.Errorf("changes[%d] is at %v; legal: above 0s and not before the change before it, at %v", i, change.At, last))
		}
		last = max(last, change.At)
		if err := scheduler.ValidateFlowControl(change.PriorityLevels, change.FlowSchemas); err != nil {
			faults = append(faults, fmt.Errorf("changes[%d]: %w", i, err))
		}
	}
	return faults
}

// maxServers bounds the number of API servers: each of them knows every user and every flow.
const maxServers = 1000

// validateServers returns what is wrong with the servers and with what is done to them. An
// operation that finds nothing to do, such as the start of a server that is up, is no fault:
// a server may have been killed meanwhile, or not.
func (c *Config) validateServers() []error {
	var faults []error
	servers := max(c.Servers, 1)
	if c.Servers < 0 || servers > maxServers {
		faults = append(faults, fmt.Errorf("there are %d servers; legal: 1 to %d", c.Servers, maxServers))
	}
	if c.CacheFill < 0 || c.CacheFill > workload.MaxDuration {
		faults = append(faults, fmt.Errorf("the cache fills in %v; legal: 0s to %v", c.CacheFill, workload.MaxDuration))
	}
	last := time.Duration(0)
	for i := range c.Operations {
		o := &c.Operations[i]
		if o.At < last {
			faults = append(faults, fmt.Errorf("operations[%d] is at %v; legal: not before the one before it, at %v", i, o.At, last))
		}
		last = max(last, o.At)
		if o.Server < 0 || int(o.Server) >= servers {
			faults = append(faults, fmt.Errorf("operations[%d] is about server %d; legal: 0 to %d", i, o.Server, servers-1))
		}
	}
	return faults
}
