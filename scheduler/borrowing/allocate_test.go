package borrowing

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAllocate(t *testing.T) {
	for _, c := range []struct {
		name    string
		sum     int
		classes []Class
		allocs  []float64
		frac    float64
	}{
		{"nobody", 0, nil, []float64{}, 0},
		{"nothing to give", 0, []Class{{1, 0, 5}, {2, 0, 5}}, []float64{0, 0}, 0},
		{"no bound matters", 30, []Class{{10, 0, 100}, {50, 0, 100}}, []float64{5, 25}, 0.5},
		{"more than the targets", 120, []Class{{10, 0, 100}, {50, 0, 110}}, []float64{20, 100}, 2},
		{"a lower bound matters", 30, []Class{{10, 10, 100}, {50, 0, 100}}, []float64{10, 20}, 0.4},
		{"an upper bound matters", 60, []Class{{10, 0, 100}, {50, 0, 20}}, []float64{40, 20}, 4},
		{"both do", 90, []Class{{10, 10, 100}, {100, 0, 20}, {60, 0, 100}}, []float64{10, 20, 60}, 1},
		{"just the lower bounds", 15, []Class{{10, 5, 9}, {20, 10, 50}}, []float64{5, 10}, 0.5},
		{"just the upper bounds", 59, []Class{{10, 5, 9}, {20, 10, 50}}, []float64{9, 50}, 2.5},
		{"a tiny target counts as 0.001", 10, []Class{{0, 0, 100}, {0.0005, 0, 100}}, []float64{5, 5}, 5000},
		{"equal bounds", 11, []Class{{10, 5, 8}, {10, 5, 8}, {4, 0, 4}}, []float64{5, 5, 1}, 0.25},
		{"a gap where no class is free", 17, []Class{{10, 0, 5}, {10, 10, 20}}, []float64{5, 12}, 1.2},
		{"several bounds at one fraction", 40, []Class{{10, 10, 50}, {20, 20, 50}, {10, 0, 10}, {10, 0, 5}}, []float64{10, 20, 5, 5}, 0.5},
	} {
		allocs, frac, err := Allocate(c.sum, c.classes)
		if err != nil || !slices.Equal(allocs, c.allocs) || frac != c.frac {
			t.Errorf("%s: %v, fraction %v, error %v; want %v, fraction %v", c.name, allocs, frac, err, c.allocs, c.frac)
		}
	}
}

// Sums that miss each other by less than 1e-7 count as equal.
func TestAllocateHasALittleWiggleRoom(t *testing.T) {
	for _, c := range []struct {
		class Class
		want  float64
	}{
		{Class{10, 4.99999995, 9}, 4.99999995},
		{Class{10, 5.00000005, 9}, 5.00000005},
		{Class{10, 4.999, 9}, 5},
		{Class{10, 1, 5.00000005}, 5.00000005},
		{Class{10, 1, 4.99999995}, 4.99999995},
		{Class{10, 1, 5.001}, 5},
	} {
		allocs, _, err := Allocate(5, []Class{c.class})
		if err != nil || allocs[0] != c.want {
			t.Errorf("5 seats for %+v: %v, error %v; want %v", c.class, allocs, err, c.want)
		}
	}
}

// 0.3 + 0.6 - 0.3 - 0.6 is not 0 but a little less. With nobody free that must not be
// taken for a rate.
func TestAllocateKnowsAGapDespiteRounding(t *testing.T) {
	allocs, f, err := Allocate(15, []Class{{0.3, 0, 0.15}, {0.6, 0, 0.3}, {10, 10, 20}})
	if err != nil || !near(f, 1.455) || !near(allocs[2], 14.55) {
		t.Errorf("%v, fraction %v, error %v; want 14.55 for the third, fraction 1.455", allocs, f, err)
	}
}

func TestAllocateSaysWhyItIsImpossible(t *testing.T) {
	for _, c := range []struct {
		sum     int
		classes []Class
		want    string
	}{
		{-1, nil, "cannot allocate -1 seats"},
		{5, []Class{{1, 0, 9}, {1, -1, 9}}, "class 1: the lower bound -1 is negative"},
		{5, []Class{{1, 2, 9}}, "class 0: the target 1 is below the lower bound 2"},
		{5, []Class{{9, 2, 1}}, "class 0: the upper bound 1 is below the lower bound 2"},
		{5, []Class{{4, 3, 9}, {4, 3, 9}}, "the lower bounds sum to 6, more than the 5 seats"},
		{5, []Class{{4, 0, 2}, {4, 0, 2}}, "the upper bounds sum to 4, less than the 5 seats"},
		{1, nil, "the upper bounds sum to 0, less than the 1 seats"},
	} {
		_, _, err := Allocate(c.sum, c.classes)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Allocate(%d, %v): error %v, want %q", c.sum, c.classes, err, c.want)
		}
	}
}

// drawProblem draws classes as adjustments have them, with whole bounds and any
// targets, and a sum that they can be given.
func drawProblem(t *rapid.T) (sum int, classes []Class) {
	var low, high int
	for range rapid.IntRange(1, 14).Draw(t, "classes") {
		lower := rapid.IntRange(0, 100).Draw(t, "lower")
		upper := lower + rapid.IntRange(0, 300).Draw(t, "room")
		more := rapid.OneOf(
			rapid.Just(0.0),
			rapid.Map(rapid.IntRange(0, 50), func(n int) float64 { return float64(n) }),
			rapid.Float64Range(0, 3000),
		).Draw(t, "more")
		classes = append(classes, Class{Target: float64(lower) + more, Lower: float64(lower), Upper: float64(upper)})
		low, high = low+lower, high+upper
	}
	return rapid.IntRange(low, high).Draw(t, "sum"), classes
}

// near tells whether two numbers of seats are equal up to rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// The properties are those in the comment of Allocate, by their numbers.
func TestAllocateHasItsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		required, classes := drawProblem(t)
		allocs, f, err := Allocate(required, classes)
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for i, c := range classes {
			sum += allocs[i]
			if allocs[i] < c.Lower || allocs[i] > c.Upper {
				t.Errorf("1: class %d has %v, not in [%v, %v]", i, allocs[i], c.Lower, c.Upper)
			}
			fair := f * max(c.Target, 0.001)
			switch {
			case required == 0: // then f is 0, whatever the bounds
			case near(allocs[i], fair): // 2a
			case allocs[i] == c.Lower && c.Lower > fair: // 2b
			case allocs[i] == c.Upper && c.Upper < fair: // 2c
			default:
				t.Errorf("2: class %d has %v, a fair part is %v, bounds [%v, %v]", i, allocs[i], fair, c.Lower, c.Upper)
			}
		}
		if math.Abs(sum-float64(required)) > 1e-6 {
			t.Errorf("the allocations sum to %v, not %d", sum, required)
		}
	})
}

// bisect solves the same problem with no ideas in it: the sum of the clamped fair
// parts grows with the fraction, so halve the range of fractions until it is a point.
func bisect(required int, classes []Class) []float64 {
	allocs := make([]float64, len(classes))
	low, high := 0.0, 1e9 // above every relative bound
	for range 200 {
		f := (low + high) / 2
		sum := 0.0
		for i, c := range classes {
			allocs[i] = min(c.Upper, max(c.Lower, f*max(c.Target, 0.001)))
			sum += allocs[i]
		}
		if sum < float64(required) {
			low = f
		} else {
			high = f
		}
	}
	return allocs
}

func TestAllocateAgainstBisection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		required, classes := drawProblem(t)
		allocs, _, err := Allocate(required, classes)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range bisect(required, classes) {
			if math.Abs(allocs[i]-want) > 1e-6 {
				t.Errorf("class %d: %v, bisection finds %v", i, allocs[i], want)
			}
		}
	})
}

// What is the same must be treated the same, to the last bit: levels with equal
// demand would otherwise be rounded to different limits.
func TestAllocateTreatsEqualClassesEqually(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, classes := drawProblem(t)
		classes = append(classes, classes...)
		var low, high float64
		for _, c := range classes {
			low, high = low+c.Lower, high+c.Upper
		}
		allocs, _, err := Allocate(rapid.IntRange(int(low), int(high)).Draw(t, "required"), classes)
		if err != nil {
			t.Fatal(err)
		}
		half := len(classes) / 2
		if !slices.Equal(allocs[:half], allocs[half:]) {
			t.Errorf("twins have %v and %v", allocs[:half], allocs[half:])
		}
	})
}
