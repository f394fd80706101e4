package reports

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/internal/table"
)

// histograms draws the waits of each level where any request waited, on the buckets of
// the real server's histogram.
func (t *text) histograms() {
	for i := range t.result.PriorityLevels {
		l := &t.result.PriorityLevels[i]
		if l.Wait != nil && l.Wait.Waited > 0 {
			t.histogram(l)
		}
	}
}

func (t *text) histogram(l *PriorityLevel) {
	const buckets = ", by the buckets of request_wait_duration_seconds"
	t.section("Waits in " + t.shorten(l.Name, len("Waits in "+buckets)) + buckets)
	t.ofLevel(l.Name)
	first, last := len(l.WaitHistogram), 0
	atOnce := int64(0)
	for i, b := range l.WaitHistogram {
		if b.ExecuteTrue > 0 {
			first, last = min(first, i), i
		}
		atOnce += b.ExecuteFalse
	}
	tab, bars := table.New(0, "seconds up to", "requests"), []int64{}
	for _, b := range l.WaitHistogram[first : last+1] {
		tab.Add(b.LE, formatCount(b.ExecuteTrue))
		bars = append(bars, b.ExecuteTrue)
	}
	t.add(Block{Table: tab, Bars: bars})
	if atOnce > 0 {
		t.paragraph(Plain, fmt.Sprintf("Rejected at once (execute=\"false\"): %s.", formatCount(atOnce)))
	}
}

// sharding tells of elephants and mice where a level was crowded.
func (t *text) sharding() {
	for i := range t.result.PriorityLevels {
		l := &t.result.PriorityLevels[i]
		if s := l.Sharding; s != nil && s.Elephants.Flows > 0 {
			t.section("Elephants and mice in " + l.Name)
			t.paragraph(Plain, shardingInWords(l))
			if l.Fairness != nil {
				t.add(Block{Text: fairnessInWords(l.Fairness), Tabled: true})
			}
			t.rows(t.groups(s))
			t.rows(t.flows(l.Name))
		}
	}
}

// shardingInWords says how many mice were crushed, and how many that many elephants
// should be expected to crush.
func shardingInWords(l *PriorityLevel) string {
	s := l.Sharding
	mice := s.CrushedMice.Flows + s.OtherMice.Flows
	elephants := "one elephant"
	if n := s.Elephants.Flows; n > 1 {
		elephants = seats(n) + " elephants"
	}
	shape := ""
	if q := l.Queuing; q != nil { // not so if the level has lost its queues
		shape = fmt.Sprintf(" (%d of %d)", q.HandSize, q.Queues)
	}
	text := fmt.Sprintf("%s of %s mice crushed: each of their queues%s is shared with %s.",
		seats(s.CrushedMice.Flows), seats(mice), shape, elephants)
	if s.Odds != nil {
		text += fmt.Sprintf(" Odds of each: %.3g; expected: %.3g.", float64(*s.Odds), float64(*s.Odds)*float64(mice))
	}
	return text
}

func (t *text) groups(s *Sharding) *table.Table {
	tab := table.New(1, "", "flows", "arrivals", "rejected", "wait p50", "p99", "max", "offered", "used")
	tab.Group(7, 8, "seats")
	for _, g := range []struct {
		name string
		*FlowGroup
	}{{"elephants", &s.Elephants}, {"crushed mice", &s.CrushedMice}, {"other mice", &s.OtherMice}} {
		if g.Flows == 0 {
			tab.Add(g.name, "0", none, none, none, none, none, none, none)
			continue
		}
		tab.Add(g.name, seats(g.Flows), formatCount(g.Requests.Arrivals), formatCount(g.Requests.Rejected.Total),
			t.quantile(g.Wait, "p50"), t.quantile(g.Wait, "p99"), maximum(g.Wait),
			formatNumber(g.SeatsOffered), formatNumber(g.SeatsUsed))
	}
	return tab
}

func maximum(w *Wait) string {
	if w == nil {
		return none
	}
	return formatDuration(time.Duration(w.Max))
}

const (
	// shownElephants and shownCrushed bound the flows of a level in the text.
	shownElephants = 5
	shownCrushed   = 10
)

// flows lists the largest elephants of a level and the crushed mice, those that offered
// the most first.
func (t *text) flows(level string) *table.Table {
	tab := table.New(2, "flow", "", "arrivals", "rejected", "wait p99", "max", "offered", "used")
	tab.Group(6, 7, "seats")
	shown := map[string]int{}
	limits := map[string]int{"elephant": t.more * shownElephants, "crushed": t.more * shownCrushed}
	for i := range t.result.Flows.Listed {
		f := &t.result.Flows.Listed[i]
		kind := string(f.Role)
		if f.Crushed {
			kind = "crushed"
		}
		if f.PriorityLevel != level || shown[kind] >= limits[kind] {
			continue
		}
		shown[kind]++
		tab.Add(flowName(f), kind, formatCount(f.Requests.Arrivals), formatCount(f.Requests.Rejected.Total),
			t.quantile(f.Wait, "p99"), maximum(f.Wait), formatNumber(f.SeatsOffered), formatNumber(f.SeatsUsed))
	}
	return tab
}

// flowName is the distinguisher, or the schema where that tells no flows apart.
func flowName(f *Flow) string {
	if f.Distinguisher == "" {
		return f.FlowSchema
	}
	return f.Distinguisher
}
