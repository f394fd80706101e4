package lint

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
)

// served sends a burst of requests to the level "test" of a server that has been idle,
// which are never finished, and tells how many of them are executed at once, and how
// many after the next adjustment.
func served(t *testing.T, limited string, burst int) (atOnce, adjusted int) {
	t.Helper()
	cfg, faults := scenarios.LoadConfiguration([]string{"a.yaml"}, memory{"a.yaml": wrap("level", limited)},
		scenarios.ConfigurationOptions{Release: release.Last})
	if cfg == nil {
		t.Fatal(faults)
	}
	config := cfg.Compile()
	config.Seats, config.RequestTimeout = stock, time.Minute
	server, err := scheduler.New(config, 0)
	if err != nil {
		t.Fatal(err)
	}
	server.Adjust(0)
	who := server.Subject("ann", []string{"staff", groupAuthenticated})
	what := server.Target(scheduler.Target{Verb: "get", Resource: "pods", Namespace: "default"})
	for range burst {
		_, decisions := server.Arrive(time.Second, &scheduler.Request{Subject: who, Target: what})
		atOnce += dispatched(decisions)
	}
	return atOnce, atOnce + dispatched(server.Adjust(10*time.Second))
}

func dispatched(ds []scheduler.Decision) (n int) {
	for _, d := range ds {
		if d.Kind == scheduler.Dispatched {
			n++
		}
	}
	return n
}

// What the advice says of levels without seats is what the scheduler does.
func TestSeatlessLevels(t *testing.T) {
	const queue = `limitResponse: {type: Queue, queuing: {queues: 64, handSize: 6, queueLengthLimit: 50}}}`
	const reject = `limitResponse: {type: Reject}}`
	for _, c := range []struct {
		name, limited    string
		atOnce, adjusted func(int) bool
	}{
		{"zero shares, reject", "{nominalConcurrencyShares: 0, " + reject, exactly(1), exactly(1)},
		{"zero shares, queue", "{nominalConcurrencyShares: 0, " + queue, exactly(0), some},
		{"zero shares, queue, no borrowing", "{nominalConcurrencyShares: 0, borrowingLimitPercent: 0, " + queue, exactly(0), exactly(0)},
		{"all lent, queue", "{nominalConcurrencyShares: 30, lendablePercent: 100, " + queue, exactly(0), some},
		{"all lent, reject", "{nominalConcurrencyShares: 30, lendablePercent: 100, " + reject, exactly(1), exactly(1)},
	} {
		atOnce, adjusted := served(t, c.limited, 20)
		if !c.atOnce(atOnce) || !c.adjusted(adjusted) {
			t.Errorf("%s: %d of 20 at once, %d after the adjustment", c.name, atOnce, adjusted)
		}
	}
}

func exactly(n int) func(int) bool { return func(got int) bool { return got == n } }

func some(n int) bool { return n > 0 }
