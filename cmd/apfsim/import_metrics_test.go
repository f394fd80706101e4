package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scenarios"
	metrics "github.com/apfsim/apfsim/scenarios/observed"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload/recording"
)

var minutes = flag.String("minutes", "", "the scenarios whose metrics TestMetricsAreReproduced imports: those whose names begin so, or all; some of each kind if it is empty")

// minute is a minute of a library scenario, at both ends of which a server is scraped.
type minute struct {
	from time.Duration
	// server is the one that is scraped, of several. A negative from is none that has two scrapes.
	server string
	// misses says what is not reproduced, and why, "" if all is.
	misses string
}

// fittedToMinute runs a scenario, scrapes a server of it twice, 60 s apart, imports the scrapes, runs what comes out and
// scrapes that at the same times of its own. It returns what was observed of the one and of the other.
func fittedToMinute(t *testing.T, s *scenarios.Scenario, m minute) (seen, again *recording.Observed) {
	t.Helper()
	files := map[string]string{}
	args := []string{"import", "metrics", "-o", "scenario=fit.yaml"}
	if s.Config.Scheduler.Release != (release.Version{}) {
		args = append(args, "--kubernetes-version", s.Config.Scheduler.Release.String())
	}
	for _, source := range s.Sources[1:] {
		files["objects/"+path.Base(source.Name)] = string(source.Text)
		args = append(args, "-f", "objects/"+path.Base(source.Name))
	}
	if bytes.Contains(s.Sources[0].Text, []byte("defaults: false")) {
		args = append(args, "--no-defaults")
	}
	if m.server != "" {
		args = append(args, "--instance", m.server)
	}
	scrape := func(name, scenario string, from time.Duration, set ...string) (string, string, *recording.Observed) {
		until := from + time.Minute
		args := []string{"run", scenario, "--replications", "1", "-o", "prometheus=" + name + "-{at}.prom", "--at", from.String(), "--at", until.String()}
		p := newProcess(files, append(args, set...)...)
		if code := run(&p.Process); code > 1 {
			t.Fatalf("%v: %s", args, p.err.String())
		}
		maps.Copy(files, p.fs.files)
		first, last := name+"-"+from.String()+".prom", name+"-"+until.String()+".prom"
		r := metrics.Reader{}
		if name == "seen" {
			r.Instance = m.server
		}
		if err := errors.Join(r.Read(first, from, strings.NewReader(files[first])), r.Read(last, until, strings.NewReader(files[last]))); err != nil {
			t.Fatal(err)
		}
		o, problems := r.Observe(0)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return from.String() + "=" + first, until.String() + "=" + last, &o.Observed
	}
	var set []string
	if end := m.from + time.Minute; s.Config.Duration < end {
		set = []string{"--set", "duration=" + end.String()}
	}
	first, last, seen := scrape("seen", s.Name, m.from, set...)
	p := newProcess(files, append(args, first, last)...)
	if code := run(&p.Process); code != 0 {
		t.Fatal(p.err.String())
	}
	maps.Copy(files, p.fs.files)
	lead := time.Duration(0) // of a young server it is all that was before
	if _, rest, found := strings.Cut(files["fit.yaml"], "\nwarmup: "); found {
		lead, _ = time.ParseDuration(strings.Fields(rest)[0])
	}
	t.Logf("the scenario has %d lines", strings.Count(files["fit.yaml"], "\n"))
	_, _, again = scrape("again", "fit.yaml", lead)
	return seen, again
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

// TestMetricsAreReproduced scrapes each library scenario at both ends of its worst minute, imports that, and holds
// the run of what comes out against it: rejections by reason within 5 % of those of the level, or one, and the
// p99 of the wait within 10 %, or below a thousand waits, where it is one of ten, in the same bucket. All
// scenarios take minutes, so without -minutes it takes some.
func TestMetricsAreReproduced(t *testing.T) {
	t.Parallel() // with TestRoundTrip, which takes long too
	for _, entry := range scenarios.Library() {
		m, listed := worstMinutes[entry.Name]
		if !listed {
			t.Errorf("%s is not in the list", entry.Name)
		}
		if m.from < 0 || !takesTrip(entry.Name, *minutes, fewMinutes) {
			continue
		}
		t.Run(entry.Name, func(t *testing.T) {
			s, _ := scenarios.LoadLibrary(entry.Name)
			seen, again := fittedToMinute(t, s, m)
			misses := holdMinute(t, seen, again)
			if misses != (m.misses != "") {
				t.Errorf("it misses what was observed: %v, and the list says %q", misses, m.misses)
			}
		})
	}
}

// fewMinutes are taken if none are named.
var fewMinutes = []string{"nine-hundred-at-once-one-flow", "events-on-catch-all", "lists-never-read"}

// holdMinute compares the levels of two runs. It tells whether one misses.
func holdMinute(t *testing.T, seen, again *recording.Observed) (misses bool) {
	want, got := levelSums(seen), levelSums(again)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		w, g := want[name], got[name]
		if g == nil {
			if w.Arrivals > 0 {
				t.Logf("%s: nothing comes there, where %d came", name, w.Arrivals)
				misses = true
			}
			continue
		}
		miss := ""
		allowed := max(1, 0.05*float64(w.Rejections()))
		for _, reason := range []string{"queue-full", "time-out", "concurrency-limit", "cancelled"} {
			if math.Abs(float64(w.Rejected[reason]-g.Rejected[reason])) > allowed {
				miss += " " + reason
			}
		}
		a, b := w.Wait.Quantile(0.99), g.Wait.Quantile(0.99)
		if n := w.Wait.Count(); n > 0 && math.Abs(a-b) > max(0.1*a, 0.005) && (n >= 1000 || !sameBucket(w.Wait, g.Wait)) {
			miss += " p99"
		}
		if miss != "" || len(w.Rejected) > 0 {
			t.Logf("%s:%s: rejected %v, fitted to %v; p99 %.4g, fitted to %.4g, of %d", name, miss, g.Rejected, w.Rejected, b, a, w.Wait.Count())
		}
		misses = misses || miss != ""
	}
	return misses
}

// sameBucket tells whether the p99 of two histograms is in the same bucket.
func sameBucket(a, b *recording.ObservedHistogram) bool {
	x, _ := a.Within(0.99)
	y, _ := b.Within(0.99)
	return x == y
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
