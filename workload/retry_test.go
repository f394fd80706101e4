package workload

import (
	"testing"
	"time"
)

// TestRetryAsClientGo plays a client that is always rejected: ten retries by default, each
// after exactly what the header says.
func TestRetryAsClientGo(t *testing.T) {
	for _, c := range []struct {
		retry   Retry
		retries int
	}{
		{Retry{}, 0},
		{Retry{Policy: RetryNone, MaxRetries: 5}, 0},
		{Retry{Policy: RetryClientGo}, 10},
		{Retry{Policy: RetryClientGo, MaxRetries: 3}, 3},
	} {
		retries := 0
		for attempt := 1; ; attempt++ {
			wait, again := c.retry.Delay(attempt, attempt*2)
			if !again {
				break
			}
			if want := time.Duration(attempt*2) * time.Second; wait != want {
				t.Errorf("%v: waits %v after rejection %d, want %v", c.retry, wait, attempt, want)
			}
			retries++
		}
		if retries != c.retries {
			t.Errorf("%v: %d retries, want %d", c.retry, retries, c.retries)
		}
	}
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
