package borrowing

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// demands is a stock server with 600 seats and the given demand statistics; levels
// that are not mentioned are idle.
func demands(stats map[string]Stats) []LevelDemand {
	limits := stockLimits(600)
	var levels []LevelDemand
	for _, l := range stock() {
		levels = append(levels, LevelDemand{
			Exempt:  l.name == "exempt",
			Limits:  limits[l.name],
			Stats:   stats[l.name],
			Current: limits[l.name].Initial(),
		})
	}
	return levels
}

// adjust returns the limits by name.
func adjust(levels []LevelDemand) (map[string]int, float64) {
	current, f := newest.Adjust(levels)
	byName := make(map[string]int)
	for i, l := range stock() {
		byName[l.name] = current[i]
	}
	return byName, f
}

// flat is a demand that has been the same for ever.
func flat(seats int) Stats {
	return Stats{Avg: float64(seats), Smoothed: float64(seats), HighWatermark: seats}
}

// An idle server divides its seats in proportion to the minimum limits, not to the
// nominal ones.
func TestIdleLimitsOfAStockServer(t *testing.T) {
	got, _ := adjust(demands(nil))
	want := map[string]int{
		"system": 117, "node-high": 170, "leader-election": 58, "workload-high": 114,
		"workload-low": 56, "global-default": 56, "catch-all": 30, "exempt": 0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}

// With all others idle a level gets what their minimum limits leave.
func TestReachableLimitsOfAStockServer(t *testing.T) {
	for name, want := range map[string]int{
		"catch-all": 357, "global-default": 368, "leader-election": 369, "node-high": 417,
		"system": 394, "workload-high": 393, "workload-low": 368,
	} {
		if got, _ := adjust(demands(map[string]Stats{name: flat(100_000)})); got[name] != want {
			t.Errorf("%s reaches %d, want %d", name, got[name], want)
		}
	}
}

// The levels with little demand get their nominal limits and no more, though what
// they want is a much larger part of that than workload-low's
// (kubernetes/kubernetes#121982).
func TestLowLevelsHaveTheLargerEffectiveShare(t *testing.T) {
	got, _ := adjust(demands(map[string]Stats{
		"workload-low": flat(5000), "system": flat(400), "leader-election": flat(60),
	}))
	want := map[string]int{
		"workload-low": 344, "system": 74, "leader-election": 25,
		"node-high": 73, "workload-high": 49, "global-default": 24, "catch-all": 13, "exempt": 0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}

// Nominal limits sum to 602 and minimum limits to 258 here.
func TestExemptLevelsTakeFirst(t *testing.T) {
	busy := func(exempt int) map[string]Stats {
		return map[string]Stats{"exempt": flat(exempt), "workload-low": flat(245), "workload-high": flat(98)}
	}
	// The floors are 245, 98, and the minimum limits of the others: 258 + 221 + 49 = 528.
	t.Run("with enough left for the floors the rest is not looked at", func(t *testing.T) {
		without, f := adjust(demands(busy(0)))
		with, g := adjust(demands(busy(73)))
		without["exempt"] = 73
		if diff := cmp.Diff(without, with); diff != "" || f != g || f == 0 {
			t.Errorf("fractions %v and %v, limits (-without +with):\n%s", f, g, diff)
		}
	})
	t.Run("each gets the same part between minimum and floor", func(t *testing.T) {
		// 602 - 209 = 393 is half way between 258 and 528.
		got, f := adjust(demands(busy(209)))
		want := map[string]int{
			"exempt": 209, "workload-low": 24 + 111, "workload-high": 49 + 25, // 110.5 and 24.5
			"node-high": 73, "system": 50, "leader-election": 25, "global-default": 24, "catch-all": 13,
		}
		if diff := cmp.Diff(want, got); diff != "" || f != 0 {
			t.Errorf("fraction %v, limits (-want +got):\n%s", f, diff)
		}
	})
	t.Run("all of the floors, just", func(t *testing.T) {
		got, f := adjust(demands(busy(602 - 528)))
		if got["workload-low"] != 245 || got["workload-high"] != 98 || f != 0 {
			t.Errorf("fraction %v, limits %v", f, got)
		}
	})
	for _, exempt := range []int{602 - 258, 600, 10_000} {
		got, f := adjust(demands(busy(exempt)))
		want := map[string]int{
			"exempt": exempt, "workload-low": 24, "workload-high": 49,
			"node-high": 73, "system": 50, "leader-election": 25, "global-default": 24, "catch-all": 13,
		}
		if diff := cmp.Diff(want, got); diff != "" || f != 0 {
			t.Errorf("exempt %d: fraction %v, limits (-minimum +got):\n%s", exempt, f, diff)
		}
	}
}

// On an idle server floors and minimum limits are the same, so that nothing is between
// them to divide.
func TestExemptLevelLeavesJustTheMinimumsOfIdleLevels(t *testing.T) {
	got, _ := adjust(demands(map[string]Stats{"exempt": flat(602 - 258)}))
	if got["workload-low"] != 24 || got["leader-election"] != 25 {
		t.Errorf("limits %v, want the minimums", got)
	}
}

func TestExemptLevelKeepsItsMinimum(t *testing.T) {
	levels := []LevelDemand{
		{Exempt: true, Limits: Limits{Nominal: 50, Min: 40, Max: 650}, Stats: flat(7)},
		{Limits: Limits{Nominal: 100, Min: 60, Max: 700}},
	}
	got, _ := newest.Adjust(levels)
	if diff := cmp.Diff([]int{40, 150}, got); diff != "" { // 150 is the sum of the nominal limits
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}

// The floor follows the high watermark between minimum and nominal limit.
func TestFloor(t *testing.T) {
	limits := Limits{Nominal: 100, Min: 60, Max: 500}
	for watermark, want := range map[int]int{0: 60, 59: 60, 61: 61, 100: 100, 101: 100} {
		l := LevelDemand{Limits: limits, Stats: Stats{HighWatermark: watermark}}
		if got := l.floor(); got != want {
			t.Errorf("watermark %d: floor %d, want %d", watermark, got, want)
		}
	}
	l := LevelDemand{Exempt: true, Limits: limits, Stats: Stats{HighWatermark: 101}}
	if got := l.floor(); got != 101 {
		t.Errorf("exempt: floor %d, want 101", got)
	}
}

// With borrowing limits the upper bounds may be too low for all seats.
func TestLimitsStayWhereThereIsNoSolution(t *testing.T) {
	levels := []LevelDemand{
		{Exempt: true, Limits: Limits{Nominal: 30, Min: 0, Max: 630}, Stats: flat(5), Current: 1},
		{Limits: Limits{Nominal: 10, Min: 5, Max: 10}, Current: 7},
		{Limits: Limits{Nominal: 20, Min: 5, Max: 20}, Current: 19},
	}
	got, f := newest.Adjust(levels)
	if diff := cmp.Diff([]int{5, 7, 19}, got); diff != "" || f != 0 {
		t.Errorf("fraction %v, limits (-want +got):\n%s", f, diff)
	}
}

func TestAdjustWithoutLevelsToLimit(t *testing.T) {
	if got, f := newest.Adjust(nil); len(got) != 0 || f != 0 {
		t.Errorf("no levels: %v, %v", got, f)
	}
	got, _ := newest.Adjust([]LevelDemand{{Exempt: true, Limits: Limits{Nominal: 9, Min: 9, Max: 99}, Stats: flat(50), Current: 3}})
	if diff := cmp.Diff([]int{3}, got); diff != "" {
		t.Errorf("exempt only (-want +got):\n%s", diff)
	}
}

// Whatever the demand, limits stay within their bounds and use up the nominal seats,
// to the rounding of each, while the exempt level leaves enough.
func TestAdjustWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stats := make(map[string]Stats)
		for _, l := range stock() {
			watermark := rapid.IntRange(0, 900).Draw(t, "watermark")
			if l.name == "exempt" {
				watermark /= 10
			}
			stats[l.name] = Stats{
				Smoothed:      rapid.Float64Range(0, 2000).Draw(t, "smoothed"),
				HighWatermark: watermark,
			}
		}
		levels := demands(stats)
		current, f := newest.Adjust(levels)
		sum := 0
		for i, l := range levels {
			if l.Exempt {
				continue
			}
			sum += current[i]
			if current[i] < l.floor() && f > 0 || current[i] < l.Limits.Min || current[i] > l.Limits.Max {
				t.Errorf("level %d has %d: floor %d, limits %+v", i, current[i], l.floor(), l.Limits)
			}
		}
		if off := sum - 602; f > 0 && (off < -4 || off > 4) {
			t.Errorf("the limits sum to %d, not about 602", sum)
		}
	})
}
