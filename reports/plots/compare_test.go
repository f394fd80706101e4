package plots

import (
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports"
)

// TestCompared holds that two results are drawn side by side, on the same axes and in the same
// colours, whatever one of them lacks.
func TestCompared(t *testing.T) {
	a, b := made(60, 2, 3), made(90, 3, 2)
	for i := range b.Populations {
		b.Populations[i].Requests = madeRequests(100)
	}
	for i := range b.Timeline.PriorityLevels {
		b.Timeline.PriorityLevels[i].WaitMax = nil
	}
	charts := Compared(a, b, "before", "after")
	if find(charts, "time-level-2") == nil || find(charts, "rejections") == nil {
		t.Fatal("charts are missing")
	}
	sections := map[string]bool{}
	for i := range charts {
		c := &charts[i]
		if i > 0 && charts[i-1].Section != c.Section && sections[c.Section] {
			t.Errorf("%s is apart from the others of its section", c.ID)
		}
		sections[c.Section] = true
		checkSVG(t, c, DefaultWidth)
		checkSVG(t, c, MinWidth)
		if len(c.columns) < 2 {
			continue
		}
		left, right := c.columns[0].panels, c.columns[1].panels
		if len(left) != len(right) {
			t.Fatalf("%s has %d panels beside %d", c.ID, len(left), len(right))
		}
		for j := range left {
			x, y := left[j].x, right[j].x
			if x.kind != categories && (x.min != y.min || x.max != y.max) || left[j].matched() != right[j].matched() {
				t.Errorf("%s: panel %d is %q up to %v beside %q up to %v", c.ID, j, left[j].heading, x.max, right[j].heading, y.max)
			}
		}
	}
	last := find(charts, "time-level-0").columns[1].panels
	if got := last[len(last)-1].heading; !strings.HasSuffix(got, "no data") {
		t.Errorf("in place of waits that one result lacks there is %q", got)
	}
}

// TestColorsOfBoth holds that a population has one colour in both results.
func TestColorsOfBoth(t *testing.T) {
	a, b := made(2, 1, 3), made(2, 1, 3)
	b.Populations[0].Requests.Arrivals = 1 << 40
	both := newColors(a, b)
	if got := both.populations.names[0]; got != "population-0" {
		t.Errorf("the largest of both is %s", got)
	}
	if len(both.populations.names) != 3 {
		t.Errorf("%d names for three populations", len(both.populations.names))
	}
	if got := newColors(&reports.Result{}).levels.line("any").paint; got != rest {
		t.Errorf("a level without a look of its own is %s", got.name)
	}
}
