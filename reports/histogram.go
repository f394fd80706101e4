package reports

import (
	"math"
	"math/bits"
	"time"
)

// A histogram counts durations in buckets whose width grows with the duration, as the HDR
// histogram does (G. Tene, http://hdrhistogram.org): each power of two is divided into
// equally wide buckets, and the lowest ones are a nanosecond wide. 256 of them below the
// first division give two significant digits, 2048 give three.
//
// There is one for each flow that waits, of which there may be a hundred thousand, and most
// waits of a flow are of a few sizes. So memory is taken chunk by chunk, where there is
// something to count: the 45 kB that a full one needs for two digits become 2 kB or so.
type histogram struct {
	precision precision
	// counts are chunks one after the other. Bucket b of chunk c is at starts[c]+b, modulo 1<<16: far
	// beyond all counts, which are fewer than that by more than a chunk, if there is no such chunk.
	starts []uint16
	counts []uint16
	// carries is how often a counter has overflowed, by bucket. It is nil for most flows.
	carries map[int]uint64
}

// precision is how finely a histogram tells durations apart: the number of bits below
// which its buckets are a nanosecond wide, and the bits of a place in a chunk.
type precision struct{ bits, chunk uint8 }

// The precisions: 0.1 % for populations and levels, 1 % for flows.
var (
	fine   = precision{bits: 11, chunk: 10}
	coarse = precision{bits: 8, chunk: 6}
)

// newHistogram returns an empty one.
func newHistogram(p precision) *histogram {
	h := &histogram{precision: p, starts: make([]uint16, p.bucket(1<<63-1)>>p.chunk+1)}
	for i := range h.starts {
		h.starts[i] = p.absent(i)
	}
	return h
}

// absent is the start of a chunk that is not there.
func (p precision) absent(chunk int) uint16 { return -uint16((chunk + 1) << p.chunk) }

// bucket returns the number of the bucket of a duration.
func (p precision) bucket(d time.Duration) int {
	shift := max(bits.Len64(uint64(d)), int(p.bits)) - int(p.bits)
	return shift<<(p.bits-1) + int(d>>shift)
}

// end returns the longest duration in a bucket.
func (p precision) end(bucket int) time.Duration {
	half := 1 << (p.bits - 1)
	shift := max(bucket>>(p.bits-1)-1, 0)
	return time.Duration(bucket-shift*half+1)<<shift - 1
}

// add counts a duration n times.
func (h *histogram) add(d time.Duration, n uint64) { h.count(h.precision.bucket(d), n) }

// addAll counts each of a list of durations: most of them where there are some already.
func (h *histogram) addAll(list []time.Duration) {
	low, half, chunk := int(h.precision.bits), 1<<(h.precision.bits-1), h.precision.chunk&63
	starts, counts := h.starts, h.counts
	for _, d := range list {
		shift := max(bits.Len64(uint64(d))-low, 0)
		bucket := shift*half + int(d>>(shift&63))
		if at := int(starts[bucket>>chunk] + uint16(bucket)); at < len(counts) && counts[at] < math.MaxUint16 {
			counts[at]++
			continue
		}
		h.count(bucket, 1)
		counts = h.counts
	}
}

// count counts n in a bucket.
func (h *histogram) count(bucket int, n uint64) {
	c := &h.chunk(bucket >> h.precision.chunk)[bucket&(1<<h.precision.chunk-1)]
	sum := uint64(*c) + n
	*c = uint16(sum)
	if carry := sum >> 16; carry > 0 {
		if h.carries == nil {
			h.carries = map[int]uint64{}
		}
		h.carries[bucket] += carry
	}
}

// chunk returns a chunk, which may be new.
func (h *histogram) chunk(number int) []uint16 {
	size := 1 << h.precision.chunk
	if h.starts[number] == h.precision.absent(number) {
		used := len(h.counts)
		if used == cap(h.counts) {
			// Twice as many, but no more than eight at a time: a flow has a few of them.
			h.counts = append(make([]uint16, 0, used+min(max(used, size), 8*size)), h.counts...)
		}
		h.starts[number] = uint16(used - number*size)
		h.counts = h.counts[:used+size]
	}
	start := int(h.starts[number] + uint16(number*size))
	return h.counts[start : start+size]
}

// merge adds another histogram of the same precision.
func (h *histogram) merge(from *histogram) {
	from.each(func(bucket int, n uint64) { h.count(bucket, n) })
}

// each calls f for all buckets that are not empty, the shortest durations first.
func (h *histogram) each(f func(bucket int, n uint64)) {
	for number, start := range h.starts {
		if start == h.precision.absent(number) {
			continue
		}
		for i, c := range h.chunk(number) {
			bucket := number<<h.precision.chunk + i
			if n := h.carries[bucket]<<16 + uint64(c); n > 0 {
				f(bucket, n)
			}
		}
	}
}
