package main

import (
	"bytes"
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
	// elsewhere are the ways in which what was fitted still does what the scenario does, of ways.
	elsewhere string
}

// scrapedPair is a library scenario of which a server was scraped twice, 60 s apart, and the scenario that was made of that.
type scrapedPair struct {
	of    *scenarios.Scenario
	files map[string]string
	// from is when the one scenario is scraped first, and lead the other; server is which server of the one.
	from, lead time.Duration
	server     string
	seen       *recording.Observed
}

// fitMinute runs a scenario and imports a minute of it.
func fitMinute(t *testing.T, s *scenarios.Scenario, m minute) *scrapedPair {
	t.Helper()
	f := &scrapedPair{of: s, files: map[string]string{}, from: m.from, server: m.server}
	args := []string{"import", "metrics", "-o", "scenario=fit.yaml"}
	if s.Config.Scheduler.Release != (release.Version{}) {
		args = append(args, "--kubernetes-version", s.Config.Scheduler.Release.String())
	}
	for _, source := range s.Sources[1:] {
		f.files["objects/"+path.Base(source.Name)] = string(source.Text)
		args = append(args, "-f", "objects/"+path.Base(source.Name))
	}
	if bytes.Contains(s.Sources[0].Text, []byte("defaults: false")) {
		args = append(args, "--no-defaults")
	}
	if m.server != "" {
		args = append(args, "--instance", m.server)
	}
	f.seen = f.original(t)
	until := m.from + time.Minute
	p := newProcess(f.files, append(args, m.from.String()+"="+scrapeFile(m.from), until.String()+"="+scrapeFile(until))...)
	if code := run(&p.Process); code != 0 {
		t.Fatal(p.err.String())
	}
	maps.Copy(f.files, p.fs.files)
	if _, rest, found := strings.Cut(f.files["fit.yaml"], "\nwarmup: "); found { // of a young server the lead is all that was before
		f.lead, _ = time.ParseDuration(strings.Fields(rest)[0])
	}
	t.Logf("the scenario has %d lines", strings.Count(f.files["fit.yaml"], "\n"))
	return f
}

// scrapeFile is the file of a scrape.
func scrapeFile(at time.Duration) string { return "m-" + at.String() + ".prom" }

// original is what the library scenario does in its minute, with these arguments.
func (f *scrapedPair) original(t *testing.T, args ...string) *recording.Observed {
	t.Helper()
	if end := f.from + time.Minute; f.of.Config.Duration < end {
		args = append(args, "--set", "duration="+end.String())
	}
	return f.scrape(t, f.of.Name, f.server, f.from, args)
}

// fitted is what the imported scenario does in its minute, with these arguments.
func (f *scrapedPair) fitted(t *testing.T, args ...string) *recording.Observed {
	t.Helper()
	return f.scrape(t, "fit.yaml", "", f.lead, args)
}

// scrape runs a scenario and scrapes a server of it at both ends of a minute. The scrapes are among the files then.
func (f *scrapedPair) scrape(t *testing.T, scenario, server string, from time.Duration, more []string) *recording.Observed {
	t.Helper()
	until := from + time.Minute
	args := []string{"run", scenario, "--replications", "1", "-o", "prometheus=m-{at}.prom", "--at", from.String(), "--at", until.String()}
	p := newProcess(f.files, append(args, more...)...)
	if code := run(&p.Process); code > 1 {
		t.Fatalf("%v: %s", args, p.err.String())
	}
	r := metrics.Reader{Instance: server}
	for _, at := range []time.Duration{from, until} {
		text := p.fs.files[scrapeFile(at)]
		f.files[scrapeFile(at)] = text
		if err := r.Read(scrapeFile(at), at, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	o, problems := r.Observe(0)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return &o.Observed
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
			f := fitMinute(t, s, m)
			misses := holdMinute(t, f.seen, f.fitted(t), asIssued)
			if misses != (m.misses != "") {
				t.Errorf("it misses what was observed: %v, and the list says %q", misses, m.misses)
			}
			if held := f.elsewhere(t); held != m.elsewhere {
				t.Errorf("it holds elsewhere too: %q, and the list says %q", held, m.elsewhere)
			}
		})
	}
}

// within is by how much a run may differ: in rejections as a share of those of the level, and in the p99 of the wait.
type within struct{ rejections, wait float64 }

// What a run of the same is to keep, and what one of something else.
var (
	asIssued = within{0.05, 0.1}
	twice    = within{0.1, 0.2}
)

// elsewhere tells in which ways the imported scenario does what the original does where both are changed alike, of: another
// seed of the imported one, a server with four fifths of the seats, one with five fourths.
func (f *scrapedPair) elsewhere(t *testing.T) string {
	t.Helper()
	var held []string
	if !holdMinute(t, f.seen, f.fitted(t, "--seed", "2"), twice) {
		held = append(held, "seed")
	}
	for _, way := range []struct {
		name     string
		of, from int
	}{{"fewer", 4, 5}, {"more", 5, 4}} {
		seats := []string{
			"--set", fmt.Sprintf("server.maxRequestsInflight=%d", f.of.Config.Scheduler.Seats*way.of/way.from),
			"--set", "server.maxMutatingRequestsInflight=0",
		}
		if !holdMinute(t, f.original(t, seats...), f.fitted(t, seats...), twice) {
			held = append(held, way.name)
		}
	}
	return strings.Join(held, " ")
}

// fewMinutes are taken if none are named.
var fewMinutes = []string{"nine-hundred-at-once-one-flow", "events-on-catch-all", "lists-never-read"}

// holdMinute compares the levels of two runs. It tells whether one misses.
func holdMinute(t *testing.T, seen, again *recording.Observed, by within) (misses bool) {
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
		allowed := max(1, by.rejections*float64(w.Rejections()))
		for _, reason := range []string{"queue-full", "time-out", "concurrency-limit", "cancelled"} {
			if math.Abs(float64(w.Rejected[reason]-g.Rejected[reason])) > allowed {
				miss += " " + reason
			}
		}
		a, b := w.Wait.Quantile(0.99), g.Wait.Quantile(0.99)
		if n := w.Wait.Count(); n > 0 && math.Abs(a-b) > max(by.wait*a, 0.005) && (n >= 1000 || !sameBucket(w.Wait, g.Wait)) {
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
