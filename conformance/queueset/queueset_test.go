package queueset_test

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/conformance/queueset"
	"github.com/apfsim/apfsim/conformance/queueset/ours"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// miscounting is a queue set that tells one executing request too many while three
// execute and two wait.
type miscounting struct{ queueset.Subject }

func (m miscounting) State() fairqueue.State {
	st := m.Subject.State()
	if st.Executing == 3 && st.Waiting == 2 {
		st.Executing++
	}
	return st
}

// TestShrink finds that fault and reduces it to what it takes: a limit, and five
// arrivals or little more.
func TestShrink(t *testing.T) {
	queueset.Quiet()
	wrong := func(now time.Duration) queueset.Subject { return miscounting{ours.New(now)} }
	c := queueset.Campaign{Make: wrong, Seed: 1, Operations: 100_000}
	s, diff := c.Run()
	if diff == nil {
		t.Fatal("the fault was not found")
	}
	short, why := queueset.Shrink(wrong, s, func() bool { return false })
	if why == nil || len(short.Ops) > 6 {
		t.Errorf("shrunk from %d to %d operations: %v\n%s", len(s.Ops), len(short.Ops), why, short)
	}
	if _, again, _ := queueset.Run(wrong, short); again == nil || *again != *why {
		t.Errorf("the shortest sequence shows %v, then %v", why, again)
	}
	if _, none, _ := queueset.Run(ours.New, short); none != nil {
		t.Errorf("the product fails it too: %v", none)
	}
}

// TestCampaignRepeats makes sure that a seed stands for one sequence of operations.
func TestCampaignRepeats(t *testing.T) {
	queueset.Quiet()
	a := queueset.Campaign{Make: ours.New, Seed: 77, Operations: 5000}
	b := a
	a.Run()
	b.Run()
	if a.Count != b.Count || a.Hits != b.Hits {
		t.Errorf("two runs of one seed differ: %v and %v", a.Count, b.Count)
	}
}
