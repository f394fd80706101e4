package backend

import (
	"fmt"
	"math/bits"
	"strconv"
)

// Factor is how much slower something is, in thousandths: 1000 is no change, 60000 is
// sixty times slower. Stopped is no speed at all.
type Factor int64

// The factors that are special.
const (
	// Stopped is standing still.
	Stopped Factor = 0
	// Unchanged is the speed that there is otherwise.
	Unchanged Factor = 1000
	// SlowestFactor is a million times slower: more is Stopped.
	SlowestFactor Factor = 1e9
)

// valid tells whether f is Stopped or from Unchanged to SlowestFactor.
func (f Factor) valid() bool { return f == Stopped || f >= Unchanged && f <= SlowestFactor }

// over is the pace of p parts of q, slowed down by f. p <= q <= 1<<31 * 1000.
func (f Factor) over(p, q uint64) pace {
	switch {
	case f == Unchanged:
		return pace{p, q}
	case f == Stopped:
		return pace{0, q}
	case !f.valid():
		panic(fmt.Sprintf("backend: a factor of %d thousandths", int64(f)))
	}
	// The numbers are brought down to what they are in lowest terms, so that the products
	// stay small: a million jobs a million times slower are 1e6 * 1e6 * 1000.
	a, b := p*uint64(Unchanged), q
	d := gcd(a, b)
	a, b = a/d, b/d
	d = gcd(a, uint64(f))
	return pace{a / d, b * (uint64(f) / d)}
}

// worse returns the one of two factors that slows down more.
func (f Factor) worse(g Factor) Factor {
	if f == Stopped || g == Stopped {
		return Stopped
	}
	return max(f, g)
}

// String returns the factor as scenario files have it: 60, 1.5, 0 for Stopped.
func (f Factor) String() string {
	return strconv.FormatFloat(float64(f)/float64(Unchanged), 'g', -1, 64)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// addProduct adds a*b to a number of 128 bits.
func addProduct(high, low, a, b uint64) (uint64, uint64) {
	h, l := bits.Mul64(a, b)
	low, carry := bits.Add64(low, l, 0)
	high, _ = bits.Add64(high, h, carry)
	return high, low
}

// div128 divides a number of 128 bits, rounding down; MaxInt64 if the result is larger.
func div128(high, low, by uint64) int64 {
	if high >= by {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(high, low, by)
	return int64(min(q, 1<<63-1))
}
