package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/internal/table"
)

const (
	// shownWaiters and shownHolders bound the table of a level: the waiters with the most
	// waiting time, and on how many of the others it is blamed.
	shownWaiters = 5
	shownHolders = 3
	// leastBlame is the part of a waiter's time from which on a holder is shown, unless it is
	// the first.
	leastBlame = 0.005
)

// nobodyInWords stands for the holder of seats that nobody held.
const nobodyInWords = "(nobody)"

// blame tells of each level in which requests waited who held the seats meanwhile. Few waits that
// nobody notices are left out.
func (t *text) blame() {
	for i := range t.result.PriorityLevels {
		l := &t.result.PriorityLevels[i]
		w := l.Wait
		if l.Blame == nil || w != nil && !matters(w.Waited, w.Count) && time.Duration(w.Max) < noticeable {
			continue
		}
		const before, after = "Who held the seats of ", " while others waited"
		t.section(before + t.shorten(l.Name, len(before+after)) + after)
		t.ofLevel(l.Name)
		t.rows(t.blamed(l))
	}
}

// blamed is the table of a level: a row for each waiter and holder, the most waiting time first.
func (t *text) blamed(l *PriorityLevel) *table.Table {
	queues := l.Sharding != nil
	heading := []string{"who waited", "who held seats", "of the waiting", "of the seats"}
	if queues {
		heading = append(heading, "queues shared")
	}
	tab := table.New(2, heading...)
	waiters, sum := mostWaiting(l.Blame)
	shown := t.more * shownWaiters
	for i := range waiters[:min(len(waiters), shown)] {
		w := &waiters[i]
		name, part := w.Population, permille(w.Time, sum)
		for j := range w.Holders {
			h := &w.Holders[j]
			if j > 0 && (j >= t.more*shownHolders || h.Share < leastBlame) {
				break
			}
			row := []string{name, h.name(), part, ofSeats(h.Share)}
			if queues {
				row = append(row, shared(h.SharedQueues))
			}
			tab.Add(row...)
			name, part = "", ""
		}
	}
	if rest := len(waiters) - shown; rest > 0 {
		var left Total
		for i := range waiters[shown:] {
			left.plus(waiters[shown+i].Time)
		}
		row := []string{fmt.Sprintf("%d others", rest), "", permille(left, sum), ""}
		tab.Add(append(row, make([]string, len(heading)-len(row))...)...)
	}
	return tab
}

// mostWaiting returns the waiters with the most waiting time first, and all of that time.
func mostWaiting(b *Blame) (waiters []Waiter, sum Total) {
	waiters = slices.Clone(b.Waiters)
	slices.SortStableFunc(waiters, func(a, b Waiter) int { return b.Time.compare(a.Time) })
	for i := range waiters {
		sum.plus(waiters[i].Time)
	}
	return waiters, sum
}

func (h *Holder) name() string { return cmp.Or(h.Population, nobodyInWords) }

// ofSeats writes a part of the seats.
func ofSeats(part Number) string {
	const scale = 1_000_000
	return formatShare(int64(math.Round(float64(part)*scale)), scale)
}

// shared writes a number of queues.
func shared(n *Number) string {
	if n == nil {
		return none
	}
	return formatNumber(*n)
}

// fairnessInWords says how evenly the flows of a level were served.
func fairnessInWords(f *Fairness) string {
	return fmt.Sprintf("Jain's fairness index of the %s flows: %s (1 is even, %s is all for one).",
		seats(f.Flows), formatNumber(f.Jain), formatNumber(newNumber(1/float64(f.Flows))))
}

// heldBy says who held most of the seats while requests of a population waited, in all levels
// together; "" if none waited.
func heldBy(r *Result, population string) string {
	held := map[string]Number{}
	var names []string
	var all Number
	for i := range r.PriorityLevels {
		b := r.PriorityLevels[i].Blame
		if b == nil {
			continue
		}
		for j := range b.Waiters {
			if b.Waiters[j].Population != population {
				continue
			}
			for _, h := range b.Waiters[j].Holders {
				if _, known := held[h.Population]; !known {
					names = append(names, h.Population)
				}
				held[h.Population] += h.Time
				all += h.Time
			}
			if o := b.Waiters[j].Others; o != nil {
				all += o.Time
			}
		}
	}
	if all == 0 {
		return ""
	}
	most := slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(held[a], held[b]) })
	part := ofSeats(held[most] / all)
	switch most {
	case population:
		return ", while it held " + part + " of the seats itself"
	case "":
		return ", while no seat was in use for " + part + " of that"
	}
	return ", while " + most + " held " + part + " of the seats"
}
