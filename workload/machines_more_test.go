package workload_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/worldtest"
)

func constant(d time.Duration) workload.Distribution {
	c, err := workload.Constant(d)
	if err != nil {
		panic(err)
	}
	return c
}

// TestSessionJournal: steps one after the other and together, with their pauses; a session that
// fails begins anew after the think time.
func TestSessionJournal(t *testing.T) {
	s := workload.Session{At: second, Think: constant(minute), Times: 3, Steps: []workload.Step{
		{Request: 0, Pause: second}, {Request: 1, Times: 3, Pause: 2 * second}, {Request: 2, Times: 2, Together: true}, {Request: 0},
	}}
	w := worldOf(s, 1, requests("get", "list", "create"), answers(window{70 * second, 71 * second, ms, workload.TooManyRequests})).Start()
	w.RunUntil(10 * minute)
	wantJournal(t, "session", w)
}

// TestRolloutJournal: five pods, of whom two may be missing. One cannot list at first, and holds
// the rollout up.
func TestRolloutJournal(t *testing.T) {
	r := workload.Rollout{At: second, MaxUnavailable: 2, Start: constant(3 * second)}
	w := worldOf(r, 5, requests("list", "watch", "list", "watch"), func(at time.Duration, r worldtest.Request) (time.Duration, workload.Answer) {
		if r.Client == 1 && r.Request == 2 && at < 10*second {
			return 3 * second, workload.Answer{Status: workload.TimedOut}
		}
		return 500 * ms, workload.Answer{}
	}).Start()
	w.RunUntil(minute)
	wantJournal(t, "rollout", w)
}

// TestAllPodsAtOnce holds that without a bound all pods restart together.
func TestAllPodsAtOnce(t *testing.T) {
	w := worldOf(workload.Rollout{Start: constant(second)}, 4, requests("list", "watch"), worldtest.OK).Start()
	w.RunUntil(minute)
	n := 0
	for _, line := range w.Lines {
		if strings.HasPrefix(line, "1s ") && strings.HasSuffix(line, "restarted 0s") {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d pods restart at once, want 4\n%s", n, strings.Join(w.Lines, "\n"))
	}
}

// TestControllerJournal: two workers and five keys, of which one fails three times; and one that
// is given up.
func TestControllerJournal(t *testing.T) {
	fails := 3
	c := workload.Controller{Workers: 2, Initial: 5, Keys: 5}
	w := worldOf(c, 1, requests("get", "update"), func(_ time.Duration, r worldtest.Request) (time.Duration, workload.Answer) {
		if r.Request == 1 && fails > 0 {
			fails--
			return 10 * ms, workload.Answer{Status: workload.Failed}
		}
		return 10 * ms, workload.Answer{}
	}).Start()
	w.RunUntil(minute)
	wantJournal(t, "controller", w)

	c = workload.Controller{Workers: 1, Initial: 1, MaxRetries: 4}
	w = worldOf(c, 1, requests("update"), answers(window{0, minute, ms, workload.Failed})).Start()
	w.RunUntil(minute)
	wantJournal(t, "controller-drops", w)
}

// TestAKeyThatComesAgain holds what a work queue is for: a key that waits is not queued twice, and
// one that a worker has comes again when the worker is done.
func TestAKeyThatComesAgain(t *testing.T) {
	// One key, which comes every 0.69 s; a worker takes 2 s.
	c := workload.Controller{Workers: 3, Rate: 1, Keys: 1}
	busy, most, done := 0, 0, 0
	w := worldOf(c, 1, requests("update"), func(time.Duration, worldtest.Request) (time.Duration, workload.Answer) {
		return 2 * second, workload.Answer{}
	}).Start()
	w.RunUntil(20 * second)
	for _, line := range w.Lines {
		if strings.HasSuffix(line, "sends 0") {
			busy++
		} else {
			busy--
			done++
		}
		most = max(most, busy)
	}
	if most != 1 || done != 9 {
		t.Errorf("%d workers at once at one key, %d times; want 1 and 9\n%s", most, done, strings.Join(w.Lines, "\n"))
	}
}

// TestRecorderJournal: an object whose events all differ. From the tenth on they are combined:
// created, then counted. After 25 there is one each five minutes.
func TestRecorderJournal(t *testing.T) {
	w := worldOf(workload.Recorder{Rate: 1, Objects: 1, Aggregate: true}, 1, requests("create", "patch"), answers()).Start()
	w.RunUntil(40 * second)
	wantJournal(t, "recorder", w)

	// One message, whose first event the server does not take, so that the next one finds nothing
	// to patch; and then there is no server for a while.
	w = worldOf(workload.Recorder{Rate: 0.1, Objects: 1, Messages: 1, Aggregate: true}, 1, requests("create", "patch"),
		answers(window{0, 7 * second, ms, workload.Failed}, window{15 * second, 100 * second, 0, workload.Refused})).Start()
	w.RunUntil(150 * second)
	wantJournal(t, "recorder-refused", w)
}

// TestTheTimeOutsOfARecorder: a 504 of the server is final, and the client's own time limit is
// like a connection that broke.
func TestTheTimeOutsOfARecorder(t *testing.T) {
	for _, own := range []bool{false, true} {
		sent := 0
		timeOut := func(time.Duration, worldtest.Request) (time.Duration, workload.Answer) {
			sent++
			if sent > 1 {
				return 0, workload.Answer{}
			}
			return second, workload.Answer{Status: workload.TimedOut, Own: own}
		}
		worldOf(workload.Recorder{Rate: 0.1, Objects: 1}, 1, requests("create"), timeOut).Start().RunUntil(18 * second)
		// One event happens after 6.9 s, and another after 13.9 s.
		if want := map[bool]int{false: 2, true: 3}[own]; sent != want {
			t.Errorf("own %t: %d requests, want %d", own, sent, want)
		}
	}
}

// TestARecorderDrops holds that no more than a thousand events wait behind the one on its way, and
// that without the correlator each is created.
func TestARecorderDrops(t *testing.T) {
	w := worldOf(workload.Recorder{Rate: 100, Objects: 1}, 1, requests("create"), answers(window{0, 20 * second, -1, workload.OK})).Start()
	w.RunUntil(20 * second)
	const happened = 2885 // 20 s / (ln 2 / 100)
	dropped := 0
	for _, line := range w.Lines {
		if strings.HasSuffix(line, "dropped 0s") {
			dropped++
		}
	}
	if want := happened - 1001; dropped != want || !slices.Contains(w.Lines, "6.931471ms client 0 sends 0") {
		t.Errorf("%d of %d events are dropped, want %d; the first lines are %q", dropped, happened, want, w.Lines[:3])
	}
}
