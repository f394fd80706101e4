package reports

import "time"

// maxHeatRows bounds the rows of a heat map.
const maxHeatRows = 256

// queue is a queue of a level at one server: how many requests wait in it, and these multiplied by
// the time as occupancy has it. The result is modulo 1<<64, which is more than any slice has.
type queue struct {
	length int32
	total  uint64
}

// enter and leave count a request.
func (q *queue) enter(now time.Duration) {
	q.length++
	q.total -= uint64(now)
}

func (q *queue) leave(now time.Duration) {
	q.length--
	q.total += uint64(now)
}

// set takes over how many requests wait.
func (q *queue) set(now time.Duration, length int32) {
	q.total += uint64(q.length-length) * uint64(now)
	q.length = length
}

// heat follows how long the queues of a level are, queue by queue, of all servers together. As
// in a timeline it keeps what their totals are at the end of each slice, and slices are differences
// of them.
type heat struct {
	// shift makes a row of 1<<shift queues.
	shift uint
	// slices are over. totals holds, for each row that anything ever waited in for some time,
	// its total at the end of each of them.
	slices int
	totals [][]uint64
	sums   []uint64 // scratch: the totals of the rows
}

// fit makes room for so many queues.
func (h *heat) fit(queues int) {
	for (queues-1)>>h.shift >= maxHeatRows {
		h.group()
	}
	for len(h.totals)<<h.shift < queues {
		h.totals = append(h.totals, nil)
	}
}

// group makes one row of each two.
func (h *heat) group() {
	h.shift++
	n := (len(h.totals) + 1) / 2
	for i := range n {
		totals := h.totals[2*i]
		if second := 2*i + 1; second < len(h.totals) {
			totals = sumTotals(totals, h.totals[second])
		}
		h.totals[i] = totals
	}
	h.totals = h.totals[:n]
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

// close ends a slice. The totals of a row begin when anything has waited in it for some time.
func (h *heat) close(at time.Duration, stations []*station) {
	h.slices++
	h.sums = append(h.sums[:0], make([]uint64, len(h.totals))...)
	for _, s := range stations {
		for i := range s.queues {
			q := &s.queues[i]
			h.sums[i>>h.shift] += q.total + uint64(q.length)*uint64(at)
		}
	}
	for i, total := range h.sums {
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

// readQueues takes the lengths of the queues of a level from its server, where counting along
// would not know which is which.
func (t *timeline) readQueues(now time.Duration, level int, s *serverStats) {
	st := s.stations[level]
	queues := s.apf.LevelState(level).Queues // none if the level is gone
	for len(st.queues) < queues {
		st.queues = append(st.queues, queue{})
	}
	t.levels[level].heat.fit(len(st.queues))
	for i := range st.queues {
		length := 0
		if i < queues {
			length = s.apf.QueueState(level, i).Waiting
		}
		st.queues[i].set(now, int32(length))
	}
}

// reshaped follows a change of the queues of a level.
func (t *timeline) reshaped(now time.Duration, level int, s *serverStats) {
	st := s.stations[level]
	t.levels[level].heat.fit(len(st.queues))
	if st.asks && s.up {
		t.readQueues(now, level, s)
	}
}
