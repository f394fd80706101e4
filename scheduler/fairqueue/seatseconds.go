package fairqueue

import (
	"fmt"
	"math"
	"time"
)

// SeatSeconds is an amount of work: seats multiplied by the time they are held. It
// is also the unit of virtual time (R) and of a queue's place on that axis.
//
// It counts in units of 1e-8 seat-seconds, as upstream does
// (pkg/util/flowcontrol/request/seat_seconds.go). Integers are what makes virtual
// time exact: adding a request's work and taking it off again, for weeks on end,
// leaves no residue, so that equal amounts stay equal and ties are real ties.
// Arithmetic wraps modulo 2^64, which makes adding a negative amount (see
// SeatsTimesDuration) the same as subtracting its magnitude.
type SeatSeconds uint64

// unitsPerSeatSecond is the resolution. It stays private so that nobody outside
// computes with bare numbers and gets the scale wrong. At this value 2^64 units are
// about 5,800 years of one seat.
const unitsPerSeatSecond = 1e8

// nanosPerUnit is how long one seat takes to do one unit of work.
const nanosPerUnit = 1e9 / unitsPerSeatSecond

// SeatsTimesDuration returns the work of holding that many seats for d, rounded to
// the nearest unit, halves away from zero.
//
// A negative product is legal: a request that ran longer than the guess gives one.
// It comes back as its two's complement, to be added with wrap-around. The order of
// the operations is upstream's, since each of them rounds.
func SeatsTimesDuration(seats float64, d time.Duration) SeatSeconds {
	product := float64(seats * float64(d))
	return SeatSeconds(int64(math.Round(product / nanosPerUnit)))
}

// DurationPerSeat returns how long that many seats take to do the work s, truncated
// to whole nanoseconds as upstream's conversion does.
func (s SeatSeconds) DurationPerSeat(seats float64) time.Duration {
	return time.Duration(float64(s) / seats * nanosPerUnit)
}

// String prints the exact value in seat-seconds, such as "12.03000000ss".
func (s SeatSeconds) String() string {
	const one = SeatSeconds(unitsPerSeatSecond)
	return fmt.Sprintf("%d.%08dss", uint64(s/one), uint64(s%one))
}
