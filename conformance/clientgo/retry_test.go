package clientgo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/limiter"
)

// A scene is one rest client and its requests. The answers are written beforehand: the n-th
// attempt at a request is answered by its n-th reply, whatever the time is.
type scene struct {
	retry   workload.Retry
	limiter *limiter.Limiter
	timeout time.Duration
	asks    []ask
}

// ask is one request.
type ask struct {
	method workload.Method
	// at is when the caller makes it; cancelled is when the caller's context is, 0 for never.
	at, cancelled time.Duration
	replies       []reply
}

// reply is how an attempt ends, after a latency.
type reply struct {
	latency time.Duration
	// code is the status of HTTP, 0 for a connection that broke or could not be made.
	code int
	// header is Retry-After.
	header string
	// broken is the error of a connection, an index of breakages.
	broken int
}

// outcome is what became of a request: when each attempt was sent, and how it ended.
type outcome struct {
	sent  []time.Duration
	ended time.Duration
	ok    bool
}

func (o outcome) equal(p outcome) bool {
	return slices.Equal(o.sent, p.sent) && o.ended == p.ended && o.ok == p.ok
}

// answer is a reply as package workload has it.
func (r reply) answer() workload.Answer {
	if r.code == 0 {
		return workload.Answer{Status: breakages[r.broken].status}
	}
	statuses := map[int]workload.Status{
		200: workload.OK, 410: workload.Expired, 429: workload.TooManyRequests,
		500: workload.Failed, 503: workload.Unavailable, 504: workload.TimedOut,
	}
	a := workload.Answer{Status: statuses[r.code]}
	if _, err := fmt.Sscanf(r.header, "%d", &a.RetryAfter); err != nil || fmt.Sprint(a.RetryAfter) != r.header {
		a.RetryAfter = 0
	}
	return a
}

// TestRetryEqualsUpstream plays random scenes with client-go's rest client and with ours.
func TestRetryEqualsUpstream(t *testing.T) {
	n := tally{}
	for i := range uint64(2000 * *times) {
		s := drawScene(random(9<<20 + i))
		if !s.compare(t, fmt.Sprintf("scene %d", i), n) {
			return
		}
	}
	n.check(t, map[string]int{
		"retried": 2000, "gave up after the last retry": 100, "timed out": 300, "failed at the limiter": 20,
		"cancelled": 300, "throttled": 1000, "watch retried": 100, "lost write": 100, "ok": 1000,
	})
}

// compare plays a scene with both, and counts what happened.
func (s *scene) compare(t *testing.T, name string, n tally) bool {
	want := s.upstream(t)
	got := s.ours(n)
	for i := range s.asks {
		if !got[i].equal(want[i]) {
			t.Errorf("%s: %+v %+v, limiter %+v: request %d %+v\n got %+v\nwant %+v", name, s.retry, s.timeout, s.limiter, i, s.asks[i], got[i], want[i])
			return false
		}
	}
	return true
}

// tally counts what happened in scenes, so that a test knows that it has seen everything.
type tally map[string]int

func (n tally) check(t *testing.T, least map[string]int) {
	for what, most := range least {
		if n[what] < most {
			t.Errorf("%s: %d times, want %d to mean anything", what, n[what], most)
		}
	}
}

// drawScene draws a client and its requests, at times that all differ.
func drawScene(r *rand.Rand) *scene {
	s := &scene{retry: workload.Retry{Policy: workload.RetryClientGo, MaxRetries: pick(r, 0, 0, 1, 3)}}
	if oneIn(r, 8) {
		s.retry = workload.Retry{}
	}
	if !oneIn(r, 3) {
		l := pick(r, limiter.New(0, 0), limiter.New(0.5, 1), limiter.New(3, 2), limiter.New(50, 100), limiter.New(r.Float32()*5, 1+r.IntN(4)))
		s.limiter = &l
	}
	if oneIn(r, 2) {
		s.timeout = pick(r, 5*time.Second, 30*time.Second, 1+exponential(r, 20*time.Second))
	}
	failing := pick(r, 0.2, 0.7, 0.99)
	overloaded := oneIn(r, 5) // so that the server always says when to come back
	var now time.Duration
	for range 1 + r.IntN(8) {
		now += 1 + exponential(r, pick(r, time.Millisecond, 3*time.Second))
		a := ask{at: now, method: pick(r, workload.MethodGet, workload.MethodGet, workload.MethodWrite, workload.MethodWatch)}
		if s.timeout > 0 && a.method == workload.MethodWatch {
			a.method = workload.MethodGet // a time limit of the client would end an open watch
		}
		if oneIn(r, 5) {
			a.cancelled = now + 1 + exponential(r, 5*time.Second)
		}
		for range 12 {
			a.replies = append(a.replies, drawReply(r, a.method, failing))
			if last := &a.replies[len(a.replies)-1]; overloaded && last.code != 200 {
				last.code, last.header = 429, pick(r, "1", "1", "4")
			}
		}
		s.asks = append(s.asks, a)
	}
	return s
}

// drawReply draws the end of an attempt.
func drawReply(r *rand.Rand, m workload.Method, failing float64) reply {
	out := reply{code: 200, latency: 1 + exponential(r, pick(r, time.Millisecond, 500*time.Millisecond))}
	if r.Float64() > failing {
		return out
	}
	if out.code = pick(r, 0, 429, 429, 429, 500, 503, 504, 410); out.code == 0 {
		out.broken = r.IntN(len(breakages))
		if m == workload.MethodWatch && breakages[out.broken].endsWatch {
			out.broken = 0
		}
		return out
	}
	if !oneIn(r, 5) {
		out.header = pick(r, "1", "1", "2", "7", "32", "soon", "1.5", "")
	}
	return out
}
