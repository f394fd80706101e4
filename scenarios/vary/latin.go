package vary

import (
	"fmt"
	"math/rand/v2"
)

// latinStream is the second half of the seed of the Latin hypercube, so that it shares no numbers
// with other things that derive from the seed of a scenario.
const latinStream = 0x6c6174696e

// Latin returns n points of a Latin hypercube: the values of each factor are taken in turn, so that each is
// there as often as any other, give or take one, in an order that chance makes for each factor.
//
// McKay, Beckman and Conover, A comparison of three methods for selecting values of input variables
// (Technometrics 21, 1979), over lists of values in place of intervals.
func Latin(factors []Factor, n int, seed uint64) *Design {
	if n < 1 || n > MaxPoints {
		panic(fmt.Sprintf("vary: a Latin hypercube of %d points", n))
	}
	random := rand.New(rand.NewPCG(seed, latinStream))
	d := &Design{Factors: factors, Points: make([]Point, n)}
	for i := range d.Points {
		d.Points[i] = make(Point, len(factors))
	}
	for f := range factors {
		values := len(factors[f].Values)
		for i, place := range random.Perm(n) {
			d.Points[i][f] = stratum(place, n, values, random)
		}
	}
	return d
}

// stratum is the value of the place-th of n strata. Where there are more values than strata, one
// of those in the stratum.
func stratum(place, n, values int, random *rand.Rand) int {
	low, high := place*values/n, (place+1)*values/n
	if high <= low+1 {
		return low
	}
	return low + random.IntN(high-low)
}
