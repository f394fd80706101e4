package fairqueue

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// driver makes random calls of a set, and keeps what a caller has to know of its requests.
type driver struct {
	set     QueueSet
	handles map[uint32]Handle
}

// call is one call of a set.
type call struct {
	at       time.Duration
	verb     int
	estimate Estimate
	hand     []int32
	tag      uint32
	limit    int
}

// do makes a call and returns all that it answers in words; handles are told by their tags.
func (d *driver) do(c call, cfg Config) string {
	var out []Dispatch
	text := ""
	switch h := d.handles[c.tag]; c.verb {
	case 0:
		got, queue, reason, dispatched := d.set.Arrive(c.at, c.estimate, c.hand, c.tag)
		d.handles[c.tag], out = got, dispatched
		text = fmt.Sprint(queue, reason, got == None)
	case 1:
		free, lingers, dispatched := d.set.Finish(c.at, h)
		text, out = fmt.Sprint(free-c.at, lingers), dispatched
	case 2:
		out = d.set.Release(c.at, h)
	case 3:
		d.set.Expire(c.at, h)
	case 4:
		text = fmt.Sprint(d.set.TakeDemand(c.at))
		out = d.set.Configure(c.at, cfg, c.limit)
	}
	for _, o := range out {
		text += fmt.Sprint(" ", o.Tag)
	}
	state := d.set.State()
	return text + fmt.Sprintf(" %+v", state)
}

// drawCall draws a call that is legal in the set. Requests that are even are all alike.
func drawCall(r *rand.Rand, at time.Duration, d *driver, cfg Config, next *uint32, even bool) call {
	c := call{at: at, verb: r.IntN(5), limit: 2 + r.IntN(6)}
	saved := d.set.Save()
	pick := func(p Phase) bool {
		var of []SavedRequest
		for _, q := range saved.Requests {
			if q.Phase == p {
				of = append(of, q)
			}
		}
		if len(of) == 0 {
			return false
		}
		slices.SortFunc(of, func(a, b SavedRequest) int { return int(a.Tag) - int(b.Tag) })
		c.tag = of[r.IntN(len(of))].Tag
		return true
	}
	switch {
	case c.verb == 1 && pick(Executes), c.verb == 2 && pick(Lingers), c.verb == 3 && r.IntN(4) == 0 && pick(Waits), c.verb == 4 && r.IntN(8) == 0:
		return c
	}
	c.verb, c.tag = 0, *next
	*next++
	c.estimate = Estimate{InitialSeats: 1 + r.IntN(3)}
	if even {
		c.estimate.InitialSeats = 1
	}
	if _, seats := d.set.(*Set); seats && r.IntN(3) == 0 && !even {
		c.estimate.FinalSeats, c.estimate.AdditionalLatency = 1+r.IntN(9), time.Duration(1+r.IntN(9))*time.Millisecond
	}
	for _, card := range r.Perm(max(cfg.Queues, 0)) {
		c.hand = append(c.hand, int32(card))
	}
	if cfg.Queues > 0 {
		c.hand = c.hand[:cfg.HandSize]
	}
	return c
}

// A set that is restored in the middle, on a clock that is another one, goes on as the set that was
// saved.
func TestRestoredSetGoesOn(t *testing.T) {
	const shift = 17 * time.Second
	for seed := range uint64(24) {
		for _, rules := range []Rules{{}, {SeatSeconds: true}, {SeatSeconds: true, BoundsExpiry: true}} {
			for _, cfg := range []Config{{Queues: 7, HandSize: 3, QueueLengthLimit: 4}, {Queues: 1, HandSize: 1, QueueLengthLimit: 9}, {}, {Queues: Unlimited}} {
				r := rand.New(rand.NewPCG(seed, 1))
				a := &driver{New(0, rules), map[uint32]Handle{}}
				a.set.Configure(0, cfg, 5)
				now, next := time.Duration(0), uint32(0)
				stands := seed%3 == 1 // so that queues are even, and the turn decides
				step := func() time.Duration {
					if !stands {
						now += time.Duration(r.IntN(5_000_000))
					}
					return now
				}
				for range 150 {
					a.do(drawCall(r, step(), a, cfg, &next, stands), cfg)
				}
				for range r.IntN(400) { // nothing arrives, so that queues become idle
					if c := drawCall(r, step(), a, cfg, &next, stands); c.verb != 0 {
						a.do(c, cfg)
					}
				}
				stands = false
				b := restored(a.set, rules, cfg, shift)
				for i := range 150 {
					c := drawCall(r, step(), a, cfg, &next, stands)
					later := c
					later.at += shift
					if want, got := a.do(c, cfg), b.do(later, cfg); got != want {
						t.Fatalf("seed %d, %+v, %+v, step %d: %+v\ngot  %s\nwant %s", seed, rules, cfg, i, c, got, want)
					}
				}
			}
		}
	}
}

// restored is a new set in the state of another one, so much later.
func restored(set QueueSet, rules Rules, cfg Config, shift time.Duration) *driver {
	m := set.Save()
	m.Synced += shift
	m.Demand.Since += shift
	for i := range m.Requests {
		m.Requests[i].Started += shift
	}
	d := &driver{New(0, rules), map[uint32]Handle{}}
	d.set.Configure(0, cfg, set.State().Limit)
	for i, h := range d.set.Restore(&m) {
		d.handles[m.Requests[i].Tag] = h
	}
	return d
}

// A set in use cannot be restored.
func TestRestoreRefusesASetInUse(t *testing.T) {
	for _, rules := range []Rules{{}, {SeatSeconds: true}} {
		func() {
			s := New(0, rules)
			s.Configure(0, Config{}, 3)
			s.Arrive(0, Estimate{InitialSeats: 1}, nil, 0)
			defer func() {
				if recover() == nil {
					t.Error("restored over a request")
				}
			}()
			m := s.Save()
			s.Restore(&m)
		}()
	}
}
