package worldtest

import (
	"math/bits"

	"github.com/apfsim/apfsim/workload"
)

// What math/rand/v2 computes of a state of PCG-DXSM: the next state is state*multiplier+increment
// modulo 2^128, and the output is made of its halves.
const (
	multiplierHi, multiplierLo = 2549297995355413924, 4865540595714422341
	incrementHi, incrementLo   = 6364136223846793005, 1442695040888963407
	cheapMultiplier            = 0xda942042e4dd58b5
)

// Gives returns a stream whose next Float64 is u, a multiple of 2^-53 in [0, 1), so that a
// machine can be made to draw what somebody else has drawn.
//
// The output of a state with the low half 1 can be undone step by step: xor-shifts and products
// with odd numbers have inverses. So can the step from one state to the next.
func Gives(u float64) workload.Stream {
	hi := uint64(u*(1<<53)) << 11
	hi ^= hi >> 48
	hi *= inverse(cheapMultiplier)
	hi ^= hi >> 32
	// The state before: (state - increment) * multiplier^-1.
	lo, borrow := bits.Sub64(1, incrementLo, 0)
	hi, _ = bits.Sub64(hi, incrementHi, borrow)
	inverseHi, inverseLo := inverse128(multiplierHi, multiplierLo)
	hi, lo = times128(hi, lo, inverseHi, inverseLo)
	return workload.NewStream(hi, lo)
}

// inverse returns the inverse of an odd number modulo 2^64, by Newton's method: each step
// doubles the number of bits that are right.
func inverse(x uint64) uint64 {
	y := x // right in 3 bits
	for range 5 {
		y *= 2 - x*y
	}
	return y
}

// inverse128 is inverse modulo 2^128.
func inverse128(hi, lo uint64) (yHi, yLo uint64) {
	yHi, yLo = hi, lo
	for range 6 {
		pHi, pLo := times128(hi, lo, yHi, yLo)
		dLo, borrow := bits.Sub64(2, pLo, 0)
		dHi, _ := bits.Sub64(0, pHi, borrow)
		yHi, yLo = times128(yHi, yLo, dHi, dLo)
	}
	return yHi, yLo
}

func times128(aHi, aLo, bHi, bLo uint64) (hi, lo uint64) {
	hi, lo = bits.Mul64(aLo, bLo)
	return hi + aHi*bLo + aLo*bHi, lo
}
