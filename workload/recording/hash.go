package recording

// FNV-1a, the hash of 64 bits by Fowler, Noll and Vo.
const (
	offsetBasis uint64 = 14695981039346656037
	prime       uint64 = 1099511628211
)

// Hash returns the hash of a text.
func Hash(text string) uint64 { return Mix(offsetBasis, text) }

// Mix adds a text, and its end, to a hash.
func Mix(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * prime
	}
	return (h ^ 0xff) * prime
}

// MixNumber adds a small number to a hash.
func MixNumber(h, n uint64) uint64 { return (h ^ n) * prime }
