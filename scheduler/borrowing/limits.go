// Package borrowing decides how many seats each priority level has: the nominal
// limits that follow from the configured shares, and the current limits that follow
// from those and from the demand, as seats are lent and borrowed every ten seconds.
//
// It is upstream's arithmetic (pkg/util/flowcontrol: apf_controller.go, conc_alloc.go
// and fairqueuing/integrator.go; the design is in KEP-1040, "Dispatching"), floating
// point operation by operation: an allocation of 7.499999999999999 seats is another
// decision than one of 7.5. Products that enter a sum are converted to float64
// explicitly, so that no machine fuses the two into one rounding.
//
// Everything is passive and is told the time. Nothing here is safe for concurrent
// use.
package borrowing

import (
	"fmt"
	"math"
)

// Shares is the part of a priority level's configuration that its limits follow from.
type Shares struct {
	// Shares is spec.limited.nominalConcurrencyShares, or spec.exempt's.
	Shares int32
	// LendablePercent is how much of the nominal limit others may borrow, 0 to 100.
	LendablePercent int32
	// BorrowingLimitPercent is how much may be borrowed, in percent of the nominal
	// limit; -1 means no limit but that of the server.
	BorrowingLimitPercent int32
	// Exempt levels are never limited.
	Exempt bool
}

// Limits are the bounds of a level's number of seats.
type Limits struct {
	// Nominal is the level's part of the server's seats.
	Nominal int
	// Min is what remains when all that is lendable is lent.
	Min int
	// Max is what it has when it has borrowed all that it may.
	Max int
}

// Nominal divides the seats of a server among its priority levels in proportion to their
// shares, in the order of the levels. Exempt ones take part unless they are ExemptOutside.
// Each quotient is rounded up, so the sum may exceed serverSeats a little. Levels without
// any shares between them get nothing. Without Lending, Min and Max are Nominal.
func (r Rules) Nominal(serverSeats int, levels []Shares) []Limits {
	var sum float64
	for _, l := range levels {
		if r.counts(l) {
			sum += float64(l.Shares)
		}
	}
	limits := make([]Limits, len(levels))
	for i, l := range levels {
		if r.counts(l) {
			limits[i] = r.limits(serverSeats, l, sum)
		}
	}
	return limits
}

// counts tells whether a level has shares.
func (r Rules) counts(l Shares) bool { return !l.Exempt || r.Exempt != ExemptOutside }

// limits are those of one level, of so many shares in all.
func (r Rules) limits(serverSeats int, l Shares, sum float64) Limits {
	nominal := 0
	if sum > 0 {
		nominal = int(math.Ceil(float64(serverSeats) * float64(l.Shares) / sum))
	}
	if !r.Lending {
		return Limits{Nominal: nominal, Min: nominal, Max: nominal}
	}
	borrowable := serverSeats
	if l.BorrowingLimitPercent >= 0 {
		borrowable = percent(nominal, l.BorrowingLimitPercent)
	}
	return Limits{
		Nominal: nominal,
		Min:     nominal - percent(nominal, l.LendablePercent),
		Max:     nominal + borrowable,
	}
}

// percent returns that part of the seats, rounded half away from zero.
func percent(seats int, p int32) int {
	return int(math.Round(float64(seats) * float64(p) / 100))
}

// Initial returns the limit that a new level starts from, before the first
// adjustment: the nominal limit less half of what is lendable, rounded down. Without
// lending nothing is, and the nominal limit stays.
func (l Limits) Initial() int { return l.Nominal - (l.Nominal-l.Min)/2 }

// maxSeatsShare is the part of a level's nominal limit that one request may fill.
const maxSeatsShare = 0.15

// MaxSeats returns how wide the estimate of a request to a level with queues may be,
// at least 1: 15 % of the nominal limit, rounded up, and no more than lets one flow
// fill its hand at the same time. It is 0, for no limit of the level's own, in a release
// that does not set one. A level without queues has none either, so a hand size below 1 is
// the caller's fault.
//
// The operations are upstream's (finishQueueSetReconfigsLocked), where the division
// by the hand size is one of 32-bit integers.
func (r Rules) MaxSeats(nominal, handSize int) int {
	if handSize < 1 {
		panic(fmt.Sprintf("borrowing: MaxSeats of %d seats with hand size %d, which is below 1", nominal, handSize))
	}
	if !r.BoundsWidth {
		return 0
	}
	share := math.Ceil(float64(float64(nominal) * maxSeatsShare))
	perCard := float64(int32(nominal) / int32(handSize))
	return int(math.Max(1, math.Min(share, perCard)))
}
