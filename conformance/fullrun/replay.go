package fullrun

import (
	"context"
	"fmt"
	"net/http"
	"sort"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	flowcontrolapi "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/util/flowcontrol"

	"github.com/apfsim/apfsim/conformance/oracle/driver/traffic"
)

// adjustmentPeriod is the controller's borrowing period.
const adjustmentPeriod = 10 * time.Second

// Run is what the server did with a trace.
type Run struct {
	// Decisions are in order of id, which is the line of the trace.
	Decisions []Decision
	// Adjustments are in order of time and then of the level's name.
	Adjustments []LevelAdjustment
}

// Replay sends the trace through the real server. Time 0 is a whole second at which
// the controller has put the configuration into force and adjusted the limits once.
// It must not run in parallel with another replay: upstream's feature checker is a
// global variable.
func Replay(t *testing.T, sc *Scenario, trace []Request) *Run {
	t.Helper()
	run := new(Run)
	withWatchProgress(sc.ConsistentReads, func() {
		synctest.Test(t, func(t *testing.T) { *run = *replay(sc, trace, func(*replayer) {}) })
	})
	return run
}

// replayer is one replay in its bubble.
type replayer struct {
	server   *realServer
	start    time.Time
	attempts []attempt
	trace    []Request
	running  sync.WaitGroup
}

// replay tells when the server has begun, at time 0.
func replay(sc *Scenario, trace []Request, began func(*replayer)) *Run {
	p := &replayer{trace: trace, attempts: make([]attempt, len(trace))}
	p.server = newServer(sc, http.HandlerFunc(p.execute))
	p.start = p.server.begin(sc.Watches)
	began(p)

	done := make(chan struct{})
	adjustments := make(chan []LevelAdjustment)
	go p.sample(sc.Changes, done, adjustments)
	go p.carryOut(sc.Changes, done)
	p.send()
	p.running.Wait()
	close(done)
	run := &Run{Adjustments: <-adjustments}
	p.drain()
	p.server.shutdown()
	for i := range p.attempts {
		a := &p.attempts[i]
		run.Decisions = append(run.Decisions, a.decision(int64(i), time.Duration(trace[i].Arrival)))
	}
	return run
}

// begin starts the server, with watches open, and returns time 0. Call it in the bubble.
func (s *realServer) begin(watches []Watch) time.Time {
	s.openWatches(watches)
	// Retry-After counts wall-clock seconds.
	now := time.Now()
	time.Sleep(now.Truncate(time.Second).Add(time.Second).Sub(now))
	start := time.Now()
	s.run()
	synctest.Wait()
	return start
}

func (p *replayer) now() time.Duration { return time.Since(p.start) }

// sample collects the outcome of every adjustment and of every change a nanosecond after
// it, until done.
func (p *replayer) sample(changes []Change, done <-chan struct{}, result chan<- []LevelAdjustment) {
	var all []LevelAdjustment
	for tick := time.Duration(0); ; {
		next := tick
		if len(changes) > 0 && changes[0].At < tick {
			next, changes = changes[0].At, changes[1:]
		} else {
			tick += adjustmentPeriod
		}
		select {
		case <-done:
			result <- all
			return
		case <-time.After(next + 1 - p.now()):
			all = append(all, p.server.adjustments(next)...)
		}
	}
}

// send starts a goroutine for each request at its arrival.
func (p *replayer) send() {
	order := make([]int, len(p.trace))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return p.trace[order[i]].Arrival < p.trace[order[j]].Arrival })
	for _, i := range order {
		time.Sleep(time.Duration(p.trace[i].Arrival) - p.now())
		p.running.Add(1)
		go p.serve(i)
	}
}

// serve takes one request through the filters.
func (p *replayer) serve(i int) {
	defer p.running.Done()
	a := &p.attempts[i]
	w := traffic.NewResponse()
	ctx := context.WithValue(context.Background(), attemptKey{}, a)
	ctx = context.WithValue(ctx, indexKey{}, i)
	p.server.handler.ServeHTTP(w, traffic.HTTP(ctx, &p.trace[i]))
	a.schema = w.Headers.Get(flowcontrolapi.ResponseHeaderMatchedFlowSchemaUID)
	a.level = w.Headers.Get(flowcontrolapi.ResponseHeaderMatchedPriorityLevelConfigurationUID)
	if a.executed {
		return
	}
	if w.Status != http.StatusTooManyRequests {
		panic(fmt.Sprintf("request %d was not executed and answered with status %d", i, w.Status))
	}
	a.finished = p.now()
	a.retryAfter = w.Headers.Get("Retry-After")
}

// drain waits until no seat lingers: a bubble ends only when its goroutines have.
func (p *replayer) drain() {
	var longest time.Duration
	for i := range p.attempts {
		a := &p.attempts[i]
		// Final seats above the limit are fewer for longer, down to one.
		longest = max(longest, time.Duration(a.final)*(a.additionalLatency+1))
	}
	time.Sleep(longest)
	synctest.Wait()
}

// indexKey is the context's key of a request's index in the trace.
type indexKey struct{}

// execute is the server behind the filters: it takes the traced time. What it does
// for a watch is the initialisation, after which the watch ends.
func (p *replayer) execute(_ http.ResponseWriter, r *http.Request) {
	i := r.Context().Value(indexKey{}).(int)
	a := &p.attempts[i]
	a.executed, a.dispatched = true, p.now()
	time.Sleep(time.Duration(p.trace[i].Duration))
	a.finished = p.now()
	if p.trace[i].Verb == "watch" {
		flowcontrol.WatchInitialized(r.Context())
	}
}
