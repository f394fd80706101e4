package borrowing

import (
	"fmt"
	"math"
	"sort"
)

// Class is what one level brings into an allocation. Target must not be below
// Lower, Lower neither negative nor above Upper.
type Class struct {
	// Target is what the level would take if there were enough for all.
	Target float64
	// Lower and Upper bound what it gets.
	Lower, Upper float64
}

// minTarget stands in for any smaller target, to have something to divide by.
const minTarget = 0.001

// wiggle is how far sums may miss each other and still count as equal.
const wiggle = 0.0000001

// Allocate divides requiredSum among the classes fairly in proportion to their
// targets, within their bounds. It returns allocations and a fair fraction f such
// that, up to rounding, the allocations sum to requiredSum and for each class
//
//  1. Lower <= allocation <= Upper, and
//  2. exactly one of these holds:
//     2a. allocation == f * Target,
//     2b. allocation == Lower and Lower > f * Target,
//     2c. allocation == Upper and Upper < f * Target,
//
// where a target below 0.001 counts as 0.001. They are the properties that upstream
// states for its computeConcurrencyAllocation (conc_alloc.go), whose operations this
// follows one by one: another order of additions gives other last digits, hence other
// roundings. The error says why no solution exists.
func Allocate(requiredSum int, classes []Class) (allocs []float64, fairFrac float64, err error) {
	p, err := newProblem(requiredSum, classes)
	if err != nil {
		return nil, 0, err
	}
	allocs = make([]float64, len(classes))
	switch {
	case requiredSum == 0:
		return allocs, 0, nil
	case p.lowSum-p.required > -wiggle: // just the lower bounds fit
		for i, c := range classes {
			allocs[i] = c.Lower
		}
		return allocs, p.lowest, nil
	case p.required-p.highSum > -wiggle: // all can have their upper bounds
		for i, c := range classes {
			allocs[i] = c.Upper
		}
		return allocs, p.highest, nil
	}
	fairFrac = p.required / p.targetSum
	if p.lowerMax <= fairFrac && fairFrac <= p.upperMin { // no bound is in the way
		for i := range allocs {
			allocs[i] = p.items[i].target * fairFrac
		}
		return allocs, fairFrac, nil
	}
	if fairFrac, err = p.solve(); err != nil {
		return nil, 0, err
	}
	for i, c := range classes {
		allocs[i] = math.Max(c.Lower, math.Min(c.Upper, fairFrac*p.items[i].target))
	}
	return allocs, fairFrac, nil
}

// item is a class with its target made positive, and with its bounds as fractions of
// that target: the fair fractions at which the bounds begin to matter.
type item struct {
	target, lower, upper float64
}

// problem is an allocation problem whose input is sound and whose sums allow a
// solution.
type problem struct {
	items    []item
	required float64
	// sums over the classes
	lowSum, highSum, targetSum float64
	// lowest and lowerMax are the extremes of the relative lower bounds, upperMin and
	// highest those of the upper ones. Any solution is within [lowest, highest].
	lowest, lowerMax, upperMin, highest float64
}

// newProblem checks the classes and sums them up.
func newProblem(requiredSum int, classes []Class) (*problem, error) {
	if requiredSum < 0 {
		return nil, fmt.Errorf("cannot allocate %d seats, a negative number", requiredSum)
	}
	p := &problem{
		items:    make([]item, len(classes)),
		required: float64(requiredSum),
		// Relative bounds above this are not told from each other; upstream starts its
		// minima here.
		lowest:   math.MaxFloat32,
		upperMin: math.MaxFloat32,
	}
	for i, c := range classes {
		if err := c.check(i); err != nil {
			return nil, err
		}
		p.add(i, c)
	}
	if p.lowerMax > 1 {
		return nil, fmt.Errorf("a lower bound is %v times its target, above 1", p.lowerMax)
	}
	if p.lowSum-p.required > wiggle {
		return nil, fmt.Errorf("the lower bounds sum to %v, more than the %d seats to allocate", p.lowSum, requiredSum)
	}
	if p.required-p.highSum > wiggle {
		return nil, fmt.Errorf("the upper bounds sum to %v, less than the %d seats to allocate", p.highSum, requiredSum)
	}
	return p, nil
}

// check returns what is wrong with the class, number i.
func (c Class) check(i int) error {
	switch {
	case c.Lower < 0:
		return fmt.Errorf("class %d: the lower bound %v is negative", i, c.Lower)
	case c.Target < c.Lower:
		return fmt.Errorf("class %d: the target %v is below the lower bound %v", i, c.Target, c.Lower)
	case c.Upper < c.Lower:
		return fmt.Errorf("class %d: the upper bound %v is below the lower bound %v", i, c.Upper, c.Lower)
	}
	return nil
}

// add takes in class i. The sums grow in the order of the classes.
func (p *problem) add(i int, c Class) {
	target := c.Target
	if target < minTarget {
		target = minTarget
	}
	p.lowSum += c.Lower
	p.highSum += c.Upper
	p.targetSum += target
	it := item{target: target, lower: c.Lower / target, upper: c.Upper / target}
	p.upperMin, p.highest = math.Min(p.upperMin, it.upper), math.Max(p.highest, it.upper)
	p.lowest, p.lowerMax = math.Min(p.lowest, it.lower), math.Max(p.lowerMax, it.lower)
	p.items[i] = it
}

// solve finds the fair fraction where bounds matter. It walks the bounds upwards from
// the lowest one. Between two neighbouring bounds the sum of the allocations grows
// linearly with the fraction, at the rate of the targets of the classes that are
// between their own bounds there.
func (p *problem) solve() (float64, error) {
	bounds := p.sortBounds()
	sum, fraction := p.lowSum, p.lowest // the sum at that fraction
	var rate, rateChange float64        // the change applies beyond the bound last seen
	var free, freeChange int            // how many classes make up the rate
	next := 0
	for sum < p.required {
		var bound float64
		// Several bounds may be equal to the fraction: all of them change the rate. The
		// bound that ends the search is above it and changes the rate in the next round.
		for {
			rate += rateChange
			free += freeChange
			if next >= len(bounds.order) {
				return 0, fmt.Errorf("no bound is left above the fraction %v, where the allocations sum to %v of %v", fraction, sum, p.required)
			}
			bound = bounds.at(next)
			rateChange, freeChange = bounds.change(next)
			next++
			if bound > fraction {
				break
			}
		}
		if free == 0 { // a gap in which nothing changes
			fraction = bound
			continue
		}
		if solution := fraction + (p.required-sum)/rate; solution <= bound {
			return solution, nil
		}
		sum += float64((bound - fraction) * rate)
		fraction = bound
	}
	return fraction, nil
}

// boundOrder lists the bounds of all items in ascending order: 2i is the lower bound
// of item i, 2i+1 its upper bound.
type boundOrder struct {
	items []item
	order []int
}

// sortBounds sorts with sort.Sort from the order of the items, as upstream does. That
// sort is not stable for many classes, and the order of equal bounds is the order in
// which their targets are added up.
func (p *problem) sortBounds() *boundOrder {
	b := &boundOrder{items: p.items, order: make([]int, 2*len(p.items))}
	for i := range b.order {
		b.order[i] = i
	}
	sort.Sort(b)
	return b
}

var _ sort.Interface = (*boundOrder)(nil)

// Len, Less and Swap implement sort.Interface.
func (b *boundOrder) Len() int           { return len(b.order) }
func (b *boundOrder) Less(i, j int) bool { return b.at(i) < b.at(j) }
func (b *boundOrder) Swap(i, j int)      { b.order[i], b.order[j] = b.order[j], b.order[i] }

// at returns the n-th bound as a fair fraction.
func (b *boundOrder) at(n int) float64 {
	it := b.items[b.order[n]/2]
	if b.order[n]%2 == 0 {
		return it.lower
	}
	return it.upper
}

// change returns how the rate and the number of free classes change above the n-th
// bound: a class becomes free at its lower bound and stops at its upper one.
func (b *boundOrder) change(n int) (rate float64, free int) {
	target := b.items[b.order[n]/2].target
	if b.order[n]%2 == 0 {
		return target, 1
	}
	return -target, -1
}
