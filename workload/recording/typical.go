package recording

import "time"

// Typical knows how long requests execute: by verb, resource and user, by verb and resource, by
// verb, and at all. It keeps some figures of each kind, spread evenly over the record, and gives
// those: so what is assumed is spread as what was recorded, with the same mean, and a server that
// executes it has as much work. Its memory is bounded.
type Typical struct {
	samples map[uint64]*sample
	kept    int
}

// The bounds of Typical: about 20 MB.
const (
	kindsMax  = 1 << 16
	sampleMax = 512
	figureMax = 1 << 22
)

// sample keeps every stride-th of the figures that it is given. When it is full it forgets every
// second one and takes half as many from then on, so those that it keeps are always spread evenly.
type sample struct {
	values []uint32 // in microseconds
	stride uint32
	skip   uint32
}

// add takes a figure, and returns how many more are kept than before.
func (s *sample) add(d time.Duration, full bool) (more int) {
	if s.skip > 0 {
		s.skip--
		return 0
	}
	before := len(s.values)
	if before == sampleMax || full && before > 1 {
		for i := range before / 2 {
			s.values[i] = s.values[2*i]
		}
		s.values = s.values[:before/2]
		s.stride *= 2
	}
	s.values = append(s.values, uint32(min(max(d/time.Microsecond, 0), 1<<32-1)))
	s.skip = s.stride - 1
	return len(s.values) - before
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
		t.kept += s.add(execution, t.kept >= figureMax)
	}
}

// lastResort is what requests are taken to last if not one of the record tells.
const lastResort = 10 * time.Millisecond

// Of returns one of the figures of requests like one, of which there are some. Which one follows
// from the request itself, so that it is the same whatever else is taken from the record.
func (t *Typical) Of(r *Request) time.Duration {
	for _, kind := range kinds(r) {
		if s := t.samples[kind]; s != nil {
			at := scramble(uint64(r.Received)^scramble(r.ID)) % uint64(len(s.values))
			return time.Duration(s.values[at]) * time.Microsecond
		}
	}
	return lastResort
}
