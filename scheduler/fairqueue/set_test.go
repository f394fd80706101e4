package fairqueue

import (
	"fmt"
	"testing"
)

// TestConfigureRefuses holds what Configure checks and what it does not: the fields that
// matter, of a set with queues.
func TestConfigureRefuses(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Queues: 2, HandSize: 0, QueueLengthLimit: 1}, "fairqueue: hand of 0 from 2 queues of length 1, wait limit 0s"},
		{Config{Queues: 2, HandSize: 3, QueueLengthLimit: 1}, "fairqueue: hand of 3 from 2 queues of length 1, wait limit 0s"},
		{Config{Queues: 2, HandSize: 2, QueueLengthLimit: 0}, "fairqueue: hand of 2 from 2 queues of length 0, wait limit 0s"},
		{Config{Queues: 2, HandSize: 2, QueueLengthLimit: 1}, "<nil>"},
		{Config{Queues: 0, HandSize: -1, QueueLengthLimit: -1}, "<nil>"},
		{Config{Queues: Unlimited}, "<nil>"},
		{Config{Queues: -7}, "<nil>"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != c.want {
					t.Errorf("%+v: got %s, want %s", c.cfg, got, c.want)
				}
			}()
			NewSet(0, Rules{}).Configure(0, c.cfg, 0)
		}()
	}
}
