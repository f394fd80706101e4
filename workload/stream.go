package workload

import (
	"math/rand/v2"

	"github.com/apfsim/apfsim/workload/detmath"
)

// Stream is a source of random numbers: PCG-DXSM of math/rand/v2, whose output is part of
// that package's compatibility promise. It is a value of 16 bytes, so that a hundred
// thousand clients can have several each. The zero value is a valid stream; use NewStream.
// A Stream must not be shared between goroutines.
type Stream struct {
	pcg rand.PCG
}

// NewStream returns the stream of the 128-bit seed (hi, lo). Different seeds give
// unrelated streams; derive them by hashing (seed, replication, name).
func NewStream(hi, lo uint64) Stream {
	var s Stream
	s.pcg.Seed(hi, lo)
	return s
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Float64 returns a number in [0, 1): a multiple of 2^-53, all equally likely.
func (s *Stream) Float64() float64 {
	return float64(s.pcg.Uint64()>>11) / (1 << 53)
}

// OpenFloat64 returns a number in (0, 1): an odd multiple of 2^-53, all equally likely,
// and so symmetric about one half. Inversions want it, whose ends are infinite.
func (s *Stream) OpenFloat64() float64 {
	return (float64(s.pcg.Uint64()>>12) + 0.5) / (1 << 52)
}

// Exp returns an exponential variate of mean 1, at most 53 ln 2 = 36.7. It takes one
// number from the stream: -ln U.
func (s *Stream) Exp() float64 { return -detmath.Log(s.OpenFloat64()) }

// Norm returns a standard normal variate, within 8.3 of 0. It takes one number from the
// stream: the normal quantile of U.
func (s *Stream) Norm() float64 { return detmath.NormQuantile(s.OpenFloat64()) }
