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
	// decisions takes the log of the first replication, if it is not nil.
	decisions io.Writer
	// interrupted is true once somebody wished to stop.
	interrupted atomic.Bool
	// controls are those of the scenario that runs.
	controls atomic.Pointer[[]sim.Control]
	// display ends its progress display.
	display atomic.Pointer[func()]
}

// runResult is one scenario and what came out.
type runResult struct {
	scenario *scenarios.Scenario
	result   *reports.Result
	verdicts []reports.Verdict
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
func (r *runner) all(loaded []*scenarios.Scenario) ([]*runResult, error) {
	r.process.stopper.onStop(r.stop)
	var results []*runResult
	for _, s := range loaded {
		result, err := r.one(s)
		if err != nil {
			return nil, err
		}
		if result == nil { // stopped before anything happened
			break
		}
		results = append(results, &runResult{s, result, reports.Judge(result, expectations(s))})
	}
	return results, nil
}

// one runs all replications of a scenario and merges them, in the order of their
// numbers. It returns nil if it was stopped before any of them began.
func (r *runner) one(s *scenarios.Scenario) (*reports.Result, error) {
	controls := make([]sim.Control, s.Replications)
	r.controls.Store(&controls)
	if r.interrupted.Load() {
		return nil, nil
	}
	end := watch(r.process, s.Name, span(s)*time.Duration(s.Replications), func() time.Duration {
		var sum time.Duration
		for i := range controls {
			sum += time.Duration(controls[i].Now.Load())
		}
		return sum
	})
	defer end()
	r.display.Store(&end)
	runs := make([]*reports.Collected, s.Replications)
	err := replicate(s.Replications, r.workers, &r.interrupted, func(i int) error {
		collected, err := r.replication(s, i, &controls[i])
		runs[i] = collected
		controls[i].Now.Store(int64(span(s))) // the clock of a run stops before its end
		return err
	})
	if err != nil {
		return nil, runFault(s, err)
	}
	runs = slices.DeleteFunc(runs, func(c *reports.Collected) bool { return c == nil })
	if len(runs) == 0 {
		return nil, nil
	}
	return reports.Merge(reports.Info{
		Scenario: s.Name, KubernetesVersion: s.KubernetesVersion, Replications: s.Replications,
	}, runs), nil
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

// replication runs one replication.
func (r *runner) replication(s *scenarios.Scenario, i int, control *sim.Control) (*reports.Collected, error) {
	collector := reports.NewCollector()
	var observer sim.Observer = collector
	var log *reports.DecisionLog
	if i == 0 && r.decisions != nil {
		log = reports.NewDecisionLog(r.decisions)
		observer = reports.Tee(collector, log)
	}
	summary, err := sim.Run(&s.Config, i, observer, control)
	if err != nil {
		return nil, err
	}
	if log != nil {
		if err := log.Close(); err != nil {
			return nil, cannotWrite("the decision log", err)
		}
	}
	return collector.Collected(summary), nil
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

// verdict is the outcome of the command: interrupted, an expectation failed, or fine.
func (r *runner) verdict(results []*runResult) error {
	if r.interrupted.Load() {
		return verdict(exitInterrupted)
	}
	for _, result := range results {
		for i := range result.verdicts {
			if !result.verdicts[i].Passed() {
				return verdict(exitExpectation)
			}
		}
	}
	return nil
}

// expectations turns what a scenario expects into what reports judge.
func expectations(s *scenarios.Scenario) []reports.Expectation {
	var list []reports.Expectation
	for _, e := range s.Expect {
		list = append(list, reports.Expectation{
			Metric:        reports.Metric(e.Metric),
			PriorityLevel: e.PriorityLevel, FlowSchema: e.FlowSchema, Client: e.Client,
			Quantile: e.Quantile, Server: e.Server, At: e.At,
			Equals: bound(e.Equals), Below: bound(e.Below), Above: bound(e.Above),
		})
	}
	return list
}

// bound is the number of a bound, nil if there is none.
func bound(b *scenarios.Bound) *float64 {
	if b == nil {
		return nil
	}
	return &b.Value
}

// verdictsText writes what became of the expectations, if there are any.
func (r *runResult) verdictsText(w io.Writer) error {
	if len(r.verdicts) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(w, "\nExpectations"); err != nil {
		return err
	}
	for i := range r.verdicts {
		if _, err := fmt.Fprintf(w, "  %s\n", r.line(i)); err != nil {
			return err
		}
	}
	return nil
}

// failures writes the expectations that failed.
func (r *runResult) failures(w io.Writer) {
	for i := range r.verdicts {
		if !r.verdicts[i].Passed() {
			fmt.Fprintln(w, r.line(i))
		}
	}
}

// line is one verdict; one that did not pass says where the scenario asks for it.
func (r *runResult) line(i int) string {
	v, e := &r.verdicts[i], r.scenario.Expect[i]
	if v.Passed() {
		return v.String()
	}
	return fmt.Sprintf("%s (%s:%d:%d)", v.String(), e.File, e.Line, e.Column)
}
