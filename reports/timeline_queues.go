package reports

import (
	"time"

	"github.com/apfsim/apfsim/sim"
)

// maxHeatRows bounds the rows of a heat map.
const maxHeatRows = 256

// heat follows how long the queues of a level are, queue by queue, of all servers together. As
// in a timeline there are running totals, here of the waiting requests multiplied by the time,
// and slices are differences of them.
type heat struct {
	// shift makes a row of 1<<shift queues.
	shift uint
	rows  []heatRow
	// slices are over. totals holds, for each row that anything ever waited in for some time,
	// its total at the end of each of them.
	slices int
	totals [][]uint64
}

// heatRow is the state of a row. The total is what occupancy has: those who leave add the time,
// those who come take it away, and the result is modulo 1<<64, which is more than any slice has.
type heatRow struct {
	waiting int64
	total   uint64
}

// fit makes room for so many queues.
func (h *heat) fit(queues int) {
	for (queues-1)>>h.shift >= maxHeatRows {
		h.group()
	}
	for len(h.rows)<<h.shift < queues {
		h.rows, h.totals = append(h.rows, heatRow{}), append(h.totals, nil)
	}
}

// group makes one row of each two.
func (h *heat) group() {
	h.shift++
	n := (len(h.rows) + 1) / 2
	for i := range n {
		r, totals := h.rows[2*i], h.totals[2*i]
		if second := 2*i + 1; second < len(h.rows) {
			r.waiting += h.rows[second].waiting
			r.total += h.rows[second].total
			totals = sumTotals(totals, h.totals[second])
		}
		h.rows[i], h.totals[i] = r, totals
	}
	h.rows, h.totals = h.rows[:n], h.totals[:n]
}

// sumTotals adds up the totals of two rows, of which each may have none.
func sumTotals(a, b []uint64) []uint64 {
	if a == nil {
		return b
	}
	for i := range b {
		a[i] += b[i]
	}
	return a
}

// change counts requests that come into a queue, or with a negative number leave it.
func (h *heat) change(now time.Duration, queue int, by int64) {
	r := &h.rows[queue>>h.shift]
	r.waiting += by
	r.total -= uint64(by) * uint64(now)
}

// close ends a slice. The totals of a row begin when anything has waited in it for some time.
func (h *heat) close(at time.Duration) {
	h.slices++
	for i := range h.rows {
		r := &h.rows[i]
		total := r.total + uint64(r.waiting)*uint64(at)
		if h.totals[i] == nil {
			if total == 0 {
				continue
			}
			h.totals[i] = make([]uint64, h.slices-1, maxSlices/heatSlices)
		}
		h.totals[i] = append(h.totals[i], total)
	}
}

// merge makes one slice of each two, of which there are an even number.
func (h *heat) merge() {
	h.slices /= 2
	for i, totals := range h.totals {
		if totals == nil {
			continue
		}
		for slice := range h.slices {
			totals[slice] = totals[2*slice+1]
		}
		h.totals[i] = totals[:h.slices]
	}
}

// queued counts a request that comes into its queue, or leaves it.
func (t *timeline) queued(now time.Duration, r *sim.Request, s *serverStats, by int64) {
	switch {
	case s.stations[r.Level].asks:
		t.readQueues(now, int(r.Level), s)
	case r.Queue >= 0:
		t.levels[r.Level].heat.change(now, int(r.Queue), by)
	}
}

// readQueues takes the lengths of the queues of a level from its server, where counting along
// would not know which is which.
func (t *timeline) readQueues(now time.Duration, level int, s *serverStats) {
	st := &s.stations[level]
	queues := s.apf.LevelState(level).Queues // none if the level is gone
	for len(st.read) < queues {
		st.read = append(st.read, 0)
	}
	t.levels[level].heat.fit(len(st.read))
	for i := range st.read {
		length := 0
		if i < queues {
			length = s.apf.QueueState(level, i).Waiting
		}
		if by := length - st.read[i]; by != 0 {
			t.levels[level].heat.change(now, i, int64(by))
			st.read[i] = length
		}
	}
}

// stopped empties the queues of a server that has stopped.
func (t *timeline) stopped(now time.Duration, s *serverStats) {
	for level := range s.stations {
		st, h := &s.stations[level], &t.levels[level].heat
		for i, n := range st.queues {
			h.change(now, i, -int64(n))
		}
		for i, n := range st.read {
			h.change(now, i, -int64(n))
		}
		clear(st.read)
	}
}

// reshaped follows a change of the queues of a level, which had lengths before.
func (t *timeline) reshaped(now time.Duration, level int, s *serverStats, had []int32) {
	st := &s.stations[level]
	if !st.asks {
		t.levels[level].heat.fit(len(st.queues))
		return
	}
	for _, n := range had {
		st.read = append(st.read, int(n))
	}
	if s.up {
		t.readQueues(now, level, s)
	}
}
