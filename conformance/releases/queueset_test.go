package releases

import (
	"flag"
	"testing"

	"github.com/apfsim/apfsim/conformance/oracle/driver/wire"
)

var sequences = flag.Int("sequences", 300, "compare this many drawn sequences of operations with each release's queue set")

// sequenceLength is the number of operations of a sequence.
const sequenceLength = 300

// TestQueueSets draws sequences of operations and compares the simulator's queue set with
// the release's after each operation.
func TestQueueSets(t *testing.T) {
	for _, o := range selected(t) {
		t.Run(o.name, func(t *testing.T) {
			o.start(t)
			dispatched, rejected, ejected := 0, 0, 0
			for i := range *sequences {
				seed := *swarmSeed + uint64(i)
				s := o.drawOperations(seed, sequenceLength)
				want := o.ask(t, wire.Question{QueueSet: &s.done}).QueueSet
				if text := s.firstDifference(want); text != "" {
					t.Fatalf("seed %d: %s", seed, text)
				}
				for _, w := range want {
					dispatched += len(w.Dispatched)
					ejected += len(w.Ejected)
					if w.Rejected {
						rejected++
					}
				}
			}
			t.Logf("%d sequences: %d dispatched, %d rejected, %d ejected", *sequences, dispatched, rejected, ejected)
			if *sequences >= 300 && min(dispatched, rejected, ejected) < 2000 {
				t.Error("the sequences are too tame to show anything")
			}
		})
	}
}
