package main

import (
	"errors"
	"math"
	"strings"
	"sync/atomic"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/choose"
	"github.com/apfsim/apfsim/reports/stats"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/reports/tuning"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/vary"
)

// tuner is a search while it is done.
type tuner struct {
	process *Process
	flags   *tuneFlags
	sources []*studied
	factors []vary.Factor
	knobs   []knob
	// knobTexts are where scenarios name the knobs, nil for those of flags.
	knobTexts  []*scenarios.Written
	goals      []tuneGoal
	objectives []tuneObjective
	// asked are the figures that are asked of the runs of each scenario.
	asked [][]reports.Expectation
	// full is how many replications tell enough of a point.
	full      int
	checked   map[string]*checkedPoint
	evaluator *evaluator
	// stages counts the stages, and requests those of the records that they needed.
	stages   int
	requests int64
	counted  map[string]bool
	// best is the best point so far, in words, and bestPrice its price.
	best      atomic.Pointer[string]
	bestPrice float64
}

// errStopped ends a search that somebody wished to stop.
var errStopped = errors.New("stopped")

// partDone ends the stage of a shard, whose other parts are still missing.
type partDone struct{ stage, tasks, missing int }

func (partDone) Error() string { return "the part of the shard is done" }

// asPart tells whether an error is a partDone.
func asPart(err error, part *partDone) bool { return errors.As(err, part) }

// study is what a folder of results says of the search.
func (t *tuner) study() *study.Study {
	out := newStudy(t.process, t.sources)
	out.Columns = []study.Column{}
	out.Search = t.search()
	return out
}

// search is what is searched for.
func (t *tuner) search() *study.Search {
	out := &study.Search{}
	for i := range t.goals {
		out.Goals = append(out.Goals, t.goals[i].text)
	}
	for _, f := range t.factors {
		out.Knobs = append(out.Knobs, study.Factor{Path: f.Path, Values: f.Values})
	}
	for i := range t.objectives {
		out.Minimize = append(out.Minimize, t.objectives[i].text)
	}
	return out
}

// tasks are the runs of a scenario with some settings up to so many replications: one for each stage, so
// that those of an earlier one are made once.
func (t *tuner) tasks(scenario int, settings []scenarios.Setting, replications int) []task {
	var out []task
	from := 0
	for _, n := range choose.Stages(t.first(), t.full) {
		if n > replications {
			break
		}
		out = append(out, t.task(scenario, settings, from, n-from))
		from = n
	}
	return out
}

// task is one of them.
func (t *tuner) task(scenario int, settings []scenarios.Setting, first, n int) task {
	return task{source: t.sources[scenario], settings: settings, first: first, replications: n, asked: t.asked[scenario]}
}

// stage runs tasks, or the part of the shard. Without all of them it ends the search.
func (t *tuner) stage(tasks []task) error {
	t.stages++
	e := t.evaluator
	mine := t.flags.study.shard.of(tasks)
	if _, err := e.all(mine); err != nil {
		return err
	}
	if e.interrupted.Load() {
		return errStopped
	}
	missing := 0
	for i := range tasks {
		run := tasks[i].run()
		key := run.Key()
		switch r := e.records[key]; {
		case r == nil:
			missing++
		case !t.counted[key]:
			t.counted[key] = true
			t.requests += r.Requests
		}
	}
	if missing > 0 {
		return partDone{t.stages, len(tasks), missing}
	}
	return nil
}

// record is what a task showed.
func (t *tuner) record(task *task) *study.Record {
	run := task.run()
	return t.evaluator.records[run.Key()]
}

// run runs points for the search.
func (t *tuner) run(asks []choose.Ask) ([]choose.Score, error) {
	var tasks []task
	for _, ask := range asks {
		for i := range t.sources {
			tasks = append(tasks, t.tasks(i, t.settings(ask.Point), ask.Replications)...)
		}
	}
	if most := t.flags.budgetRequests; most > 0 && t.requests >= most {
		return nil, choose.ErrBudget
	}
	if err := t.stage(tasks); err != nil {
		return nil, err
	}
	out := make([]choose.Score, len(asks))
	for i, ask := range asks {
		out[i] = t.score(ask.Point, ask.Replications)
		t.noticed(ask, &out[i])
	}
	return out, nil
}

// noticed remembers the best point so far, for the display.
func (t *tuner) noticed(ask choose.Ask, s *choose.Score) {
	price := t.checked[pointKey(ask.Point)].known.Prices[0]
	if len(s.Prices[0]) > 0 {
		price = stats.Mean(s.Prices[0]).Mean
	}
	if s.Verdict != choose.Met || ask.Replications < t.full || t.best.Load() != nil && price >= t.bestPrice {
		return
	}
	var words []string
	for i, v := range ask.Point {
		words = append(words, t.factors[i].Path+"="+t.factors[i].Values[v])
	}
	t.bestPrice = price
	t.best.Store(new(strings.Join(words, ", ")))
}

// note says beside the progress what the best point is so far.
func (t *tuner) note() string {
	if best := t.best.Load(); best != nil {
		return "best so far: " + *best
	}
	return ""
}

// verdicts are those of goals, as the search has them.
var verdicts = map[string]choose.Verdict{tuning.Met: choose.Met, tuning.Unclear: choose.Unclear, tuning.Missed: choose.Missed}

// score is how a point does.
func (t *tuner) score(p choose.Point, replications int) choose.Score {
	runs := t.runs(t.settings(p), replications)
	judged := t.judge(runs, t.checked[pointKey(p)].judged)
	out := choose.Score{Verdict: verdicts[tuning.Verdict(judged)], Excess: tuning.Excess(judged)}
	for i := range t.objectives {
		out.Prices = append(out.Prices, t.samples(i, runs))
	}
	return out
}

// runs are the records of each scenario up to so many replications.
func (t *tuner) runs(settings []scenarios.Setting, replications int) [][]*study.Record {
	out := make([][]*study.Record, len(t.sources))
	for i := range t.sources {
		for _, task := range t.tasks(i, settings, replications) {
			out[i] = append(out[i], t.record(&task))
		}
	}
	return out
}

// figureOf is a figure that was asked of the runs of a scenario.
func figureOf(runs []*study.Record, asked int) *study.Asked {
	var parts []*study.Asked
	for _, r := range runs {
		parts = append(parts, &r.Asked[asked])
	}
	return tuning.Joined(parts)
}

// judge holds the goals against runs, and puts those that need none between them, in their order.
func (t *tuner) judge(runs [][]*study.Record, analytic []tuning.Judged) []tuning.Judged {
	var out []tuning.Judged
	for i := range t.goals {
		g := &t.goals[i]
		if g.analytic != nil {
			out, analytic = append(out, analytic[0]), analytic[1:]
			continue
		}
		for k := range t.sources {
			if g.of[k] != nil {
				j := tuning.Judge(g.of[k], figureOf(runs[k], g.asked[k]))
				j.Goal, j.Scenario = g.text, t.sources[k].id.Name
				out = append(out, j)
			}
		}
	}
	return out
}

// samples are a simulated objective in all replications, the largest one of all scenarios; none of one
// that is known without a run. What has no data is without end.
func (t *tuner) samples(objective int, runs [][]*study.Record) []float64 {
	o := &t.objectives[objective]
	if o.analytic != nil {
		return nil
	}
	var out []float64
	for k := range t.sources {
		a := figureOf(runs[k], o.asked[k])
		if a.Figure == nil {
			continue
		}
		for i, v := range a.Replications {
			for i >= len(out) {
				out = append(out, 0)
			}
			if v != nil {
				out[i] = math.Max(out[i], math.Min(float64(*v), math.MaxInt32))
			}
		}
	}
	return out
}
