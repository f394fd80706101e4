package pure

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/apfsim/apfsim/conformance/quiet"
	"github.com/apfsim/apfsim/scheduler/release"
)

// newest is how the release of the real code that is linked here behaves.
var newest = release.For(release.Last)

// times multiplies the number of random inputs.
var times = flag.Int("times", 1, "draw this many times as many random inputs")

func TestMain(m *testing.M) {
	// Upstream logs every allocation without a solution, and much else.
	quiet.Klog()
	os.Exit(m.Run())
}

// random returns the source of one test.
func random(t *testing.T, n uint64) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(0x1040, n))
}

// oneIn is true once in n draws.
func oneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// pick draws one of the values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }
