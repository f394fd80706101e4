package tuning

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/apfsim/apfsim/internal/marked"
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// asked makes a figure of the values of its replications; NaN is one without data.
func asked(m reports.Metric, quantile float64, values ...float64) *study.Asked {
	f := &reports.Figure{Metric: m, Quantile: quantile}
	for _, x := range values {
		if math.IsNaN(x) {
			f.Replications = append(f.Replications, nil)
			continue
		}
		f.Replications = append(f.Replications, new(reports.Value(x)))
	}
	return &study.Asked{Figure: f}
}

// TestJudge holds goals against replications: met and missed by whole intervals only, and extremes one by one.
func TestJudge(t *testing.T) {
	for _, x := range []struct {
		goal    string
		of      *study.Asked
		verdict string
		spare   float64
	}{
		{"rejected < 10", asked("rejected", 0, 4, 5, 6), Met, 0.251586}, // 5 ± 2.48414, Student's t(2) being 4.30265
		{"rejected < 6", asked("rejected", 0, 4, 5, 6), Unclear, -0.247357},
		{"rejected < 2", asked("rejected", 0, 4, 5, 6), Missed, -2.74207},
		{"rejected > 2", asked("rejected", 0, 4, 5, 6), Met, 0.257931},
		{"rejected = 0", asked("rejected", 0, 0, 0, 0), Met, 0},
		{"rejected = 0", asked("rejected", 0, 0, 0, 1), Unclear, -1.76755},
		{"rejected = 5", asked("rejected", 0, 5, 5), Met, 0},
		{"rejected = 4", asked("rejected", 0, 5, 5), Missed, -0.25},
		{"rejected < 10", asked("rejected", 0, 5), Unclear, 0.5},
		{"rejected < 10", &study.Asked{Why: "nothing happened"}, Missed, -2e6},
		{"rejected < 10", asked("rejected", 0, math.NaN(), math.NaN()), Missed, -2e6},
		{"wait{max} < 1s", asked("wait", 1, 0.1, 0.9, 0.5), Met, 0.1},
		{"wait{max} < 1s", asked("wait", 1, 0.1, 1.5, 0.5), Missed, -0.5},
		{"rejected < 10", asked("rejected", 0, 1, math.Inf(1)), Missed, -1e6},
		{"rejected > 10", asked("rejected", 0, 20, math.Inf(1)), Met, 1},
	} {
		g, err := compare.ParseGoal(x.goal)
		if err != nil {
			t.Fatal(err)
		}
		j := Judge(g, x.of)
		if j.Verdict != x.verdict || math.Abs(j.Spare-x.spare) > 1e-5*math.Abs(x.spare) {
			t.Errorf("%s of %+v: %s with %v to spare, want %s with %v", x.goal, x.of.Figure, j.Verdict, j.Spare, x.verdict, x.spare)
		}
	}
}

// TestExcess adds up by how much goals are missed, replication by replication.
func TestExcess(t *testing.T) {
	var all []Judged
	for _, text := range []string{"rejected < 10", "arrivals > 100"} {
		g, err := compare.ParseGoal(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Judge(g, asked(g.Of.Metric, 0, 5, 15, 50)))
	}
	if got, want := Excess(all), []float64{0.95, 0.5 + 0.85, 4 + 0.5}; !slices.Equal(got, want) {
		t.Errorf("excess %v, want %v", got, want)
	}
	if Verdict(all) != Missed || Verdict(nil) != Met {
		t.Errorf("verdicts %s and %s", Verdict(all), Verdict(nil))
	}
}

// TestJoined puts the replications of several runs behind each other.
func TestJoined(t *testing.T) {
	j := Joined([]*study.Asked{asked("rejected", 0, 1, 2), {Why: "no data"}, asked("rejected", 0, 3)})
	samples, ok := j.Known()
	if !ok || !slices.Equal(samples, []float64{1, 2, 3}) || j.Why != "" {
		t.Errorf("joined %v, %q", samples, j.Why)
	}
	if j := Joined([]*study.Asked{{Why: "no data"}}); j.Figure != nil || j.Why != "no data" {
		t.Errorf("joined %+v", j)
	}
}

// TestAnalytic computes what is known without a run.
func TestAnalytic(t *testing.T) {
	odds, _ := shuffle.Covered(64, 6, 4).Float64()
	facts := &Facts{Seats: 600, Objects: 2, Distance: 0.5, LongestWait: 15, Levels: []scheduler.PriorityLevel{
		{Name: "queued", Queuing: &scheduler.Queuing{Queues: 64, HandSize: 6, QueueLengthLimit: 50}}, {Name: "rejecting"}}}
	for text, want := range map[string]float64{
		"seats": 600, " objects ": 2, "distance": 0.5, "longestWait{queued}": 15, "queued{ queued }": 3200, "queued{rejecting}": 0,
		"crushing{queued,elephants=4}": odds, "crushing{ elephants = 4 , priorityLevel=queued}": odds, "crushing{rejecting,elephants=1}": 1,
	} {
		a, err := ParseAnalytic(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := a.Of(facts); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	g, err := ParseAnalyticGoal("crushing{queued,elephants=4} <= 0.1%")
	if err != nil || g.Value != 0.001 || g.Op != "<=" || g.String() != "crushing{queued,elephants=4} <= 0.001" {
		t.Errorf("goal %+v, %v", g, err)
	}
	if g, err := ParseAnalyticGoal("longestWait{queued}<10s"); err != nil || g.Value != 10 || g.Holds(15) {
		t.Errorf("goal %+v, %v", g, err)
	}
	if IsAnalytic("seats{} < 5") || !IsAnalytic("seats < 5") || IsAnalytic("wait < 5ms") {
		t.Error("seats{} is the metric, seats alone is what the servers have")
	}
}

// TestAnalyticFaults points at what is wrong.
func TestAnalyticFaults(t *testing.T) {
	for text, want := range map[string]int{
		"crushing < 1": 9, "crushing{a} < 1": 8, "crushing{a,elephants=x} < 1": 11, "crushing{a,b,elephants=1} < 1": 11,
		"queued{} < 1": 7, "queued{a < 1": 6, "seats": 5, "seats < x": 8, "seats < -1": 8, "longestWait{a} < 5": 17, "objects ! 3": 8,
	} {
		_, err := ParseAnalyticGoal(text)
		var fault *marked.Fault
		if !errors.As(err, &fault) || fault.At != want {
			t.Errorf("%q: %v, want a fault at %d", text, err, want)
		}
	}
}

// FuzzParseAnalyticGoal holds that a goal reads the same when it is written again, and that faults lie
// within the text.
func FuzzParseAnalyticGoal(f *testing.F) {
	for _, text := range []string{"crushing{workload-low,elephants=4} < 0.1%", "seats<=600", "longestWait{a} > 1s", "queued{,} < 1", "objects"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ParseAnalyticGoal(text)
		var fault *marked.Fault
		if errors.As(err, &fault) {
			if fault.At < 0 || fault.At > len(text) {
				t.Errorf("%q: a fault at %d", text, fault.At)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseAnalyticGoal(g.String())
		if err != nil || again.String() != g.String() {
			t.Errorf("%q is written as %q, which reads as %v, %v", text, g, again, err)
		}
	})
}

// TestContradiction finds goals that cannot hold together.
func TestContradiction(t *testing.T) {
	bound := func(subject, op string, value float64) Bound {
		return Bound{Subject: subject, Op: op, Value: value, Most: math.Inf(1)}
	}
	share := Bound{Subject: "share", Op: ">", Value: 1, Most: 1}
	for _, x := range []struct {
		bounds []Bound
		a, b   int
		ok     bool
	}{
		{[]Bound{bound("x", "<", 10), bound("x", ">", 20)}, 0, 1, false},
		{[]Bound{bound("x", "<", 10), bound("y", ">", 20)}, 0, 0, true},
		{[]Bound{bound("x", "<", 10), bound("y", "=", 1), bound("x", ">=", 10)}, 0, 2, false},
		{[]Bound{bound("x", "<=", 10), bound("x", ">=", 10), bound("x", "=", 10)}, 0, 0, true},
		{[]Bound{bound("x", "=", 10), bound("x", "=", 11)}, 0, 1, false},
		{[]Bound{bound("x", "<", 0)}, 0, 0, false},
		{[]Bound{bound("x", "<=", 0)}, 0, 0, true},
		{[]Bound{share}, 0, 0, false},
	} {
		if a, b, ok := Contradiction(x.bounds); ok != x.ok || !ok && (a != x.a || b != x.b) {
			t.Errorf("%v: %d, %d, %t", x.bounds, a, b, ok)
		}
	}
}

// proposal is one with something in each part.
func proposal() *Proposal {
	goal := Judged{Goal: "wait{a-client-with-a-long-name,p99} < 100ms", Scenario: "s", Verdict: Met, Metric: "wait", Value: new(reports.Value(0.05)), HalfWidth: new(reports.Value(0.01)), Spare: 0.4}
	missed := goal
	missed.Verdict, missed.Spare = Missed, -1
	knob := "priorityLevel/some-level-with-a-long-name.queueLengthLimit"
	point := func(value, verdict string, g Judged) Point {
		return Point{Settings: []study.Setting{{Path: knob, Value: value}}, Verdict: verdict, Replications: 5,
			Prices: []Price{{Objective: "seats", Value: 600}}, Goals: []Judged{g}}
	}
	p := &Proposal{APIVersion: study.APIVersion, Kind: Kind, Scenarios: []study.Scenario{{Name: "s", Seed: 1}}, Outcome: Found, Reason: "it is the best.",
		Search: study.Search{Knobs: []study.Factor{{Path: knob, Values: []string{"1", "2", "3"}}}, Minimize: []string{"seats"}},
		Method: Method{Name: "bisection", Why: "there is one knob", Notes: []string{"something was noticed"}},
		Today:  Point{Verdict: Missed, Prices: []Price{{Objective: "seats", Value: 600}}, Goals: []Judged{missed}},
	}
	p.Changes = []Change{{Path: knob, Today: "1", Value: "2"}}
	p.Recommended = new(point("2", Met, goal))
	p.Verification = &Verification{Verdict: Met, First: 5, Replications: 5, Goals: []Judged{goal}}
	p.Front = []Point{point("1", Missed, missed), point("2", Met, goal)}
	p.Sensitivity = []Step{{Path: knob, From: "2", To: "1", Point: point("1", Missed, missed)}, {Path: knob, From: "2", To: "3", Point: Point{Verdict: "invalid", Why: "it is | refused"}}}
	p.Obstacles = []Obstacle{{Goal: goal.Goal, Best: missed, At: []study.Setting{{Path: knob, Value: "1"}}, Ends: []string{"an end"}, Binds: []string{"a limit"}}}
	p.Price = &Spent{SeatsToday: 600, Seats: 700, Objects: 1}
	p.Cost = []Effect{{Scenario: "s", PriorityLevel: "workload-low", Metric: "wait", Quantile: 0.99, Before: 1, After: 2, Difference: 1, DifferenceHalfWidth: new(reports.Value(0.5))}}
	return p
}

// TestText fits the text into its width, with all that there is to say.
func TestText(t *testing.T) {
	for _, width := range []int{80, 120} {
		var b bytes.Buffer
		if err := proposal().WriteText(&b, width); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("a line of %d columns, and not %d: %q", n, width, line)
			}
		}
		words := strings.Join(strings.Fields(b.String()), " ")
		for _, part := range []string{"Found: it is the best.", "50.0ms ± 10.0ms", "fresh: replications 5 to 9", "Something was noticed.", "an end; a limit.", "+1.00s", "The servers have 700 seats, and 600 today. 1 flow-control object changes."} {
			if !strings.Contains(words, part) {
				t.Errorf("%q is missing in:\n%s", part, b.String())
			}
		}
	}
}

// TestMarkdownAndCSV have tables whose rows are all as long as their heading.
func TestMarkdownAndCSV(t *testing.T) {
	var b bytes.Buffer
	if err := proposal().WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	columns := 0
	for line := range strings.Lines(b.String()) {
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if n > 0 && columns > 0 && n != columns {
			t.Errorf("a row of %d cells, and not %d: %q", n-1, columns-1, line)
		}
		columns = n
	}
	b.Reset()
	if err := proposal().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 7 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got := rows[2]; got[0] != "recommended" || got[1] != "2" || got[5] != "600" || got[7] != "0.05" {
		t.Errorf("the recommended point is %q", got)
	}
}
