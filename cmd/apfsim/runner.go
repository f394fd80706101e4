package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// runner runs scenarios one after the other, the replications of each side by side.
type runner struct {
	process *Process
	workers int
	// overrides are the flags that stand in place of what scenarios say, as a user would give
	// them again.
	overrides []string
	// matches tells that a result says what of the configuration its requests have matched.
	matches bool
	// found is what was noted of each replication of the scenario that ran last.
	found []*sim.Matches
	// until tells how many replications there are, if not the scenario does.
	until *until
	// decisions takes the log of the first replication, if it is not nil.
	decisions io.Writer
	// records take what the servers of the first replication log, nil if nobody asked for it.
	records *records
	// scrapes tells that results hold what the servers tell Prometheus.
	scrapes bool
	// dumps tells that results hold the debug pages, at times and at the end.
	dumps     bool
	dumpTimes []time.Duration
	// interrupted is true once somebody wished to stop.
	interrupted atomic.Bool
	// controls are those of the scenario that runs.
	controls atomic.Pointer[[]sim.Control]
	// display ends its progress display.
	display atomic.Pointer[func()]
}

// stop ends the replications that run and begins no more. The display goes first, so
// that it does not wipe out what is said about that.
func (r *runner) stop() {
	r.interrupted.Store(true)
	if end := r.display.Load(); end != nil {
		(*end)()
	}
	if controls := r.controls.Load(); controls != nil {
		for i := range *controls {
			(*controls)[i].Stop.Store(true)
		}
	}
}

// all runs the scenarios. After a wish to stop it returns what there is.
func (r *runner) all(loaded []*scenarios.Scenario) ([]*reports.Result, error) {
	r.process.stopper.onStop(r.stop)
	var results []*reports.Result
	for _, s := range loaded {
		result, err := r.one(s)
		if err != nil {
			return nil, err
		}
		if result == nil { // stopped before anything happened
			break
		}
		results = append(results, result)
	}
	return results, nil
}

// one runs all replications of a scenario and merges them, in the order of their
// numbers, and goes on with more of them until a figure is known as well as it has to be. It
// returns nil if it was stopped before any of them began.
func (r *runner) one(s *scenarios.Scenario) (*reports.Result, error) {
	r.found = nil
	servers := r.servers()
	var runs []*reports.Collected
	var result *reports.Result
	for more := r.until.first(s); more > 0; more = r.until.more(s, result) {
		batch, err := r.batch(s, len(runs), more, servers)
		if err != nil {
			return nil, runFault(s, err)
		}
		if runs = append(runs, batch...); len(runs) == 0 {
			return nil, nil
		}
		wanted := s.Replications
		if r.until.wanted() {
			wanted = len(runs)
		}
		result = reports.Merge(reports.Info{Scenario: s.Name, KubernetesVersion: s.KubernetesVersion, Replications: wanted}, runs)
		if r.interrupted.Load() {
			result.Partial = true
			break
		}
	}
	result.Source = sourceOf(s, r.overrides)
	servers.tell(result)
	r.until.reached(s, result)
	judge(result, s)
	return result, nil
}

// batch runs so many replications, from a number on, and returns those that began.
func (r *runner) batch(s *scenarios.Scenario, from, n int, servers told) ([]*reports.Collected, error) {
	controls := make([]sim.Control, n)
	r.controls.Store(&controls)
	if r.interrupted.Load() {
		return nil, nil
	}
	end := watch(r.process, s.Name, span(s)*time.Duration(n), func() time.Duration {
		var sum time.Duration
		for i := range controls {
			sum += time.Duration(controls[i].Now.Load())
		}
		return sum
	})
	defer end()
	r.display.Store(&end)
	runs := make([]*reports.Collected, n)
	r.found = append(r.found, make([]*sim.Matches, n)...)
	err := replicate(n, r.workers, &r.interrupted, func(i int) error {
		collected, err := r.replication(s, from+i, servers.observers(from+i), &controls[i])
		runs[i] = collected
		controls[i].Now.Store(int64(span(s))) // the clock of a run stops before its end
		return err
	})
	return slices.DeleteFunc(runs, func(c *reports.Collected) bool { return c == nil }), err
}

// runFault is the fault of a run that could not go on. Scenarios have been checked; what
// can still go wrong outside of the program is that a trace cannot be read once more.
func runFault(s *scenarios.Scenario, err error) error {
	traced := slices.ContainsFunc(s.Config.Populations, func(p workload.Population) bool { return p.Trace != nil })
	var known *fault
	if traced && !errors.As(err, &known) {
		return inputf("do not change a trace while it is replayed", "%s: %v", s.File, err)
	}
	return fmt.Errorf("%s: %w", s.File, err)
}

// replication runs one replication, with observers beside its collectors.
func (r *runner) replication(s *scenarios.Scenario, i int, others []sim.Observer, control *sim.Control) (*reports.Collected, error) {
	collector := reports.NewCollector()
	observers := append([]sim.Observer{collector}, others...)
	parts := reports.Windows(expectationsOf(s))
	for _, part := range parts {
		observers = append(observers, part.Collector)
	}
	var log *reports.DecisionLog
	if i == 0 && r.decisions != nil {
		log = reports.NewDecisionLog(r.decisions)
		observers = append(observers, log)
	}
	config := s.Config
	if r.matches {
		config.Matches = sim.NewMatches()
		r.found[i] = config.Matches
	}
	summary, err := sim.Run(&config, i, reports.Tee(observers...), control)
	if err != nil {
		return nil, err
	}
	if log != nil {
		if err := log.Close(); err != nil {
			return nil, cannotWrite("the decision log", err)
		}
	}
	collected := collector.Collected(summary)
	for _, part := range parts {
		collected.Attach(part.Window, part.Collected(summary))
	}
	return collected, nil
}

// span is how much virtual time one replication is expected to take.
func span(s *scenarios.Scenario) time.Duration {
	end := s.Config.Duration
	if end > 0 {
		return end
	}
	for i := range s.Config.Populations {
		if t := s.Config.Populations[i].Trace; t != nil {
			end = max(end, t.LastArrival())
		}
	}
	return end
}

// verdict is the outcome of the command: interrupted, an expectation failed, something not known
// as well as it had to be, or fine.
func (r *runner) verdict(results []*reports.Result) error {
	if r.interrupted.Load() {
		return verdict(exitInterrupted)
	}
	return verdictOf(results)
}

// verdictOf is the outcome of results: an expectation failed, or fine.
func verdictOf(results []*reports.Result) error {
	for _, result := range results {
		if !result.Passed() {
			return verdict(exitExpectation)
		}
	}
	if slices.ContainsFunc(results, func(r *reports.Result) bool { return r.Precision != nil && !r.Precision.Reached }) {
		return verdict(exitLimit)
	}
	return nil
}
