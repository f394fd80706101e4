package reports

import (
	"cmp"
	"slices"
	"time"
)

// blame tells who held the seats of a level while others waited, nil if nobody waited.
func (m *merger) blame(level int) *Blame {
	out := &Blame{}
	for i := range m.books.populations {
		if w := m.books.blame(selection{i, all, level}); w.on != nil {
			waiter := Waiter{Population: m.books.populations[i].name, Time: w.waited}
			waiter.Holders, waiter.Others = m.holders(w)
			out.Waiters = append(out.Waiters, waiter)
		}
	}
	if len(out.Waiters) == 0 {
		return nil
	}
	return out
}

// plus adds what another replication has seen.
func (b *blamed) plus(from *blamed) {
	b.waited.plus(from.waited)
	if b.on == nil && from.on != nil {
		b.on = make([]float64, len(from.on))
	}
	for i, on := range from.on {
		b.on[i] += on
	}
}

// maxHolders bounds the holders that are listed of a waiter: of a thousand populations in one
// level there would be a million otherwise.
const maxHolders = 32

// holders lists those on whom the waiting time of a population is blamed, and sums up those
// beyond the largest.
func (m *merger) holders(w *blamed) ([]Holder, *OtherHolders) {
	var out []Holder
	total := w.waited.float()
	for i, on := range w.on {
		if on == 0 {
			continue
		}
		h := Holder{Time: newNumber(on / float64(time.Second)), Share: newNumber(min(on/total, 1))}
		if i < len(m.books.populations) {
			h.Population = m.books.populations[i].name
		}
		out = append(out, h)
	}
	slices.SortStableFunc(out, func(a, b Holder) int { return cmp.Compare(b.Time, a.Time) })
	if len(out) <= maxHolders {
		return out, nil
	}
	time, share := 0.0, 0.0
	for _, h := range out[maxHolders:] {
		time, share = time+float64(h.Time), share+float64(h.Share)
	}
	others := &OtherHolders{Count: len(out) - maxHolders, Time: newNumber(time), Share: newNumber(share)}
	return out[:maxHolders], others
}

// shareQueues tells how many queues the flows of those who wait in a level share with the
// flows of those who hold its seats.
func (m *merger) shareQueues(b *Blame, flows []*mergedFlow) {
	if b == nil || len(flows) == 0 {
		return
	}
	hands := make(map[string]*hands, len(m.books.populations))
	for i, p := range m.books.populations {
		hands[p.name] = handsOf(int32(i), flows)
	}
	for i := range b.Waiters {
		w := &b.Waiters[i]
		for j := range w.Holders {
			if h := &w.Holders[j]; h.Population != "" {
				h.SharedQueues = hands[w.Population].sharedWith(hands[h.Population])
			}
		}
	}
}

// hands are the flows of one population in a level, and in how many of their hands each queue
// is.
type hands struct {
	flows []*mergedFlow
	count map[int32]int
}

func handsOf(population int32, flows []*mergedFlow) *hands {
	h := &hands{count: map[int32]int{}}
	for _, f := range flows {
		if !f.users.has(population) {
			continue
		}
		h.flows = append(h.flows, f)
		for _, queue := range f.Hand {
			h.count[queue]++
		}
	}
	return h
}

// sharedWith returns how many queues of its hand a flow has in common with the flows of another
// population, in the mean over all flows; nil without flows on both sides. Among the flows of
// one and the same population a flow is held against the others.
func (h *hands) sharedWith(other *hands) *Number {
	if len(h.flows) == 0 || len(other.flows) == 0 {
		return nil
	}
	itself := 0
	if h == other {
		itself = 1
	}
	shared := 0
	for _, f := range h.flows {
		for _, queue := range f.Hand {
			if other.count[queue] > itself {
				shared++
			}
		}
	}
	mean := newNumber(float64(shared) / float64(len(h.flows)))
	return &mean
}
