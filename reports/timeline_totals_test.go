package reports

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

func sum[T int64 | Number](list []T) (total T) {
	for _, x := range list {
		total += x
	}
	return total
}

// TestSlicesAddUp compares the sums of the slices with what a collector without a warm-up
// counts: they are the same to the nanosecond.
func TestSlicesAddUp(t *testing.T) {
	for name, cfg := range windowConfigs(t) {
		cfg.Warmup = 0
		run := collect(t, cfg, 0)
		r := Merge(info(1), []*Collected{run})
		check := func(what string, g *GroupTimeline, want Requests) {
			t.Helper()
			got := Requests{
				Arrivals: sum(g.Arrivals), Executed: sum(g.Executed),
				Rejected: Rejected{
					QueueFull: sum(g.QueueFull), ConcurrencyLimit: sum(g.ConcurrencyLimit), TimeOut: sum(g.TimeOut),
					Cancelled: sum(g.Cancelled), Ejected: sum(g.Ejected),
				},
			}
			want.Finished, want.Waiting, want.Executing = 0, 0, 0
			want.Rejected.Total = 0
			if cut := sum(g.Cut); cut != want.Cut.Total {
				t.Errorf("%s, %s: %d cut, want %d", name, what, cut, want.Cut.Total)
			}
			want.Cut = Cut{}
			if got != want {
				t.Errorf("%s, %s: %+v, want %+v", name, what, got, want)
			}
		}
		for i := range r.Timeline.PriorityLevels {
			l := &r.Timeline.PriorityLevels[i]
			at := slices.IndexFunc(r.PriorityLevels, func(p PriorityLevel) bool { return p.Name == l.Name })
			check(l.Name, &l.GroupTimeline, r.PriorityLevels[at].Requests)
		}
		for i := range r.Timeline.Populations {
			p := &r.Timeline.Populations[i]
			at := slices.IndexFunc(r.Populations, func(q Population) bool { return q.Name == p.Name })
			check(p.Name, p, r.Populations[at].Requests)
		}
		for i := range run.levels {
			last := run.timeline.levels[i].rows[run.timeline.slices-1]
			if last.seatTime != run.levels[i].seatTime || last.waitTime != run.levels[i].waitTime {
				t.Errorf("%s: level %d ends with %v and %v, want %v and %v", name, i, last.seatTime, last.waitTime, run.levels[i].seatTime, run.levels[i].waitTime)
			}
		}
		untracked := slices.Clone(run.cells)
		for _, k := range run.timeline.tracks {
			i := k.population*len(run.columns) + k.column
			c := &run.cells[i]
			untracked[i] = cell{}
			if last := k.rows[len(k.rows)-1]; last.seatTime != c.seatTime || last.waits != c.waits.count() || last.waitSum != c.waits.sum {
				t.Errorf("%s: track %d ends with %+v, want %v seat time, %d waits of %v", name, i, last, c.seatTime, c.waits.count(), c.waits.sum)
			}
		}
		for i := range untracked {
			if untracked[i].arrivals != 0 {
				t.Errorf("%s: cell %d has no track", name, i)
			}
		}
	}
}

// driven is a collector of a server with one level that is told what a property draws.
type driven struct {
	*Collector
	now     time.Duration
	waiting []*sim.Request
	running []*sim.Request
}

func newDriven(width time.Duration) *driven {
	c := NewCollector()
	cfg := &sim.Config{Populations: []workload.Population{{Name: "nodes", Clients: 1, Requests: make([]workload.Template, 1)}}}
	c.start(cfg, 0, []server{manyFlows{}}, []bool{true})
	c.timeline.width, c.timeline.border = width, width
	c.schedule()
	c.Adjusted(0, 0)
	return &driven{Collector: c}
}

// step lets one of the things happen that can happen to requests.
func (d *driven) step(kind int, queue int32, width int) {
	take := func(list *[]*sim.Request) *sim.Request {
		r := (*list)[0]
		*list = (*list)[1:]
		return r
	}
	switch {
	case kind == 0 || len(d.waiting)+len(d.running) == 0:
		r := &sim.Request{Queue: queue, Flow: -1, Estimate: fairqueue.Estimate{InitialSeats: width}, Arrival: d.now, Dispatched: -1, Finished: -1}
		d.Arrived(d.now, r)
		d.waiting = append(d.waiting, r)
	case kind == 1 && len(d.waiting) > 0:
		r := take(&d.waiting)
		r.Dispatched = d.now
		d.Dispatched(d.now, r)
		d.running = append(d.running, r)
	case kind == 2 && len(d.waiting) > 0:
		r := take(&d.waiting)
		r.Finished, r.Reason = d.now, fairqueue.TimeOut
		d.Rejected(d.now, r)
	case len(d.running) > 0:
		r := take(&d.running)
		r.Finished = d.now
		d.Finished(d.now, r)
		d.Released(d.now, r)
	}
}

// TestMergedSlices is the property of slices that were made one: whatever happens, a timeline
// that began with slices much too short has the same totals at the ends of its slices, and the
// same peaks in them, as one that had such slices from the beginning.
func TestMergedSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		short := newDriven(time.Duration(rapid.IntRange(1, 5).Draw(t, "width")))
		type happening struct {
			after       time.Duration
			kind, width int
			queue       int32
		}
		var story []happening
		for range rapid.IntRange(1, 200).Draw(t, "happenings") {
			h := happening{kind: rapid.IntRange(0, 3).Draw(t, "kind"), width: rapid.IntRange(1, 3).Draw(t, "seats"), queue: int32(rapid.IntRange(0, 3).Draw(t, "queue"))}
			h.after = time.Duration(rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(0, 2000)).Draw(t, "after"))
			story = append(story, h)
		}
		tell := func(d *driven) *timeline {
			for _, h := range story {
				d.now += h.after
				d.step(h.kind, h.queue, h.width)
			}
			d.End(d.now, false)
			return d.timeline
		}
		merged := tell(short)
		whole := tell(newDriven(merged.width))
		if merged.slices != whole.slices || merged.slices > maxSlices {
			t.Fatalf("%d slices of %v, want %d", merged.slices, merged.width, whole.slices)
		}
		if !slices.Equal(merged.tracks[0].rows, whole.tracks[0].rows) {
			t.Fatalf("rows %v, want %v", merged.tracks[0].rows, whole.tracks[0].rows)
		}
		if !slices.Equal(merged.levels[0].rows, whole.levels[0].rows) {
			t.Fatalf("rows of the level %v, want %v", merged.levels[0].rows, whole.levels[0].rows)
		}
		for i, totals := range merged.levels[0].heat.totals {
			if want := whole.levels[0].heat.totals[i]; !slices.Equal(totals, want) {
				t.Fatalf("queue %d: %v, want %v", i, totals, want)
			}
		}
	})
}

// TestLongTimelines tells a thousand times as much of one run as of another: the timeline has
// no more slices, rows and cells of heat than it may have.
func TestLongTimelines(t *testing.T) {
	for _, steps := range []int{1_000, 1_000_000} {
		d := newDriven(time.Second)
		for i := range steps {
			d.now += time.Second
			d.step(i%4, int32(i%64), 1)
		}
		d.End(d.now, false)
		tl := d.timeline
		if tl.slices > maxSlices || tl.slices < maxSlices/2 {
			t.Errorf("%d slices", tl.slices)
		}
		if n := cap(tl.tracks[0].rows); n > maxSlices {
			t.Errorf("room for %d rows", n)
		}
		if n := cap(tl.levels[0].rows); n > 2*maxSlices {
			t.Errorf("room for %d rows of a level", n)
		}
		h := &tl.levels[0].heat
		if len(h.totals) > maxHeatRows || h.slices > maxSlices/heatSlices {
			t.Errorf("%d rows of %d slices", len(h.totals), h.slices)
		}
		for i, totals := range h.totals {
			if cap(totals) > maxSlices/heatSlices {
				t.Errorf("queue %d: room for %d slices", i, cap(totals))
			}
		}
	}
}

// TestHeatOfManyQueues groups queues as their number grows, and loses no time.
func TestHeatOfManyQueues(t *testing.T) {
	var h heat
	var s station
	now := time.Duration(0)
	want := time.Duration(0)
	for _, queues := range []int{1, 3, 200, 257, 5000, 5001} {
		h.fit(queues)
		s.queues = append(s.queues, make([]queue, queues-len(s.queues))...)
		for _, q := range []int{0, queues / 2, queues - 1} {
			s.queues[q].set(now, 2)
			s.queues[q].set(now+time.Duration(q)+1, 0)
			want += 2 * (time.Duration(q) + 1)
		}
		now += time.Hour
		h.close(now, []*station{&s})
		got := uint64(0)
		for _, totals := range h.totals {
			if totals != nil {
				got += totals[len(totals)-1]
			}
		}
		if got != uint64(want) || len(h.totals) > maxHeatRows || len(h.totals)<<h.shift < queues {
			t.Errorf("%d queues: %d rows of %d with %d ns, want %d", queues, len(h.totals), 1<<h.shift, got, want)
		}
	}
}

func TestSliceWidth(t *testing.T) {
	for span, want := range map[time.Duration]time.Duration{
		0:                            time.Second,
		1:                            time.Millisecond,
		300 * time.Millisecond:       time.Millisecond,
		300*time.Millisecond + 1:     2 * time.Millisecond,
		20 * time.Second:             100 * time.Millisecond,
		2 * time.Minute:              500 * time.Millisecond,
		5 * time.Minute:              time.Second,
		10 * time.Minute:             2 * time.Second,
		10*time.Minute + time.Second: 5 * time.Second,
		time.Hour:                    15 * time.Second,
		24 * time.Hour:               5 * time.Minute,
		300 * 30 * time.Minute:       30 * time.Minute,
		300*30*time.Minute + 1:       time.Hour,
		365 * 24 * time.Hour:         32 * time.Hour,
		time.Duration(1<<63 - 1):     16384 * time.Hour,
	} {
		if got := sliceWidth(span); got != want {
			t.Errorf("a span of %v has slices of %v, want %v", span, got, want)
		}
	}
}
