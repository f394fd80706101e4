package queueset

import (
	"slices"
	"time"
)

// Shrink leaves out operations as long as a difference, any difference, remains, and
// returns the shorter sequence with its difference. The time that left out operations
// took passes before the next one, if it can. It gives up at the deadline that stop
// tells, with what it has by then.
func Shrink(makeSubject Maker, s *Sequence, stop func() bool) (*Sequence, *Difference) {
	best := *s
	_, diff, at := Run(makeSubject, &best)
	if diff == nil {
		return s, nil
	}
	best.Ops = slices.Clone(best.Ops[:min(at+1, len(best.Ops))])
	for size := max(1, len(best.Ops)/2); ; size /= 2 {
		shorter := false
		for from := 0; from < len(best.Ops) && !stop(); {
			candidate, found, index := tryWithout(makeSubject, &best, from, min(from+size, len(best.Ops)))
			if found == nil {
				from += size
				continue
			}
			candidate.Ops = candidate.Ops[:min(index+1, len(candidate.Ops))]
			best, diff, shorter = *candidate, found, true
		}
		if stop() || size <= 1 && !shorter {
			return &best, diff
		}
		size = max(size, 2)
		if shorter && size == 2 {
			size = 2 // go over single operations again until none can go
		}
	}
}

// tryWithout runs the sequence without the operations from..to: first with their time
// kept, so that what follows happens when it did, then without.
func tryWithout(makeSubject Maker, s *Sequence, from, to int) (*Sequence, *Difference, int) {
	var passed time.Duration
	for _, o := range s.Ops[from:to] {
		passed += o.After
	}
	for _, extra := range []time.Duration{0, passed} {
		candidate := *s
		candidate.Ops = slices.Delete(slices.Clone(s.Ops), from, to)
		if from < len(candidate.Ops) {
			candidate.Ops[from].After += extra
		}
		if _, diff, at := Run(makeSubject, &candidate); diff != nil {
			return &candidate, diff, at
		}
		if passed == 0 {
			break
		}
	}
	return nil, nil, 0
}
