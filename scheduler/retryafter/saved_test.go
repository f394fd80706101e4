package retryafter

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A tracker that is restored at another time answers as the one that was saved, which in
// turn answers as if nothing had been done to it.
func TestRestoredTrackerGoesOn(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		var a Tracker
		now := time.Duration(0)
		pace := time.Duration(1+r.IntN(900)) * time.Millisecond
		step := func() time.Duration { now += time.Duration(r.Int64N(int64(pace))); return now }
		for range 200 {
			a.Dropped(step())
		}
		now += time.Duration(r.Int64N(int64(40 * time.Second)))
		saved := a.Save(now)
		start := time.Duration(r.Int64N(int64(5 * time.Second)))
		b, moment := Restored(start, &saved), now
		for i := range 200 {
			at := step()
			if want, got := a.Dropped(at), b.Dropped(at-moment+start); got != want {
				t.Fatalf("seed %d, drop %d at %v: got %d, want %d", seed, i, at, got, want)
			}
		}
	}
}
