package recording

// Selection tells which requests of a record are wanted. The zero value wants all.
type Selection struct {
	// From and To bound the arrivals, in nanoseconds since 1970: from the first on, and before the
	// second; 0 is no bound.
	From, To int64
	// Share is the part that is wanted, of which each request is or is not by the hash of its ID
	// or, without one, of its arrival; 0 is all.
	Share float64
}

// What an account says of requests that are not wanted.
const (
	leftBefore = "arrived before --from"
	leftAfter  = "arrived at --to or later"
	leftSample = "not in the sample, so that queues are shorter than they were"
)

// Unwanted tells why a request is not wanted, "" if it is.
func (s *Selection) Unwanted(r *Request) string {
	switch {
	case s.From != 0 && r.Received < s.From:
		return leftBefore
	case s.To != 0 && r.Received >= s.To:
		return leftAfter
	case s.Share != 0 && !s.drawn(r):
		return leftSample
	}
	return ""
}

// drawn tells whether a request is in the sample.
func (s *Selection) drawn(r *Request) bool {
	h := r.ID
	if h == 0 {
		h = uint64(r.Received)
	}
	// The last step of splitmix64, by Steele, Lea and Flood, since not all hashes are even in all bits.
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	h ^= h >> 31
	return float64(h>>11)/(1<<53) < s.Share
}
