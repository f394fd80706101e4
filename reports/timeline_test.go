package reports

import (
	"math"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
)

// diary is a second, simple-minded timeline: it keeps the lengths of all queues after every
// event, as the servers tell them, beside what a ledger keeps.
type diary struct {
	ledger
	queues [][]lengthsAt // by level
	// seats are all stretches of time for which a request held seats.
	held map[int64]held
}

type lengthsAt struct {
	at      time.Duration
	lengths []int
}

// held is who held how many seats from when to when, -1 being not yet over.
type held struct {
	population, schema int32
	seats              int
	from, until        time.Duration
}

func (d *diary) Start(w *sim.World) {
	d.ledger.Start(w)
	d.held = map[int64]held{}
	d.queues = make([][]lengthsAt, len(d.states))
}

func (d *diary) read(now time.Duration) {
	for i := range d.world.Server().Levels() {
		if i == len(d.queues) {
			d.queues = append(d.queues, nil)
		}
		var lengths []int
		for number := range int32(d.world.Servers()) {
			server := d.world.ServerAt(number)
			if !d.world.Up(number) || i >= len(server.Levels()) {
				continue
			}
			for q := range server.LevelState(i).Queues {
				if q == len(lengths) {
					lengths = append(lengths, 0)
				}
				lengths[q] += server.QueueState(i, q).Waiting
			}
		}
		d.queues[i] = append(d.queues[i], lengthsAt{now, lengths})
	}
}

func (d *diary) Arrived(now time.Duration, r *sim.Request) { d.ledger.Arrived(now, r); d.read(now) }
func (d *diary) Dispatched(now time.Duration, r *sim.Request) {
	d.ledger.Dispatched(now, r)
	d.read(now)
	if r.Level >= 0 {
		d.held[r.ID] = held{r.Population, r.Schema, r.Estimate.Width(), now, -1}
	}
}
func (d *diary) Rejected(now time.Duration, r *sim.Request) { d.ledger.Rejected(now, r); d.read(now) }
func (d *diary) Released(now time.Duration, r *sim.Request) {
	d.ledger.Released(now, r)
	d.read(now)
	d.free(now, r)
}
func (d *diary) Cut(now time.Duration, r *sim.Request)   { d.ledger.Cut(now, r); d.free(now, r) }
func (d *diary) Reconfigured(now time.Duration, s int32) { d.ledger.Reconfigured(now, s); d.read(now) }
func (d *diary) Adjusted(now time.Duration, server int32) {
	d.ledger.Adjusted(now, server)
	d.read(now)
}
func (d *diary) Server(now time.Duration, e sim.ServerEvent, s int32) {
	d.ledger.Server(now, e, s)
	d.read(now)
}

func (d *diary) free(now time.Duration, r *sim.Request) {
	if h, ok := d.held[r.ID]; ok {
		h.until = now
		d.held[r.ID] = h
	}
}

// grid is slices of a width up to an end.
type grid struct {
	width, end time.Duration
	slices     int
}

// add spreads a value that lasted over the slices, multiplied by the time.
func (g grid) add(sums []float64, value float64, from, until time.Duration) {
	for i := int(from / g.width); i < len(sums) && time.Duration(i)*g.width < until; i++ {
		lo, hi := max(from, time.Duration(i)*g.width), min(until, time.Duration(i+1)*g.width)
		sums[i] += value * float64(hi-lo)
	}
}

// means divides sums over time by the lengths of the slices.
func (g grid) means(sums []float64) []float64 {
	for i := range sums {
		sums[i] /= float64(min(g.width, g.end-time.Duration(i)*g.width))
	}
	return sums
}

// of returns the slice of a time.
func (g grid) of(t time.Duration) int { return min(int(t/g.width), g.slices-1) }

// expected makes the timeline of a group of requests from the diary.
func (d *diary) expected(g grid, pass func(*sim.Request) bool, holds func(held) bool) map[string][]float64 {
	lists := map[string][]float64{}
	list := func(name string) []float64 {
		if lists[name] == nil {
			lists[name] = make([]float64, g.slices)
		}
		return lists[name]
	}
	rejections := map[fairqueue.Reason]string{
		fairqueue.QueueFull: "queueFull", fairqueue.ConcurrencyLimit: "concurrencyLimit", fairqueue.TimeOut: "timeOut",
		fairqueue.Cancelled: "cancelled", fairqueue.Ejected: "ejected",
	}
	waits, sums, waiting, seats := list("waits"), list("waitMean"), list("waiting"), list("seats")
	for _, r := range d.requests {
		if !pass(&r) {
			continue
		}
		list("arrivals")[g.of(r.Arrival)]++
		left := g.end
		switch {
		case r.Reason != fairqueue.NotRejected:
			list(rejections[r.Reason])[g.of(r.Finished)]++
			left = r.Finished
		case r.Dispatched >= 0:
			list("executed")[g.of(r.Dispatched)]++
			left = r.Dispatched
		}
		if at, ok := d.cutAt[r.ID]; ok {
			list("cut")[g.of(at)]++
			left = min(left, at)
		}
		if r.Level < 0 {
			continue
		}
		g.add(waiting, 1, r.Arrival, left)
		if r.Reason.Waited() || r.Dispatched >= 0 {
			i, wait := g.of(left), r.Wait().Seconds()
			waits[i], sums[i] = waits[i]+1, sums[i]+wait
			list("waitMax")[i] = max(list("waitMax")[i], wait)
		}
	}
	for i := range sums {
		if waits[i] > 0 {
			sums[i] /= waits[i]
		}
	}
	for _, h := range d.held {
		if holds(h) {
			if h.until < 0 {
				h.until = g.end
			}
			g.add(seats, float64(h.seats), h.from, h.until)
		}
	}
	g.means(waiting)
	g.means(seats)
	delete(lists, "waits")
	return lists
}

// expectedLevel adds what only levels have, from the states of the level.
func (d *diary) expectedLevel(g grid, level int, lists map[string][]float64) {
	seats, waiting := make([]float64, g.slices), make([]float64, g.slices)
	peaks := map[string][]float64{"seatsPeak": make([]float64, g.slices), "waitingPeak": make([]float64, g.slices), "current": make([]float64, g.slices)}
	states := d.states[level]
	for n, s := range states {
		until := g.end
		if n+1 < len(states) {
			until = states[n+1].at
		}
		g.add(seats, float64(s.SeatsInUse), s.at, until)
		g.add(waiting, float64(s.Waiting), s.at, until)
		for i := int(s.at / g.width); i < g.slices && time.Duration(i)*g.width < until; i++ {
			peaks["seatsPeak"][i] = max(peaks["seatsPeak"][i], float64(s.SeatsInUse))
			peaks["waitingPeak"][i] = max(peaks["waitingPeak"][i], float64(s.Waiting))
			peaks["current"][i] = float64(s.Limit)
		}
	}
	lists["seats"], lists["waiting"] = g.means(seats), g.means(waiting)
	for name, list := range peaks {
		lists[name] = list
	}
}

// expectedRows makes a heat map from the diary.
func (d *diary) expectedRows(g grid, level int) map[int][]float64 {
	rows := map[int][]float64{}
	for n, q := range d.queues[level] {
		until := g.end
		if n+1 < len(d.queues[level]) {
			until = d.queues[level][n+1].at
		}
		for i, length := range q.lengths {
			if length > 0 && until > q.at {
				if rows[i] == nil {
					rows[i] = make([]float64, g.slices)
				}
				g.add(rows[i], float64(length), q.at, until)
			}
		}
	}
	for _, row := range rows {
		g.means(row)
	}
	return rows
}

// lists returns the lists of a group by the names that they have in JSON.
func (t *GroupTimeline) lists() map[string][]float64 {
	out := map[string][]float64{}
	counts := map[string][]int64{
		"arrivals": t.Arrivals, "executed": t.Executed, "queueFull": t.QueueFull, "concurrencyLimit": t.ConcurrencyLimit,
		"timeOut": t.TimeOut, "cancelled": t.Cancelled, "ejected": t.Ejected, "cut": t.Cut,
	}
	for name, list := range counts {
		out[name] = floats(list)
	}
	for name, list := range map[string][]Number{"seats": t.Seats, "waiting": t.Waiting, "waitMean": t.WaitMean, "waitMax": t.WaitMax} {
		out[name] = floats(list)
	}
	return out
}

func floats[T int64 | Number](list []T) []float64 {
	var out []float64
	for _, x := range list {
		out = append(out, float64(x))
	}
	return out
}

// compareLists compares lists of which one that is all 0 may be left out.
func compareLists(t *testing.T, name string, got, want map[string][]float64, tolerance float64) {
	t.Helper()
	for list := range want {
		if got[list] == nil {
			got[list] = make([]float64, len(want[list]))
		}
		if len(got[list]) != len(want[list]) {
			t.Errorf("%s: %s has %d slices, want %d", name, list, len(got[list]), len(want[list]))
			continue
		}
		for i := range want[list] {
			if math.Abs(got[list][i]-want[list][i]) > tolerance*math.Abs(want[list][i])+1e-9 {
				t.Errorf("%s: %s in slice %d is %v, want %v", name, list, i, got[list][i], want[list][i])
				break
			}
		}
	}
}

// TestTimelineAgainstTheDiary compares every value of a timeline with what the diary says.
func TestTimelineAgainstTheDiary(t *testing.T) {
	for name, cfg := range windowConfigs(t) {
		d, c := &diary{}, NewCollector()
		s, err := sim.Run(cfg, 0, Tee(d, c), nil)
		if err != nil {
			t.Fatal(err)
		}
		r := Merge(info(1), []*Collected{c.Collected(s)})
		g := grid{time.Duration(r.Timeline.Slice), d.end, r.Timeline.Slices}
		if int(math.Ceil(float64(d.end)/float64(g.width))) != g.slices || g.slices > maxSlices || g.slices < maxSlices/3 {
			t.Fatalf("%s: %d slices of %v make no %v", name, g.slices, g.width, d.end)
		}
		waited := false
		for i, info := range d.world.Server().Levels() {
			want := d.expected(g, func(q *sim.Request) bool { return int(q.Level) == i }, func(held) bool { return false })
			d.expectedLevel(g, i, want)
			for j := range r.Timeline.PriorityLevels {
				if l := &r.Timeline.PriorityLevels[j]; l.Name == info.Name {
					got := l.lists()
					got["seatsPeak"], got["waitingPeak"], got["current"] = floats(l.SeatsPeak), floats(l.WaitingPeak), floats(l.Current)
					compareLists(t, name+" "+info.Name, got, want, 1e-5)
					waited = compareHeat(t, name+" "+info.Name, l.Queues, d, i) || waited
					want = nil
				}
			}
			if want["arrivals"] != nil {
				t.Errorf("%s: no timeline of level %s", name, info.Name)
			}
		}
		if !waited {
			t.Errorf("%s: nothing ever waited", name)
		}
		for i := range r.Timeline.FlowSchemas {
			f := &r.Timeline.FlowSchemas[i]
			schema := d.schema(f.Name)
			want := d.expected(g, func(q *sim.Request) bool { return q.Schema == schema }, func(h held) bool { return h.schema == schema })
			compareLists(t, name+" "+f.Name, f.lists(), want, 1e-5)
		}
		for i := range r.Timeline.Populations {
			p := &r.Timeline.Populations[i]
			want := d.expected(g, func(q *sim.Request) bool { return cfg.Populations[q.Population].Name == p.Name },
				func(h held) bool { return cfg.Populations[h.population].Name == p.Name })
			compareLists(t, name+" "+p.Name, p.lists(), want, 1e-5)
		}
	}
}

// compareHeat compares a heat map, and tells whether there is anything in it.
func compareHeat(t *testing.T, name string, got *QueueTimeline, d *diary, level int) bool {
	t.Helper()
	if got == nil {
		got = &QueueTimeline{Slice: Duration(time.Hour)}
	}
	width := time.Duration(got.Slice)
	want := d.expectedRows(grid{width, d.end, int((d.end + width - 1) / width)}, level)
	for i, row := range got.Rows {
		if row := floats(row); row != nil || want[i] != nil {
			compareLists(t, name+" queues", map[string][]float64{"row": row}, map[string][]float64{"row": want[i]}, 0.01)
		}
		delete(want, i)
	}
	if len(want) > 0 {
		t.Errorf("%s: rows are missing: %v", name, want)
	}
	return len(got.Rows) > 0
}
