package shuffle

import (
	"fmt"
	"math/big"
)

// Covered returns the exact probability that the whole hand of one flow, the mouse,
// is contained in the union of the hands of that many others, the elephants, all
// hands being independent and uniformly random. Such a mouse is squished: it has no
// queue of its own. There is no chance of that without elephants, and certainty with
// any if a hand is the whole deck.
//
// By inclusion and exclusion over the j cards of the mouse's hand that no elephant
// holds, with h cards in a hand and q queues,
//
//	P = sum over j from 0 to h of (-1)^j * C(h, j) * (C(q-j, h) / C(q, h))^elephants
//
// In rational numbers, because the terms are large and nearly cancel out. The numbers
// have about elephants * h * log2(q) bits.
//
// The sizes need not be ones that a Dealer could deal. It panics unless
// 1 <= handSize <= queues and elephants >= 0.
func Covered(queues, handSize, elephants int) *big.Rat {
	if handSize < 1 || handSize > queues || elephants < 0 {
		panic(fmt.Sprintf("shuffle: Covered with %d queues, hand size %d, %d elephants", queues, handSize, elephants))
	}
	q, h, e := int64(queues), int64(handSize), big.NewInt(int64(elephants))
	var sum, term, coefficient big.Int
	for j := range h + 1 {
		term.Binomial(q-j, h)
		term.Exp(&term, e, nil)
		term.Mul(&term, coefficient.Binomial(h, j))
		if j%2 == 0 {
			sum.Add(&sum, &term)
		} else {
			sum.Sub(&sum, &term)
		}
	}
	all := new(big.Int).Binomial(q, h)
	return new(big.Rat).SetFrac(&sum, all.Exp(all, e, nil))
}
