package main

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports/tuning"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// oneLevel is an M/M/c queue: one flow of a level that has nearly all seats.
var oneLevel = map[string]string{
	"mmc.yaml": `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: mmc}
duration: 60s
warmup: 5s
server: {maxRequestsInflight: 20, maxMutatingRequestsInflight: 0}
flowControl: {manifests: [work.yaml]}
clients:
- name: work
  user: worker
  groups: [system:authenticated]
  requests: [{verb: get, resource: pods, namespace: default, name: web}]
  arrivals: {poisson: {rate: 200}}
  duration: {exponential: {mean: 100ms}}
`,
	"work.yaml": `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: work}
spec:
  type: Limited
  limited:
    nominalConcurrencyShares: 100000
    lendablePercent: 0
    borrowingLimitPercent: 0
    limitResponse: {type: Queue, queuing: {queues: 1, handSize: 1, queueLengthLimit: 10000}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: work}
spec:
  matchingPrecedence: 10
  priorityLevelConfiguration: {name: work}
  rules:
  - subjects: [{kind: User, user: {name: worker}}]
    resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"]}]
`,
}

// erlangWait is the mean wait in seconds of an M/M/c queue with an arrival rate and a mean service time
// (Erlang C; Cooper, Introduction to Queueing Theory, section 3.5).
func erlangWait(c int, rate, service float64) float64 {
	a, loss := rate*service, 1.0
	for n := 1; n <= c; n++ {
		loss = a * loss / (float64(n) + a*loss)
	}
	return float64(c) * loss / (float64(c) - a*(1-loss)) * service / (float64(c) - a)
}

// tune runs apfsim tune and reads its proposal.
func tune(t *testing.T, p *testProcess, code int) *tuning.Proposal {
	t.Helper()
	if got := run(&p.Process); got != code {
		t.Fatalf("apfsim %q: exit code %d, want %d\nstderr: %s", p.Args, got, code, p.err.String())
	}
	out := &tuning.Proposal{}
	if err := json.Unmarshal([]byte(p.out.String()), out); err != nil {
		t.Fatalf("%v\n%s", err, p.out.String())
	}
	return out
}

// TestTuneSeats finds the seats that Erlang's formula says a goal needs, within one step, and in a fifth
// of the runs that all points would take.
func TestTuneSeats(t *testing.T) {
	t.Parallel()
	const goal = 0.003
	best := 21 // the least that can serve 20 at a time
	for erlangWait(best, 200, 0.1) >= goal {
		best++
	}
	p := tune(t, newProcess(oneLevel, "tune", "mmc.yaml", "--goal", "wait{priorityLevel=work} < 3ms",
		"--knob", "server.maxRequestsInflight=20..79", "--minimize", "seats", "-o", "json"), exitOK)
	// The level has ceil(S * 100000 / 100245) seats: all of the server's.
	got, err := strconv.Atoi(p.Changes[0].Value)
	if err != nil || got < best-1 || got > best+1 {
		t.Errorf("%s seats are proposed, and %d are needed", p.Changes[0].Value, best)
	}
	if p.Runs.Grid != 300 || p.Runs.Search*5 > p.Runs.Grid {
		t.Errorf("%d runs of %d", p.Runs.Search, p.Runs.Grid)
	}
	if p.Verification.Verdict != tuning.Met || p.Verification.First < p.Runs.Replications {
		t.Errorf("the verification is %+v", p.Verification)
	}
}

// TestTuneCrushing finds the smallest queues and hand that bound the odds of crushing, without a run.
func TestTuneCrushing(t *testing.T) {
	t.Parallel()
	const bound = 0.001
	least := math.MaxInt
	for _, queues := range []int{16, 32, 64, 128, 256, 512} {
		for hand := 2; hand <= 12; hand++ {
			if _, err := shuffle.NewDealer(queues, hand); err != nil {
				continue
			}
			if x, _ := shuffle.Covered(queues, hand, 4).Float64(); x < bound {
				least = min(least, queues)
			}
		}
	}
	p := tune(t, newProcess(oneLevel, "tune", "mmc.yaml", "--goal", "crushing{workload-low,elephants=4} < 0.1%",
		"--knob", "priorityLevel/workload-low.queues=16..512:*2", "--knob", "priorityLevel/workload-low.handSize=2..12",
		"--minimize", "queued{workload-low}", "--replications", "2", "-o", "json"), exitOK)
	if got := p.Changes[0].Value; got != strconv.Itoa(least) {
		t.Errorf("%s queues are proposed, and %d are needed", got, least)
	}
	if p.Runs.Search != 0 || p.Points.Screened != 66 {
		t.Errorf("%d runs, %d points looked at", p.Runs.Search, p.Points.Screened)
	}
	var invalid int
	for _, r := range p.Points.Invalid {
		invalid += r.Points
	}
	if invalid == 0 || invalid+p.Points.Candidates >= p.Points.All {
		t.Errorf("%d of %d points are invalid, and %d are left", invalid, p.Points.All, p.Points.Candidates)
	}
}

// stoppingFS wishes the process to stop once it has created so many files.
type stoppingFS struct {
	*memFS
	left    int
	signals chan struct{}
}

func (f *stoppingFS) Create(name string) (PendingFile, error) {
	if f.left--; f.left == 0 {
		f.signals <- struct{}{}
	}
	return f.memFS.Create(name)
}

// TestTuneIsTheSameAgain holds that the proposal is the same for any number of workers, and of a search
// that was stopped and goes on.
func TestTuneIsTheSameAgain(t *testing.T) {
	t.Parallel()
	args := []string{"tune", "mmc.yaml", "--goal", "wait{priorityLevel=work} < 3ms", "--replications", "3",
		"--knob", "server.maxRequestsInflight=22..40:2", "--minimize", "seats", "-o", "json", "--set", "duration=20s"}
	var texts []string
	for _, workers := range []string{"1", "3"} {
		p := newProcess(oneLevel, append(slices.Clone(args), "--workers", workers)...)
		tune(t, p, exitOK)
		texts = append(texts, p.out.String())
	}
	args = append(args, "--results", "results", "--workers", "1")
	first := newProcess(oneLevel, args...)
	first.FS = &stoppingFS{memFS: first.fs, left: 4, signals: first.signals}
	first.want(t, exitInterrupted, "", "the same command goes on from there")
	second := newProcess(first.fs.files, args...)
	made := len(second.fs.files)
	tune(t, second, exitOK)
	texts = append(texts, second.out.String())
	for i, text := range texts {
		if text != texts[0] {
			t.Errorf("proposal %d is another one: %s", i, text)
		}
	}
	if made <= len(oneLevel) || made >= len(second.fs.files) {
		t.Errorf("%d files were there when it went on, and %d in the end", made, len(second.fs.files))
	}
}

// TestTuneInShards runs each stage in two shards into one folder, until the proposal is there: the same one.
func TestTuneInShards(t *testing.T) {
	t.Parallel()
	args := []string{"tune", "mmc.yaml", "--goal", "wait{priorityLevel=work} < 3ms", "--replications", "2",
		"--knob", "server.maxRequestsInflight=22,26,30", "--knob", "priorityLevel/work.queueLengthLimit=5000,10000",
		"--minimize", "seats", "-o", "json", "--set", "duration=20s"}
	whole := newProcess(oneLevel, args...)
	tune(t, whole, exitOK)
	files := oneLevel
	stopped := 0
	for range 20 {
		for _, shard := range []string{"0/2", "1/2"} {
			p := newProcess(files, append(slices.Clone(args), "--results", "results", "--shard", shard)...)
			if code := run(&p.Process); code != exitOK {
				t.Fatalf("exit code %d: %s", code, p.err.String())
			}
			files = p.fs.files
			if text := p.out.String(); text != "" {
				if text != whole.out.String() || stopped < 2 {
					t.Errorf("after %d parts the shards find %s", stopped, text)
				}
				return
			}
			stopped++
			if !strings.Contains(p.err.String(), "apfsim merge") {
				t.Fatalf("it does not say how to go on: %s", p.err.String())
			}
		}
	}
	t.Error("the shards come to no end")
}

// TestTuneIsVerified does not believe what the search has seen: here its two replications are luckier than
// those that come after, of which one point's fail, or all.
func TestTuneIsVerified(t *testing.T) {
	t.Parallel()
	args := func(seed, goal string) []string {
		return []string{"tune", "mmc.yaml", "--goal", "wait{client=work,max} < " + goal, "--replications", "2", "--seed", seed, "-o", "json",
			"--knob", "priorityLevel/work.queueLengthLimit=10000,20000", "--set", "duration=20s", "--set", "server.maxRequestsInflight=24"}
	}
	// The longest waits of the first six replications: 53, 70; 100, 77; 74 and 60 ms.
	p := tune(t, newProcess(oneLevel, args("3", "75ms")...), exitOK)
	if p.Outcome != tuning.Found || p.Verification.Refuted != 1 || p.Verification.First != 4 {
		t.Errorf("%s: %+v", p.Outcome, p.Verification)
	}
	// 39, 67; 88, 143; 121 and 102 ms.
	p = tune(t, newProcess(oneLevel, args("5", "80ms")...), exitExpectation)
	if p.Outcome != tuning.Unverified || p.Recommended != nil || p.Verification.Verdict != tuning.Missed {
		t.Errorf("%s: %+v", p.Outcome, p.Verification)
	}
}
