package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	metrics "github.com/apfsim/apfsim/scenarios/observed"
	"github.com/apfsim/apfsim/workload/recording"
)

// fittedToMetrics runs a scenario, scrapes it twice, 60 s apart, imports the scrapes, runs what comes out and scrapes
// that at the same times of its own. It returns what was observed of the one and of the other.
func fittedToMetrics(t *testing.T, scenario string, from, until time.Duration, set ...string) (seen, again *recording.Observed) {
	t.Helper()
	files := map[string]string{}
	scrape := func(name, scenario string, from, until time.Duration, set ...string) {
		args := []string{"run", scenario, "--replications", "1", "-o", "prometheus=" + name + "-{at}.prom", "--at", from.String(), "--at", until.String()}
		p := newProcess(files, append(args, set...)...)
		if code := run(&p.Process); code > 1 {
			t.Fatalf("%v: %s", args, p.err.String())
		}
		maps.Copy(files, p.fs.files)
	}
	observe := func(name string, from, until time.Duration) *recording.Observed {
		var r metrics.Reader
		for _, at := range []time.Duration{from, until} {
			if err := r.Read(name, at, strings.NewReader(files[name+"-"+at.String()+".prom"])); err != nil {
				t.Fatal(err)
			}
		}
		o, problems := r.Observe(0)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return &o.Observed
	}
	scrape("seen", scenario, from, until, set...)
	p := newProcess(files, "import", "metrics", "seen-"+from.String()+".prom", "seen-"+until.String()+".prom", "-o", "scenario=fit.yaml")
	if code := run(&p.Process); code != 0 {
		t.Fatal(p.err.String())
	}
	maps.Copy(files, p.fs.files)
	lead := from // of a young server it is all that was before
	scrape("again", "fit.yaml", lead, lead+until-from)
	return observe("seen", from, until), observe("again", lead, lead+until-from)
}

// levelSums adds up the rejections and waits of each level.
func levelSums(o *recording.Observed) map[string]*recording.ObservedCell {
	out := map[string]*recording.ObservedCell{}
	for _, c := range o.Servers[0].Intervals[0].Cells {
		l := out[c.PriorityLevel]
		if l == nil {
			l = &recording.ObservedCell{Rejected: map[string]int64{}}
			out[c.PriorityLevel] = l
		}
		l.Arrivals += c.Arrivals
		for reason, n := range c.Rejected {
			l.Rejected[reason] += n
		}
		switch {
		case l.Wait == nil:
			l.Wait = c.Wait
		case c.Wait != nil:
			for i := range c.Wait.Counts {
				l.Wait.Counts[i] += c.Wait.Counts[i]
			}
		}
	}
	return out
}

// TestMetricsAreReproduced holds what fitted scenarios do against what they were fitted to, where one
// server has steady traffic: each reason for rejections within 5 %, of the rejections of the level where it is
// one of few, and the p99 of the wait within 10 %.
func TestMetricsAreReproduced(t *testing.T) {
	for _, c := range []struct {
		scenario    string
		from, until time.Duration
		set         []string
	}{
		{"elephants-and-mice", time.Minute, 2 * time.Minute, nil},
		{"event-flood", 3 * time.Minute, 4 * time.Minute, nil},
		{"one-user-floods-global-default", time.Minute, 2 * time.Minute, []string{"--set", "duration=2m"}},
	} {
		if c.set == nil && !*everything {
			continue // they take long
		}
		t.Run(c.scenario, func(t *testing.T) {
			seen, again := fittedToMetrics(t, c.scenario, c.from, c.until, c.set...)
			want, got := levelSums(seen), levelSums(again)
			for _, name := range slices.Sorted(maps.Keys(want)) {
				w, g := want[name], got[name]
				if g == nil {
					t.Fatalf("%s: nothing came there", name)
				}
				all := float64(w.Rejections())
				for _, reason := range []string{"queue-full", "time-out", "concurrency-limit"} {
					if a, b := w.Rejected[reason], g.Rejected[reason]; math.Abs(float64(a-b)) > 0.05*all {
						t.Errorf("%s: %d rejections for %s, fitted to %d", name, b, reason, a)
					}
				}
				a, b := w.Wait.Quantile(0.99), g.Wait.Quantile(0.99)
				if w.Wait.Count() > 1000 && math.Abs(a-b) > 0.1*a {
					t.Errorf("%s: p99 of the wait %v, fitted to %v", name, b, a)
				}
				t.Logf("%s: rejected %v, fitted to %v; p99 %.4g, fitted to %.4g", name, g.Rejected, w.Rejected, b, a)
			}
		})
	}
}

// scrapeExample is a scrape of a server that has dispatched so many requests.
func scrapeExample(dispatched int) string {
	return fmt.Sprintf(`apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"} 245
apiserver_flowcontrol_dispatched_requests_total{flow_schema="service-accounts",priority_level="workload-low"} %d
`, dispatched)
}

// rangeExample is an answer of Prometheus to query_range.
const rangeExample = `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"apiserver_flowcontrol_dispatched_requests_total",
"flow_schema":"service-accounts","priority_level":"workload-low","instance":"10.0.0.1:6443"},"values":[[1790000000,"100"],[1790000060,"400"]]}]}}
`
