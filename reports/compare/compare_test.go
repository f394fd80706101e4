package compare

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports"
)

// result makes a result of figures that say what each replication has.
func result(seed uint64, replications int, figures ...reports.Figure) *reports.Result {
	r := &reports.Result{
		APIVersion: reports.APIVersion, Kind: reports.Kind, Metadata: reports.Metadata{Name: "made"}, KubernetesVersion: "1.37", Seed: seed,
		Populations:    []reports.Population{{Name: "mice"}},
		PriorityLevels: []reports.PriorityLevel{{Name: "low"}, {Name: "both"}}, FlowSchemas: []reports.FlowSchema{{Name: "both"}},
		Figures: figures,
	}
	for i := range replications {
		r.Replications = append(r.Replications, reports.Replication{Replication: i, Fingerprint: fmt.Sprintf("%016x", seed+uint64(i))})
	}
	return r
}

// waits makes the mean waits of the level low; a negative one is none.
func waits(seconds ...float64) reports.Figure {
	return of(reports.Figure{Metric: reports.MetricWait, PriorityLevel: "low"}, seconds...)
}

func of(f reports.Figure, values ...float64) reports.Figure {
	for _, x := range values {
		var v *reports.Value
		if x >= 0 {
			v = ref(reports.Value(x))
		}
		f.Replications = append(f.Replications, v)
	}
	f.Value = reports.Value(values[0])
	return f
}

// only compares results with one figure.
func only(t *testing.T, a, b *reports.Result) (*Comparison, Row) {
	t.Helper()
	c := Compare(Input{"a", a}, Input{"b", b})
	if len(c.Rows) != 1 {
		t.Fatalf("%d rows", len(c.Rows))
	}
	return c, c.Rows[0]
}

func TestVerdicts(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name    string
		a, b    reports.Figure
		verdict Verdict
		why     string
	}{
		{"a shift of pairs that vary", waits(1, 2, 3, 4, 5), waits(1.1, 2.1, 3.1, 4.1, 5.2), Worse, ""},
		{"the other way", waits(1.1, 2.1, 3.1, 4.1, 5.2), waits(1, 2, 3, 4, 5), Better, ""},
		{"a constant shift", waits(1, 2, 3, 4, 5), waits(2, 3, 4, 5, 6), Worse, ""},
		{"chance", waits(1, 2, 3, 4, 5), waits(2, 1, 4, 3, 6), Unclear, ""},
		{"the same", waits(1, 2, 3, 4, 5), waits(1, 2, 3, 4, 5), Same, ""},
		{"a pair less", waits(1, 2, -1, 4, 5), waits(1.1, 2.1, 9, 4.1, 5.2), Worse, ""},
		{"one pair", waits(1, -1, -1, -1, -1), waits(2, 3, 3, 3, 3), Unclear, "one replication cannot tell"},
		{"no pair", waits(1, -1, -1, -1, -1), waits(-1, 3, 3, 3, 3), Unclear, "one replication cannot tell"},
		{"nothing on one side", waits(-1, -1, -1, -1, -1), waits(1, 3, 3, 3, 3), Changed, "no data in A: no replication has a value that could be compared"},
		{"without end", waits(1, 2, 3, 4, 5), waits(inf, inf, inf, inf, inf), Unclear, "a time without end has no interval"},
		{"without end on both sides", waits(1, 2, 3, 4, inf), waits(1, 2, 3, 4, inf), Same, ""},
		{"seats", of(reports.Figure{Metric: reports.MetricSeats}, 1, 2, 3, 4, 5), of(reports.Figure{Metric: reports.MetricSeats}, 2, 3, 4, 5, 6.5), Changed, ""},
		{"renewed leases", of(reports.Figure{Metric: reports.MetricRenewedLeases}, 1, 2, 3, 4, 5), of(reports.Figure{Metric: reports.MetricRenewedLeases}, 2, 3, 4, 5, 6.5), Better, ""},
	} {
		_, row := only(t, result(1, 5, c.a), result(1, 5, c.b))
		if row.Verdict != c.verdict || row.Why != c.why {
			t.Errorf("%s: %s (%s), want %s (%s)", c.name, row.Verdict, row.Why, c.verdict, c.why)
		}
	}
	_, row := only(t, result(1, 6, waits(1, 2, 3, 4, 5, 6)), result(1, 6, waits(inf, inf, inf, inf, inf, inf)))
	if row.Verdict != Worse {
		t.Errorf("six without end: %s", row.Verdict)
	}
}

// TestRow: the interval is that of the pairs, with its parts of A.
func TestRow(t *testing.T) {
	c, row := only(t, result(1, 2, waits(1, 3)), result(1, 2, waits(2, 5)))
	if c.Method != Paired || *row.A != 2 || *row.B != 3.5 || *row.Difference != 1.5 || *row.Relative != 0.75 || row.Replications != 2 {
		t.Errorf("the row is %+v", row)
	}
	// t(1) = 12.7062, s = 0.7071, s/sqrt(2) = 0.5
	if math.Abs(float64(*row.HalfWidth)-6.3531) > 1e-4 || math.Abs(float64(*row.RelativeHalfWidth)-3.17655) > 1e-4 || row.Verdict != Unclear {
		t.Errorf("± %v, relative %v, %s", *row.HalfWidth, *row.RelativeHalfWidth, row.Verdict)
	}
	// t(3) 0.7071 / 2 = 1.125 is the first below 1.5.
	if row.Needed != 4 {
		t.Errorf("%d replications would tell", row.Needed)
	}
}

func TestMethods(t *testing.T) {
	a := result(1, 3, waits(1, 2, 3))
	later := result(1, 3, waits(1, 2, 3))
	later.Warmup = 5
	others := result(1, 3, waits(1, 2, 3))
	others.Populations = []reports.Population{{Name: "cats"}}
	elsewhere := result(1, 1, waits(1))
	elsewhere.Replications[0].Replication = 7
	for _, c := range []struct {
		name   string
		b      *reports.Result
		method Method
		why    string
	}{
		{"one seed", result(1, 3, waits(2, 3, 4)), Paired, ""},
		{"fewer replications", result(1, 2, waits(2, 3)), Paired, ""},
		{"another seed", result(2, 3, waits(2, 3, 4)), Unpaired, "the seeds differ: 1 and 2"},
		{"other times", later, Unpaired, "the times of the runs differ"},
		{"other clients", others, Unpaired, "the results have no population of clients in common"},
		{"one replication", result(1, 1, waits(2)), Single, "one replication cannot tell how much of a difference is chance"},
		{"no replication in common", elsewhere, Single, "the results have no replication in common, and one replication cannot tell how much of a difference is chance"},
	} {
		got, _ := only(t, a, c.b)
		if got.Method != c.method || got.Why != c.why {
			t.Errorf("%s: %s (%s), want %s (%s)", c.name, got.Method, got.Why, c.method, c.why)
		}
	}
}

// TestIdentical: results are identical by their fingerprints, whatever the figures say.
func TestIdentical(t *testing.T) {
	a, b := result(1, 3, waits(1, 2, 3)), result(1, 3, waits(1, 2, 3))
	if c, _ := only(t, a, b); !c.Identical || !strings.HasPrefix(c.Summary(), "Nothing has changed at all") {
		t.Errorf("identical %t: %s", c.Identical, c.Summary())
	}
	b.Replications[1].Fingerprint = "0"
	if c, _ := only(t, a, b); c.Identical {
		t.Error("results with other fingerprints are identical")
	}
	if c, _ := only(t, a, result(1, 2, waits(1, 2))); c.Identical {
		t.Error("a result is identical with one that has fewer replications")
	}
}

// TestDirections: it is known of every metric what it means if it goes up.
func TestDirections(t *testing.T) {
	for _, m := range reports.Metrics() {
		if _, ok := worseUp[m]; !ok {
			t.Errorf("%s has no direction", m)
		}
	}
}

// TestWidths: the text keeps to its width at 80 and 120 columns, and colour marks verdicts alone.
func TestWidths(t *testing.T) {
	c, _ := only(t, result(1, 5, waits(1, 2, 3, 4, 5)), result(1, 5, waits(1.1, 2.1, 3.1, 4.1, 5.2)))
	for i := range 30 {
		c.Configuration = append(c.Configuration, Setting{fmt.Sprintf("clients/someone-with-a-long-name-%d.count", i), "1", strings.Repeat("many words ", 20)})
	}
	c.Notes = []string{strings.Repeat("a note that is long ", 10)}
	for _, width := range []int{80, 120} {
		var plain, colored bytes.Buffer
		if err := WriteText(&plain, c, TextOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		if err := WriteText(&colored, c, TextOptions{Width: width, Color: true}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(plain.String()) {
			if n := len([]rune(line)) - 1; n > width {
				t.Errorf("%d columns: %s", n, line)
			}
		}
		if !strings.Contains(plain.String(), "and 10 more: --all shows them") && width == 80 {
			t.Errorf("a long configuration is not cut:\n%s", plain.String())
		}
		bare := strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(colored.String())
		if bare != plain.String() || !strings.Contains(colored.String(), "\x1b[31mworse\x1b[0m") {
			t.Errorf("the colours are wrong:\n%q", colored.String())
		}
	}
}

// TestMarkdownEscapes: what names hold does not end a cell or begin a tag.
func TestMarkdownEscapes(t *testing.T) {
	c, _ := only(t, result(1, 2, waits(1, 2)), result(1, 2, waits(2, 3)))
	c.A.Name, c.B.Scenario = "a|b`c``d", "<b>*x*"
	var b bytes.Buffer
	if err := WriteMarkdown(&b, c, true); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "| A | `` a\\|b`c` `d `` |") || !strings.Contains(text, `made and \<b\>\*x\*`) {
		t.Errorf("names are not escaped:\n%s", text)
	}
}
