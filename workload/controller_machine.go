package workload

import (
	"time"

	"github.com/apfsim/apfsim/workload/backoff"
	"github.com/apfsim/apfsim/workload/limiter"
)

// controllerMachine is the machine of a Controller. Its queue is client-go's: a key is in it once
// at most, and is not reconciled by two workers at the same time; one that comes meanwhile is
// queued again when the worker is done with it (util/workqueue/queue.go). A key that failed is
// away for a while and then comes as any other (delaying_queue.go).
type controllerMachine struct {
	Controller
	requeue  backoff.Requeue
	requests int32
	queues   []workQueue
	workers  []worker // client by client
}

// workQueue is the queue of one client.
type workQueue struct {
	ready []int32 // keys, the first one next
	keys  []workKey
	free  []int32 // keys that are not used, where each that comes is another one
	// bucket is what all keys that fail share.
	bucket limiter.State
}

// workKey is what is known of a key.
type workKey struct {
	failures int32
	// dirty: it waits for a worker, or has come while one was at it. processing: a worker is.
	dirty, processing bool
	// away tells that it comes back at backAt.
	away   bool
	backAt time.Duration
}

// worker is a worker: the key that it reconciles, none (-1) if it is idle, and the request in
// flight.
type worker struct {
	op      Operation
	key     int32
	request int32
}

const noKey int32 = -1

// Machine is part of Behaviour.
func (c Controller) Machine(clients int, requests []Template) Machine {
	m := &controllerMachine{
		Controller: c,
		requeue:    backoff.DefaultRequeue(),
		requests:   int32(len(requests)),
		queues:     make([]workQueue, clients),
		workers:    make([]worker, clients*c.Workers),
	}
	for i := range m.workers {
		m.workers[i].key = noKey
	}
	for i := range m.queues {
		m.queues[i] = workQueue{keys: make([]workKey, c.Keys), bucket: m.requeue.Bucket.Full()}
	}
	return m
}

// Start is part of Machine. The workers begin when all keys are there, as they wait for the
// informers that tell of them.
func (m *controllerMachine) Start(w World, client int32) {
	for i := range m.Initial {
		if m.Keys > 0 {
			m.add(client, int32(i%m.Keys))
		} else {
			m.add(client, m.newKey(client))
		}
	}
	m.work(w, client)
	m.nextKey(w, client)
}

// nextKey schedules the next key that comes from outside.
func (m *controllerMachine) nextKey(w World, client int32) {
	if m.Rate > 0 {
		pause := time.Duration(w.Random(client).Exp() / m.Rate * float64(time.Second))
		w.Wake(client, timerStart, min(w.Now()+pause, MaxDuration))
	}
}

// newKey returns a key that is not used.
func (m *controllerMachine) newKey(client int32) int32 {
	q := &m.queues[client]
	if n := len(q.free); n > 0 {
		key := q.free[n-1]
		q.free = q.free[:n-1]
		return key
	}
	q.keys = append(q.keys, workKey{})
	return int32(len(q.keys) - 1)
}

// Due is part of Machine: a key comes, from outside or after a failure.
func (m *controllerMachine) Due(w World, client, timer int32) {
	if timer != timerStart {
		if k := &m.queues[client].keys[timer]; k.away && k.backAt == w.Now() {
			k.away = false
			m.add(client, timer)
			m.work(w, client)
		}
		return
	}
	key := int32(0)
	if m.Keys > 0 {
		key = int32(w.Random(client).Float64() * float64(m.Keys))
	} else {
		key = m.newKey(client)
	}
	m.add(client, key)
	m.work(w, client)
	m.nextKey(w, client)
}

// add adds a key to the queue (Typed.Add).
func (m *controllerMachine) add(client, key int32) {
	q := &m.queues[client]
	k := &q.keys[key]
	if k.dirty {
		return
	}
	k.dirty = true
	if k.processing {
		return
	}
	q.ready = append(q.ready, key)
}

// work gives keys to workers for as long as there are both.
func (m *controllerMachine) work(w World, client int32) {
	q := &m.queues[client]
	for i := range m.Workers {
		r := &m.workers[int(client)*m.Workers+i]
		if r.key != noKey {
			continue
		}
		if len(q.ready) == 0 {
			return
		}
		r.key, r.request = q.ready[0], 0
		q.ready = q.ready[1:]
		k := &q.keys[r.key]
		k.dirty, k.processing = false, true
		r.op = w.Send(client, 0, w.Now(), 0)
	}
}

// Answered is part of Machine.
func (m *controllerMachine) Answered(w World, client int32, op Operation, a Answer) {
	for i := range m.Workers {
		r := &m.workers[int(client)*m.Workers+i]
		if r.key == noKey || r.op != op {
			continue
		}
		if r.request++; a.Status == OK && r.request < m.requests {
			r.op = w.Send(client, r.request, w.Now(), 0)
			return
		}
		m.reconciled(w, client, r, a.Status == OK)
		return
	}
}

// reconciled ends the reconciliation of a key: it is forgotten, or comes back after a while.
func (m *controllerMachine) reconciled(w World, client int32, r *worker, ok bool) {
	q := &m.queues[client]
	key := r.key
	r.key = noKey
	k := &q.keys[key]
	switch {
	case ok:
		k.failures = 0
	case m.MaxRetries > 0 && int(k.failures) >= m.MaxRetries:
		k.failures = 0
		w.Tell(client, Dropped, 0)
	default:
		m.addRateLimited(w, client, key)
	}
	k.processing = false
	switch {
	case k.dirty:
		q.ready = append(q.ready, key)
	case m.Keys == 0 && !k.away:
		q.free = append(q.free, key)
	}
	m.work(w, client)
}

// addRateLimited lets a key come back that has failed. One that is away already comes back at the
// earlier of both times.
func (m *controllerMachine) addRateLimited(w World, client, key int32) {
	q := &m.queues[client]
	k := &q.keys[key]
	var delay time.Duration
	q.bucket, delay = m.requeue.When(q.bucket, w.Now(), int(k.failures))
	k.failures++
	at := w.Now() + delay
	if k.away && k.backAt <= at {
		return
	}
	k.away, k.backAt = true, at
	w.Wake(client, key, at)
}

// WatchEnded is part of Machine. A controller's informers are a population of their own.
func (m *controllerMachine) WatchEnded(World, int32, int32, Answer) {}
