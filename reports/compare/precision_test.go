package compare

import (
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports"
)

// resultOf is a result in which the mean wait of mice has these values, replication by replication.
func resultOf(values ...float64) *reports.Result {
	r := &reports.Result{Replications: make([]reports.Replication, len(values)), Populations: []reports.Population{{Name: "mice"}}}
	f := reports.Figure{Metric: reports.MetricWait, Client: "mice"}
	for _, v := range values {
		f.Replications = append(f.Replications, new(reports.Value(v)))
	}
	r.Figures = reports.Figures{f}
	return r
}

// TestMore: replications that agree are enough, others are doubled at most, and there are never
// more than there may be.
func TestMore(t *testing.T) {
	p, err := ParsePrecision("wait{client=mice} within 5%")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resolve(Names{Clients: []string{"mice"}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		values []float64
		most   int
		want   int
		text   string
	}{
		{[]float64{1, 1.01, 0.99, 1, 1}, 100, 0, "wait mean of client mice is known to ±0.878% after 5 replications, which is within 5%."},
		{[]float64{1, 1.1, 0.9, 1, 1}, 100, 5, "and not within 5%. About 11 would do."},
		{[]float64{1, 1.06, 0.94, 1, 1}, 100, 1, "and not within 5%. About 6 would do."},
		{[]float64{1, 1.1, 0.9, 1, 1}, 7, 2, "and not within 5%"},
		{[]float64{1, 1.1, 0.9, 1, 1}, 5, 0, "and not within 5%"},
		{[]float64{0, 0, 0}, 100, 0, "is known to ±0% after 3 replications, which is within 5%."},
		{[]float64{1}, 100, 1, "it takes two replications that have it"},
	} {
		r := resultOf(c.values...)
		if got := p.More(r, c.most); got != c.want {
			t.Errorf("%v of at most %d: %d more, want %d", c.values, c.most, got, c.want)
		}
		if p.Reached(r); !strings.Contains(r.Precision.Text, c.text) || r.Precision.Reached != strings.Contains(c.text, "which is") {
			t.Errorf("%v: %+v, want %q", c.values, *r.Precision, c.text)
		}
	}
}

// A quantile of too few requests is not known, even if all replications agree on it.
func TestFewSamplesAreNotKnown(t *testing.T) {
	p, err := ParsePrecision("wait{client=mice} within 5%")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resolve(Names{Clients: []string{"mice"}}); err != nil {
		t.Fatal(err)
	}
	r := resultOf(0, 0, 0, 0, 0)
	r.Figures[0].FewSamples = true
	if got := p.More(r, 100); got != 5 {
		t.Errorf("%d more, want 5", got)
	}
	if p.Reached(r); r.Precision.Reached || !strings.Contains(r.Precision.Text, "rests on too few requests") {
		t.Errorf("%+v", *r.Precision)
	}
}

// TestParsePrecision tells what is wrong, and where.
func TestParsePrecision(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"p99 within 5%", -1, ""}, {"wait within 0.5 %", -1, ""}, {"latency{client=a,p50} within 10%", -1, ""}, {"rejected{a} within 5%", -1, ""},
		{"", 0, "begins with a metric"}, {"p101 within 5%", 0, "no quantile"}, {"wiat within 5%", 0, "no metric"},
		{"p99", 3, "missing here"}, {"p99 within", 10, "no part"}, {"p99 within 0%", 11, "no part"}, {"p99 within 100%", 11, "no part"},
		{"p99 within 5", 11, "no part"}, {"wait{p99 within 5%", 5, "no"}, {"rejected{p99} within 5%", 9, "no quantiles"},
	} {
		_, err := ParsePrecision(c.text)
		if c.at < 0 {
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		f, ok := err.(*Fault)
		if !ok || !strings.Contains(f.Message, c.want) && c.want != "no" || f.At != c.at && c.want != "no" {
			t.Errorf("%q: %+v, want %q at %d", c.text, err, c.want, c.at)
		}
	}
}
