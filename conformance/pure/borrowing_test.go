package pure

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apfsim/apfsim/scheduler/borrowing"
)

// TestAllocateEqualsUpstream compares every bit of the allocations, the fair
// fraction, and whether there is a solution at all.
func TestAllocateEqualsUpstream(t *testing.T) {
	r := random(t, 1)
	var solved, unsolved, clamped int
	for range 2_000_000 * *times {
		classes, requiredSum := allocationProblem(r)
		items := make([]allocProblemItem, len(classes))
		for i, c := range classes {
			items[i] = allocProblemItem{c.Target, c.Lower, c.Upper}
		}
		want, wantFair, wantErr := computeConcurrencyAllocation(requiredSum, items)
		got, gotFair, gotErr := borrowing.Allocate(requiredSum, classes)
		if (wantErr == nil) != (gotErr == nil) {
			t.Fatalf("Allocate(%d, %+v): error %v, want %v", requiredSum, classes, gotErr, wantErr)
		}
		if wantErr != nil {
			unsolved++
			continue
		}
		solved++
		if math.Float64bits(gotFair) != math.Float64bits(wantFair) {
			t.Fatalf("Allocate(%d, %+v): fair fraction %v, want %v", requiredSum, classes, gotFair, wantFair)
		}
		bounded := false
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Fatalf("Allocate(%d, %+v): class %d gets %v, want %v", requiredSum, classes, i, got[i], want[i])
			}
			bounded = bounded || want[i] == items[i].lowerBound || want[i] == items[i].upperBound
		}
		if bounded {
			clamped++
		}
	}
	// The draw is worthless if it avoids one of the ways through the function.
	for name, n := range map[string]int{"with a solution": solved, "without one": unsolved, "in which a bound matters": clamped} {
		if n < 10_000 {
			t.Errorf("only %d problems %s", n, name)
		}
	}
}

// allocationProblem draws classes as the controller makes them (whole bounds, equal
// targets, idle levels with target 0), and also such as it never would.
func allocationProblem(r *rand.Rand) ([]borrowing.Class, int) {
	classes := make([]borrowing.Class, r.IntN(12))
	if oneIn(r, 20) {
		classes = make([]borrowing.Class, r.IntN(60))
	}
	var lowSum, highSum float64
	scale := pick(r, 3, 30, 600, 5000)
	for i := range classes {
		c := &classes[i]
		c.Lower = float64(r.IntN(scale))
		c.Upper = c.Lower + float64(r.IntN(scale))
		c.Target = c.Lower + targetAbove(r, scale)
		switch r.IntN(40) {
		case 0:
			c.Lower, c.Target = 0, 0
		case 1:
			c.Upper = c.Lower
		case 2:
			c.Lower += r.Float64()
		case 3:
			c.Upper += r.Float64()
		case 4:
			if i > 0 {
				*c = classes[i-1]
			}
		}
		if oneIn(r, 1000) {
			c.Lower = -c.Lower - 1
		}
		lowSum += c.Lower
		highSum += c.Upper
	}
	switch r.IntN(10) {
	case 0:
		return classes, int(lowSum)
	case 1:
		return classes, int(highSum)
	case 2:
		return classes, r.IntN(scale*3) - scale/10
	default:
		return classes, int(math.Round(lowSum + (highSum-lowSum)*r.Float64()))
	}
}

func targetAbove(r *rand.Rand, scale int) float64 {
	switch r.IntN(4) {
	case 0:
		return 0
	case 1:
		return float64(r.IntN(scale))
	case 2:
		return r.ExpFloat64() * float64(scale) / 10
	default:
		return r.Float64() * 0.002
	}
}
