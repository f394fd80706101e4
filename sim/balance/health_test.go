package balance

import (
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// naiveHealth makes every check one by one, as a balancer does.
type naiveHealth struct {
	cfg       *Health
	ready, in []bool
	run       []int
	checked   time.Duration
}

// check makes the checks in (checked, until].
func (n *naiveHealth) check(until time.Duration) {
	for n.cfg.Interval > 0 && n.checked+n.cfg.Interval <= until {
		n.checked += n.cfg.Interval
		for i := range n.ready {
			if n.ready[i] == n.in[i] {
				n.run[i] = 0
				continue
			}
			n.run[i]++
			if n.in[i] && n.run[i] == n.cfg.UnhealthyAfter || !n.in[i] && n.run[i] == n.cfg.HealthyAfter {
				n.in[i], n.run[i] = n.ready[i], 0
			}
		}
	}
	if n.cfg.Interval == 0 {
		copy(n.in, n.ready)
	}
}

// rotation returns who is in rotation at a time.
func (n *naiveHealth) rotation(now time.Duration) []int32 {
	n.check(now)
	seen := []int(nil)
	for _, v := range n.cfg.Sees {
		if v.At <= now {
			seen = v.Servers
		}
	}
	var all []int32
	for i, in := range n.in {
		if in && (seen == nil || slices.Contains(seen, i)) {
			all = append(all, int32(i))
		}
	}
	return all
}

// TestHealthAgainstEveryCheck compares with checks made one by one.
func TestHealthAgainstEveryCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Health{
			Interval:       time.Duration(rapid.IntRange(0, 5).Draw(t, "interval")),
			UnhealthyAfter: rapid.IntRange(1, 4).Draw(t, "unhealthyAfter"),
			HealthyAfter:   rapid.IntRange(1, 4).Draw(t, "healthyAfter"),
		}
		for at := 0; rapid.Bool().Draw(t, "view"); at++ {
			at += rapid.IntRange(0, 20).Draw(t, "at")
			cfg.Sees = append(cfg.Sees, View{time.Duration(at), rapid.SampledFrom([][]int{nil, {}, {0}, {1, 2}}).Draw(t, "servers")})
		}
		up := rapid.SliceOfN(rapid.Bool(), 3, 3).Draw(t, "up")
		h := newHealth(&cfg, up)
		n := naiveHealth{cfg: &cfg, ready: slices.Clone(up), in: slices.Clone(up), run: make([]int, 3)}
		now := time.Duration(0)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now += time.Duration(rapid.IntRange(1, 9).Draw(t, "pause"))
			if rapid.Bool().Draw(t, "change") {
				server, ready := rapid.IntRange(0, 2).Draw(t, "server"), rapid.Bool().Draw(t, "ready")
				n.check(now - 1)
				n.ready[server] = ready
				h.set(now, server, ready)
			}
			if !rapid.Bool().Draw(t, "look") {
				continue
			}
			h.advance(now)
			if want := n.rotation(now); !slices.Equal(h.rotation, want) {
				t.Fatalf("at %d: got %v, want %v", now, h.rotation, want)
			}
		}
	})
}

// TestHealthDelay tells the story of one outage: checks every 3 s, two in a row decide.
func TestHealthDelay(t *testing.T) {
	cfg := Config{Health: Health{Interval: 3 * time.Second, UnhealthyAfter: 2, HealthyAfter: 3}}
	b := New(&cfg, allUp(2))
	b.AddClients(1)
	random := workload.NewStream(1, 1)
	only := NewChooser(Random, []int{1})
	at := func(now time.Duration) Outcome {
		_, outcome := b.OpenBy(now, &only, &random)
		return outcome
	}
	b.Down(4*time.Second, 1)
	for _, step := range []struct {
		at   time.Duration
		want Outcome
	}{
		{4 * time.Second, Refused},
		{9*time.Second - 1, Refused}, // the check at 6 s has failed, one is not enough
		{9 * time.Second, NoServer},
	} {
		if got := at(step.at); got != step.want {
			t.Errorf("at %v: %v, want %v", step.at, got, step.want)
		}
	}
	b.Up(20*time.Second, 1) // checks at 21, 24 and 27 s succeed
	if got := at(27*time.Second - 1); got != NoServer {
		t.Errorf("just before 27s: %v, want %v", got, NoServer)
	}
	if got := at(27 * time.Second); got != Sent {
		t.Errorf("at 27s: %v, want %v", got, Sent)
	}
}

func TestBlackouts(t *testing.T) {
	s := time.Second
	checks := Health{Interval: 3 * s, UnhealthyAfter: 2, HealthyAfter: 2}
	for _, c := range []struct {
		name    string
		cfg     Config
		outages []Outage
		want    []Window
	}{
		{"all is well", Config{}, nil, nil},
		{"one of two", Config{}, []Outage{{0, 5 * s, 9 * s}}, nil},
		{"both", Config{}, []Outage{{0, 5 * s, 9 * s}, {1, 8 * s, 20 * s}}, []Window{{8 * s, 9 * s}}},
		{"relayed without a pause", Config{}, []Outage{{0, 5 * s, 9 * s}, {1, 9 * s, 20 * s}}, nil},
		{"seen too late", Config{Health: checks}, []Outage{{0, 0, 10 * s}, {1, 10 * s, 60 * s}}, []Window{{10 * s, 15 * s}}},
		{"a view of nothing", Config{Health: Health{Sees: []View{{5 * s, []int{}}, {7 * s, nil}}}}, nil, []Window{{5 * s, 7 * s}}},
		{"a view of one that is down", Config{Health: Health{Sees: []View{{0, []int{1}}}}}, []Outage{{1, 20 * s, 25 * s}}, []Window{{20 * s, 25 * s}}},
		{"for ever", Config{}, []Outage{{0, 0, 90 * s}, {1, 50 * s, 90 * s}}, []Window{{50 * s, 60 * s}}},
	} {
		got := c.cfg.Blackouts(2, c.outages, 60*s)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
