package detmath

import (
	"math"
	"math/big"
)

// The references compute with 200 bits, by plain series.
const precision = 200

func wide(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func zero() *big.Float { return new(big.Float).SetPrec(precision) }

// negligible tells whether term no longer changes sum.
func negligible(term, sum *big.Float) bool {
	return term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-precision
}

// bigAtanh returns atanh(y) for a small y: y + y^3/3 + y^5/5 + ...
func bigAtanh(y *big.Float) *big.Float {
	square := zero().Mul(y, y)
	power := zero().Set(y)
	sum := zero().Set(y)
	for n := 3.0; ; n += 2 {
		power.Mul(power, square)
		term := zero().Quo(power, wide(n))
		if negligible(term, sum) {
			return sum
		}
		sum.Add(sum, term)
	}
}

// bigLn2 is ln 2 = 2 atanh(1/3).
var bigLn2 = zero().Mul(wide(2), bigAtanh(zero().Quo(wide(1), wide(3))))

// bigLog returns ln x = k ln 2 + 2 atanh((m-1)/(m+1)) with x = 2^k m.
func bigLog(x float64) *big.Float {
	mantissa, k := math.Frexp(x)
	m := wide(mantissa)
	y := zero().Quo(zero().Sub(m, wide(1)), zero().Add(m, wide(1)))
	part := zero().Mul(wide(2), bigAtanh(y))
	return part.Add(part, zero().Mul(wide(float64(k)), bigLn2))
}

// bigExp returns e^x = (e^(x/4096))^4096 by the Taylor series.
func bigExp(x *big.Float) *big.Float {
	small := zero().Quo(x, wide(4096))
	sum, term := wide(1), wide(1)
	for n := 1.0; ; n++ {
		term.Mul(term, small)
		term.Quo(term, wide(n))
		if negligible(term, sum) {
			break
		}
		sum.Add(sum, term)
	}
	for range 12 {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigPi is pi by Machin's formula, 16 atan(1/5) - 4 atan(1/239).
var bigPi = func() *big.Float {
	atan := func(inverse float64) *big.Float {
		y := zero().Quo(wide(1), wide(inverse))
		square := zero().Mul(y, y)
		power, sum := zero().Set(y), zero().Set(y)
		for n, sign := 3.0, -1.0; ; n, sign = n+2, -sign {
			power.Mul(power, square)
			term := zero().Quo(power, wide(n*sign))
			if negligible(term, sum) {
				return sum
			}
			sum.Add(sum, term)
		}
	}
	return zero().Sub(zero().Mul(wide(16), atan(5)), zero().Mul(wide(4), atan(239)))
}()

// bigNormal returns the density and the distribution function of the standard normal
// distribution: 1/2 + density (z + z^3/3 + z^5/(3*5) + ...).
func bigNormal(z float64) (density, distribution *big.Float) {
	square := zero().Mul(wide(z), wide(z))
	density = bigExp(zero().Quo(square, wide(-2)))
	density.Quo(density, zero().Sqrt(zero().Mul(wide(2), bigPi)))
	sum, term := wide(z), wide(z)
	for n := 3.0; ; n += 2 {
		term.Mul(term, square)
		term.Quo(term, wide(n))
		if negligible(term, sum) {
			break
		}
		sum.Add(sum, term)
	}
	sum.Mul(sum, density)
	return density, sum.Add(sum, wide(0.5))
}

// ulps returns how far got is from want, in units of the last place of want.
func ulps(got float64, want *big.Float) float64 {
	near, _ := want.Float64()
	unit := math.Nextafter(math.Abs(near), math.Inf(1)) - math.Abs(near)
	if math.Abs(near) == math.MaxFloat64 {
		unit = 0x1p971
	}
	diff, _ := zero().Sub(wide(got), want).Float64()
	return math.Abs(diff) / unit
}
