package fullrun

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/exposition"
	"github.com/apfsim/apfsim/sim"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// scrapeFolder makes TestOneScraped scrape the real server over the trace of a folder.
var (
	scrapeFolder = flag.String("scrape", "", "folder with a scenario whose run is scraped")
	scrapeTo     = flag.String("scrape-to", "", "file for what was scraped")
)

// scrapeTimes are when a run is scraped. Nothing else happens at such times.
func scrapeTimes(trace []Request) []time.Duration {
	last := time.Duration(0)
	for _, r := range trace {
		last = max(last, time.Duration(r.Arrival))
	}
	return []time.Duration{(last / 3).Truncate(time.Millisecond) + 123_457, (last * 19 / 20).Truncate(time.Millisecond) + 123_457}
}

// TestOneScraped is what TestMetrics runs in a process of its own, and nothing without its flags.
func TestOneScraped(t *testing.T) {
	if *scrapeFolder == "" {
		return
	}
	v := loadVector(t, *scrapeFolder)
	text, err := json.Marshal(ReplayScraped(t, v.scenario, v.trace, scrapeTimes(v.trace)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*scrapeTo, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// scrapeReal scrapes the real server over the trace of a folder.
func scrapeReal(t *testing.T, folder string) []Scrape {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "scrapes.json")
	c := exec.CommandContext(t.Context(), program, "-test.run=^TestOneScraped$", "-scrape="+folder, "-scrape-to="+file)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []Scrape
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// scrapeOurs scrapes the simulator over the same.
func scrapeOurs(t *testing.T, folder string, times []time.Duration) []Scrape {
	t.Helper()
	config, err := LoadOurs(folder)
	if err != nil {
		t.Fatal(err)
	}
	config.Looks = times
	observer := exposition.NewObserver()
	if _, err := sim.Run(config, 0, observer, nil); err != nil {
		t.Fatal(err)
	}
	var all []Scrape
	for _, at := range times {
		var text bytes.Buffer
		if err := exposition.WriteText(&text, &reports.Result{Expositions: observer.Expositions()}, at); err != nil {
			t.Fatal(err)
		}
		all = append(all, Scrape{at, text.String()})
	}
	return all
}

// TestMetrics compares what the simulator and the real server tell Prometheus: names, types, help texts,
// labels, buckets and values.
func TestMetrics(t *testing.T) {
	names := []string{"small", "watch", "reject", "timeouts", "options", "custom"}
	if !testing.Short() {
		names = append(names, "mutating", "liststorm", "trim2", "borrow", "crush")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(vectorFolder, name)
			v := loadVector(t, folder)
			theirs := scrapeReal(t, folder)
			ours := scrapeOurs(t, folder, scrapeTimes(v.trace))
			before := parseScrape(t, theirs[0])
			for i := range ours {
				want, got := parseScrape(t, theirs[i+1]), parseScrape(t, ours[i])
				if d := compareFamilies(before, want, got); d != "" {
					t.Errorf("at %v: %s", ours[i].Time, d)
				}
			}
		})
	}
}

func parseScrape(t *testing.T, s Scrape) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(s.Text))
	if err != nil {
		t.Fatalf("at %v: %v", s.Time, err)
	}
	return families
}

// compareFamilies returns "" if two scrapes are equal. What the real server had counted before time 0
// is taken off: it measures how long nothing happens while it starts.
func compareFamilies(before, want, got map[string]*dto.MetricFamily) string {
	var d differences
	for _, name := range names(want, got) {
		w, g := want[name], got[name]
		if w == nil || g == nil {
			d.add("%s: the real server tells it: %t, the simulator: %t", name, w != nil, g != nil)
			continue
		}
		if w.GetHelp() != g.GetHelp() || w.GetType() != g.GetType() {
			d.add("%s: %v %q, want %v %q", name, g.GetType(), g.GetHelp(), w.GetType(), w.GetHelp())
		}
		start := seriesOf(before[name])
		theirs, ours := seriesOf(w), seriesOf(g)
		for _, labels := range names(theirs, ours) {
			a, b := theirs[labels], ours[labels]
			if a == nil || b == nil {
				d.add("%s{%s}: the real server tells it: %t, the simulator: %t", name, labels, a != nil, b != nil)
				continue
			}
			// The real server takes the target of the exempt level from another one, by the order of a map.
			if strings.HasSuffix(name, "_target_seats") && labels == "priority_level=exempt" {
				continue
			}
			if text := compareSeries(start[labels], a, b, tolerance(name)); text != "" {
				d.add("%s{%s}: %s", name, labels, text)
			}
		}
	}
	return d.String()
}

// names are the keys of two maps, in their order.
func names[V any](a, b map[string]V) []string {
	var all []string
	for name := range a {
		all = append(all, name)
	}
	for name := range b {
		if _, both := a[name]; !both {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// seriesOf finds the series of a metric by their labels, in the order in which they are told.
func seriesOf(f *dto.MetricFamily) map[string]*dto.Metric {
	all := map[string]*dto.Metric{}
	for _, m := range f.GetMetric() {
		var labels []string
		for _, l := range m.Label {
			labels = append(labels, l.GetName()+"="+l.GetValue())
		}
		all[strings.Join(labels, ",")] = m
	}
	return all
}

// tolerance is by what part the sums of a histogram may differ: in their last digits. Of requests by kind
// the real server sets a number that it has counted apart from that. Of two requests that change it in the
// same nanosecond the older number may be set last, and stay until the next change.
func tolerance(name string) float64 {
	if strings.HasSuffix(name, "_read_vs_write_current_requests") {
		return 1e-6
	}
	return 1e-9
}

// compareSeries returns "" if two series are equal.
func compareSeries(before, want, got *dto.Metric, tolerance float64) string {
	if w, g := want.GetCounter().GetValue()-before.GetCounter().GetValue(), got.GetCounter().GetValue(); w != g {
		return fmt.Sprintf("%v, want %v", g, w)
	}
	if w, g := want.GetGauge().GetValue(), got.GetGauge().GetValue(); w != g && !(math.IsNaN(w) && math.IsNaN(g)) {
		return fmt.Sprintf("%v, want %v", g, w)
	}
	w, g, b := want.GetHistogram(), got.GetHistogram(), before.GetHistogram()
	if n := w.GetSampleCount() - b.GetSampleCount(); n != g.GetSampleCount() {
		return fmt.Sprintf("a count of %d, want %d", g.GetSampleCount(), n)
	}
	if sum := w.GetSampleSum() - b.GetSampleSum(); math.Abs(sum-g.GetSampleSum()) > tolerance*math.Abs(sum) {
		return fmt.Sprintf("a sum of %v, want %v", g.GetSampleSum(), sum)
	}
	if len(w.GetBucket()) != len(g.GetBucket()) {
		return fmt.Sprintf("%d buckets, want %d", len(g.GetBucket()), len(w.GetBucket()))
	}
	for i, bucket := range w.GetBucket() {
		n := bucket.GetCumulativeCount()
		if b != nil {
			n -= b.Bucket[i].GetCumulativeCount()
		}
		if ours := g.Bucket[i]; ours.GetUpperBound() != bucket.GetUpperBound() || ours.GetCumulativeCount() != n {
			return fmt.Sprintf("%d up to %v, want %d up to %v", ours.GetCumulativeCount(), ours.GetUpperBound(), n, bucket.GetUpperBound())
		}
	}
	return ""
}
