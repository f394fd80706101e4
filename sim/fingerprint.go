package sim

import (
	"math/bits"
	"time"
)

// fingerprint is a running hash of the trajectory: of what happened to whom, when and
// where. Two runs with the same fingerprint took the same decisions in the same order.
type fingerprint uint64

// newFingerprint is the hash of nothing.
const newFingerprint fingerprint = 0x9e3779b97f4a7c15

// The kinds of facts that enter the fingerprint.
const (
	factArrived = iota + 1
	factDispatched
	factRejected
	factFinished
	factReleased
	factLimit
	factLeaseLost
	factChange
	factServer
	factRefused
	factCut
	factConcluded
	factRouted
)

// The fingerprint tells runs apart, and is no protection against anybody: it is computed
// several times a request, so it has to be cheap.

// add mixes one fact in: its kind, a number (an id, a level or a client), the time,
// and a detail (a queue, a reason or a limit).
func (f *fingerprint) add(fact uint64, number int64, at time.Duration, detail int64) {
	h := uint64(*f)
	h = mix(h^uint64(at), 0xa0761d6478bd642f^fact)
	h = mix(h^uint64(number), 0xe7037ed1a0b428db^uint64(detail))
	*f = fingerprint(h)
}

// mix folds the 128-bit product of two numbers, as wyhash does.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
