package clientgo

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/apfsim/apfsim/conformance/quiet"
)

// times multiplies the number of random inputs.
var times = flag.Int("times", 1, "draw this many times as many random inputs")

func TestMain(m *testing.M) {
	// The client says on the log when it waits.
	quiet.Klog()
	os.Exit(m.Run())
}

// random returns the source of one test.
func random(n uint64) *rand.Rand { return rand.New(rand.NewPCG(0xc11e, n)) }

// oneIn is true once in n draws.
func oneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// pick draws one of the values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// exponential draws a time with a mean.
func exponential(r *rand.Rand, mean time.Duration) time.Duration {
	return time.Duration(r.ExpFloat64() * float64(mean))
}
