package releases

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/conformance/fullrun"
	"github.com/apfsim/apfsim/conformance/oracle/driver/wire"
	"github.com/apfsim/apfsim/reports/exposition"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
)

var metricsCases = flag.Int("metrics", 4, "compare the metrics of this many drawn cases with each release")

// rare are metrics that need not come up: virtual time is wound back after days (see TestEpochs), and few cases have a
// wide request that finds too few seats free.
var rare = map[string]bool{
	"apiserver_flowcontrol_epoch_advance_total":                     true,
	"apiserver_flowcontrol_request_dispatch_no_accommodation_total": true,
}

// TestMetrics draws scenarios with traffic and compares what the simulator and each release tell Prometheus.
// All that the simulator can tell of a release has to come up.
func TestMetrics(t *testing.T) {
	for _, o := range selected(t) {
		t.Run(o.name, func(t *testing.T) {
			told := map[string]bool{}
			for i := range *metricsCases {
				seed := *swarmSeed + uint64(i)
				t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { o.compareMetrics(t, seed, told) })
			}
			for _, m := range exposition.Metrics(o.version) {
				if told[m.Name] {
					continue
				}
				// 1.23 has the metric of watches and never tells it: it does not look at writes yet.
				if rare[m.Name] || !o.since(24) && m.Name == "apiserver_flowcontrol_watch_count_samples" {
					t.Logf("%s has not come up", m.Name)
				} else {
					t.Errorf("%s has not come up", m.Name)
				}
			}
		})
	}
}

// compareMetrics compares the metrics of one drawn case, and notes which the release tells.
func (o *oracle) compareMetrics(t *testing.T, seed uint64, told map[string]bool) {
	o.start(t) // a program can be scraped once
	c, err := o.draw(seed)
	if err != nil {
		t.Fatal(err)
	}
	c.Scenario.Changes = nil
	config := o.load(t, c)
	if _, err := fullrun.Nudge(c.Random(), config, c.Trace); err != nil {
		t.Fatal(err)
	}
	for _, s := range o.compareScrapes(t, c) {
		families, err := fullrun.Families(s)
		if err != nil {
			t.Fatal(err)
		}
		for name := range families {
			told[name] = true
		}
	}
}

// load returns the case as the simulator reads it.
func (o *oracle) load(t *testing.T, c *fullrun.Case) *sim.Config {
	t.Helper()
	r, err := o.request(c.Scenario, c.Trace)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := o.writeScenario(folder, r); err != nil {
		t.Fatal(err)
	}
	config, err := fullrun.LoadOurs(folder)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// compareScrapes compares the metrics of a case, in which no events coincide, and returns those of the release.
func (o *oracle) compareScrapes(t *testing.T, c *fullrun.Case) []fullrun.Scrape {
	t.Helper()
	times := fullrun.ScrapeTimes(c.Trace)
	ours, err := fullrun.ScrapeOurs(o.load(t, c), times)
	if err != nil {
		t.Fatal(err)
	}
	r, err := o.request(c.Scenario, c.Trace)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range times {
		r.Scrapes = append(r.Scrapes, fullrun.Duration(at))
	}
	theirs := o.ask(t, wire.Question{Replay: r}).Replay.Scrapes
	d, err := fullrun.CompareScrapes(theirs, ours, o.anyValue)
	if err != nil || d != "" {
		t.Error(d, err)
	}
	return theirs
}

// anyValue tells whether the values of a series cannot be compared. In releases that look for requests that have
// waited for too long when another one arrives, these leave before that one queues. The simulator tells of
// them afterwards, so that the highest and lowest numbers of waiting requests may be off by these.
func (o *oracle) anyValue(name, labels string) bool {
	if release.For(o.version).Waiting.LimitedAtArrival {
		switch {
		case name == "apiserver_current_inqueue_requests":
			return true
		case strings.HasSuffix(name, "_watermarks") && strings.Contains(labels, "phase=waiting"):
			return true
		}
	}
	return o.since(31) && fullrun.AnyTarget(name, labels)
}
