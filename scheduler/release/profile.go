package release

import (
	"github.com/apfsim/apfsim/scheduler/borrowing"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// Profile is all in which releases of kube-apiserver differ from one another in what they
// decide about requests. It holds values alone and can be compared.
type Profile struct {
	// Estimate tells how the work of a request is foreseen.
	Estimate estimate.Rules
	// Borrowing tells how seats are divided among the levels.
	Borrowing borrowing.Rules
	// Queues tells how the queue sets work.
	Queues fairqueue.Rules
	// Waiting tells how long a request may wait.
	Waiting Waiting
	// WatchesBypass tells that APF does not concern watches at all.
	WatchesBypass bool
	// ExemptBypasses tells that APF does not concern requests to an exempt level any more
	// once they are classified: they have no estimate, hold no seats and count nowhere.
	ExemptBypasses bool
	// AdaptiveRetryAfter tells that who is rejected is told to wait the longer, the more is
	// rejected; otherwise it is always one second.
	AdaptiveRetryAfter bool
	// Cache tells how a server answers before its watch cache is filled.
	Cache Cache
}

// Cache is how a release treats what it would answer from a watch cache that is not filled
// yet, as after a start of the server. That is no matter of APF, but it decides how long such
// requests hold their seats.
type Cache struct {
	// RejectsUnready tells that they are answered 429. Otherwise they wait.
	RejectsUnready bool
	// AdaptiveRetryAfter tells that the answer asks for more patience the longer the cache has
	// not been ready; otherwise it is always one second.
	AdaptiveRetryAfter bool
}

// Waiting is how a release limits the time that a request waits in a queue.
type Waiting struct {
	// LimitedAtArrival tells that an arrival ejects from its queue who has waited for longer
	// than a quarter of the server's request timeout, and that otherwise only the end of its
	// context makes a request leave. If not, a quarter of its own deadline does, to the
	// nanosecond.
	LimitedAtArrival bool
	// ClientTimeouts tells that a deadline that the client asks for ends the context.
	ClientTimeouts bool
	// Expired is the reason that is told for those who left because their time was over
	// or their client gone.
	Expired fairqueue.Reason
}

// For returns how a release behaves: the changes of the history up to that version, one on
// top of the other. It panics if the version is not one from First to Last.
func For(v Version) Profile {
	if v.Less(First) || Last.Less(v) {
		panic("release: nothing is known of " + v.String())
	}
	var p Profile
	for i := range history {
		if history[i].In(v) {
			history[i].apply(&p)
		}
	}
	return p
}

// Change is one change of behaviour.
type Change struct {
	// Since are the first versions with the change, in their order: the first minor release,
	// and the patches of older ones that it was brought back to.
	Since []Version
	// Text tells what changes, in a sentence or two for an operator.
	Text string

	apply func(*Profile)
}

// In tells whether a version has the change: it is in the newest minor release that Since
// names, or in a later one, or in a patch that it was brought back to.
func (c *Change) In(v Version) bool {
	for _, first := range c.Since {
		if v.Minor == first.Minor {
			return v.Patch >= first.Patch
		}
	}
	return v.Minor > c.Since[len(c.Since)-1].Minor
}
