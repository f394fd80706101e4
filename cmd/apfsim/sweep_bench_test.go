//go:build unix

package main

import (
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// The size of BenchmarkSweep. A thousand runs of a million requests are -sweep.runs 1000 -sweep.duration 10m.
var (
	sweepRuns     = flag.Int("sweep.runs", 8, "`number` of runs that are made one by one, and as a sweep")
	sweepDuration = flag.Duration("sweep.duration", 6*time.Second, "virtual `duration` of each, of 1,680 requests a second")
)

// sweepScenario is an ordinary load: forty clients, of whose requests some wait.
const sweepScenario = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: throughput}
duration: %s
server: {maxRequestsInflight: 60, maxMutatingRequestsInflight: 40}
clients:
- name: bots
  count: 40
  user: system:serviceaccount:ci:bot-{index}
  groups: [system:serviceaccounts, system:authenticated]
  requests: [{verb: get, resource: pods, namespace: a, name: b}]
  arrivals: {poisson: {rate: 42}}
  duration: {exponential: {mean: 40ms}}
`

// BenchmarkSweep compares a sweep with as many single runs: x-sweep is how many times their processor time it takes with
// one worker, and x-two how many times as fast two workers are by the clock. x-machine is what the machine can do: how
// many times as fast single runs are that are made two at a time. Rounds take turns, so more of them (-benchtime 5x) even
// out what else the machine does. x-two-processor is how many times the processor time of one worker two of them take.
func BenchmarkSweep(b *testing.B) {
	defer runtime.KeepAlive(ballast())
	files := map[string]string{"t.yaml": fmt.Sprintf(sweepScenario, *sweepDuration)}
	command := func(args ...string) {
		p := newProcess(files, args...)
		if code := run(&p.Process); code != exitOK {
			b.Errorf("%q: exit code %d: %s", args, code, p.err.String())
		}
	}
	single := func(i int) {
		command("run", "t.yaml", "--replications", "1", "--set", "priorityLevel/workload-low.shares="+strconv.Itoa(100+i))
	}
	// One run is that of the scenario as it is.
	vary := fmt.Sprintf("priorityLevel/workload-low.shares=101..%d", 99+*sweepRuns)
	var singles, pairs, one, two usage
	for b.Loop() {
		singles.add(b, func() {
			for i := range *sweepRuns {
				single(i)
			}
		})
		pairs.add(b, func() { inPairs(*sweepRuns, single) })
		one.add(b, func() { command("sweep", "t.yaml", "--replications", "1", "--vary", vary, "--workers", "1") })
		two.add(b, func() { command("sweep", "t.yaml", "--replications", "1", "--vary", vary, "--workers", "2") })
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(singles.processor)/float64(b.N**sweepRuns)/1e6, "single-ms/run")
	b.ReportMetric(float64(one.processor)/float64(b.N**sweepRuns)/1e6, "sweep-ms/run")
	b.ReportMetric(float64(one.processor)/float64(singles.processor), "x-sweep")
	b.ReportMetric(float64(two.processor)/float64(one.processor), "x-two-processor")
	b.ReportMetric(float64(singles.clock)/float64(pairs.clock), "x-machine")
	b.ReportMetric(float64(one.clock)/float64(two.clock), "x-two")
}

// inPairs calls f for 0 to n-1, two of them at a time.
func inPairs(n int, f func(int)) {
	var group sync.WaitGroup
	var next atomic.Int64
	for range 2 {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	group.Wait()
}

// usage is the time that something took.
type usage struct{ processor, clock time.Duration }

// add adds what f takes.
func (u *usage) add(b *testing.B, f func()) {
	b.Helper()
	begin, elapsed := spent(b), b.Elapsed()
	f()
	u.processor += spent(b) - begin
	u.clock += b.Elapsed() - elapsed
}

// spent is the time that processors have spent on this process.
func spent(b *testing.B) time.Duration {
	b.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
