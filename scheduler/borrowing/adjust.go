package borrowing

import (
	"math"
	"slices"
)

// LevelDemand is what an adjustment needs to know of a priority level.
type LevelDemand struct {
	// Exempt levels are never limited.
	Exempt bool
	Limits Limits
	// Stats are up to date: Update has been called for the period that ends now.
	Stats Stats
	// Current is the limit in force.
	Current int
}

// floor is the least that a level gets as long as there is enough for that: what it
// used at most, within what the configuration warrants.
func (l *LevelDemand) floor() int {
	if l.Exempt {
		return max(l.Limits.Min, l.Stats.HighWatermark)
	}
	return max(l.Limits.Min, min(l.Limits.Nominal, l.Stats.HighWatermark))
}

// Adjust returns the limits to be in force from now on, one for each level, and the
// fair fraction, which is 0 unless the limits come from Allocate. Where Allocate has no
// solution the limits in force stay. Without Lending all limits are the nominal ones.
//
// The levels must be in the order of their names. Upstream's order is random. It
// decides the last bits of the sums, which matter where idle levels share an odd
// seat: each is due half a seat, and those bits round it up or down. That happened in
// 9 of 112,000 random adjustments.
func (r Rules) Adjust(levels []LevelDemand) (current []int, fairFrac float64) {
	current = make([]int, len(levels))
	for i := range levels {
		current[i] = levels[i].Current
		if !r.Lending {
			current[i] = levels[i].Limits.Nominal
		}
	}
	switch {
	case !r.Lending:
		return current, 0
	case r.Exempt == ExemptFirst:
		return current, exemptFirst(levels, current)
	case r.Exempt == ExemptAmong:
		levels = asLimited(levels)
	}
	return current, together(levels, current)
}

// asLimited returns the levels with none of them exempt.
func asLimited(levels []LevelDemand) []LevelDemand {
	all := slices.Clone(levels)
	for i := range all {
		all[i].Exempt = false
	}
	return all
}

// together changes the limits of all levels but exempt ones by a single allocation. It is
// upstream's updateBorrowingLocked (apf_controller.go) up to 1.30.
func together(levels []LevelDemand, current []int) (fairFrac float64) {
	allocs, fairFrac, err := Allocate(total(levels).nominalSum, classes(levels))
	if err != nil {
		return 0
	}
	n := 0
	for i := range levels {
		if !levels[i].Exempt {
			current[i] = int(math.Round(allocs[n]))
			n++
		}
	}
	return fairFrac
}

// exemptFirst changes the limits of all levels as updateBorrowingLocked does from 1.31 on.
//
// Exempt levels come first and get what they used at most. If the others cannot even
// have their minimum limits from the rest, they get those all the same; if they
// cannot all have their floors, each gets its minimum and the same part of what is
// between that and its floor. Otherwise Allocate divides the seats, all nominal ones
// and not merely the rest: upstream's code does so, and who wants its decisions has
// to.
func exemptFirst(levels []LevelDemand, current []int) (fairFrac float64) {
	t := total(levels)
	if t.limited == 0 {
		return 0
	}
	var grant func(l *LevelDemand, n int) int // n counts the levels that are not exempt
	switch {
	case t.remaining <= t.minSum:
		grant = func(l *LevelDemand, _ int) int { return l.Limits.Min }
	case t.remaining <= t.floorSum:
		fraction := float64(t.remaining-t.minSum) / float64(t.floorSum-t.minSum)
		grant = func(l *LevelDemand, _ int) int {
			return l.Limits.Min + int(math.Round(float64(l.floor()-l.Limits.Min)*fraction))
		}
	default:
		allocs, f, err := Allocate(t.nominalSum, classes(levels))
		if err != nil {
			grant = func(l *LevelDemand, _ int) int { return l.Current }
			break
		}
		fairFrac = f
		grant = func(_ *LevelDemand, n int) int { return int(math.Round(allocs[n])) }
	}
	n := 0
	for i := range levels {
		if levels[i].Exempt {
			current[i] = levels[i].floor()
			continue
		}
		current[i] = grant(&levels[i], n)
		n++
	}
	return fairFrac
}

// totals are sums over the levels.
type totals struct {
	limited    int // the number of levels that are not exempt
	nominalSum int // over all levels
	remaining  int // nominalSum less what exempt levels take
	minSum     int // over the limited levels
	floorSum   int // over the limited levels
}

func total(levels []LevelDemand) totals {
	var t totals
	for i := range levels {
		l := &levels[i]
		t.nominalSum += l.Limits.Nominal
		if l.Exempt {
			t.remaining -= l.floor()
			continue
		}
		t.limited++
		t.minSum += l.Limits.Min
		t.floorSum += l.floor()
	}
	t.remaining += t.nominalSum
	return t
}

// classes makes an allocation problem of the levels that are not exempt.
func classes(levels []LevelDemand) []Class {
	classes := make([]Class, 0, len(levels))
	for i := range levels {
		l := &levels[i]
		if l.Exempt {
			continue
		}
		floor := float64(l.floor())
		classes = append(classes, Class{
			Target: math.Max(floor, l.Stats.Smoothed),
			Lower:  floor,
			Upper:  float64(l.Limits.Max),
		})
	}
	return classes
}
