package balance

import (
	"slices"
	"time"
)

// Outage is a time without a server, [From, Until): it is down, or has not joined yet.
type Outage struct {
	Server      int
	From, Until time.Duration
}

// Window is a time, [From, Until).
type Window struct{ From, Until time.Duration }

// Blackouts returns the times before end at which the balancer can send nothing: no server
// that it has in rotation is up. It is known before the run if all outages are, so it is
// something to warn about. The outages of one server must not overlap.
func (c *Config) Blackouts(servers int, outages []Outage, end time.Duration) []Window {
	up := make([]bool, servers)
	for i := range up {
		up[i] = !slices.ContainsFunc(outages, func(o Outage) bool { return o.Server == i && o.From <= 0 && o.Until > 0 })
	}
	// A balancer lives through the outages, from one moment at which something can change to
	// the next.
	b := New(c, up)
	changes := changesOf(outages)
	var dark []Window
	for now := time.Duration(0); now < end; {
		next := end
		for len(changes) > 0 && changes[0].at <= now {
			b.change(now, changes[0])
			changes = changes[1:]
		}
		b.health.advance(now)
		if len(changes) > 0 {
			next = min(next, changes[0].at)
		}
		next = min(next, b.health.next)
		if !b.canSend() {
			dark = appendWindow(dark, Window{now, next})
		}
		now = next
	}
	return dark
}

// change is a server that goes down or comes up.
type change struct {
	at     time.Duration
	server int
	up     bool
}

// changesOf returns the ends of outages in order of time, and then of servers: what is known
// after all of one moment does not depend on their order.
func changesOf(outages []Outage) []change {
	var all []change
	for _, o := range outages {
		if o.From >= o.Until {
			continue // of no length
		}
		if o.From > 0 {
			all = append(all, change{o.From, o.Server, false})
		}
		all = append(all, change{o.Until, o.Server, true})
	}
	slices.SortStableFunc(all, func(a, b change) int {
		if a.at != b.at {
			return int(min(max(a.at-b.at, -1), 1))
		}
		return a.server - b.server
	})
	return all
}

// change lets a change happen.
func (b *Balancer) change(now time.Duration, c change) {
	if c.up {
		b.Up(now, c.server)
	} else {
		b.Down(now, c.server)
	}
}

// canSend tells whether some server is in rotation and up.
func (b *Balancer) canSend() bool {
	return slices.ContainsFunc(b.health.rotation, func(s int32) bool { return b.accepts[s] })
}

// appendWindow appends a window, or makes the last one longer if it begins where that ends.
func appendWindow(all []Window, w Window) []Window {
	if n := len(all); n > 0 && all[n-1].Until == w.From {
		all[n-1].Until = w.Until
		return all
	}
	return append(all, w)
}
