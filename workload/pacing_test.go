package workload

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/workload/limiter"
)

// TestPass holds when attempts are sent by a client that may send one a second, and has just
// sent one.
func TestPass(t *testing.T) {
	const s = time.Second
	limited := Population{Limiter: &limiter.Limiter{QPS: 1, Burst: 1}}
	for _, c := range []struct {
		name     string
		p        Population
		patience time.Duration
		method   Method
		attempt  int
		at       time.Duration
		ok       bool
		takes    bool
	}{
		{"no limiter", Population{}, 0, MethodGet, 0, 0, true, false},
		{"the first attempt", limited, 0, MethodWrite, 0, s, true, true},
		{"the first attempt of a watch", limited, 0, MethodWatch, 0, 0, true, false},
		{"the second attempt of a watch", limited, 0, MethodWatch, 1, s, true, true},
		{"within the time limit", limited, s + 1, MethodGet, 1, s, true, true},
		{"beyond the time limit", limited, s - 1, MethodGet, 1, 0, false, false},
		{"at the end of the time limit", limited, s, MethodGet, 1, s, false, true},
	} {
		var before limiter.State
		if l := c.p.Limiter; l != nil {
			before, _ = l.Reserve(l.Full(), 0)
		}
		after := before
		at, ok := c.p.Pass(&after, 0, c.patience, c.method, c.attempt)
		if at != c.at || ok != c.ok || (after != before) != c.takes {
			t.Errorf("%s: %v, %v, takes a token: %v; want %v, %v, %v", c.name, at, ok, after != before, c.at, c.ok, c.takes)
		}
	}
}

// TestAgain holds what the time limit makes of a pause of two seconds.
func TestAgain(t *testing.T) {
	const s = time.Second
	p := Population{Retry: Retry{Policy: RetryClientGo}}
	for _, c := range []struct {
		now, patience  time.Duration
		a              Answer
		at             time.Duration
		again, expired bool
	}{
		{5 * s, 0, Answer{Status: TooManyRequests, RetryAfter: 2}, 7 * s, true, false},
		{5 * s, 7*s + 1, Answer{Status: TooManyRequests, RetryAfter: 2}, 7 * s, true, false},
		{5 * s, 7 * s, Answer{Status: TooManyRequests, RetryAfter: 2}, 7 * s, true, true},
		{5 * s, 6 * s, Answer{Status: TooManyRequests, RetryAfter: 2}, 6 * s, true, true},
		{5 * s, 5 * s, Answer{Status: TooManyRequests, RetryAfter: 2}, 5 * s, false, false},
		{5 * s, 6 * s, Answer{Status: Failed, RetryAfter: 0}, 5 * s, false, false},
	} {
		at, again, expired := p.Again(c.now, c.patience, c.a, MethodGet, 1, 0)
		if at != c.at || again != c.again || expired != c.expired {
			t.Errorf("%+v: %v, %v, %v", c, at, again, expired)
		}
	}
}
