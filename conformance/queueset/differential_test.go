package queueset_test

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/apfsim/apfsim/conformance/queueset"
	"github.com/apfsim/apfsim/conformance/queueset/ours"
)

var (
	operations = flag.Int64("ops", 2_000_000, "how many random operations to run on both queue sets")
	profile    = flag.String("profile", "", "run only random operations of this style, and let branches be missed")
	firstSeed  = flag.Uint64("seed", 1, "seed of the first sequence of random operations")
)

// TestDifferential holds the product's queue set against the real one on random
// operations. It fails on the first difference, with the shortest sequence that shows
// it, and it fails if a situation that decides something was never reached.
func TestDifferential(t *testing.T) {
	queueset.Quiet()
	c := queueset.Campaign{Make: ours.New, Seed: *firstSeed, Operations: *operations, Profile: *profile}
	start := time.Now()
	s, diff := c.Run()
	if diff != nil {
		deadline := time.Now().Add(30 * time.Second)
		short, why := queueset.Shrink(ours.New, s, func() bool { return time.Now().After(deadline) })
		t.Fatalf("seed %d differs after %d operations in all: %v\nshrunk to %v\n%s", s.Seed, c.Total(), diff, why, short)
	}
	c.Report(os.Stdout)
	t.Logf("%d operations, no difference, %v", c.Total(), time.Since(start).Round(time.Second))
	for _, b := range c.Hits.Missing() {
		if *profile != "" {
			break
		}
		t.Errorf("never reached: %s", b)
	}
}
