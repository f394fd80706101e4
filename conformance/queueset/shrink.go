package queueset

import (
	"slices"
	"time"
)

// Shrink leaves out operations as long as a difference, any difference, remains, and
// returns the shorter sequence with its difference: blocks of half the sequence first,
// then ever smaller ones, and single operations until none can go. It gives up when
// stop says so, with what it has by then. Without a difference it returns nil for it.
func Shrink(makeSubject Maker, s *Sequence, stop func() bool) (*Sequence, *Difference) {
	best := *s
	_, diff, at := Run(makeSubject, &best)
	if diff == nil {
		return s, nil
	}
	best.Ops = slices.Clone(best.Ops[:min(at+1, len(best.Ops))])
	for size := max(1, len(best.Ops)/2); !stop(); {
		shorter := false
		for from := 0; from < len(best.Ops) && !stop(); {
			candidate, found, at := tryWithout(makeSubject, &best, from, min(from+size, len(best.Ops)))
			if found == nil {
				from += size
				continue
			}
			candidate.Ops = candidate.Ops[:min(at+1, len(candidate.Ops))]
			best, diff, shorter = *candidate, found, true
		}
		if size == 1 && !shorter {
			break
		}
		size = max(1, size/2)
	}
	return &best, diff
}

// tryWithout runs the sequence without the operations from..to: first without their
// time too, then with it, so that what follows happens when it did.
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
