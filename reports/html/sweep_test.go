package html

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/study"
)

// sweptTable is a sweep over so many values with hostile names.
func sweptTable(values int, scenarios ...string) *study.Table {
	s := &study.Study{
		Command: "apfsim sweep '<b>x</b>'", Program: study.Program{Version: "v1"},
		Factors: []study.Factor{{Path: "a.<i>hand</i>"}, {Path: "b.queues", Values: []string{"4", "8"}}},
		Columns: []study.Column{{Text: "wait p99", Better: study.Lower, Goals: []study.Goal{{Scenario: scenarios[0], Op: "<", Value: 1, Text: "< 1s"}}}},
	}
	for _, name := range scenarios {
		s.Scenarios = append(s.Scenarios, study.Scenario{Name: name, Replications: 2})
	}
	for i := range values {
		s.Factors[0].Values = append(s.Factors[0].Values, fmt.Sprint(i))
		s.Points = append(s.Points, []int{i, 0}, []int{i, 1})
	}
	return study.NewTable(s, func(_, point int) *study.Record {
		if point == 1 {
			return &study.Record{Invalid: "a <u>hand</u> is too large"}
		}
		y := 3 + 0.01*float64(point%7)
		if point == 2 {
			y = 0.5
		}
		f := &reports.Figure{Metric: reports.MetricWait, Quantile: 0.99, Replications: []*reports.Value{new(reports.Value(y)), new(reports.Value(y + 0.001))}}
		return &study.Record{Configuration: fmt.Sprint(point), Asked: []study.Asked{{Figure: f}}}
	})
}

// sweepPage is the page of a sweep.
func sweepPage(t *testing.T, table *study.Table) string {
	t.Helper()
	var page, again bytes.Buffer
	for _, w := range []*bytes.Buffer{&page, &again} {
		if err := WriteSweep(w, table); err != nil {
			t.Fatal(err)
		}
	}
	if page.String() != again.String() {
		t.Error("the same sweep gives another page")
	}
	if page.Len() >= MaxSize {
		t.Errorf("the page has %d bytes", page.Len())
	}
	return page.String()
}

// TestSweepPage holds what is on the page, and that names are escaped.
func TestSweepPage(t *testing.T) {
	text := sweepPage(t, sweptTable(4, "<s>small</s>"))
	for _, want := range []string{
		"Sweep: &lt;s&gt;small", "The best point: &lt;i&gt;hand&lt;/i&gt; 1, queues 4.", `class="sortable"`, `id="points"`, `id="response-curves"`, `id="heat-maps"`,
		"a &lt;u&gt;hand&lt;/u&gt; is too large", "apfsim sweep &#39;&lt;b&gt;x", `data-key="3.0005"`, "3.00s!", " missed", "cannot be run", "&lt; 1s", "data-scripted hidden",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, never := range []string{"<s>small", "<i>hand", "<u>hand", "<b>x"} {
		if strings.Contains(text, never) {
			t.Errorf("%s is not escaped", never)
		}
	}
}

// TestSweepOfMany holds that a page of many points is small enough and has the best of them, and that
// each of several scenarios has an article.
func TestSweepOfMany(t *testing.T) {
	text := sweepPage(t, sweptTable(2000, "one", "two"))
	for _, want := range []string{"Sweep of 2 scenarios", `id="r1-points"`, `id="r2-points"`, "points. The forms csv and json have all of them.", "(best)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
