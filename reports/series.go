package reports

import "time"

// maxAdjustments bounds a series of adjustments.
const maxAdjustments = 1000

// moment is the state of a level at one adjustment.
type moment struct {
	time time.Duration
	// gone tells that the level has gone, and has no limit.
	gone                 bool
	limit, seats, queued int64
	// peak is the most seats in use from this adjustment to the next one kept.
	peak int64
}

// series is what a level looked like at its adjustments. It keeps all of them until
// there are maxAdjustments, then every second, every fourth and so on, so that a run
// of any length has between 500 and 1000, evenly spaced from the first if the
// configuration does not change. That a level has gone is never left out.
type series struct {
	moments []moment
	stride  int64 // one of so many adjustments is kept; 0 before the first
	seen    int64
	latest  time.Duration // the time of the last one seen
}

// update appends an adjustment, or replaces the one of the same time: several servers adjust
// one after the other within a moment.
func (s *series) update(m moment) {
	if s.seen == 0 || s.latest != m.time {
		s.latest = m.time
		s.add(m)
		return
	}
	if n := len(s.moments); n > 0 && s.moments[n-1].time == m.time {
		m.peak = s.moments[n-1].peak
		s.moments[n-1] = m
	}
}

// add appends an adjustment, or leaves it out.
func (s *series) add(m moment) {
	if len(s.moments) >= maxAdjustments {
		s.thin()
	}
	s.stride = max(s.stride, 1)
	if s.seen%s.stride == 0 || m.gone {
		s.moments = append(s.moments, m)
	}
	s.seen++
}

// close tells the most seats in use since the last adjustment.
func (s *series) close(peak int64) {
	if n := len(s.moments); n > 0 {
		s.moments[n-1].peak = max(s.moments[n-1].peak, peak)
	}
}

// thin drops every second moment.
func (s *series) thin() {
	kept := s.moments[:0]
	for i, m := range s.moments {
		if i%2 == 0 || m.gone {
			kept = append(kept, m)
		} else {
			last := &kept[len(kept)-1]
			last.peak = max(last.peak, m.peak)
		}
	}
	s.moments = kept
	s.stride *= 2
}
