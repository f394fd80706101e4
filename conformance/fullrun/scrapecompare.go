package fullrun

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/exposition"
	"github.com/apfsim/apfsim/sim"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// ScrapeTimes are when a run is scraped. Nothing else happens at such times.
func ScrapeTimes(trace []Request) []time.Duration {
	last := time.Duration(0)
	for _, r := range trace {
		last = max(last, time.Duration(r.Arrival))
	}
	return []time.Duration{(last / 3).Truncate(time.Millisecond) + 123_457, (last * 19 / 20).Truncate(time.Millisecond) + 123_457}
}

// ScrapeOurs scrapes the simulator at the given times.
func ScrapeOurs(config *sim.Config, times []time.Duration) ([]Scrape, error) {
	looking := *config
	looking.Looks = times
	observer := exposition.NewObserver()
	if _, err := sim.Run(&looking, 0, observer, nil); err != nil {
		return nil, err
	}
	var all []Scrape
	for _, at := range times {
		var text bytes.Buffer
		if err := exposition.WriteText(&text, &reports.Result{Expositions: observer.Expositions()}, at); err != nil {
			return nil, err
		}
		all = append(all, Scrape{Time: at, Text: text.String()})
	}
	return all, nil
}

// CompareScrapes returns "" if the simulator told at each time what the real server told, which was
// scraped at time 0 before. Names, types, help texts, labels and buckets have to be equal always, values too
// but those of the series for which anyValue is true.
func CompareScrapes(theirs, ours []Scrape, anyValue func(name, labels string) bool) (string, error) {
	if len(theirs) != len(ours)+1 {
		return "", fmt.Errorf("%d scrapes of the real server, want %d", len(theirs), len(ours)+1)
	}
	before, err := Families(theirs[0])
	if err != nil {
		return "", err
	}
	text := ""
	for i := range ours {
		want, err := Families(theirs[i+1])
		if err != nil {
			return "", err
		}
		got, err := Families(ours[i])
		if err != nil {
			return "", err
		}
		if d := compareFamilies(before, want, got, anyValue); d != "" {
			text += fmt.Sprintf("at %v: %s\n", ours[i].Time, d)
		}
	}
	return text, nil
}

// AnyTarget tells whether a series has one of several values in releases from 1.31 on: they take the target of
// the exempt level from another one, by the order of a map.
func AnyTarget(name, labels string) bool {
	return name == "apiserver_flowcontrol_target_seats" && labels == "priority_level=exempt"
}

// Families are the metrics of a scrape by their names.
func Families(s Scrape) (map[string]*dto.MetricFamily, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(s.Text))
	if err != nil {
		return nil, fmt.Errorf("at %v: %w", s.Time, err)
	}
	return families, nil
}

// compareFamilies returns "" if two scrapes are equal. What the real server had counted before time 0
// is taken off: it measures how long nothing happens while it starts.
func compareFamilies(before, want, got map[string]*dto.MetricFamily, anyValue func(name, labels string) bool) string {
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
			if b == nil && a.GetHistogram().GetSampleCount() > 0 && a.GetHistogram().GetSampleCount() == start[labels].GetHistogram().GetSampleCount() {
				continue // counted while the real server started, and not since
			}
			if a == nil || b == nil {
				d.add("%s{%s}: the real server tells it: %t, the simulator: %t", name, labels, a != nil, b != nil)
				continue
			}
			text := compareBuckets(a.GetHistogram(), b.GetHistogram())
			if text == "" && !anyValue(name, labels) {
				text = compareSeries(start[labels], a, b)
			}
			if text != "" {
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

// sumTolerance is by what part the sums of histograms may differ: in their last digits.
const sumTolerance = 1e-9

// gaugeTolerance is by what part gauges may differ: the fair fraction of seats is the result of sums in the order
// of a map.
const gaugeTolerance = 1e-12

// compareBuckets returns "" if two histograms have the same buckets.
func compareBuckets(want, got *dto.Histogram) string {
	bounds := func(h *dto.Histogram) []float64 {
		var all []float64
		for _, b := range h.GetBucket() {
			all = append(all, b.GetUpperBound())
		}
		return all
	}
	if w, g := bounds(want), bounds(got); !slices.Equal(w, g) {
		return fmt.Sprintf("buckets %v, want %v", g, w)
	}
	return ""
}

// compareSeries returns "" if two series with the same buckets have equal values.
func compareSeries(before, want, got *dto.Metric) string {
	if w, g := want.GetCounter().GetValue()-before.GetCounter().GetValue(), got.GetCounter().GetValue(); w != g {
		return fmt.Sprintf("%v, want %v", g, w)
	}
	if w, g := want.GetGauge().GetValue(), got.GetGauge().GetValue(); math.Abs(w-g) > gaugeTolerance*math.Abs(w) || math.IsNaN(w) != math.IsNaN(g) {
		return fmt.Sprintf("%v, want %v", g, w)
	}
	w, g, b := want.GetHistogram(), got.GetHistogram(), before.GetHistogram()
	if n := w.GetSampleCount() - b.GetSampleCount(); n != g.GetSampleCount() {
		return fmt.Sprintf("a count of %d, want %d", g.GetSampleCount(), n)
	}
	if sum := w.GetSampleSum() - b.GetSampleSum(); math.Abs(sum-g.GetSampleSum()) > sumTolerance*math.Abs(sum) {
		return fmt.Sprintf("a sum of %v, want %v", g.GetSampleSum(), sum)
	}
	for i, bucket := range w.GetBucket() {
		n := bucket.GetCumulativeCount()
		if b != nil {
			n -= b.Bucket[i].GetCumulativeCount()
		}
		if ours := g.Bucket[i]; ours.GetCumulativeCount() != n {
			return fmt.Sprintf("%d up to %v, want %d", ours.GetCumulativeCount(), bucket.GetUpperBound(), n)
		}
	}
	return ""
}
