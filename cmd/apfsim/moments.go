package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/dump"
	"github.com/apfsim/apfsim/reports/exposition"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/spf13/pflag"
)

// The forms that are about moments of a run.
const (
	formPrometheus  = "prometheus"
	formOpenMetrics = "openmetrics"

	formDumpLevels   = "dump_priority_levels"
	formDumpQueues   = "dump_queues"
	formDumpRequests = "dump_requests"
	formDumpDetails  = "dump_requests_details"
	formDumpWhole    = "dump_whole"
)

var (
	// dumpForms are the debug pages, by the server's own names; the last one is that of requests
	// with includeRequestDetails.
	dumpForms = []string{formDumpLevels, formDumpQueues, formDumpRequests, formDumpDetails, formDumpWhole}
	// serverForms are what the servers of one scenario tell.
	serverForms = append([]string{formPrometheus, formOpenMetrics}, dumpForms...)
)

// momentFlags are the flags about moments of a run.
type momentFlags struct {
	at    []time.Duration
	epoch string
	every time.Duration
}

// register adds the flags that choose moments for a form.
func (m *momentFlags) register(flags *pflag.FlagSet) {
	flags.DurationSliceVar(&m.at, "at", nil, "`time` in the run, as 5m, that -o prometheus and -o dump_... are about in place of the end; may repeat")
	flags.StringVar(&m.epoch, "epoch", defaultEpoch, "`time` of day at the start of the run, for -o openmetrics, audit and httplog")
}

// registerEvery adds the flag that makes moments.
func (m *momentFlags) registerEvery(flags *pflag.FlagSet) {
	flags.DurationVar(&m.every, "every", defaultEvery, "`time` between two scrapes for -o openmetrics")
}

// The defaults: an epoch that is easily told from real time, and the scrape interval of many who have set one.
const (
	defaultEpoch = "2020-01-01T00:00:00Z"
	defaultEvery = 15 * time.Second
)

// moment is when a form is about a run: at a time, or at the end.
type moment struct {
	at    time.Duration
	given bool
	// epoch is the time of day at the start of the run.
	epoch time.Time
}

// name stands for the moment in the name of a file.
func (m moment) name() string {
	if !m.given {
		return "end"
	}
	return m.at.String()
}

// place is where the name of a file has the moment.
const place = "{at}"

// targets checks the flags and gives targets their moments: one for each, where a form is about one.
func (m *momentFlags) targets(targets []target) ([]target, error) {
	epoch, err := time.Parse(time.RFC3339, cmp.Or(m.epoch, defaultEpoch)) // a verb may lack the flag
	if err != nil {
		return nil, usagef("write a time as in "+defaultEpoch, "--epoch %q is no time", m.epoch)
	}
	slices.Sort(m.at)
	m.at = slices.Compact(m.at)
	if len(m.at) > 0 && m.at[0] < 0 {
		return nil, usagef("", "--at %v: legal are 0s and more", m.at[0])
	}
	moments := []moment{{epoch: epoch}}
	if len(m.at) > 0 {
		moments = nil
		for _, at := range m.at {
			moments = append(moments, moment{at, true, epoch})
		}
	}
	var all []target
	for _, t := range targets {
		if t.form != formPrometheus && !slices.Contains(dumpForms, t.form) {
			t.moment = moment{epoch: epoch}
			all = append(all, t)
			continue
		}
		if len(moments) > 1 && !strings.Contains(t.file, place) {
			return nil, usagef("give each its own file, as in -o "+t.form+"=FILE-{at}", "-o %s is about one time, got %d", t.form, len(moments))
		}
		for _, when := range moments {
			at := t
			at.moment, at.file = when, strings.ReplaceAll(t.file, place, when.name())
			all = append(all, at)
		}
	}
	return all, distinct(all)
}

// scrapesMax bounds how often the servers are scraped in one run: each scrape stays in memory
// until the end, with a few hundred series.
const scrapesMax = 2000

// afterTrace is for how long scrapes go on after the last request of a trace has arrived.
const afterTrace = time.Hour

// looks returns the times at which the run of a scenario is looked at, for forms that are asked for.
func (m *momentFlags) looks(s *scenarios.Scenario, targets []target, given func(string) bool) ([]time.Duration, error) {
	looks := slices.Clone(m.at)
	if !given("every") && !wants(targets, formOpenMetrics) {
		return looks, nil
	}
	if m.every < time.Millisecond {
		return nil, usagef("", "--every %v: legal are 1ms and more", m.every)
	}
	end, servers := span(s), max(s.Config.Servers, 1)
	if n := (int64(end/m.every) + 2) * int64(servers); n > scrapesMax {
		fits := (end/time.Duration(max(scrapesMax/servers-2, 1)) + time.Second).Truncate(time.Second)
		return nil, &fault{
			code: exitLimit,
			message: fmt.Sprintf("%s: scrapes of %d servers every %v for %v are %d, more than %d",
				s.File, servers, m.every, end, n, scrapesMax),
			hint: fmt.Sprintf("scrape less often, as with --every %v", fits),
		}
	}
	if s.Config.Duration == 0 {
		end += afterTrace
	}
	for at := time.Duration(0); at < end && len(looks) < scrapesMax/servers; at += m.every {
		looks = append(looks, at)
	}
	slices.Sort(looks)
	return slices.Compact(looks), nil
}

// wants tells whether one of some forms is asked for.
func wants(targets []target, forms ...string) bool { return wanted(targets, forms) != "" }

// wanted returns the first that is asked for of some forms, or "".
func wanted(targets []target, forms []string) string {
	for _, t := range targets {
		if slices.Contains(forms, t.form) {
			return t.form
		}
	}
	return ""
}

// scraped tells whether what the servers tell Prometheus has to be in the results.
func (m *momentFlags) scraped(targets []target, given func(string) bool) bool {
	return given("at") || given("every") || wants(targets, formPrometheus, formOpenMetrics)
}

// dumped tells whether the debug pages of the servers have to be in the results.
func (m *momentFlags) dumped(targets []target, given func(string) bool) bool {
	return given("at") || wants(targets, dumpForms...)
}

// writePrometheus writes what the servers would have told at a moment.
func writePrometheus(w io.Writer, results []*reports.Result, s screen) error {
	at, err := toldThen(formPrometheus, results, s.moment)
	if err != nil {
		return err
	}
	return exposition.WriteText(w, results[0], at)
}

// writeOpenMetrics writes what the servers would have told at all moments.
func writeOpenMetrics(w io.Writer, results []*reports.Result, s screen) error {
	if _, err := toldThen(formOpenMetrics, results, s.moment); err != nil {
		return err
	}
	return exposition.WriteOpenMetrics(w, results[0], s.moment.epoch)
}

// toldThen returns the time that a form is about, of which the one result holds what the servers
// tell Prometheus.
func toldThen(form string, results []*reports.Result, m moment) (time.Duration, error) {
	if err := single(form, results); err != nil {
		return 0, err
	}
	r := results[0]
	return held(r, m, "what the servers tell Prometheus", "--at 5m, or --every 15s for -o "+formOpenMetrics, exposition.Times(r))
}

// writePage makes the writer of a debug page of all servers at a moment.
func writePage(form string, page func(*reports.Dump) string) func(io.Writer, []*reports.Result, screen) error {
	return func(w io.Writer, results []*reports.Result, s screen) error {
		if err := single(form, results); err != nil {
			return err
		}
		r := results[0]
		at, err := held(r, s.moment, "the debug pages of the servers", "--at 5m", dump.Times(r))
		if err != nil {
			return err
		}
		return dump.Write(w, r, at, page)
	}
}

// single refuses more results than one, whose rows and series would be the same.
func single(form string, results []*reports.Result) error {
	if len(results) > 1 {
		return usagef("write them one by one", "-o %s takes one result, got %d", form, len(results))
	}
	return nil
}

// held returns the time that a form is about, the last one if none was given, out of the times
// of which a result holds something. If it does not, flags make one that does.
func held(r *reports.Result, m moment, something, flags string, times []time.Duration) (time.Duration, error) {
	name := r.Metadata.Name
	down := ""
	if slices.ContainsFunc(r.Servers, func(s reports.ServerUse) bool { return s.Stops > 0 }) {
		down = "; its servers stop during the run, and tell nothing while they are down"
	}
	switch {
	case len(times) == 0 && down != "" && m.given:
		return 0, inputf("choose a time at which a server is up", "the result of %s does not hold %s at %v%s", name, something, m.at, down)
	case len(times) == 0:
		return 0, inputf("make it with apfsim run "+shellWord(name)+" -o json=FILE "+flags, "the result of %s does not hold %s", name, something)
	case !m.given:
		return times[len(times)-1], nil
	case slices.Contains(times, m.at):
		return m.at, nil
	}
	var known []string
	for _, at := range times {
		known = append(known, at.String())
	}
	const most = 10
	if n := len(known); n > most {
		known = append(known[:most:most], fmt.Sprintf("%d others", n-most))
	}
	return 0, inputf("it holds that of "+strings.Join(known, ", "), "the result of %s does not hold %s at %v%s", name, something, m.at, down)
}
