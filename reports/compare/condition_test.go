package compare

import (
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports"
)

func TestParseCondition(t *testing.T) {
	for _, c := range []struct {
		text     string
		want     Condition
		kind     string
		name     string
		quantile float64
	}{
		{"wait{low,p99} > +10%", Condition{Bound: 0.1, Relative: true}, "", "low", 0.99},
		{"wait{p50,priorityLevel=low}<-5ms", Condition{Bound: -0.005, Less: true}, "priorityLevel", "low", 0.5},
		{"  latency { client = mice , max } >= +1m30s ", Condition{Bound: 90, Or: true}, "client", "mice", 1},
		{"rejected{} > +3", Condition{Bound: 3}, "", "", 0},
		{"rejected <= -0.5", Condition{Bound: -0.5, Less: true, Or: true}, "", "", 0},
		{"wait{mean} > +0%", Condition{Relative: true}, "", "", 0},
		{"wait{p99.9} > +1e1%", Condition{Bound: 0.1, Relative: true}, "", "", 0.9990000000000001},
		{"serverShare{server=0} > +0.1", Condition{Bound: 0.1}, "server", "0", 0},
	} {
		got, err := ParseCondition(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		name := got.bare + got.name
		if got.Bound != c.want.Bound || got.Less != c.want.Less || got.Or != c.want.Or || got.Relative != c.want.Relative ||
			got.kind != c.kind || name != c.name || got.Of.Quantile != c.quantile {
			t.Errorf("%q is %+v", c.text, got)
		}
	}
}

// TestConditionFaults: each fault is marked where it is.
func TestConditionFaults(t *testing.T) {
	names := NamesOf(result(1, 1))
	for _, text := range []string{
		"^", "^wiat > +1%", "wait{^", "wait{^}x", "wait{low ^> +1%", "wait{p50,^p99} > +1%", "rejected{^p99} > +1", "wait{^p0} > +1%", "wait{low,^mice} > +1%",
		"wait{^levle=low} > +1%", "wait{client=^} > +1%", "wait ^", "wait{low} ^+1%", "wait >^", "wait > ^1%", "wait > ^+1", "wait > ^+1x", "wait > ^+x%", "rejected > ^+1ms",
		"rejected > ^++1", "rejected > ^+-1%", "wait{^cats} > +1%", "wait{^both} > +1%", "wait{client=^cats} > +1%", "latency{priorityLevel=^low} > +1%", "waitingPeak > +1^",
		"deadlocks{^mice} > +1", "serverShare{server=^9} > +1%", "wait{low,^} > +1%", "wait{^,low} > +1%", "wait > ^+1h-5m",
		"blame^{mice} > +1%", "blame{mice,^holdr=mice} > +1%", "blame{mice,holder=^cats} > +1%", "blame{mice,holder=^} > +1%", "blame{mice,holder=mice,^holder=mice} > +1%",
		"blame{holder=mice} > +1%^", "wait{low,^holder=mice} > +1%", "wait{low,^client=mice} > +1%",
	} {
		plain := strings.Replace(text, "^", "", 1)
		if text == "wait{^}x" {
			plain = "wait{}x"
		}
		c, err := ParseCondition(plain)
		if err == nil {
			err = c.Resolve(names)
		}
		f, ok := err.(*Fault)
		switch {
		case !ok:
			t.Errorf("%q: %v", plain, err)
		case text == "wait{^}x": // empty braces are fine, what follows is not
			if f.At != len("wait{}") {
				t.Errorf("%q: marked at %d: %s", plain, f.At, f.Message)
			}
		case f.At != strings.Index(text, "^"):
			t.Errorf("%q: marked at %d: %s", plain, f.At, f.Message)
		}
	}
}

func TestJudge(t *testing.T) {
	a := result(1, 5, waits(1, 2, 3, 4, 5), of(reports.Figure{Metric: reports.MetricRejected}, 0, 0, 0, 0, 0))
	b := result(1, 5, waits(1.1, 2.1, 3.1, 4.1, 5.2), of(reports.Figure{Metric: reports.MetricRejected}, 0, 2, 0, 0, 0))
	for _, c := range []struct {
		text    string
		outcome reports.Outcome
		clear   bool
		says    string
	}{
		{"wait{low} > +2%", reports.Failed, true, "want at most +2.0%, got +4.0% ± 1.9%, from 3.00s to 3.12s: 2.0% beyond the bound, as is the whole interval"},
		{"wait{low} > +3%", reports.Failed, false, "1.0% beyond the bound, but not all of the interval is"},
		{"wait{low} > +5%", reports.Passed, false, "within the bound, but not all of the interval is"},
		{"wait{low} > +10%", reports.Passed, true, "6.0% within the bound, as is the whole interval"},
		{"wait{low} > +100ms", reports.Failed, false, "got +120ms ± 55.5ms"},
		{"wait{low} < -1ms", reports.Passed, true, "want at least -1.00ms"},
		{"wait{low} <= +120ms", reports.Failed, false, "want above +120ms"},
		{"rejected > +10%", reports.Failed, false, "got +∞, from 0 to 0.4: ∞ beyond the bound, but not all of the interval is"},
		{"rejected > +1", reports.Passed, false, "want at most +1, got +0.4 ± 1.11"},
		{"cut > +1", reports.NoData, false, "no data: the result has no figure of cut"},
	} {
		condition, err := ParseCondition(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if err := condition.Resolve(NamesOf(a)); err != nil {
			t.Fatal(err)
		}
		done := Compare(Input{"a", a}, Input{"b", b})
		done.Judge(a, b, []*Condition{condition})
		j := &done.Conditions[0]
		if j.Outcome != c.outcome || j.Clear != c.clear || !strings.Contains(j.String(), c.says) || done.Passed() != (c.outcome == reports.Passed) {
			t.Errorf("%s: clear %t: %s", c.text, j.Clear, j)
		}
	}
}

func FuzzCondition(f *testing.F) {
	f.Add("wait{low,p99} > +10%")
	f.Add("rejected{client=mice}<=-3")
	f.Add("wait{}>+1ms")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCondition(text)
		if err == nil {
			err = c.Resolve(NamesOf(result(1, 1)))
		}
		if fault, ok := err.(*Fault); ok && (fault.At < 0 || fault.At > len(text) || fault.Error() == "") {
			t.Errorf("%q: the fault is at %d", text, fault.At)
		}
	})
}
