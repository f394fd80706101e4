package retryafter

import "time"

// Saved is what a tracker knows at a moment, in seconds before it. The zero value is a tracker
// that knows of none.
type Saved struct {
	// Answer is what the latest rejected request was told, 0 or 1 if there was none.
	Answer int
	// Fraction is how long the whole second has lasted that the moment is in.
	Fraction time.Duration
	// Raised is how many seconds ago the answer was raised last, -1 for never or long ago; the
	// present second is 0.
	Raised int64
	// Recent are the drops in the latest seconds.
	Recent []Drops
}

// Drops is a number of drops in one second, so many seconds ago.
type Drops struct{ Ago, Count int64 }

// lookback is how many seconds a tracker looks back at most, and so what is worth keeping.
const lookback = longest

// Save returns what the tracker knows.
func (t *Tracker) Save(now time.Duration) Saved {
	s := Saved{Answer: t.Answer(), Fraction: (now + t.base) % time.Second, Raised: -1}
	second := int64((now + t.base) / time.Second)
	if ago := second - t.raised; t.raised > 0 && ago <= lookback {
		s.Raised = ago
	}
	for ago := int64(lookback); ago >= 0; ago-- {
		at := second - ago
		if at < 0 {
			continue
		}
		if slot := t.recent[at%int64(len(t.recent))]; slot.second == at && slot.drops > 0 {
			s.Recent = append(s.Recent, Drops{ago, slot.drops})
		}
	}
	return s
}

// Restored returns a tracker that goes on from a time as the saved one. It panics if that is
// none that Save returns.
func Restored(now time.Duration, s *Saved) Tracker {
	// The second of the moment is one that everything saved is after the beginning of.
	const second = 2 * longest
	t := Tracker{base: second*time.Second + s.Fraction - now, added: int64(max(s.Answer, 1) - 1)}
	if s.Raised >= 0 {
		t.raised = second - s.Raised
	}
	for _, d := range s.Recent {
		if d.Ago < 0 || d.Ago > lookback {
			panic("retryafter: drops of a time that nobody looks back to")
		}
		at := second - d.Ago
		t.recent[at%int64(len(t.recent))] = tally{second: at, drops: d.Count}
		t.second = max(t.second, at)
	}
	return t
}
