package workload

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/workload/backoff"
)

// play lets a client fail again and again, and returns what it waits after each failure.
func play(r *Retry, a Answer, m Method, u float64, most int) []time.Duration {
	var waits []time.Duration
	for attempt := 1; attempt <= most; attempt++ {
		wait, again := r.Delay(a, m, attempt, u)
		if !again {
			break
		}
		waits = append(waits, wait)
	}
	return waits
}

// TestRetryAsClientGo holds which failures the rest client retries, and after how long.
func TestRetryAsClientGo(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		a    Answer
		m    Method
		wait time.Duration // 0 for no retry
	}{
		{Answer{Status: TooManyRequests, RetryAfter: 1}, MethodWrite, s},
		{Answer{Status: TooManyRequests, RetryAfter: 32}, MethodGet, 32 * s},
		{Answer{Status: TooManyRequests, RetryAfter: 7}, MethodWatch, 7 * s},
		{Answer{Status: TooManyRequests, RetryAfter: 0}, MethodGet, 0},
		{Answer{Status: Unavailable, RetryAfter: 5}, MethodWrite, 5 * s},
		{Answer{Status: Unavailable, RetryAfter: 0}, MethodWrite, 0},
		{Answer{Status: TimedOut, RetryAfter: 2}, MethodGet, 2 * s},
		{Answer{Status: TimedOut, RetryAfter: 0}, MethodGet, 0},
		{Answer{Status: Failed, RetryAfter: 3}, MethodGet, 3 * s},
		{Answer{Status: Failed, RetryAfter: 0}, MethodGet, 0},
		{Answer{Status: Expired, RetryAfter: 1}, MethodWatch, 0},
		{Answer{Status: Refused, RetryAfter: 0}, MethodGet, 0},
		{Answer{Status: Lost, RetryAfter: 0}, MethodGet, s},
		{Answer{Status: Lost, RetryAfter: 0}, MethodWatch, s},
		{Answer{Status: Lost, RetryAfter: 0}, MethodWrite, 0},
		{Answer{Status: Withdrawn, RetryAfter: 0}, MethodGet, 0},
		{Answer{Status: OK, RetryAfter: 1}, MethodGet, 0},
	} {
		wait, again := (&Retry{Policy: RetryClientGo}).Delay(c.a, c.m, 1, 0)
		if wait != c.wait || again != (c.wait > 0) {
			t.Errorf("%v, method %d: %v, %v, want %v", c.a, c.m, wait, again, c.wait)
		}
	}
}

// TestRetrySequences plays clients that always fail.
func TestRetrySequences(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	rejected, failed := Answer{Status: TooManyRequests, RetryAfter: 2}, Answer{Status: Failed, RetryAfter: 0}
	for _, c := range []struct {
		name  string
		retry Retry
		a     Answer
		u     float64
		want  []time.Duration
	}{
		{"none", Retry{}, rejected, 0, nil},
		{"client-go", Retry{Policy: RetryClientGo}, rejected, 0, slices.Repeat([]time.Duration{2 * s}, 10)},
		{"client-go, three retries", Retry{Policy: RetryClientGo, MaxRetries: 3}, rejected, 0, []time.Duration{2 * s, 2 * s, 2 * s}},
		{"immediate, without end", Retry{Policy: RetryImmediate}, rejected, 0, slices.Repeat([]time.Duration{ms}, 12)},
		{"immediate, two retries", Retry{Policy: RetryImmediate, MaxRetries: 2, Turnaround: 1}, failed, 0, []time.Duration{1, 1}},
		{"fixed", Retry{Policy: RetryFixed, Every: 5 * s, MaxRetries: 3}, rejected, 0.5, []time.Duration{5 * s, 5 * s, 5 * s}},
		{"fixed, with jitter", Retry{Policy: RetryFixed, Every: 10 * s, Jitter: 0.5, MaxRetries: 2}, failed, 0.5, []time.Duration{12500 * ms, 12500 * ms}},
		{"fixed, shorter than a round trip", Retry{Policy: RetryFixed, Every: 1, MaxRetries: 1}, failed, 0, []time.Duration{ms}},
		{"exponential", Retry{Policy: RetryExponential, Base: 100 * ms, MaxRetries: 4}, failed, 0, []time.Duration{100 * ms, 200 * ms, 400 * ms, 800 * ms}},
		{"exponential, with a cap and jitter", Retry{Policy: RetryExponential, Base: s, Factor: 3, Cap: 8 * s, Jitter: 1, MaxRetries: 4}, failed, 0.25,
			[]time.Duration{1250 * ms, 3750 * ms, 10 * s, 10 * s}},
		{"exponential, a cap below the base", Retry{Policy: RetryExponential, Base: 8 * s, Cap: s, MaxRetries: 2}, failed, 0, []time.Duration{8 * s, s}},
		{"a version that is gone", Retry{Policy: RetryImmediate}, Answer{Status: Expired, RetryAfter: 0}, 0, nil},
	} {
		if got := play(&c.retry, c.a, MethodGet, c.u, 12); !slices.Equal(got, c.want) {
			t.Errorf("%s: waits %v, want %v", c.name, got, c.want)
		}
	}
}

// TestRetryEnds holds what may be asked of a run that ends with its last request.
func TestRetryEnds(t *testing.T) {
	for _, c := range []struct {
		retry Retry
		want  bool
	}{
		{Retry{}, true},
		{Retry{Policy: RetryClientGo, MaxRetries: countMax}, true},
		{Retry{Policy: RetryImmediate}, false},
		{Retry{Policy: RetryImmediate, MaxRetries: countMax}, true},
		{Retry{Policy: RetryFixed, Every: time.Minute}, false},
		{Retry{Policy: RetryFixed, Every: time.Minute, MaxRetries: 1000}, true},
		{Retry{Policy: RetryFixed, Every: 30 * time.Second, MaxRetries: countMax}, true},
		{Retry{Policy: RetryFixed, Every: 30 * time.Second, Jitter: 0.1, MaxRetries: countMax}, false},
		{Retry{Policy: RetryExponential, Base: time.Second, Cap: time.Minute, MaxRetries: 100}, true},
		{Retry{Policy: RetryExponential, Base: time.Second, MaxRetries: 100}, false},
	} {
		if got := c.retry.Ends(); got != c.want {
			t.Errorf("%v: ends: %v", c.retry, got)
		}
	}
}

// TestRetryExponentialIsBackoff compares the delay after so many failures with the steps of a
// backoff that never ends, and holds that a delay without a cap never overflows.
func TestRetryExponentialIsBackoff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Retry{
			Policy:     RetryExponential,
			Base:       time.Duration(rapid.Int64Range(1, int64(time.Minute)).Draw(t, "base")),
			Factor:     rapid.Float64Range(factorMin, 5).Draw(t, "factor"),
			Cap:        time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "cap")),
			Jitter:     rapid.Float64Range(0, 2).Draw(t, "jitter"),
			Turnaround: 1,
		}
		u := rapid.Float64Range(0, 0.999).Draw(t, "u")
		b := backoff.Backoff{Duration: r.Base, Factor: r.Factor, Cap: r.Cap, Jitter: r.Jitter, Steps: math.MaxInt}
		if b.Cap == 0 {
			b.Cap = retryDelayMax
		}
		s := b.Start()
		for attempt := 1; attempt < 600; attempt++ {
			var want time.Duration
			s, want = b.Step(s, u)
			if got, again := r.Delay(Answer{Status: Failed}, MethodGet, attempt, u); !again || got != min(want, retryDelayMax) {
				t.Fatalf("%v: after %d failures %v, want %v", r, attempt, got, want)
			}
		}
	})
}

func TestExpand(t *testing.T) {
	for _, c := range []struct {
		pattern string
		want    string
		index   bool
	}{
		{"", "", false},
		{"app", "app", false},
		{"{index}", "17", true},
		{"team-{index}", "team-17", true},
		{"{index}:{index}", "17:17", true},
		{"{Index}{ index }{index", "{Index}{ index }{index", false},
	} {
		if got := Expand(c.pattern, 17); got != c.want {
			t.Errorf("Expand(%q, 17) = %q, want %q", c.pattern, got, c.want)
		}
		if got := HasIndex(c.pattern); got != c.index {
			t.Errorf("HasIndex(%q) = %v", c.pattern, got)
		}
	}
}
