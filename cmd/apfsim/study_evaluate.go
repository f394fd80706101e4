package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/sim"
)

// varyFlag is how positions of faults in values that are tried begin.
const varyFlag = "--vary"

// task is some replications of a scenario at one point.
type task struct {
	source   *studied
	settings []scenarios.Setting
	// first is the number of the first replication.
	first, replications int
	// asked are figures that are wanted beside those that every result has.
	asked []reports.Expectation
}

// run is the task as a record names it.
func (t *task) run() study.Run {
	r := study.Run{
		Scenario: t.source.id.Name, Digest: t.source.id.Digest, Seed: t.source.id.Seed,
		First: t.first, Replications: t.replications, Settings: []study.Setting{},
	}
	for _, s := range t.settings {
		path, value, _ := strings.Cut(s.Text, "=")
		r.Settings = append(r.Settings, study.Setting{Path: path, Value: value})
	}
	for i := range t.asked {
		text, err := json.Marshal(&t.asked[i])
		if err != nil {
			panic(fmt.Sprintf("an expectation that cannot be written: %v", err))
		}
		r.Asked = append(r.Asked, string(text))
	}
	return r
}

// evaluator runs tasks, and knows those that have been run.
type evaluator struct {
	process *Process
	workers int
	// records are those that are known, by their keys.
	records map[string]*study.Record
	// folder keeps them, nil without one.
	folder *studyFolder
	// title is what the progress display is about, and note what it says beside.
	title string
	note  func() string
	// made is told of each record that is made, nil if nobody wants to know.
	made func(key string, r *study.Record)
	// slim tells that nobody looks at more of a record than what was asked for: the rest is not kept in memory,
	// which would grow with the number of points.
	slim bool
	// runs counts the replications that were run, and requests the requests in them.
	runs, requests atomic.Int64
	// interrupted is true once somebody wished to stop.
	interrupted atomic.Bool
	running     atomic.Pointer[evaluation]
	display     atomic.Pointer[func()]
}

// stop ends the replications that run and begins no more.
func (e *evaluator) stop() {
	e.interrupted.Store(true)
	if end := e.display.Load(); end != nil {
		(*end)()
	}
	if r := e.running.Load(); r != nil {
		r.stop()
	}
}

// evaluation is a batch of tasks while it is run.
type evaluation struct {
	*evaluator
	tasks []*pendingTask
	// begins are the numbers of the first jobs of the tasks: a job is one replication of a task.
	begins []int
	// controls are of the jobs that run, one for each worker at most.
	mu       sync.Mutex
	controls map[int]*sim.Control
	done     time.Duration
}

// pendingTask is a task while it is run. Its scenario is there from its first replication to its last.
type pendingTask struct {
	*task
	key      string
	once     sync.Once
	scenario *scenarios.Scenario
	invalid  string
	runs     []*reports.Collected
	left     atomic.Int32
}

// all returns the records of tasks, in their order. After a wish to stop some of them are nil.
func (e *evaluator) all(tasks []task) ([]*study.Record, error) {
	keys := make([]string, len(tasks))
	r := &evaluation{evaluator: e, controls: map[int]*sim.Control{}}
	jobs := 0
	var total time.Duration
	wanted := map[string]bool{}
	for i := range tasks {
		t := &tasks[i]
		run := t.run()
		keys[i] = run.Key()
		if e.records[keys[i]] != nil || wanted[keys[i]] {
			continue
		}
		wanted[keys[i]] = true
		p := &pendingTask{task: t, key: keys[i], runs: make([]*reports.Collected, t.replications)}
		p.left.Store(int32(t.replications))
		r.tasks, r.begins = append(r.tasks, p), append(r.begins, jobs)
		jobs += t.replications
		total += span(t.source.base) * time.Duration(t.replications)
	}
	if err := r.run(jobs, total); err != nil {
		return nil, err
	}
	out := make([]*study.Record, len(tasks))
	for i, key := range keys {
		out[i] = e.records[key]
	}
	return out, nil
}

// run runs so many jobs.
func (r *evaluation) run(jobs int, total time.Duration) error {
	r.running.Store(r)
	defer r.running.Store(nil)
	end := watchNoted(r.process, r.title, total, r.progress, r.note)
	defer end()
	r.display.Store(&end)
	return replicate(jobs, r.workers, &r.interrupted, r.one)
}

// progress is how much virtual time has passed in all jobs.
func (r *evaluation) progress() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	sum := r.done
	// Any order: a sum for the display.
	for _, c := range r.controls {
		sum += time.Duration(c.Now.Load())
	}
	return sum
}

// stop ends the jobs that run.
func (r *evaluation) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	// Any order: all of them stop.
	for _, c := range r.controls {
		c.Stop.Store(true)
	}
}

// one runs a job. The last one of a task makes its record.
func (r *evaluation) one(job int) error {
	number, exact := slices.BinarySearch(r.begins, job)
	if !exact {
		number--
	}
	t := r.tasks[number]
	t.once.Do(t.load)
	if t.invalid == "" {
		if err := r.replication(t, job, job-r.begins[number]); err != nil {
			return err
		}
	}
	if t.left.Add(-1) > 0 {
		return nil
	}
	return r.finish(t)
}

// load reads the scenario with the settings, or finds out why there is none.
func (t *pendingTask) load() {
	s, faults := t.source.with(t.settings)
	if !faults.HasErrors() {
		t.scenario = s
		return
	}
	t.invalid = firstError(faults)
}

// firstError says in a line what is wrong.
func firstError(faults scenarios.Diagnostics) string {
	for i := range faults {
		switch d := &faults[i]; {
		case d.Severity != scenarios.Error:
		case d.Legal == "":
			return d.Message
		default:
			return d.Message + ": legal: " + d.Legal
		}
	}
	return ""
}

// replication runs one replication of a task.
func (r *evaluation) replication(t *pendingTask, job, number int) error {
	control := &sim.Control{}
	r.mu.Lock()
	r.controls[job] = control
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.controls, job)
		r.done += span(t.source.base)
	}()
	if r.interrupted.Load() {
		return nil
	}
	collector := reports.NewCollector(reports.Untimed())
	observers := []sim.Observer{collector}
	parts := reports.Windows(t.asked)
	for _, part := range parts {
		observers = append(observers, part.Collector)
	}
	config := t.scenario.Config
	summary, err := sim.Run(&config, t.first+number, reports.Tee(observers...), control)
	switch {
	case err != nil:
		return runFault(t.scenario, err)
	case control.Stop.Load(): // it may have ended early: no record tells of that
		return nil
	}
	collected := collector.Collected(summary)
	for _, part := range parts {
		collected.Attach(part.Window, part.Collected(summary))
	}
	r.runs.Add(1)
	r.requests.Add(summary.Requests)
	t.runs[number] = collected
	return nil
}

// finish makes the record of a task whose replications have all been run.
func (r *evaluation) finish(t *pendingTask) error {
	var record *study.Record
	switch {
	case t.invalid != "":
		record = study.NotRunnable(t.run(), t.invalid)
	case slices.Contains(t.runs, nil):
		return nil // stopped
	default:
		info := reports.Info{Scenario: t.scenario.Name, KubernetesVersion: t.scenario.KubernetesVersion, Replications: t.replications}
		record = study.NewRecord(t.run(), reports.Merge(info, t.runs), t.asked)
	}
	t.runs, t.scenario = nil, nil
	if r.folder != nil {
		if err := r.folder.write(t.key, record); err != nil {
			return err
		}
	}
	if r.slim {
		record.Slim()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records[t.key] = record
	if r.made != nil {
		r.made(t.key, record)
	}
	return nil
}

// workersOf are so many as a flag says, or one for each core.
func workersOf(p *Process, given int) (int, error) {
	if given < 0 {
		return 0, usagef("", "--workers %d: legal are 1 and more", given)
	}
	return cmp.Or(given, p.NumCPU), nil
}
