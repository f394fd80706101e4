package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/apfsim/apfsim/scenarios"
	metrics "github.com/apfsim/apfsim/scenarios/observed"
	"github.com/apfsim/apfsim/scheduler/release"
)

// formObserved is what was observed, as a target.
const formObserved = "observed"

// metricsFlags are the flags of `apfsim import metrics`.
type metricsFlags struct {
	configuration configurationFlags
	every, lead   time.Duration
	instance      string
	flows         int
	try, strict   bool
	output        outputFlag
}

// importMetricsCommand makes `apfsim import metrics`.
func importMetricsCommand(p *Process) *cobra.Command {
	var f metricsFlags
	c := &cobra.Command{
		Use:   "metrics [TIME=]FILE...",
		Short: "Turn metrics of API servers into a scenario",
		Long: `Turn metrics of API servers into a scenario whose traffic does what they have counted, and
into what was observed, as a target. A FILE is a scrape of /metrics, in the text format of
Prometheus or OpenMetrics, or an answer of Prometheus to query_range, as JSON; plain or gzip;
- is the standard input. One scrape tells of all since the server started, several of what
happened between them.

  curl -G $PROMETHEUS/api/v1/query_range --data-urlencode 'query={__name__=~"apiserver_flowcontrol_.*"}' ...

Scrapes do not tell their time. It follows from how long the server has measured its seats, or
is given: TIME=FILE says how long after its start the server was scraped, --every how far apart
the scrapes are.

The scenario goes to the standard output or to -o scenario=FILE. What was left out or assumed
is told on the standard error, and beside it in the scenario.`,
		Example: `  apfsim import metrics 10h=before.prom 10h1m=after.prom -o scenario=incident.yaml -o observed=observed.json
  apfsim import metrics range.json.gz --instance 10.0.0.1:6443 -f flowcontrol.yaml -o scenario=incident.yaml`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return f.run(p, args) },
	}
	f.register(c)
	return c
}

// register adds the flags to a command.
func (f *metricsFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVarP(&f.configuration.filenames, "filename", "f", nil, "`file` or folder of the manifests that were in force; may repeat")
	flags.BoolVarP(&f.configuration.recursive, "recursive", "R", false, "read the folders within folders too")
	flags.StringVar(&f.configuration.version, "kubernetes-version", "", "`release` of the server; without it, what it says of itself, or the newest that has such metrics")
	flags.BoolVar(&f.configuration.noDefaults, "no-defaults", false, "leave out the suggested objects that come with the release")
	flags.StringVar(&f.configuration.validate, validateFlag, string(scenarios.ValidateStrict), validateUsage)
	f.configuration.changed = flags.Changed
	flags.DurationVar(&f.every, "every", 0, "`time` between scrapes that do not tell theirs, as 60s")
	flags.DurationVar(&f.lead, "lead", time.Minute, "`time` for which the scenario runs before what was observed, as its warm-up; not after a start of the server")
	flags.StringVar(&f.instance, "instance", "", "`name` of the one API server that is wanted, as the label instance has it")
	flags.IntVar(&f.flows, "flows", 0, "`number` of flows of each flow schema; 0 takes it from the lengths of the queues, or else assumes 10")
	flags.BoolVar(&f.try, "try", true, "where requests waited or were rejected, run the scenario with several numbers of flows, bursts, retries and beginnings, and take what comes nearest to what was observed; up to 12 million requests in all")
	flags.BoolVar(&f.strict, "strict", false, "fail if anything is malformed")
	f.output.register(c, "scenario, or observed, the target, as JSON; FORM=FILE writes a file, and -o may repeat")
}

// run imports metrics.
func (f *metricsFlags) run(p *Process, args []string) error {
	files, err := f.files(args)
	if err != nil {
		return err
	}
	targets, err := f.output.targets(formScenario, formObserved)
	if err != nil {
		return err
	}
	r := &metrics.Reader{Instance: f.instance}
	for _, file := range files {
		if err := readRecord(p, file.name, 0, func(name string, _ int32, text io.Reader) error { return r.Read(name, file.at, text) }); err != nil {
			return err
		}
	}
	if f.strict && r.Account.Malformed > 0 {
		writeFaults(p.Stderr, &r.Account)
		return inputf("leave --strict out to go on without them", "%d malformed lines", r.Account.Malformed)
	}
	seen, err := f.observe(p, r)
	if err != nil {
		return err
	}
	fitted, err := f.fit(p, r, seen, targets)
	if err != nil {
		return err
	}
	if err := writeMetrics(p, targets, seen, fitted); err != nil {
		return err
	}
	writeMetricsAccount(p.Stderr, r, seen)
	return nil
}

// scraped is a file and when it was scraped, negative if that is not told.
type scraped struct {
	name string
	at   time.Duration
}

// files takes the arguments apart: FILE, or TIME=FILE.
func (f *metricsFlags) files(args []string) ([]scraped, error) {
	if len(args) == 0 {
		return nil, usagef("name a file, or - for the standard input", "no file to import")
	}
	if f.every < 0 || f.lead < 0 || f.flows < 0 {
		return nil, usagef("", "--every, --lead and --flows are not negative")
	}
	var all []scraped
	for _, arg := range args {
		file := scraped{arg, -1}
		if text, name, cut := strings.Cut(arg, "="); cut {
			if d, err := time.ParseDuration(text); err == nil && d >= 0 {
				file = scraped{name, d}
			}
		}
		if file.name == "" {
			return nil, usagef("write TIME=FILE", "%q names no file", arg)
		}
		all = append(all, file)
	}
	return all, nil
}

// observe makes intervals of what was read.
func (f *metricsFlags) observe(p *Process, r *metrics.Reader) (*metrics.Observation, error) {
	if r.Account.Requests == 0 {
		writeFaults(p.Stderr, &r.Account)
		if f.instance != "" {
			return nil, inputf("the label instance has the name", "there is no metric of API Priority and Fairness of the instance %s", f.instance)
		}
		return nil, inputf("their names begin with apiserver_flowcontrol_", "there is no metric of API Priority and Fairness in it")
	}
	seen, problems := r.Observe(f.every)
	if len(problems) > 0 || !seen.Sound() {
		writeFaults(p.Stderr, &r.Account)
		problem := "there is nothing between the scrapes"
		if len(problems) > 0 {
			problem = problems[0]
		}
		return nil, inputf("say how long after the start of the server each was scraped, as in 10h=before.prom 10h1m=after.prom, or how far apart they are, as in --every 60s", "%s", problem)
	}
	return seen, nil
}

// fit makes the scenario, if it is asked for.
func (f *metricsFlags) fit(p *Process, r *metrics.Reader, seen *metrics.Observation, targets []target) (*metrics.Fitted, error) {
	var to *target
	for i := range targets {
		if targets[i].form == formScenario {
			to = &targets[i]
		}
	}
	if to == nil {
		return nil, nil
	}
	options, err := f.configuration.options()
	if err != nil {
		return nil, err
	}
	if options.Release == (release.Version{}) {
		var told bool
		if options.Release, told = seen.Release(); !told {
			r.Account.Assume(fmt.Sprintf("release %s, the newest with such metrics: give --kubernetes-version", options.Release))
		}
	}
	loaded, faults := scenarios.LoadConfiguration(f.configuration.filenames, scenarioFiles{p.FS, p.Stdin}, options)
	if faults.HasErrors() {
		return nil, badInput{faults}
	}
	fmt.Fprint(p.Stderr, faults)
	o := metrics.Options{Configuration: loaded, NoDefaults: f.configuration.noDefaults, Flows: f.flows, Lead: f.lead}
	for _, name := range f.configuration.filenames {
		o.Manifests = append(o.Manifests, relativeTo(to.file, name))
	}
	fitted := seen.Fit(&o, &r.Account)
	if len(fitted.Populations) == 0 {
		writeMetricsAccount(p.Stderr, r, seen)
		return nil, inputf("give the objects that were in force with --filename", "there are no arrivals that the configuration knows of")
	}
	if f.try {
		if err := p.trySettings(fitted, seen, to.file); err != nil {
			return nil, err
		}
	}
	return fitted, nil
}

// writeMetrics writes all outputs.
func writeMetrics(p *Process, targets []target, seen *metrics.Observation, fitted *metrics.Fitted) error {
	files := newOutputs(p)
	defer files.discard()
	for _, t := range targets {
		var w io.Writer = p.Stdout
		if t.file != "" {
			var err error
			if w, err = files.create(t.file); err != nil {
				return err
			}
		}
		var err error
		if t.form == formScenario {
			err = fitted.Write(w, "imported")
		} else {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			err = e.Encode(seen.Observed)
		}
		if err != nil {
			return cannotWrite(inputName(t.file), err)
		}
	}
	return files.commit()
}

// writeMetricsAccount tells what was read, what was left out and what was assumed.
func writeMetricsAccount(w io.Writer, r *metrics.Reader, seen *metrics.Observation) {
	a := &r.Account
	fmt.Fprintf(w, "%-11s %d, of %d lines read\n", "samples", a.Requests, a.Lines)
	for i := range seen.Servers {
		s := &seen.Servers[i]
		last := s.Intervals[len(s.Intervals)-1].Until
		name := s.Name
		if name == "" {
			name = "the server"
		}
		fmt.Fprintf(w, "%-11s %d intervals of %s, over %v\n", "observed", len(s.Intervals), name, time.Duration(last))
	}
	writeEntries(w, "left out", a.LeftOut)
	writeEntries(w, "assumed", a.Assumed)
	writeEntries(w, "noted", a.Notes)
	writeFaults(w, a)
}
