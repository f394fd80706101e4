package study

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/apfsim/apfsim/reports"
)

// TestForms holds the table in its forms against the files in testdata, which -update writes, and the text to
// its width.
func TestForms(t *testing.T) {
	for _, width := range []int{0, 120} {
		var b strings.Builder
		if err := madeTable().WriteText(&b, TextOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		if width == 0 {
			width = defaultWidth
		}
		checkGolden(t, fmt.Sprintf("table.%d.txt", width), b.String())
		for line := range strings.SplitSeq(b.String(), "\n") {
			if utf8.RuneCountInString(line) > width || strings.HasSuffix(line, " ") {
				t.Errorf("in %d columns: %q", width, line)
			}
		}
	}
	var markdown, rows strings.Builder
	if err := madeTable().WriteMarkdown(&markdown, false); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "table.md", markdown.String())
	if err := madeTable().WriteCSV(&rows); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "table.csv", rows.String())
	all, err := csv.NewReader(strings.NewReader(rows.String())).ReadAll()
	if err != nil || len(all) != 11 {
		t.Errorf("%d rows, %v", len(all), err)
	}
}

// TestBestOfMany holds that a text of many points has the best of them, in their order, and all if it is
// asked for them.
func TestBestOfMany(t *testing.T) {
	s := madeStudy()
	s.Factors = []Factor{{Path: "a.b"}}
	s.Points = nil
	for i := range 50 {
		s.Factors[0].Values = append(s.Factors[0].Values, fmt.Sprint("v", i))
		s.Points = append(s.Points, []int{i})
	}
	table := NewTable(s, func(_, point int) *Record {
		return &Record{Asked: []Asked{
			asked(reports.MetricWait, 0.99, 1+math.Abs(float64(point-30))), asked(reports.MetricExecuted, 0, 1), asked(reports.MetricLostLeases, 0, 0),
		}}
	})
	var few, all, markdown strings.Builder
	for _, err := range []error{
		table.WriteText(&few, TextOptions{}), table.WriteText(&all, TextOptions{All: true}), table.WriteMarkdown(&markdown, false),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(few.String(), "\n  v"); n != shownRows {
		t.Errorf("%d points are shown:\n%s", n, few.String())
	}
	first, second := strings.Index(few.String(), "\n  v30 *"), strings.Index(few.String(), "\n  v29")
	if first < 0 || second < first || !strings.Contains(few.String(), "best 20 of 50 points; --all shows all") {
		t.Errorf("the best is not first:\n%s", few.String())
	}
	if n := strings.Count(all.String(), "\n  v"); n != 50 || strings.Contains(all.String(), "--all") {
		t.Errorf("of all %d points are shown", n)
	}
	if n := strings.Count(markdown.String(), "\n| "); n != shownRows+2 {
		t.Errorf("Markdown has %d rows:\n%s", n, markdown.String())
	}
}

// TestRanked holds that goals come before figures, and what cannot be run last.
func TestRanked(t *testing.T) {
	table := madeTable()
	rows := table.Ranked(table.Of("small"))
	var got []int
	for _, r := range rows {
		got = append(got, r.Point)
	}
	if want := "[-1 8 2 4 1 3 0 7 5 6]"; fmt.Sprint(got) != want {
		t.Errorf("the order is %v, want %s", got, want)
	}
	if best := table.Best("small"); best == nil || best.Point != AsItIs {
		t.Errorf("the best is %+v", best)
	}
	if by := table.RankedBy("small"); by != "the fewest missed expectations, then the lowest wait p99 of client mice" {
		t.Error(by)
	}
	if by := table.RankedBy("another"); strings.Contains(by, "expectations") {
		t.Error(by)
	}
	equal := NewTable(table.Study, func(int, int) *Record {
		return &Record{Asked: []Asked{asked(reports.MetricWait, 0.99, 1), asked(reports.MetricExecuted, 0, 1), asked(reports.MetricLostLeases, 0, 0)}}
	})
	if best := equal.Best("small"); best != nil {
		t.Errorf("of equal points one is the best: %+v", best)
	}
}

// TestSame holds which point is the scenario as it is.
func TestSame(t *testing.T) {
	table := madeTable()
	for i := range table.Rows {
		if r := &table.Rows[i]; r.Same != (r.Point == 8) {
			t.Errorf("point %d: same is %v", r.Point, r.Same)
		}
	}
	if table.Missing != 1 {
		t.Errorf("%d are missing", table.Missing)
	}
}

// TestChange holds how differences are told.
func TestChange(t *testing.T) {
	for _, c := range []struct {
		before, mean, half float64
		want               string
	}{
		{1, 1, 0.1, "="}, {1, 1.05, 0.1, "~"}, {1, 1.05, 0.01, "+5.0%"}, {1, 0.95, 0.01, "-5.0%"}, {1, 1.5, 0, "+50%"},
		{1, 9.9, 0, "+890%"}, {1, 10, 0, "×10"}, {1, 12.4, 0, "×12"}, {0.001, 1.0363, 0, "×1,036"}, {10, 1.01, 0, "-90%"}, {10, 1, 0, "÷10"},
		{1036, 1, 0, "÷1,036"}, {10, 0, 0, "-100%"}, {0, 5, 0, "+5"}, {0, 5, 6, "~"},
	} {
		cell := Cell{
			Metric: reports.MetricRejected, Mean: new(reports.Value(c.mean)), Difference: new(reports.Value(c.mean - c.before)),
			DifferenceHalfWidth: new(reports.Value(c.half)),
		}
		if got := cell.Change(); got != c.want {
			t.Errorf("%v after %v ± %v is %q, want %q", c.mean, c.before, c.half, got, c.want)
		}
	}
	if got := (&Cell{}).Change(); got != "" {
		t.Errorf("no difference is %q", got)
	}
}

// TestHeadings holds that factors have short names that are not the same.
func TestHeadings(t *testing.T) {
	for want, paths := range map[string][]string{
		"[handSize queues]":                  {"priorityLevel/workload-low.handSize", "priorityLevel/workload-low.queues"},
		"[a.shares b.shares]":                {"priorityLevel/a.shares", "priorityLevel/b.shares"},
		"[rate]":                             {"clients[0].arrivals.poisson.rate"},
		"[priorityLevel/a.x flowSchema/a.x]": {"priorityLevel/a.x", "flowSchema/a.x"},
	} {
		s := &Study{}
		for _, p := range paths {
			s.Factors = append(s.Factors, Factor{Path: p})
		}
		if got := fmt.Sprint(s.Headings()); got != want {
			t.Errorf("%v are called %s, want %s", paths, got, want)
		}
	}
}

// TestNumbers holds which values are numbers.
func TestNumbers(t *testing.T) {
	for want, values := range map[string][]string{
		"[1 2.5]": {"1", "2.5"}, "[10 20]": {"10%", "20%"}, "[0.1 90]": {"100ms", "1m30s"}, "[]": {"a", "b"}, "[] ": {"1", "2s"}, "[]  ": {"1"}, "[]   ": {"NaN", "1"},
	} {
		if got := fmt.Sprint((&Factor{Values: values}).Numbers()); got != strings.TrimSpace(want) {
			t.Errorf("%v are %s, want %s", values, got, want)
		}
	}
}

// TestEndless holds that what has no end is the worst, and written as such.
func TestEndless(t *testing.T) {
	c := NewCell(&Asked{Figure: &reports.Figure{Metric: reports.MetricDrained, Replications: []*reports.Value{new(reports.Value(1)), new(reports.Value(math.Inf(1)))}}})
	if c.Mean == nil || !math.IsInf(float64(*c.Mean), 1) || c.HalfWidth != nil {
		t.Errorf("%+v", c)
	}
	text, err := json.Marshal(c)
	if err != nil || !strings.Contains(string(text), `"+Inf"`) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestKeys holds that each part of a run is in its key.
func TestKeys(t *testing.T) {
	base := Run{Scenario: "s", Digest: "d", Settings: []Setting{{"a", "1"}}, Seed: 1, First: 0, Replications: 2, Asked: []string{"x"}}
	keys := map[string]string{base.Key(): "the run itself"}
	again := base
	if again.Key() != base.Key() {
		t.Error("the same run has two keys")
	}
	for what, change := range map[string]func(*Run){
		"scenario": func(r *Run) { r.Scenario = "t" }, "digest": func(r *Run) { r.Digest = "e" }, "seed": func(r *Run) { r.Seed = 2 },
		"first": func(r *Run) { r.First = 1 }, "replications": func(r *Run) { r.Replications = 3 }, "asked": func(r *Run) { r.Asked = nil },
		"more asked": func(r *Run) { r.Asked = []string{"x", "y"} }, "value": func(r *Run) { r.Settings = []Setting{{"a", "2"}} },
		"path": func(r *Run) { r.Settings = []Setting{{"b", "1"}} }, "no settings": func(r *Run) { r.Settings = []Setting{} },
		"shifted": func(r *Run) { r.Settings = []Setting{{"a1", ""}} },
		"order":   func(r *Run) { r.Settings = []Setting{{"b", "1"}, {"a", "1"}} }, "other order": func(r *Run) { r.Settings = []Setting{{"a", "1"}, {"b", "1"}} },
	} {
		r := base
		change(&r)
		key := r.Key()
		if other, there := keys[key]; there {
			t.Errorf("%s has the key of %s", what, other)
		}
		keys[key] = what
	}
}

// TestFaulty holds that a table that was read has what its study says.
func TestFaulty(t *testing.T) {
	text, err := json.Marshal(madeTable())
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Table){
		"":                                   func(*Table) {},
		"the sweep has no rows":              func(t *Table) { t.Rows = nil },
		"the sweep has no rows ":             func(t *Table) { t.Study = nil },
		`rows[1] is of the scenario "other"`: func(t *Table) { t.Rows[1].Scenario = "other" },
		"rows[1] is of point 9":              func(t *Table) { t.Rows[1].Point = 9 },
		"rows[1] is of point -2":             func(t *Table) { t.Rows[1].Point = -2 },
		"rows[1] has other values":           func(t *Table) { t.Rows[1].Values[0] = "3" },
		"rows[1] has other values ":          func(t *Table) { t.Study.Points[0] = []int{0} },
		"rows[1] has other values  ":         func(t *Table) { t.Study.Points[0] = []int{0, 7} },
		"rows[1] has 1 cells":                func(t *Table) { t.Rows[1].Cells = t.Rows[1].Cells[:1] },
	} {
		read := &Table{}
		if err := json.Unmarshal(text, read); err != nil {
			t.Fatal(err)
		}
		change(read)
		if got := read.Faulty(); !strings.HasPrefix(got, strings.TrimSpace(want)) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
