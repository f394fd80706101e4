package classify

import "math/bits"

// posting is a set of rules, or of lines of rules, that a word leads to. A large set
// is kept as bits and a small one as numbers: adding either to a set of bits takes no
// more steps than there are words of bits, and both together take no more memory than
// the rules do.
type posting struct {
	numbers []int32
	bits    []uint64
}

// newPosting makes a posting of numbers of which each is below 64 times words.
func newPosting(numbers []int32, words int) posting {
	if len(numbers) <= words {
		return posting{numbers: numbers}
	}
	p := posting{bits: make([]uint64, words)}
	for _, n := range numbers {
		p.bits[n/64] |= 1 << (n % 64)
	}
	return p
}

// newPostings makes the postings of many words.
func newPostings(numbers map[string][]int32, words int) map[string]posting {
	out := make(map[string]posting, len(numbers))
	// Any order: each word has a posting of its own.
	for word, list := range numbers {
		out[word] = newPosting(list, words)
	}
	return out
}

// addTo adds the posting to a set, which must not be shorter.
func (p posting) addTo(set []uint64) {
	for w, word := range p.bits {
		set[w] |= word
	}
	for _, n := range p.numbers {
		set[n/64] |= 1 << (n % 64)
	}
}

// intersect leaves in set what is in other too. It returns false if that is nothing.
func intersect(set, other []uint64) bool {
	left := uint64(0)
	for w := range set {
		set[w] &= other[w]
		left |= set[w]
	}
	return left != 0
}

// forEachBit calls f with the number of each bit that is set, from low to high.
func forEachBit(set []uint64, f func(int)) {
	for w, word := range set {
		for ; word != 0; word &= word - 1 {
			f(w*64 + bits.TrailingZeros64(word))
		}
	}
}
