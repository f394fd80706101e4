package queueset

import (
	"fmt"
	"reflect"

	fq "k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// realState is what the real queue set holds between two operations.
type realState struct {
	fairqueue.State
	// robin is the index of the queue last dispatched from, arrivals the number of
	// hands dealt so far.
	robin, arrivals int
	// wanted is the number of queues configured; there may be more, draining.
	wanted int
	queues []realQueue
}

// realQueue is one queue of the real queue set.
type realQueue struct {
	fairqueue.QueueState
	id           uintptr // tells queues apart whatever their index
	seatsWaiting int
	head         realHead // of the oldest waiting request, if any waits
}

// realHead is the oldest waiting request of a queue.
type realHead struct {
	work, arrivalR fairqueue.SeatSeconds
	width          int
}

// virtualFinish is the key by which queues are dispatched from.
func (q *realQueue) virtualFinish() fairqueue.SeatSeconds { return q.NextDispatchR + q.head.work }

// idle is the test for a queue without requests; seats may linger.
func (q *realQueue) idle() bool { return q.Waiting == 0 && q.Executing == 0 }

// fields resolves names of struct fields to their places, once per type.
type fields map[reflect.Type]map[string]int

// get returns the named field of a struct and panics if another release of upstream
// has no such field.
func (f fields) get(v reflect.Value, name string) reflect.Value {
	t := v.Type()
	places := f[t]
	if places == nil {
		places = map[string]int{}
		for i := range t.NumField() {
			places[t.Field(i).Name] = i
		}
		f[t] = places
	}
	i, ok := places[name]
	if !ok {
		panic(fmt.Sprintf("queueset: upstream's %v has no field %s", t, name))
	}
	return v.Field(i)
}

func (f fields) int(v reflect.Value, name string) int { return int(f.get(v, name).Int()) }

func (f fields) seatSeconds(v reflect.Value, name string) fairqueue.SeatSeconds {
	return fairqueue.SeatSeconds(f.get(v, name).Uint())
}

// inspector reads a real queue set and its requests.
type inspector struct {
	set    reflect.Value
	fields fields
}

func newInspector(set fq.QueueSet) *inspector {
	return &inspector{set: reflect.ValueOf(set).Elem(), fields: fields{}}
}

// read fills st, reusing its slice of queues.
func (i *inspector) read(st *realState) {
	f, set := i.fields, i.set
	st.State = fairqueue.State{
		Limit:        f.int(f.get(set, "dCfg"), "ConcurrencyLimit"),
		SeatsInUse:   f.int(set, "totSeatsInUse"),
		SeatsWaiting: f.int(set, "totSeatsWaiting"),
		Waiting:      f.int(set, "totRequestsWaiting"),
		Executing:    f.int(set, "totRequestsExecuting"),
		R:            f.seatSeconds(set, "currentR"),
	}
	st.robin = f.int(set, "robinIndex")
	st.arrivals = f.int(set, "enqueues")
	st.wanted = f.int(f.get(set, "qCfg"), "DesiredNumQueues")
	queues := f.get(set, "queues")
	st.State.Queues = queues.Len()
	st.queues = st.queues[:0]
	for n := range st.State.Queues {
		q := i.queue(queues.Index(n))
		if !q.idle() {
			st.ActiveQueues++
		}
		st.queues = append(st.queues, q)
	}
}

// queue reads one queue through the pointer to it.
func (i *inspector) queue(p reflect.Value) realQueue {
	f, v := i.fields, p.Elem()
	fifo := f.get(v, "requestsWaiting").Elem().Elem()
	sum := f.get(fifo, "sum")
	list := f.get(fifo, "List").Elem()
	q := realQueue{
		id:           p.Pointer(),
		seatsWaiting: f.int(sum, "MaxSeatsSum"),
		QueueState: fairqueue.QueueState{
			Waiting:       f.int(list, "len"),
			Executing:     f.get(v, "requestsExecuting").Len(),
			SeatsInUse:    f.int(v, "seatsInUse"),
			Work:          f.seatSeconds(sum, "TotalWorkSum"),
			NextDispatchR: f.seatSeconds(v, "nextDispatchR"),
		},
	}
	if q.Waiting > 0 {
		first := f.get(f.get(list, "root"), "next").Elem()
		q.head = i.head(f.get(first, "Value").Elem().Elem())
	}
	return q
}

// head reads a waiting request.
func (i *inspector) head(request reflect.Value) realHead {
	f := i.fields
	completed := f.get(request, "workEstimate")
	estimate := f.get(completed, "WorkEstimate")
	return realHead{
		work:     f.seatSeconds(completed, "totalWork"),
		arrivalR: f.seatSeconds(request, "arrivalR"),
		width:    int(max(f.get(estimate, "InitialSeats").Uint(), f.get(estimate, "FinalSeats").Uint())),
	}
}

// queueOf returns the identity and the index of the queue of a request, index -1 if it
// went through none.
func (i *inspector) queueOf(r fq.Request) (id uintptr, index int) {
	p := i.fields.get(reflect.ValueOf(r).Elem(), "queue")
	if p.IsNil() {
		return 0, -1
	}
	return p.Pointer(), i.fields.int(p.Elem(), "index")
}
