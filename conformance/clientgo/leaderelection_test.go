package clientgo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/worldtest"
)

// storedLease is the lease that all candidates contend for.
type storedLease struct {
	mu      sync.Mutex
	record  resourcelock.LeaderElectionRecord
	version int
}

// lock is a candidate's view of the lease. It is resourcelock.LeaseLock, with the play in the
// place of the client.
type lock struct {
	*storedLease
	play     *play
	client   int32
	identity string
	known    int
}

var errFailed = errors.New("the request has failed")

func (l *lock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	if s, err := l.play.call(ctx, l.client, 1, 0); err != nil || s != workload.OK {
		return nil, nil, errors.Join(err, errFailed)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	record := l.record
	l.known = l.version
	raw, err := json.Marshal(record)
	return &record, raw, err
}

func (l *lock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	if s, err := l.play.call(ctx, l.client, 0, 0); err != nil || s != workload.OK {
		return errors.Join(err, errFailed)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known != l.version {
		return apierrors.NewConflict(schema.GroupResource{Resource: "leases"}, "lease", nil)
	}
	// A lease holds the times in microseconds, but the record is compared in seconds.
	l.record = r
	l.version++
	l.known = l.version
	return nil
}

func (l *lock) Create(context.Context, resourcelock.LeaderElectionRecord) error { return errFailed }
func (l *lock) RecordEvent(string)                                              {}
func (l *lock) Identity() string                                                { return l.identity }
func (l *lock) Describe() string                                                { return "lease" }

// realCandidate runs one client: process after process, the next one as the kubelet would start
// it. Client 0 has crashed once before it begins.
func realCandidate(ctx context.Context, p *play, lease *storedLease, l workload.Lease, client int32, begins time.Duration) {
	crashes := flowcontrol.NewBackOff(10*time.Second, 5*time.Minute)
	if client == 0 {
		time.Sleep(begins - l.Restart - p.now())
		crashes.Next("process", time.Now())
	}
	time.Sleep(begins - p.now())
	for process := 1; ctx.Err() == nil; process++ {
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock:          &lock{storedLease: lease, play: p, client: client, identity: fmt.Sprintf("%d/%d", client, process)},
			LeaseDuration: l.Duration, RenewDeadline: l.RenewDeadline, RetryPeriod: l.RetryPeriod,
			ReleaseOnCancel: l.Release,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) {},
				OnStoppedLeading: func() {},
			},
		})
		if err != nil {
			panic(err)
		}
		elector.Run(ctx)
		if ctx.Err() != nil {
			return
		}
		finished := time.Now()
		if crashes.IsInBackOffSince("process", finished) {
			time.Sleep(crashes.Get("process"))
		}
		crashes.Next("process", finished)
		time.Sleep(l.Restart)
	}
}

// drawLease draws the timing of a leader election. No two of its times are multiples of a third.
func drawLease(n uint64) workload.Lease {
	r := random(n)
	l := workload.Lease{
		Duration: 15 * time.Second, RenewDeadline: 10*time.Second - 7777777, RetryPeriod: 2*time.Second + 1234567,
		Candidates: 1 + r.IntN(4), Restart: 1 + exponential(r, 5*time.Second), Release: oneIn(r, 3),
	}
	if oneIn(r, 2) {
		l.RetryPeriod = 500*time.Millisecond + exponential(r, 5*time.Second)
		l.RenewDeadline = 2*l.RetryPeriod + 1 + exponential(r, 10*time.Second)
		l.Duration = (l.RenewDeadline + exponential(r, 10*time.Second)).Truncate(time.Second) + time.Second
	}
	return l
}

// TestLeaderElectionEqualsUpstream lets several candidates contend for a lease while the server
// has its troubles. Our first leader is one that has led before the run, which a real one cannot
// be; so all its requests fail at first, and the real one begins as its successor.
func TestLeaderElectionEqualsUpstream(t *testing.T) {
	const run = 20 * time.Minute
	var taken, lost int
	for i := range uint64(60 * *times) {
		l := drawLease(9<<20 + i)
		p := &play{seed: i, usual: 50 * time.Millisecond, windows: drawTroubles(10<<20+i, run, 8*time.Second, workload.TooManyRequests, workload.TimedOut, workload.Failed)}
		begins := make([]time.Duration, l.Candidates)
		var w *worldtest.World
		w = worldtest.New(l.Machine(l.Candidates, make([]workload.Template, 2)), l.Candidates, func(now time.Duration, r worldtest.Request) (time.Duration, workload.Answer) {
			if r.Client == 0 && begins[0] == 0 {
				if n := slices.Index(w.Lines, fmt.Sprintf("%v client 0: restarted 0s", now)); n < 0 {
					return time.Millisecond, workload.Answer{Status: workload.Failed}
				}
				begins[0] = now
			}
			return p.respond(now, r)
		})
		w.Script = func(client int32) float64 {
			if w.Now() == 0 {
				return float64(client+1) / 8
			}
			return p.uniform(w.Now())
		}
		w.Start()
		for c := range begins[1:] {
			begins[c+1] = time.Duration(float64(c+2) / 8 * float64(l.RetryPeriod))
		}
		w.RunUntil(run)
		synctest.Test(t, func(t *testing.T) {
			p.start = time.Now()
			before := jitterRand
			defer func() { jitterRand = before }()
			jitterRand = func() float64 { return p.uniform(p.now()) }
			stamp := metav1.NewTime(p.start)
			lease := &storedLease{version: 1, record: resourcelock.LeaderElectionRecord{
				HolderIdentity: "somebody", LeaseDurationSeconds: int(l.Duration / time.Second), AcquireTime: stamp, RenewTime: stamp, LeaderTransitions: 1,
			}}
			ctx, cancel := context.WithCancel(context.Background())
			var all sync.WaitGroup
			for client, at := range begins {
				all.Go(func() { realCandidate(ctx, p, lease, l, int32(client), at) })
			}
			time.Sleep(run)
			cancel()
			all.Wait()
		})
		equal(t, l, slices.DeleteFunc(sends(w.Lines), before0(begins[0])), slices.DeleteFunc(p.sent, func(line string) bool { return at(line) >= run }), 30)
		for _, line := range w.Lines {
			if at(line) > begins[0] && len(sends([]string{line}, "lease-lost")) > len(sends([]string{line})) {
				lost++
			}
		}
		taken += len(w.Lines)
	}
	if lost < 50 {
		t.Errorf("%d leases were lost in %d lines: too few to mean anything", lost, taken)
	}
}

// at is the time of a line.
func at(line string) time.Duration {
	var text string
	if _, err := fmt.Sscan(line, &text); err != nil {
		panic(err)
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return d
}

// before0 matches what client 0 sends before a time.
func before0(begins time.Duration) func(line string) bool {
	return func(line string) bool {
		var client int32
		var when string
		_, err := fmt.Sscanf(line, "%s client %d", &when, &client)
		return err == nil && client == 0 && at(line) < begins
	}
}
