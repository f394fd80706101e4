package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/calibration"
	"github.com/apfsim/apfsim/reports/exposition"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/fit"
	metrics "github.com/apfsim/apfsim/scenarios/observed"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/recording"
)

// calibrator holds a scenario against a record.
type calibrator struct {
	process  *Process
	flags    *calibrateFlags
	scenario *scenarios.Scenario
	record   *observedRecord
	in       calibration.Input
	notes    []string
	stopped  atomic.Bool
}

// spanCount is in how many parts a trace is looked at.
const spanCount = 6

// spansMax is how many parts there may be.
const spansMax = 1000

// calibrate does it all.
func (c *calibrator) calibrate() (*calibration.Calibration, error) {
	c.in.Within, c.in.Trace = c.flags.tolerance, c.record.trace != nil
	c.in.Simulated = make([]*calibration.Side, c.scenario.Replications)
	source := "metrics"
	prepare := c.againstMetrics
	if c.in.Trace {
		source, prepare = "trace", c.againstTrace
	}
	one, err := prepare()
	if err != nil {
		return nil, err
	}
	controls := make([]sim.Control, c.scenario.Replications)
	c.process.stopper.onStop(func() {
		c.stopped.Store(true)
		for i := range controls {
			controls[i].Stop.Store(true)
		}
	})
	err = replicate(c.scenario.Replications, c.flags.workers, &c.stopped, func(i int) error { return one(i, &controls[i]) })
	if c.stopped.Load() && err == nil {
		return nil, verdict(exitInterrupted)
	}
	if err != nil {
		return nil, runFault(c.scenario, err)
	}
	done := &calibration.Calibration{
		Scenario: c.scenario.File, Record: c.record.name, Source: source,
		KubernetesVersion: c.scenario.KubernetesVersion, Seed: c.scenario.Config.Seed, Notes: c.notes,
	}
	done.Compare(&c.in)
	return done, nil
}

// note tells something that the reader has to know.
func (c *calibrator) note(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

// againstTrace counts what a trace tells, and returns what runs a replication.
func (c *calibrator) againstTrace() (func(int, *sim.Control) error, error) {
	survey, err := calibration.SurveyTrace(c.record.trace)
	if err != nil {
		return nil, inputf("", "%s", err)
	}
	if survey.Answered == 0 {
		return nil, inputf("apfsim import audit and httplog write traces with the code of each answer",
			"%s: no line tells what was observed: the field code is missing", c.record.name)
	}
	cfg := &c.scenario.Config
	if c.flags.offset > 0 {
		return nil, usagef("a trace has its own times", "--offset has no meaning with a trace")
	}
	until := survey.Last.Truncate(time.Second) + time.Second
	if cfg.Duration > 0 && cfg.Duration <= survey.Last {
		until = cfg.Duration
	}
	spans, err := c.spans(cfg.Warmup, until)
	if err != nil {
		return nil, err
	}
	view := calibration.View{Spans: spans, End: survey.End, Told: survey.Told, Alike: fit.Alike, Servers: max(cfg.Servers, 1) > 1 || c.record.trace.Servers() > 1}
	c.in.Told, c.in.Requests = survey.Told, survey.Requests
	c.noteTrace(survey)
	if err := c.countTrace(view); err != nil {
		return nil, err
	}
	return func(i int, control *sim.Control) error {
		o := calibration.NewObserver(view)
		if _, err := sim.Run(cfg, i, o, control); err != nil {
			return err
		}
		c.in.Simulated[i] = o.Counted()
		return nil
	}, nil
}

// spans divides the time.
func (c *calibrator) spans(from, until time.Duration) ([]calibration.Span, error) {
	if until <= from {
		return nil, inputf("look at the warm-up and the duration of the scenario", "%s and %s have no time in common", c.scenario.File, c.record.name)
	}
	if c.flags.window == 0 {
		return calibration.Spans(from, until, spanCount), nil
	}
	n := int((until - from + c.flags.window - 1) / c.flags.window)
	if n > spansMax {
		return nil, usagef("", "--window %v makes %d spans, and %d are the most", c.flags.window, n, spansMax)
	}
	var out []calibration.Span
	for at := from; at < until; at += c.flags.window {
		out = append(out, calibration.Span{From: at, Until: min(at+c.flags.window, until)})
	}
	return out, nil
}

// noteTrace says what the trace does not tell.
func (c *calibrator) noteTrace(s *calibration.Survey) {
	switch {
	case s.Told == calibration.ToldSlow:
		c.note("the record tells waits only of requests that took more than %v, as audit logs do; waits are compared for those alone, and in other executions, recorded or simulated, waits are contained", calibration.SlowRequest)
	case s.Told == calibration.ToldNone && s.Slow > 0:
		c.note("the record tells no wait, as audit logs before 1.31 do not, or those of a server where no slow request waited; executions, recorded or simulated, contain waits")
	case s.Told == calibration.ToldNone:
		c.note("the record tells no wait: no request was slow enough; executions, recorded or simulated, contain waits")
	}
	if s.Classified < s.Requests {
		c.note("the record does not tell the levels of %s requests; those that the configuration of the scenario gives are taken",
			reports.MetricArrivals.Text(reports.Value(s.Requests-s.Classified)))
	}
	if n := s.Requests - s.Answered; n > 0 {
		c.note("%s requests have no end in the record; they count as arrivals alone", reports.MetricArrivals.Text(reports.Value(n)))
	}
	c.note("how many seats a recorded request took follows from the scenario's release, objects and limits")
}

// countTrace counts what the trace tells, while it is replayed alone under the configuration of
// the scenario.
func (c *calibrator) countTrace(view calibration.View) error {
	o, err := calibration.NewRecorded(c.record.trace, view)
	if err != nil {
		return inputf("", "%s", err)
	}
	cfg := c.scenario.Config
	cfg.Populations = []workload.Population{{Name: "recorded", Trace: c.record.trace}}
	cfg.Servers = max(cfg.Servers, int(c.record.trace.Servers()), 1)
	cfg.Operations, cfg.Backend, cfg.Balancer, cfg.Gateway, cfg.Start, cfg.Looks, cfg.Matches = nil, nil, nil, nil, nil, nil, nil
	cfg.Duration, cfg.Warmup, cfg.Resolution = 0, 0, 0
	_, err = sim.Run(&cfg, 0, o, nil)
	if reading := o.Close(); err == nil {
		err = reading
	}
	if err != nil {
		return inputf("do not change a trace while it is read", "%s: %v", c.record.name, err)
	}
	o.Fill(&c.in)
	return nil
}

// againstMetrics makes a side of what metrics tell, and returns what runs a replication.
func (c *calibrator) againstMetrics() (func(int, *sim.Control) error, error) {
	cfg, seen := &c.scenario.Config, c.record.metrics
	offset := cfg.Warmup
	if c.flags.given("offset") {
		offset = c.flags.offset
	}
	if c.flags.window > 0 {
		return nil, usagef("metrics tell nothing within the intervals of scrapes", "--window has no meaning with metrics")
	}
	spans := calibration.MetricSpans(seen, offset)
	end := spans[len(spans)-1].Until
	switch {
	case cfg.Duration == 0:
		return nil, inputf("metrics are compared at given times", "%s: it has no duration", c.scenario.File)
	case end > cfg.Duration:
		return nil, inputf("make the scenario longer, or give another --offset", "%s ends at %v, and the record at %v of the run", c.scenario.File, cfg.Duration, end)
	}
	c.note("metrics count a rejection when it happens; the simulated servers are scraped at the same times, and count in the same way. Quantiles are known by their buckets alone")
	c.in.Recorded = calibration.FromMetrics(seen, spans, offset)
	config := *cfg
	config.Looks = looksAt(spans)
	servers := len(seen.Servers)
	return func(i int, control *sim.Control) error {
		side, err := scrapedRun(config, i, servers, spans, control)
		c.in.Simulated[i] = side
		return err
	}, nil
}

// looksAt are the times at which spans begin and end.
func looksAt(spans []calibration.Span) []time.Duration {
	var out []time.Duration
	for _, s := range spans {
		for _, at := range [...]time.Duration{s.From, s.Until} {
			if at > 0 && (len(out) == 0 || at > out[len(out)-1]) {
				out = append(out, at)
			}
		}
	}
	return out
}

// scrapedRun runs a replication, and makes a side of what its servers tell Prometheus.
func scrapedRun(config sim.Config, replication, servers int, spans []calibration.Span, control *sim.Control) (*calibration.Side, error) {
	scrapes := exposition.NewObserver()
	limits := calibration.NewObserver(calibration.View{Spans: spans, End: config.Duration, Alike: fit.Alike})
	if _, err := sim.Run(&config, replication, reports.Tee(scrapes, limits), control); err != nil {
		return nil, err
	}
	result := &reports.Result{Expositions: scrapes.Expositions()}
	if config.Servers > 1 { // then they are told apart
		result.Servers = make([]reports.ServerUse, config.Servers)
	}
	seen, err := scrapedResult(result, config.Looks)
	if err != nil || seen == nil {
		return nil, err
	}
	// Intervals are since the first scrape, unless that is of a server that had just started.
	first := time.Duration(seen.Servers[0].Intervals[0].From)
	side := calibration.FromMetrics(seen, spans, spans[0].From-first)
	side.Know(limits.Counted())
	return side, nil
}

// scrapedResult reads what servers tell at some times, as if it had been scraped.
func scrapedResult(result *reports.Result, at []time.Duration) (*recording.Observed, error) {
	var r metrics.Reader
	for _, t := range at {
		var text bytes.Buffer
		if err := exposition.WriteText(&text, result, t); err != nil {
			return nil, err
		}
		if err := r.Read("simulated", t, &text); err != nil {
			return nil, err
		}
	}
	seen, problems := r.Observe(0)
	if len(problems) > 0 || !seen.Sound() {
		return nil, fmt.Errorf("what the simulated servers tell cannot be read: %s", strings.Join(problems, "; "))
	}
	return &seen.Observed, nil
}
