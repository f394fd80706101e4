package recording

import (
	"slices"
	"time"
)

// Typical knows how long requests usually execute: by verb, resource and user, by verb and
// resource, by verb, and at all. What it is asked for are medians, and for these it keeps a few
// figures of each kind, spread evenly over the record, so that its memory is bounded.
type Typical struct {
	samples map[uint64]*sample
}

// The bounds of Typical: about 20 MB.
const (
	kindsMax  = 1 << 16
	sampleMax = 64
)

// sample keeps every stride-th of the figures that it is given. When it is full it forgets every
// second one and takes half as many from then on, so those that it keeps are always spread evenly.
type sample struct {
	values [sampleMax]uint32 // in microseconds
	kept   uint8
	stride uint32
	skip   uint32
}

func (s *sample) add(d time.Duration) {
	if s.skip > 0 {
		s.skip--
		return
	}
	if s.kept == sampleMax {
		for i := range sampleMax / 2 {
			s.values[i] = s.values[2*i]
		}
		s.kept /= 2
		s.stride *= 2
	}
	s.values[s.kept] = uint32(min(max(d/time.Microsecond, 0), 1<<32-1))
	s.kept++
	s.skip = s.stride - 1
}

func (s *sample) median() time.Duration {
	values := s.values
	sorted := values[:s.kept]
	slices.Sort(sorted)
	return time.Duration(sorted[(len(sorted)-1)/2]) * time.Microsecond
}

// kinds are what a request is like, from the most like it to the least.
func kinds(r *Request) [4]uint64 {
	any := Hash("*")
	verb := Mix(any, r.Verb)
	what := Mix(Mix(Mix(Mix(verb, r.APIGroup), r.Resource), r.Subresource), r.Path)
	return [4]uint64{Mix(what, r.User), what, verb, any}
}

// Learn takes the execution time of a request.
func (t *Typical) Learn(r *Request, execution time.Duration) {
	if t.samples == nil {
		t.samples = map[uint64]*sample{}
	}
	for _, kind := range kinds(r) {
		s := t.samples[kind]
		if s == nil {
			if len(t.samples) >= kindsMax {
				continue
			}
			s = &sample{stride: 1}
			t.samples[kind] = s
		}
		s.add(execution)
	}
}

// lastResort is what requests are taken to last if not one of the record tells.
const lastResort = 10 * time.Millisecond

// Of returns the median of requests like one, of which there are some.
func (t *Typical) Of(r *Request) time.Duration {
	for _, kind := range kinds(r) {
		if s := t.samples[kind]; s != nil {
			return s.median()
		}
	}
	return lastResort
}
