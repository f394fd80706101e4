package lint

import (
	"fmt"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
)

// idleServer is a server with the level "test", and who and what goes there.
func idleServer(t *testing.T, limited string) (*scheduler.Server, *scheduler.Request) {
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
	return server, &scheduler.Request{
		Subject: server.Subject("ann", []string{"staff", groupAuthenticated}),
		Target:  server.Target(scheduler.Target{Verb: "get", Resource: "pods", Namespace: "default"}),
	}
}

// served sends a burst of requests to the level "test" of a server that has been idle,
// which are never finished, and tells how many of them are executed at once, and how
// many after the next adjustment.
func served(t *testing.T, limited string, burst int) (atOnce, adjusted int) {
	t.Helper()
	server, request := idleServer(t, limited)
	for range burst {
		_, decisions := server.Arrive(time.Second, request)
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

// climbed keeps asking for more than the level test has, and tells how many requests
// execute after a number of adjustments.
func climbed(t *testing.T, limited string, adjustments int) int {
	t.Helper()
	server, request := idleServer(t, limited)
	executing := 0
	for i := range adjustments {
		now := time.Duration(i) * 10 * time.Second
		for range stock {
			_, decisions := server.Arrive(now+time.Second, request)
			executing += dispatched(decisions)
		}
		server.Adjust(now + 10*time.Second)
	}
	return executing
}

// A level that rejects has demand for little more than its limit, so it borrows in steps.
func TestSeatlessLevelsBorrowInSteps(t *testing.T) {
	const jail = "{nominalConcurrencyShares: 0, %slimitResponse: {type: Reject}}"
	free, held := fmt.Sprintf(jail, ""), fmt.Sprintf(jail, "borrowingLimitPercent: 0, ")
	one, some, many := climbed(t, free, 1), climbed(t, free, 2), climbed(t, free, 10)
	if one != 1 || some <= 1 || many <= 10*some {
		t.Errorf("%d, %d and %d requests after 1, 2 and 10 rounds", one, some, many)
	}
	if n := climbed(t, held, 10); n != 1 {
		t.Errorf("%d requests at a time without borrowing", n)
	}
}

func exactly(n int) func(int) bool { return func(got int) bool { return got == n } }

func some(n int) bool { return n > 0 }
