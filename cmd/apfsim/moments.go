package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/exposition"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/spf13/pflag"
)

// The forms that are about moments of a run.
const (
	formPrometheus  = "prometheus"
	formOpenMetrics = "openmetrics"
)

// momentFlags are the flags about moments of a run.
type momentFlags struct {
	at    []time.Duration
	epoch string
	every time.Duration
}

// register adds the flags that choose moments for a form.
func (m *momentFlags) register(flags *pflag.FlagSet) {
	flags.DurationSliceVar(&m.at, "at", nil, "`time` in the run, as 5m, that -o prometheus is about in place of the end; may repeat")
	flags.StringVar(&m.epoch, "epoch", defaultEpoch, "`time` of day at the start of the run, for -o openmetrics")
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
		if t.form != formPrometheus {
			t.moment = moment{epoch: epoch}
			all = append(all, t)
			continue
		}
		if len(moments) > 1 && !strings.Contains(t.file, place) {
			return nil, usagef("give each its own file, as in -o prometheus=metrics-{at}.prom", "-o prometheus is about one time, got %d", len(moments))
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

// wants tells whether a form is asked for.
func wants(targets []target, forms ...string) bool {
	return slices.ContainsFunc(targets, func(t target) bool { return slices.Contains(forms, t.form) })
}

// scraped tells whether what the servers tell Prometheus has to be in the results.
func (m *momentFlags) scraped(targets []target, given func(string) bool) bool {
	return given("at") || given("every") || wants(targets, formPrometheus, formOpenMetrics)
}

// writePrometheus writes what the servers would have told at a moment.
func writePrometheus(w io.Writer, results []*reports.Result, s screen) error {
	if err := single(formPrometheus, results); err != nil {
		return err
	}
	r, at := results[0], s.moment.at
	if times := exposition.Times(r); !s.moment.given && len(times) > 0 {
		at = times[len(times)-1]
	}
	return withoutMetrics(r, s.moment, exposition.WriteText(w, r, at))
}

// writeOpenMetrics writes what the servers would have told at all moments.
func writeOpenMetrics(w io.Writer, results []*reports.Result, s screen) error {
	if err := single(formOpenMetrics, results); err != nil {
		return err
	}
	return withoutMetrics(results[0], s.moment, exposition.WriteOpenMetrics(w, results[0], s.moment.epoch))
}

// single refuses more results than one, whose series would be the same.
func single(form string, results []*reports.Result) error {
	if len(results) > 1 {
		return usagef("write them one by one", "-o %s takes one result, got %d", form, len(results))
	}
	return nil
}

// withoutMetrics says what to do about metrics that are not in a result.
func withoutMetrics(r *reports.Result, m moment, err error) error {
	name := r.Metadata.Name
	switch {
	case errors.Is(err, exposition.ErrNone):
		return inputf("make it with apfsim run "+shellWord(name)+" -o json=FILE --at 5m, or --every 15s for -o openmetrics",
			"the result of %s does not hold what the servers tell Prometheus", name)
	case errors.Is(err, exposition.ErrNotThen):
		var held []string
		for _, at := range exposition.Times(r) {
			held = append(held, at.String())
		}
		const most = 10
		if n := len(held); n > most {
			held = append(held[:most:most], fmt.Sprintf("%d others", n-most))
		}
		return inputf("it holds that of "+strings.Join(held, ", "), "the result of %s does not hold what the servers tell Prometheus at %v", name, m.at)
	}
	return err
}
