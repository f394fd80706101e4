//go:build unix

package main

import (
	"flag"
	"fmt"
	"strconv"
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
// one worker, and x-two how many times as fast two workers are by the clock, which says something on a machine of
// one's own alone. x-two-processor is how many times the processor time of one worker two of them take.
func BenchmarkSweep(b *testing.B) {
	files := map[string]string{"t.yaml": fmt.Sprintf(sweepScenario, *sweepDuration)}
	// One run is that of the scenario as it is.
	vary := fmt.Sprintf("priorityLevel/workload-low.shares=101..%d", 99+*sweepRuns)
	measure := func(args ...string) (processor, clock time.Duration) {
		begin, elapsed := spent(b), b.Elapsed()
		p := newProcess(files, args...)
		if code := run(&p.Process); code != exitOK {
			b.Fatalf("%q: exit code %d: %s", args, code, p.err.String())
		}
		return spent(b) - begin, b.Elapsed() - elapsed
	}
	var single, one, two, oneClock, twoClock time.Duration
	for b.Loop() {
		for i := range *sweepRuns {
			processor, _ := measure("run", "t.yaml", "--replications", "1", "--set", "priorityLevel/workload-low.shares="+strconv.Itoa(100+i))
			single += processor
		}
		processor, clock := measure("sweep", "t.yaml", "--replications", "1", "--vary", vary, "--workers", "1")
		one, oneClock = one+processor, oneClock+clock
		processor, clock = measure("sweep", "t.yaml", "--replications", "1", "--vary", vary, "--workers", "2")
		two, twoClock = two+processor, twoClock+clock
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(single)/float64(b.N**sweepRuns)/1e6, "single-ms/run")
	b.ReportMetric(float64(one)/float64(b.N**sweepRuns)/1e6, "sweep-ms/run")
	b.ReportMetric(float64(one)/float64(single), "x-sweep")
	b.ReportMetric(float64(two)/float64(one), "x-two-processor")
	b.ReportMetric(float64(oneClock)/float64(twoClock), "x-two")
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
