package detmath

import "math"

// ln 2 in two parts. The first has 21 trailing zero bits, so that its product with a
// binary exponent is exact.
const (
	ln2Hi = 0x1.62e42fee00000p-1
	ln2Lo = 0x1.a39ef35793c76p-33
)

// The bits of 1 and of the square root of one half, rounded to the nearest below.
const (
	oneBits      = 0x3ff0000000000000
	sqrtHalfBits = 0x3fe6a09e667f3bcc
)

// (ln((1+s)/(1-s)) - 2s) / s^3 as a polynomial in s^2, for |s| <= 0.1716: an absolute error
// of the logarithm below 2^-59.
const (
	l0 = 0.66666666666666696862
	l1 = 0.3999999999989950449
	l2 = 0.28571428625975484921
	l3 = 0.22222211134795079855
	l4 = 0.1818288912526172208
	l5 = 0.15331721600556041269
	l6 = 0.1461644968504340586
)

// Log returns the natural logarithm of x, within 1 ulp. Log(0) is -Inf; the logarithm of
// a negative number is NaN.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	scale := 0
	if x < 0x1p-1022 { // subnormal: make it normal
		x, scale = x*0x1p52, -52
	}
	// x = 2^k (1+f) with sqrt(1/2) <= 1+f < sqrt(2).
	bits := math.Float64bits(x)
	exponent := int64(bits-sqrtHalfBits) >> 52
	f := math.Float64frombits(bits-uint64(exponent)<<52) - 1
	k := float64(int(exponent) + scale)

	// ln(1+f) = 2s + s z P(z) with s = f/(2+f), z = s^2. Since 2s = f - s f, and
	// s f = f^2/2 - s f^2/2, the leading f is kept apart from all that is small.
	s := f / (2 + f)
	z := s * s
	w := z * z
	even := float64(w * (l1 + float64(w*(l3+float64(w*l5)))))
	odd := float64(z * (l0 + float64(w*(l2+float64(w*(l4+float64(w*l6)))))))
	half := float64(0.5 * float64(f*f))
	tail := float64(s*(half+(odd+even))) + float64(k*ln2Lo)
	return float64(k*ln2Hi) - ((half - tail) - f)
}
