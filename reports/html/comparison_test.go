package html

import (
	"bytes"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
)

// comparedResult is a small result with one figure.
func comparedResult(waits ...float64) *reports.Result {
	r := &reports.Result{
		APIVersion: reports.APIVersion, Kind: reports.Kind, Metadata: reports.Metadata{Name: "<b>small</b>"}, KubernetesVersion: "1.37", Seed: 1,
		Populations: []reports.Population{{Name: "mice"}},
		Source:      &reports.Source{Command: "apfsim run 'a&b.yaml'"},
	}
	f := reports.Figure{Metric: reports.MetricWait, Quantile: 0.99, Client: "mice"}
	for i, x := range waits {
		v := reports.Value(x)
		f.Replications = append(f.Replications, &v)
		r.Replications = append(r.Replications, reports.Replication{Replication: i, Fingerprint: strings.Repeat("0", 16)})
	}
	r.Figures = reports.Figures{f}
	return r
}

// TestComparison: the page has conditions, figures and commands, escapes what names hold, and is
// the same whenever it is written.
func TestComparison(t *testing.T) {
	a, b := comparedResult(1, 2, 3), comparedResult(1.5, 2.5, 3.6)
	c := compare.Compare(compare.Input{Name: "<i>a</i>", Result: a}, compare.Input{Name: "b", Result: b})
	condition, err := compare.ParseCondition("wait{mice,p99} > +1%")
	if err != nil {
		t.Fatal(err)
	}
	if err := condition.Resolve(compare.NamesOf(a)); err != nil {
		t.Fatal(err)
	}
	c.Judge(a, b, []*compare.Condition{condition})
	var page, again bytes.Buffer
	for _, w := range []*bytes.Buffer{&page, &again} {
		if err := WriteComparison(w, c, a, b); err != nil {
			t.Fatal(err)
		}
	}
	text := page.String()
	for _, want := range []string{
		"Comparison: &lt;b&gt;small&lt;/b&gt;", "&lt;i&gt;a&lt;/i&gt; (Kubernetes 1.37", "1 of 1 conditions failed", `<span class="chip bad">failed</span>`,
		"worse", "apfsim run &#39;a&amp;b.yaml&#39;", `id="all"`, "Content-Security-Policy",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "<b>small") || strings.Contains(text, "<i>a") {
		t.Error("a name is not escaped")
	}
	if text != again.String() {
		t.Error("the same comparison gives another page")
	}
}
