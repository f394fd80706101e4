// Package shuffle maps flows to queues by shuffle sharding: every flow is dealt a
// small hand of the queues, by a hash of its name, so that few flows share all of
// theirs. It also computes what that is worth: the odds that a low-intensity flow (a
// mouse) finds all its queues taken by high-intensity ones (elephants).
package shuffle

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
)

// FlowHash returns the hash that decides the hand of a flow: the first eight bytes,
// little-endian, of the SHA-256 of the flow schema's name, a zero byte and the flow
// distinguisher (hashFlowID in pkg/util/flowcontrol/apf_controller.go).
func FlowHash(flowSchema, distinguisher string) uint64 {
	id := make([]byte, 0, 128)
	id = append(id, flowSchema...)
	id = append(id, 0)
	id = append(id, distinguisher...)
	sum := sha256.Sum256(id)
	return binary.LittleEndian.Uint64(sum[:])
}

const (
	// MaxQueues is the largest deck.
	MaxQueues = 1 << 26
	// MaxEntropyBits is how much of a hash may be used up for a hand. It stays below
	// 64 so that the hands are nearly equally likely.
	MaxEntropyBits = 60
	// maxHandSize is the largest hand that MaxEntropyBits allow: 15 of 15 or 16.
	maxHandSize = 15
)

// EntropyBits returns how many bits of a hash it takes to deal a hand, rounded up.
func EntropyBits(queues, handSize int) int {
	return int(math.Ceil(float64(math.Log2(float64(queues)) * float64(handSize))))
}

// Dealer deals hands of queues. It is upstream's (pkg/util/shufflesharding), card by
// card, and a value: it has no state but its two sizes.
type Dealer struct {
	queues, handSize int
}

// NewDealer returns a dealer of hands of handSize out of the queues from 0 to
// queues-1. It refuses what upstream refuses: sizes below 1, a hand larger than the
// deck, a deck larger than MaxQueues, and a hand that takes more than MaxEntropyBits.
func NewDealer(queues, handSize int) (Dealer, error) {
	switch {
	case queues < 1:
		return Dealer{}, fmt.Errorf("%d queues: at least 1 is needed", queues)
	case handSize < 1:
		return Dealer{}, fmt.Errorf("hand size %d: at least 1 is needed", handSize)
	case handSize > queues:
		return Dealer{}, fmt.Errorf("hand size %d exceeds the %d queues", handSize, queues)
	case queues > MaxQueues:
		return Dealer{}, fmt.Errorf("%d queues exceed the limit of %d", queues, MaxQueues)
	}
	if bits := EntropyBits(queues, handSize); bits > MaxEntropyBits {
		return Dealer{}, fmt.Errorf("hands of %d of %d queues take %d bits of the hash, more than the limit of %d",
			handSize, queues, bits, MaxEntropyBits)
	}
	return Dealer{queues: queues, handSize: handSize}, nil
}

// Queues returns the size of the deck.
func (d Dealer) Queues() int { return d.queues }

// HandSize returns the size of the hands.
func (d Dealer) HandSize() int { return d.handSize }

// Deal returns the hand for a hash in hand[:0], which grows only if it is too small:
// different queues, in the order in which they were dealt.
//
// The hash is read as a number in a mixed radix, whose i-th digit chooses one of the
// cards that are left after i draws. Such a digit is a rank among those: to become a
// card it moves up past each card drawn before. Upstream does that by going back
// through the earlier digits, the latest first.
func (d Dealer) Deal(hash uint64, hand []int32) []int32 {
	var digits [maxHandSize]int32
	hand = hand[:0]
	for i := range d.handSize {
		left := uint64(d.queues - i)
		digits[i] = int32(hash % left)
		hash /= left
		card := digits[i]
		for j := i - 1; j >= 0; j-- {
			if card >= digits[j] {
				card++
			}
		}
		hand = append(hand, card)
	}
	return hand
}
