package queueset

import (
	"fmt"
	"math"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// same tells whether two statistics agree bit for bit; all NaNs are one.
func (d Demand) same(o Demand) bool {
	eq := func(a, b float64) bool {
		return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
	}
	return eq(d.Seconds, o.Seconds) && eq(d.Avg, o.Avg) && eq(d.StdDev, o.StdDev) && eq(d.Max, o.Max)
}

// dumpEvery is after how many operations the reader is held against Dump.
const dumpEvery = 499

// compare looks at the whole state of both sides.
func (r *Runner) compare() *Difference {
	if r.ended {
		return nil
	}
	if got, want := r.subject.State(), r.after.State; got != want {
		return r.differ("state %+v, upstream %+v", got, want)
	}
	for i := range r.after.queues {
		if got, want := r.subject.Queue(i), r.after.queues[i].QueueState; got != want {
			return r.differ("queue %d of %d: %s, upstream %s", i, len(r.after.queues), queueText(got), queueText(want))
		}
	}
	if got, want := r.subject.Idle(), r.real.Idle(); got != want {
		return r.differ("idle %t, upstream %t", got, want)
	}
	r.noteState()
	if r.Total()%dumpEvery == 0 {
		r.checkReader()
	}
	return nil
}

func queueText(q fairqueue.QueueState) string {
	return fmt.Sprintf("{waiting %d executing %d seats %d work %v nextDispatchR %v}",
		q.Waiting, q.Executing, q.SeatsInUse, q.Work, q.NextDispatchR)
}

// checkReader panics if the reading by reflection disagrees with what upstream itself
// tells in Dump.
func (r *Runner) checkReader() {
	dump, st := r.real.set.Dump(false), &r.after
	if dump.Waiting != st.Waiting || dump.Executing != st.Executing || dump.SeatsInUse != st.SeatsInUse ||
		dump.SeatsWaiting != st.SeatsWaiting || len(dump.Queues) != st.State.Queues {
		panic(fmt.Sprintf("queueset: read %+v, Dump %+v", st.State, dump))
	}
	for i, d := range dump.Queues {
		q := st.queues[i]
		if len(d.Requests) != q.Waiting || d.ExecutingRequests != q.Executing || d.SeatsInUse != q.SeatsInUse ||
			d.QueueSum.MaxSeatsSum != q.seatsWaiting || d.QueueSum.TotalWorkSum != q.Work.String() ||
			d.NextDispatchR != q.NextDispatchR.String() {
			panic(fmt.Sprintf("queueset: queue %d read %+v, Dump %+v", i, q, d))
		}
	}
	r.Hits[ReaderChecked]++
}
