package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/limiter"
)

// chronicle is a journal that writes down what happens to servers and errands, too.
type chronicle struct{ journal }

func (c *chronicle) Refused(now time.Duration, r *sim.Request, why sim.Refusal) {
	c.note(now, "refused attempt %d %v", r.Attempt, why)
}

func (c *chronicle) Cut(now time.Duration, r *sim.Request) {
	c.note(now, "cut %d dispatched %t", r.ID, r.Dispatched >= 0)
}

func (c *chronicle) Concluded(now time.Duration, o *sim.Operation) {
	c.note(now, "concluded %v after %d from %v, throttled %v, paused %v", o.Status, o.Attempts, o.Began, o.Throttled, o.Paused)
}

func (c *chronicle) Server(now time.Duration, e sim.ServerEvent, server int32) {
	c.note(now, "server %d %v", server, e)
}

func (c *chronicle) Client(now time.Duration, e sim.ClientEvent, _, client int32, value time.Duration) {
	c.note(now, "client %d %v %v", client, e, value)
}

func tell(t *testing.T, cfg *sim.Config, want ...string) {
	t.Helper()
	c := &chronicle{}
	if _, err := sim.Run(cfg, 0, c, nil); err != nil {
		t.Fatal(err)
	}
	wantLines(t, &c.journal, want...)
}

// TestAServerThatStopsTakesEverythingWithIt has one request that executes and one that
// waits, and one that finds nobody. After the start the seats are free.
func TestAServerThatStopsTakesEverythingWithIt(t *testing.T) {
	early, late, after := burst(t, 2, 10*time.Second), burst(t, 1, time.Second), burst(t, 1, time.Second)
	at4, at7 := workload.Burst(4*time.Second, 1, 0), workload.Burst(7*time.Second, 1, 0)
	late.Name, late.Open, after.Name, after.Open = "late", &at4, "after", &at7
	tell(t, &sim.Config{
		Scheduler: smallServer(1, 5), Populations: []workload.Population{early, late, after}, Duration: 15 * time.Second,
		Operations: []sim.ServerOperation{{At: 3 * time.Second, Kind: sim.Stop}, {At: 6 * time.Second, Kind: sim.Start}},
	},
		"1s arrived 0 attempt 0", "1s dispatched 0", "1s arrived 1 attempt 0",
		"3s server 0 stopped",
		"3s cut 0 dispatched true", "3s client 0 gave-up 0s", "3s concluded lost after 1 from 1s, throttled 0s, paused 0s",
		"3s cut 1 dispatched false", "3s client 0 gave-up 0s", "3s concluded lost after 1 from 1s, throttled 0s, paused 0s",
		"4s refused attempt 0 no-server", "4s client 0 gave-up 0s", "4s concluded refused after 1 from 4s, throttled 0s, paused 0s",
		"6s server 0 started", "6s server 0 cache-ready",
		"7s arrived 3 attempt 0", "7s dispatched 3", "8s finished 3", "8s concluded ok after 1 from 7s, throttled 0s, paused 0s",
	)
}

// TestAServerThatDrainsFinishesWhatItHas refuses what is new, and executes what waits.
func TestAServerThatDrainsFinishesWhatItHas(t *testing.T) {
	early, late := burst(t, 2, 2*time.Second), burst(t, 1, time.Second)
	at := workload.Burst(2500*time.Millisecond, 1, 0)
	late.Name, late.Open = "late", &at
	tell(t, &sim.Config{
		Scheduler: smallServer(1, 5), Populations: []workload.Population{early, late}, Duration: 15 * time.Second,
		Operations: []sim.ServerOperation{{At: 2 * time.Second, Kind: sim.Drain}, {At: 10 * time.Second, Kind: sim.Stop}},
	},
		"1s arrived 0 attempt 0", "1s dispatched 0", "1s arrived 1 attempt 0",
		"2s server 0 draining",
		"2.5s refused attempt 0 no-server", "2.5s client 0 gave-up 0s", "2.5s concluded refused after 1 from 2.5s, throttled 0s, paused 0s",
		"3s finished 0", "3s concluded ok after 1 from 1s, throttled 0s, paused 0s", "3s dispatched 1",
		"5s finished 1", "5s concluded ok after 1 from 1s, throttled 0s, paused 0s",
		"10s server 0 stopped",
	)
}

// TestDeadlines: what becomes of a request that executes for 10 s when its client waits for
// 3 s, by what the server does about it, and of one that waits for the seat.
func TestDeadlines(t *testing.T) {
	for _, c := range []struct {
		deadline workload.Deadline
		want     []string
	}{
		{workload.DeadlineStops, []string{
			"4s finished 0", "4s client 0 gave-up 0s", "4s concluded timed-out after 1 from 1s, throttled 0s, paused 0s",
			"4s dispatched 1", "4s finished 1", "4s client 0 gave-up 0s", "4s concluded timed-out after 1 from 1s, throttled 0s, paused 0s",
		}},
		{workload.DeadlineIgnored, []string{
			"4s client 0 gave-up 0s", "4s concluded timed-out after 1 from 1s, throttled 0s, paused 0s",
			"4s rejected 1 time-out retry after 1", "4s client 0 gave-up 0s", "4s concluded timed-out after 1 from 1s, throttled 0s, paused 0s",
			"11s finished 0",
		}},
	} {
		p := burst(t, 2, 10*time.Second)
		p.Timeout, p.Deadline = 3*time.Second, c.deadline
		p.Requests[0].Timeout = time.Minute // so that it may wait for longer than its client does
		want := append([]string{"1s arrived 0 attempt 0", "1s dispatched 0", "1s arrived 1 attempt 0"}, c.want...)
		t.Run(c.deadline.String(), func(t *testing.T) {
			tell(t, &sim.Config{Scheduler: smallServer(1, 5), Populations: []workload.Population{p}, Duration: 15 * time.Second}, want...)
		})
	}
}

// TestAServersOwnDeadline ends an execution at the request timeout, or at what the client
// asked for, if that is less.
func TestAServersOwnDeadline(t *testing.T) {
	for _, c := range []struct {
		timeout time.Duration
		end     string
	}{{0, "1m1s"}, {20 * time.Second, "21s"}, {2 * time.Minute, "1m1s"}} {
		p := burst(t, 1, 100*time.Second)
		p.Deadline, p.Requests[0].Timeout = workload.DeadlineStops, c.timeout
		tell(t, &sim.Config{Scheduler: smallServer(1, 5), Populations: []workload.Population{p}, Duration: 2 * time.Minute},
			"1s arrived 0 attempt 0", "1s dispatched 0",
			c.end+" finished 0", c.end+" client 0 gave-up 0s", fmt.Sprintf("%s concluded timed-out after 1 from 1s, throttled 0s, paused 0s", c.end))
	}
}

// TestPatienceCoversAllAttempts: the seat is taken for long, a retry is due every second, and
// the client gives up in the middle of a pause.
func TestPatienceCoversAllAttempts(t *testing.T) {
	blocker, p := burst(t, 1, time.Minute), burst(t, 1, time.Second)
	p.Name, p.Timeout, p.Retry = "patient", 2500*time.Millisecond, workload.Retry{Policy: workload.RetryClientGo}
	tell(t, &sim.Config{Scheduler: smallServer(1, 0), Populations: []workload.Population{blocker, p}, Duration: 10 * time.Second},
		"1s arrived 0 attempt 0", "1s dispatched 0",
		"1s arrived 1 attempt 0", "1s rejected 1 concurrency-limit retry after 1", "1s client 0 retried 0s",
		"2s arrived 2 attempt 1", "2s rejected 2 concurrency-limit retry after 1", "2s client 0 retried 0s",
		"3s arrived 3 attempt 2", "3s rejected 3 concurrency-limit retry after 1", "3s client 0 retried 0s",
		"3.5s concluded timed-out after 3 from 1s, throttled 0s, paused 2.5s",
	)
}

// TestAClientHoldsItselfBack: a bucket of two, refilled twice a second; the third request
// waits half a second for its token, and its patience begins after that.
func TestAClientHoldsItselfBack(t *testing.T) {
	p := burst(t, 4, 10*time.Millisecond)
	p.Limiter = &limiter.Limiter{QPS: 2, Burst: 2}
	tell(t, &sim.Config{Scheduler: smallServer(4, 0), Populations: []workload.Population{p}, Duration: 10 * time.Second},
		"1s arrived 0 attempt 0", "1s dispatched 0", "1s arrived 1 attempt 0", "1s dispatched 1",
		"1s client 0 throttled 500ms", "1s client 0 throttled 1s",
		"1.01s finished 0", "1.01s concluded ok after 1 from 1s, throttled 0s, paused 0s",
		"1.01s finished 1", "1.01s concluded ok after 1 from 1s, throttled 0s, paused 0s",
		"1.5s arrived 2 attempt 0", "1.5s dispatched 2", "1.51s finished 2", "1.51s concluded ok after 1 from 1s, throttled 500ms, paused 0s",
		"2s arrived 3 attempt 0", "2s dispatched 3", "2.01s finished 3", "2.01s concluded ok after 1 from 1s, throttled 1s, paused 0s",
	)
}
