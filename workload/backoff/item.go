package backoff

import "time"

// Item is flowcontrol.Backoff: a delay for each item that doubles with every failure, up to a
// bound, and begins anew after a failure that comes later than twice the bound after the one
// before. The kubelet uses it for containers that crash and images that cannot be pulled,
// controllers for pods that fail. The rest client uses it for each host, as URLBackoff, only
// where KUBE_CLIENT_BACKOFF_BASE and KUBE_CLIENT_BACKOFF_DURATION are set in its environment.
type Item struct {
	// Initial is the delay after the first failure, Max the bound of the later ones. The first
	// is not bounded.
	Initial, Max time.Duration
	// Jitter adds up to this share of the delay before.
	Jitter float64
}

// ItemState is what is known of one item. The zero value is an item that has not failed.
type ItemState struct {
	// Delay is the current delay.
	Delay time.Duration
	// updated is when it was set, and known whether it ever was.
	updated time.Duration
	known   bool
}

// Next notes a failure of an item: it happened at event, and is noted now.
func (b Item) Next(s ItemState, event, now time.Duration, u float64) ItemState {
	next := ItemState{Delay: b.Initial, updated: now, known: true}
	if !s.known || b.expired(s, event) {
		next.Delay += b.jitter(b.Initial, u)
		return next
	}
	next.Delay = min(s.Delay*2+b.jitter(s.Delay, u), b.Max)
	return next
}

func (b Item) jitter(d time.Duration, u float64) time.Duration {
	if b.Jitter <= 0 {
		return 0
	}
	return truncated(u * b.Jitter * float64(d))
}

// expired tells whether so much time has passed from the last failure to an event that the
// item counts as sound.
func (b Item) expired(s ItemState, event time.Duration) bool { return event-s.updated > b.Max*2 }

// Waits tells whether an item that was last seen at event has to wait now
// (IsInBackOffSince).
func (b Item) Waits(s ItemState, event, now time.Duration) bool {
	return s.known && !b.expired(s, event) && now-event < s.Delay
}

// WaitsSinceUpdate tells whether at event the delay since the last failure has not passed yet
// (IsInBackOffSinceUpdate).
func (b Item) WaitsSinceUpdate(s ItemState, event time.Duration) bool {
	return s.known && !b.expired(s, event) && event-s.updated < s.Delay
}
