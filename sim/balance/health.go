package balance

import (
	"math"
	"slices"
	"time"
)

// never is a time that does not come.
const never = time.Duration(math.MaxInt64)

// checked is what the balancer knows of one server.
//
// Checks are at whole multiples of the interval, so nothing has to happen at them: between
// two changes of the server all checks have the same result, and how many there were is a
// division. So health costs nothing while nothing changes.
type checked struct {
	// ready is what a check finds; in tells that the server is in rotation.
	ready, in bool
	// run is how many checks in a row, up to the last one, contradict in.
	run int64
	// checks is how many checks have been taken into account.
	checks int64
}

// health is which servers are in rotation.
type health struct {
	cfg     *Health
	servers []checked
	// view is the index in cfg.Sees of what is seen now, -1 before the first.
	view int
	// next is the first time at which something may change by itself.
	next time.Duration
	// rotation lists the servers that may be chosen, in order; version counts its changes.
	rotation []int32
	version  uint64
}

// newHealth begins with a rotation of the servers that are ready.
func newHealth(cfg *Health, ready []bool) health {
	h := health{cfg: cfg, view: -1, servers: make([]checked, len(ready))}
	for i := range ready {
		h.servers[i] = checked{ready: ready[i], in: ready[i]}
	}
	h.update(0)
	return h
}

// set tells that a server has become ready or has ceased to be. A check at this moment finds
// it so, unless somebody has asked for the rotation of this moment already.
func (h *health) set(now time.Duration, server int, ready bool) {
	s := &h.servers[server]
	if interval := h.cfg.Interval; interval > 0 {
		// The checks before this moment had the old result.
		h.count(s, int64((now-1)/interval))
	}
	s.ready = ready
	h.update(now)
}

// advance brings the rotation up to date, with the checks up to and including now.
func (h *health) advance(now time.Duration) {
	if now >= h.next {
		h.update(now)
	}
}

// count takes the checks of a server into account up to the one with the given number. All
// that are new had the same result.
func (h *health) count(s *checked, number int64) {
	fresh := number - s.checks
	if fresh <= 0 {
		return
	}
	s.checks = number
	if s.ready == s.in {
		s.run = 0
		return
	}
	s.run += fresh
	if s.run >= h.threshold(s) {
		s.in, s.run = s.ready, 0
	}
}

// threshold is how many checks in a row it takes to put a server where it is not.
func (h *health) threshold(s *checked) int64 {
	if s.in {
		return int64(h.cfg.UnhealthyAfter)
	}
	return int64(h.cfg.HealthyAfter)
}

// update works out the rotation of this moment, and when to look again.
func (h *health) update(now time.Duration) {
	for h.view+1 < len(h.cfg.Sees) && h.cfg.Sees[h.view+1].At <= now {
		h.view++
	}
	h.next = never
	if h.view+1 < len(h.cfg.Sees) {
		h.next = h.cfg.Sees[h.view+1].At
	}
	// A new list rather than the old one rewritten: choosers compare versions, and whoever has
	// the old list keeps it whole.
	var rotation []int32
	for i := range h.servers {
		s := &h.servers[i]
		h.check(s, now)
		if s.in && h.sees(i) {
			rotation = append(rotation, int32(i))
		}
	}
	if !slices.Equal(rotation, h.rotation) {
		h.rotation = rotation
		h.version++
	}
}

// check brings one server up to date. If it is about to change places, next is at most the
// time of the check that decides.
func (h *health) check(s *checked, now time.Duration) {
	interval := h.cfg.Interval
	if interval == 0 {
		s.in = s.ready
		return
	}
	h.count(s, int64(now/interval))
	if s.ready != s.in {
		decides := s.checks + h.threshold(s) - s.run
		h.next = min(h.next, time.Duration(decides)*interval)
	}
}

// sees tells whether the checks of a server reach it.
func (h *health) sees(server int) bool {
	if h.view < 0 {
		return true
	}
	listed := h.cfg.Sees[h.view].Servers
	return listed == nil || slices.Contains(listed, server)
}
