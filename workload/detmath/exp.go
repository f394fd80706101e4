package detmath

import "math"

const (
	log2E          = 1.4426950408889634074
	roundToInteger = 0x1.8p52
)

// r coth(r/2) - 2 as r^2 times a polynomial in r^2, for |r| <= ln(2)/2: an absolute error
// below 2^-56, and so a relative one of the exponential below 2^-58.
const (
	e0 = 0.1666666666666666154
	e1 = -0.0027777777777564401369
	e2 = 0.000066137564716228276288
	e3 = -1.6534060033836455822e-6
	e4 = 4.1437662804024292316e-8
)

// The exponents beyond which the result is +Inf or 0.
const (
	expOverflow  = 709.782712893384
	expUnderflow = -745.1332191019412
)

// Exp returns e**x, within 1 ulp (2 where the result is subnormal).
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > expOverflow:
		return math.Inf(1)
	case x < expUnderflow:
		return 0
	}
	// x = k ln 2 + r, with r = hi - lo in two parts. Adding a number whose unit of the last
	// place is 1 rounds to an integer without a branch on the sign of x.
	k := (float64(x*log2E) + roundToInteger) - roundToInteger
	hi := x - float64(k*ln2Hi)
	lo := float64(k * ln2Lo)
	r := hi - lo

	// e^r = 1 + 2r/(R-r) with R = r coth(r/2) = 2 + r^2 P(r^2), rearranged so that the
	// leading 1 + r is kept apart from all that is small.
	z := r * r
	zz := z * z
	low := e0 + float64(z*e1)
	high := e2 + float64(z*e3) + float64(zz*e4)
	c := r - float64(z*(low+float64(zz*high)))
	y := 1 - ((lo - float64(r*c)/(2-c)) - hi)
	return scale(y, int(k))
}

// scale returns y * 2^k for y in [0.7, 1.5] and |k| < 1100, rounding once.
func scale(y float64, k int) float64 {
	switch {
	case k > 1023:
		return y * 0x1p1023 * power2(k-1023)
	case k < -1021:
		return y * power2(k+1021) * 0x1p-1021
	}
	return y * power2(k)
}

// power2 returns 2^k for -1022 <= k <= 1023.
func power2(k int) float64 { return math.Float64frombits(uint64(k+1023) << 52) }
