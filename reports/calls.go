package reports

import (
	"time"

	"github.com/apfsim/apfsim/sim"
)

// inversion is how long calls of one population have waited at a level, while callers of
// another population held seats at theirs.
type inversion struct {
	caller, callerLevel int32
	called, calledLevel int32
	requests            int64
	time                Total
	longest             time.Duration
}

// inverted counts a call that has waited.
func (o *Collected) inverted(caller, called *sim.Request, wait time.Duration) {
	add := inversion{caller: caller.Population, callerLevel: caller.Level, called: called.Population, calledLevel: called.Level, requests: 1, longest: wait}
	add.time.add(wait)
	o.inversions = addInversion(o.inversions, &add)
}

// same tells whether two are about the same requests at the same levels.
func (i *inversion) same(j *inversion) bool {
	return i.caller == j.caller && i.callerLevel == j.callerLevel && i.called == j.called && i.calledLevel == j.calledLevel
}

// addInversion adds to a list, which is short: there are few kinds of calls.
func addInversion(list []inversion, add *inversion) []inversion {
	for i := range list {
		if in := &list[i]; in.same(add) {
			in.requests += add.requests
			in.time.plus(add.time)
			in.longest = max(in.longest, add.longest)
			return list
		}
	}
	return append(list, *add)
}
