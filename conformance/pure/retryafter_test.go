package pure

import (
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apiserver/pkg/util/flowcontrol"

	"github.com/apfsim/apfsim/scheduler/retryafter"
)

// TestRetryAfterEqualsUpstream drops requests at random rates, in bursts and with
// pauses, in the virtual time that upstream's tracker reads.
func TestRetryAfterEqualsUpstream(t *testing.T) {
	seen := map[int]int{}
	for i := range uint64(300 * *times) {
		synctest.Test(t, func(t *testing.T) { dropAtRandom(t, 1000+i, seen) })
	}
	for answer := 1; answer <= 32; answer++ {
		if seen[answer] < 100 {
			t.Errorf("Retry-After was %d only %d times", answer, seen[answer])
		}
	}
}

// dropAtRandom counts in seen how often each answer was given.
func dropAtRandom(t *testing.T, seed uint64, seen map[int]int) {
	r := random(t, seed)
	real := flowcontrol.NewDroppedRequestsTracker()
	var ours retryafter.Tracker
	start := time.Now() // on a whole second, as every bubble
	perSecond := 1.0
	for range 2000 {
		if oneIn(r, 100) {
			perSecond = pick(r, 0.02, 0.3, 1, 4, 20, 120)
		}
		wait := time.Duration(r.ExpFloat64() / perSecond * float64(time.Second))
		if oneIn(r, 300) {
			wait = time.Duration(r.IntN(100)) * time.Second
		}
		time.Sleep(wait)
		real.RecordDroppedRequest("level")
		want := int(real.GetRetryAfter("level"))
		if got := ours.Dropped(time.Since(start)); got != want {
			t.Fatalf("seed %d: Retry-After %d at %v, want %d", seed, got, time.Since(start), want)
		}
		seen[want]++
	}
}
