package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/vary"
	"github.com/spf13/pflag"
)

// completionIndex is the variable in which Kubernetes tells a Pod of an indexed Job its number.
const completionIndex = "JOB_COMPLETION_INDEX"

// studyFlags are the flags of verbs that run many points.
type studyFlags struct {
	seed         uint64
	replications int
	workers      int
	results      string
	shardText    string
	shard        shard
	// given tells whether a flag was given.
	given func(string) bool
}

// register adds the flags to a verb.
func (f *studyFlags) register(flags *pflag.FlagSet) {
	f.registerRuns(flags)
	flags.StringVar(&f.shardText, "shard", "", "`i/n`: run only every n-th point, from number i on, 0 to n-1, or auto for that of the Job")
}

// registerRuns adds the flags of those that have no shards.
func (f *studyFlags) registerRuns(flags *pflag.FlagSet) {
	flags.Uint64Var(&f.seed, "seed", 0, "`number` that all random numbers derive from, in place of the scenarios'")
	flags.IntVar(&f.replications, "replications", 0, "`number` of independent runs of each point, in place of the scenarios'")
	flags.IntVar(&f.workers, "workers", 0, "`number` of runs side by side (default: one for each core)")
	flags.StringVar(&f.results, "results", "", "`folder` that keeps what was run, to stop and go on, and for shards")
}

// check checks the flags that need no file.
func (f *studyFlags) check(p *Process) error {
	if f.given("replications") && (f.replications < 1 || f.replications > replicationsMax) {
		return usagef("", "--replications %d: legal are 1 to %d", f.replications, replicationsMax)
	}
	if f.given("workers") && f.workers < 1 {
		return usagef("", "--workers %d: legal are 1 and more", f.workers)
	}
	var err error
	if f.workers, err = workersOf(p, f.workers); err != nil {
		return err
	}
	if f.given("results") && f.results == "" {
		return usagef("is a variable of the shell empty?", "--results: the folder has no name")
	}
	if !f.given("shard") {
		return nil
	}
	if f.results == "" {
		return usagef("name a folder, as in --results results", "--shard needs --results: where else would its points go?")
	}
	f.shard, err = parseShard(f.shardText, p.Env(completionIndex))
	return err
}

// words are the flags that change what is run, as a user would give them again.
func (f *studyFlags) words() []string {
	var out []string
	if f.given("seed") {
		out = append(out, "--seed", strconv.FormatUint(f.seed, 10))
	}
	if f.given("replications") {
		out = append(out, "--replications", strconv.Itoa(f.replications))
	}
	return out
}

// sources reads the scenarios.
func (f *studyFlags) sources(p *Process, args []string, v *variationFlags) ([]*studied, error) {
	options, err := v.options(p)
	if err != nil {
		return nil, err
	}
	var seed *uint64
	if f.given("seed") {
		seed = &f.seed
	}
	return studiedOf(p, args, options, seed, f.replications)
}

// evaluator makes what runs the points, with those that the folder has.
func (f *studyFlags) evaluator(p *Process, s *study.Study) (*evaluator, error) {
	e := &evaluator{process: p, workers: f.workers, records: map[string]*study.Record{}, title: s.Scenarios[0].Name}
	p.stopper.onStop(e.stop)
	if f.results == "" {
		return e, nil
	}
	var err error
	if e.folder, err = openStudy(p, f.results, s); err != nil {
		return nil, err
	}
	e.records, err = e.folder.read()
	return e, err
}

// tellStopped says what there is after an interruption, and how to go on.
func (f *studyFlags) tellStopped(p *Process, done, all int) {
	if f.results == "" {
		fmt.Fprintf(p.Stderr, "%d of %d runs were made, and are lost; with --results FOLDER they would be kept\n", done, all)
		return
	}
	fmt.Fprintf(p.Stderr, "%d of %d runs are in %s; the same command goes on from there\n", done, all, f.results)
}

// shard is one of several parts of the work. The zero value is all of it.
type shard struct{ index, count int }

func (s *shard) String() string { return fmt.Sprintf("%d/%d", s.index, s.count) }

// parseShard reads i/n, with the index that a Job gives for auto.
func parseShard(text, completion string) (shard, error) {
	const legal = "such as 0/4 to 3/4, or auto/4"
	index, count, ok := strings.Cut(text, "/")
	n, err := strconv.Atoi(count)
	if !ok || err != nil || n < 1 {
		return shard{}, usagef(legal, "--shard %s: i/n is needed, a part and their number", text)
	}
	if index == "auto" {
		if completion == "" {
			return shard{}, usagef("say it: "+legal, "--shard %s: %s is not set, so this is no Pod of an indexed Job", text, completionIndex)
		}
		index = completion
	}
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= n {
		return shard{}, usagef(legal, "--shard %s: the part %s is none of 0 to %d", text, index, n-1)
	}
	return shard{i, n}, nil
}

// of are the tasks of the shard. They are dealt one by one, so that all shards have some of the
// expensive ones.
func (s *shard) of(tasks []task) []task {
	if s.count == 0 {
		return tasks
	}
	var out []task
	for i := s.index; i < len(tasks); i += s.count {
		out = append(out, tasks[i])
	}
	return out
}

// designFlags tell which points are tried.
type designFlags struct {
	vary   []string
	plan   string
	sample int
	given  func(string) bool
}

func (f *designFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.vary, "vary", nil, "`PATH=VALUES` to try: 32,64,128 or 200..800:100 or 16..512:*2; may repeat")
	flags.StringVar(&f.plan, "plan", "", "`file` with the points as a table in CSV, in place of --vary: paths in the first row")
	flags.IntVar(&f.sample, "sample", 0, "`number` of points of a Latin hypercube, in place of all combinations")
	f.given = flags.Changed
}

// design makes the points.
func (f *designFlags) design(p *Process, seed uint64) (*vary.Design, error) {
	switch {
	case f.plan != "" && (len(f.vary) > 0 || f.given("sample")):
		return nil, usagef("", "--plan stands in place of --vary and --sample")
	case f.plan != "":
		return f.planned(p)
	case len(f.vary) == 0:
		return nil, usagef("for example --vary priorityLevel/workload-low.queues=32,64,128", "nothing to vary")
	}
	factors, err := factorsOf(varyFlag, f.vary)
	if err != nil {
		return nil, err
	}
	if f.given("sample") {
		if f.sample < 1 || f.sample > vary.MaxPoints {
			return nil, usagef("", "--sample %d: legal are 1 to %d", f.sample, vary.MaxPoints)
		}
		return vary.Latin(factors, f.sample, seed), nil
	}
	if _, ok := vary.Size(factors); !ok {
		return nil, usagef("give fewer values, or --sample 1000", "these are more than %d points", vary.MaxPoints)
	}
	return vary.Grid(factors), nil
}

// words are the flags as a user would give them again.
func (f *designFlags) words(inside func(string) string) []string {
	var out []string
	for _, text := range f.vary {
		out = append(out, varyFlag, text)
	}
	if f.plan != "" {
		out = append(out, "--plan", inside(f.plan))
	}
	if f.given("sample") {
		out = append(out, "--sample", strconv.Itoa(f.sample))
	}
	return out
}

// factorsOf reads the factors of a flag.
func factorsOf(flag string, texts []string) ([]vary.Factor, error) {
	var out []vary.Factor
	seen := map[string]bool{}
	for _, text := range texts {
		factor, err := vary.Parse(text)
		if err != nil {
			return nil, markedFault(flag, err)
		}
		if seen[factor.Path] {
			return nil, usagef("give all values at once, as in PATH=1,2,3", "%s: the path %s is there twice", flag, factor.Path)
		}
		seen[factor.Path] = true
		out = append(out, factor)
	}
	return out, nil
}

// planned reads the points from a file.
func (f *designFlags) planned(p *Process) (*vary.Design, error) {
	text, err := readInput(p, f.plan)
	if err != nil {
		return nil, badInput{scenarios.Diagnostics{{File: inputName(f.plan), Line: 1, Column: 1, Code: scenarios.CodeUnreadable,
			Severity: scenarios.Error, Message: "cannot read the plan: " + fileReason(err), Legal: "a table in CSV"}}}
	}
	design, faults := vary.ReadPlan(inputName(f.plan), strings.NewReader(string(text)))
	if len(faults) > 0 {
		return nil, badInput{faults}
	}
	return design, nil
}
