package workload_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/worldtest"
)

const (
	ms     = time.Millisecond
	second = time.Second
	minute = time.Minute
)

// answers is a server that answers after 10 ms: OK, or else what a window of time says.
type window struct {
	from, to time.Duration
	after    time.Duration
	status   workload.Status
}

func answers(windows ...window) worldtest.Respond {
	return func(at time.Duration, _ worldtest.Request) (time.Duration, workload.Answer) {
		for _, w := range windows {
			if at >= w.from && at < w.to {
				return w.after, workload.Answer{Status: w.status}
			}
		}
		return 10 * ms, workload.Answer{}
	}
}

// half draws one half each time.
func half(int32) float64 { return 0.5 }

// requests are templates of so many verbs; "stream" is a watch with initial events.
func requests(verbs ...string) []workload.Template {
	var all []workload.Template
	for _, verb := range verbs {
		t := workload.Template{Verb: verb, Resource: "things"}
		if verb == "stream" {
			t.Verb, t.Options.SendInitialEvents = "watch", true
		}
		all = append(all, t)
	}
	return all
}

// watches are the indexes of the requests that stay open.
func watches(all []workload.Template) []int32 {
	var out []int32
	for i := range all {
		if all[i].Verb == "watch" {
			out = append(out, int32(i))
		}
	}
	return out
}

// worldOf makes a world in which every number that is drawn is one half.
func worldOf(b workload.Behaviour, clients int, all []workload.Template, respond worldtest.Respond) *worldtest.World {
	w := worldtest.New(b.Machine(clients, all), clients, respond)
	w.Script, w.Watches = half, watches(all)
	return w
}

// update writes the journals anew: only commit them if you understand what has changed.
var update = flag.Bool("update", false, "write testdata/journals anew")

// wantJournal compares a journal with testdata/journals/NAME.
func wantJournal(t *testing.T, name string, w *worldtest.World) {
	t.Helper()
	path := filepath.Join("testdata", "journals", name)
	got := strings.Join(w.Lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: the journal is\n%s\nwant\n%s", name, got, want)
	}
}

// ends ends all watches at a time.
func ends(w *worldtest.World, at time.Duration, s workload.Status) {
	w.At(at, func() { w.EndWatches(workload.Answer{Status: s}) })
}

// TestInformerJournals: an informer whose LIST is rejected at first; whose watch runs out, breaks
// while no server is there, ends in good order and finds its version gone. And one that asks for
// initial events: rejected, then with a LIST in their place, then after a watch that broke twice.
func TestInformerJournals(t *testing.T) {
	all := requests("list", "watch")
	w := worldOf(workload.Informer{At: second}, 1, all, answers(
		window{second, 2 * second, ms, workload.TooManyRequests},
		window{700 * second, 710 * second, 0, workload.Refused},
		window{720 * second, 740 * second, ms, workload.Expired})).Start()
	ends(w, 700*second, workload.Lost)
	ends(w, 721*second, workload.OK)
	ends(w, 750*second, workload.OK)
	w.RunUntil(1250 * second)
	wantJournal(t, "informer", w)

	all = requests("stream", "list", "watch")
	w = worldOf(workload.Informer{}, 1, all, answers(
		window{0, second, ms, workload.TooManyRequests},
		window{second, 2 * second, ms, workload.Failed},
		window{100 * second, 110 * second, 100 * ms, workload.Lost},
		window{150 * second, 151 * second, 2 * second, workload.Lost})).Start()
	ends(w, 100*second, workload.Lost)
	ends(w, 150*second, workload.Lost)
	w.RunUntil(800 * second)
	wantJournal(t, "informer-stream", w)
}

// TestLeaseJournals: a leader and its spare while the server does not answer; and a leader whose
// update is refused for long, that gives its lease back when it stops.
func TestLeaseJournals(t *testing.T) {
	l := workload.Lease{Duration: 15 * second, RenewDeadline: 10 * second, RetryPeriod: 2 * second, Candidates: 2, Restart: second}
	w := worldOf(l, 2, requests("update", "get"), answers(window{10 * second, 28 * second, 5 * second, workload.TimedOut})).Start()
	w.RunUntil(52 * second)
	wantJournal(t, "lease", w)

	l.Candidates, l.Release, l.ListWhenLeading = 1, true, true
	w = worldOf(l, 1, requests("update", "get", "list", "watch"), func(at time.Duration, r worldtest.Request) (time.Duration, workload.Answer) {
		if r.Request == 0 && at > 5*second && at < 16*second {
			return 100 * ms, workload.Answer{Status: workload.TooManyRequests}
		}
		return 10 * ms, workload.Answer{}
	}).Start()
	w.RunUntil(30 * second)
	wantJournal(t, "lease-release", w)
}

// TestALeaderThatCrashesAgain holds the pauses that the kubelet makes: none at first, then 10 s
// and twice as long each time.
func TestALeaderThatCrashesAgain(t *testing.T) {
	l := workload.Lease{Duration: 15 * second, RenewDeadline: 10 * second, RetryPeriod: 2 * second, Restart: second}
	// It can take the lease over, and then not renew it.
	updated := -minute
	w := worldOf(l, 1, requests("update", "get"), func(at time.Duration, r worldtest.Request) (time.Duration, workload.Answer) {
		if r.Request == 0 && at-updated < 12*second {
			return ms, workload.Answer{Status: workload.Failed}
		} else if r.Request == 0 {
			updated = at
		}
		return ms, workload.Answer{}
	}).Start()
	w.RunUntil(25 * minute)
	var lost time.Duration
	var pauses []time.Duration
	for _, line := range w.Lines {
		at, what, _ := strings.Cut(line, " ")
		d, err := time.ParseDuration(at)
		if err != nil {
			t.Fatal(err)
		}
		switch what {
		case "client 0: lease-lost 0s":
			lost = d
		case "client 0: restarted 0s":
			pauses = append(pauses, d-lost-l.Restart)
		}
	}
	want := []time.Duration{0, 10 * second, 20 * second, 40 * second, 80 * second, 160 * second, 300 * second, 300 * second, 300 * second}
	if !slices.Equal(pauses, want) {
		t.Errorf("the pauses before a restart are %v, want %v", pauses, want)
	}
}

// TestHeartbeatJournal: a node whose server is not there for 80 s becomes not ready, and comes
// back with the first report of its status.
func TestHeartbeatJournal(t *testing.T) {
	w := worldOf(workload.DefaultHeartbeat(), 1, requests("update", "get", "patch", "get"),
		answers(window{20 * second, 100 * second, 0, workload.Refused})).Start()
	w.RunUntil(300 * second)
	wantJournal(t, "heartbeat", w)
}
