// Package retryafter decides what a rejected client is told: how many seconds to
// stay away, from 1 to 32. The more is rejected at a priority level, the longer.
//
// It is upstream's dropped requests tracker (pkg/util/flowcontrol,
// dropped_requests_tracker.go), which doubles the answer as TCP does its time-out,
// and takes it back by one second at a time.
package retryafter

import (
	"fmt"
	"time"
)

// longest is the upper end of the answers, in seconds.
const longest = 32

// Tracker knows the recent rejections of one priority level. The zero value knows of
// none. Its size is fixed. It is not safe for concurrent use.
type Tracker struct {
	// recent holds the drops of the latest seconds, each at its number modulo the
	// length. That is more than the longest time that is ever looked back over.
	recent [2 * longest]tally
	// second is the one of the latest drop.
	second int64
	// raised is the second in which the answer was last raised. It cannot have been 0,
	// which has no seconds before it, so 0 stands for never: no raise has to rest then.
	raised int64
	// added is by how much the answer exceeds 1.
	added int64
	// base is added to the time, of a tracker that knows of drops before the start.
	base time.Duration
}

// tally is the number of drops in one second.
type tally struct {
	second, drops int64
}

// Dropped counts a request of the level that is rejected now, for whatever reason,
// and returns the Retry-After that it is answered with, in seconds. Time must not go
// backwards. The seconds are whole ones since the start, so a run starts at the
// beginning of a second.
//
// The answer is reconsidered at the first drop of a second, by the drops in the
// seconds before it: see reconsider.
func (t *Tracker) Dropped(now time.Duration) int {
	second := int64((now + t.base) / time.Second)
	if second < t.second || now < 0 {
		panic(fmt.Sprintf("retryafter: a drop at %v, after one in second %d", now, t.second))
	}
	slot := &t.recent[second%int64(len(t.recent))]
	if second != t.second {
		t.reconsider(second)
		t.second = second
		*slot = tally{second: second}
	}
	slot.drops++
	return t.Answer()
}

// Answer returns what the latest rejected request was told, 1 if there was none.
func (t *Tracker) Answer() int { return int(1 + t.added) }

// reconsider changes the answer r, given the number of drops in the r seconds before
// this one. With 3r drops and more it is doubled, unless it was raised less than r
// seconds ago, so that one burst does not raise it repeatedly. With fewer than r it
// goes down by one. Without drops nobody reconsiders, and it stays.
func (t *Tracker) reconsider(second int64) {
	r := 1 + t.added
	drops := t.dropsIn(second-r, second)
	switch {
	case drops >= 3*r && second-t.raised >= r:
		t.added = min(2*r, longest) - 1
		t.raised = second
	case drops < r && r > 1:
		t.added--
	}
}

// dropsIn returns the number of drops from one second to another, the latter not
// included.
func (t *Tracker) dropsIn(from, to int64) int64 {
	var sum int64
	for s := max(from, 0); s < to; s++ {
		if slot := t.recent[s%int64(len(t.recent))]; slot.second == s {
			sum += slot.drops
		}
	}
	return sum
}
