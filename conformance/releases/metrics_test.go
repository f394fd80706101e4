package releases

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/conformance/fullrun"
	"github.com/apfsim/apfsim/reports/exposition"
	"github.com/apfsim/apfsim/scheduler/release"
)

var metricsCases = flag.Int("metrics", 4, "compare the metrics of this many drawn cases with each release")

// rare are metrics that need not come up: virtual time jumps back after years, or if it has gone wrong, and few
// cases have a wide request that finds too few seats free.
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
	if _, err := fullrun.Nudge(c.Random(), config, r.Trace); err != nil {
		t.Fatal(err)
	}
	if err := o.writeScenario(folder, r); err != nil {
		t.Fatal(err)
	}
	if config, err = fullrun.LoadOurs(folder); err != nil {
		t.Fatal(err)
	}
	times := fullrun.ScrapeTimes(r.Trace)
	for _, at := range times {
		r.Scrapes = append(r.Scrapes, fullrun.Duration(at))
	}
	ours, err := fullrun.ScrapeOurs(config, times)
	if err != nil {
		t.Fatal(err)
	}
	theirs := o.ask(t, question{Replay: r}).Replay.Scrapes
	d, err := fullrun.CompareScrapes(theirs, ours, o.anyValue)
	if err != nil || d != "" {
		t.Error(d, err)
	}
	for _, s := range theirs {
		families, err := s.Families()
		if err != nil {
			t.Fatal(err)
		}
		for name := range families {
			told[name] = true
		}
	}
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
	if !o.since(24) && name == "apiserver_flowcontrol_priority_level_seat_count_watermarks" && strings.Contains(labels, "priority_level=catch-all") {
		// A known difference, see docs/metrics.md: the first window of this level is another one.
		return true
	}
	return o.since(31) && fullrun.AnyTarget(name, labels)
}
