package sim

import (
	"testing"
	"time"
)

// TestUnreadyRetryAfter has values of the real function, around where they change.
func TestUnreadyRetryAfter(t *testing.T) {
	for _, c := range []struct {
		downtime time.Duration
		want     int32
	}{
		{0, 1}, {11552 * time.Millisecond, 1}, {11553 * time.Millisecond, 2}, {29 * time.Second, 5},
		{56 * time.Second, 28}, {56687 * time.Millisecond, 30}, {time.Hour, 30},
	} {
		if got := unreadyRetryAfter(c.downtime); got != c.want {
			t.Errorf("after %v: %d s, want %d", c.downtime, got, c.want)
		}
	}
}
