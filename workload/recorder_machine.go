package workload

import (
	"math/bits"
	"time"

	"github.com/apfsim/apfsim/workload/limiter"
)

// recorderMachine is the machine of a Recorder: for each client an event broadcaster with one
// sink (tools/record/event.go), and the correlator before the sink (events_cache.go).
type recorderMachine struct {
	Recorder
	patches bool
	of      []recorder
}

// recorder is the state of a client.
type recorder struct {
	// queue holds the events that wait while one is on its way.
	queue []recorded
	// objects is what the correlator knows of each object; it is made at the first event.
	objects []recordedObject
	op      Operation
	// current is the event on its way, tries how often the server could not be reached.
	current recorded
	tries   int32
	busy    bool
	// counted: the current event is a count in the one that key names; patching: the request in
	// flight is a patch of that one.
	counted, patching bool
	key               int32
}

// recorded is an event: the object that it is about, and its message, unique (-1) if no other one
// has it.
type recorded struct{ object, message int32 }

const (
	// uniqueMessage is the message of an event that no other event has.
	uniqueMessage int32 = -1
	// recorderQueue is how many events wait at most (maxQueuedEvents).
	recorderQueue = 1000
	// recorderTries and recorderSleep are how often, and after which pauses, an event is sent to
	// a server that cannot be reached (maxTriesPerEvent, defaultSleepDuration).
	recorderTries = 12
	recorderSleep = 10 * time.Second
	// similarMax is at how many different messages about an object they are combined, and
	// similarInterval for how long one is remembered (defaultAggregateMaxEvents and
	// defaultAggregateIntervalInSeconds).
	similarMax      = 10
	similarInterval = 600 * time.Second
)

// spamBucket is what an object may have told about it (defaultSpamBurst, defaultSpamQPS).
var spamBucket = limiter.Limiter{QPS: 1. / 300, Burst: 25}

// recordedObject is what the correlator knows of an object. Its events have one reason and one
// type, so that those are similar which are about the same object.
type recordedObject struct {
	bucket limiter.State
	latest time.Duration // of a similar event; only if there has been one
	// similar counts the different messages that are remembered, messages are their bits where
	// they are known.
	similar  int32
	messages uint64
	// known and there tell of which messages an event has been seen, and which events the server
	// has; the one above the messages is that of the event which combines them.
	known, there [2]uint64
	begun        bool
}

// Machine is part of Behaviour.
func (r Recorder) Machine(clients int, requests []Template) Machine {
	return &recorderMachine{r, len(requests) > 1, make([]recorder, clients)}
}

// Start is part of Machine.
func (m *recorderMachine) Start(w World, client int32) { m.nextEvent(w, client) }

func (m *recorderMachine) nextEvent(w World, client int32) {
	pause := time.Duration(w.Random(client).Exp() / m.Rate * float64(time.Second))
	w.Wake(client, timerStart, min(w.Now()+pause, MaxDuration))
}

// timerRetry is the timer of an event whose server could not be reached.
const timerRetry int32 = -2

// Due is part of Machine: something happens, or an event is sent again.
func (m *recorderMachine) Due(w World, client, timer int32) {
	if timer == timerRetry {
		m.try(w, client)
		return
	}
	m.happens(w, client)
	m.nextEvent(w, client)
}

// happens queues an event, unless there are too many.
func (m *recorderMachine) happens(w World, client int32) {
	r := &m.of[client]
	e := recorded{message: uniqueMessage}
	if m.Objects > 1 {
		e.object = int32(w.Random(client).Float64() * float64(m.Objects))
	}
	if m.Messages > 0 {
		e.message = int32(w.Random(client).Float64() * float64(m.Messages))
	}
	if r.busy && len(r.queue) >= recorderQueue {
		w.Tell(client, Dropped, 0)
		return
	}
	r.queue = append(r.queue, e)
	if !r.busy {
		m.next(w, client)
	}
}

// next takes events from the queue until there is one to be sent.
func (m *recorderMachine) next(w World, client int32) {
	r := &m.of[client]
	r.busy = false
	for len(r.queue) > 0 {
		r.current = r.queue[0]
		r.queue = r.queue[1:]
		if !m.correlate(w, client) {
			w.Tell(client, Dropped, 0)
			continue
		}
		r.busy, r.tries = true, 0
		m.try(w, client)
		return
	}
	r.queue = nil
}

// correlate decides what becomes of the current event, and tells whether it is sent at all: as a
// new event, or as a count in one that is there.
func (m *recorderMachine) correlate(w World, client int32) bool {
	r := &m.of[client]
	r.counted, r.key = false, uniqueMessage
	if !m.Aggregate {
		return true
	}
	if r.objects == nil {
		r.objects = make([]recordedObject, m.Objects)
	}
	o := &r.objects[r.current.object]
	if !o.begun {
		o.begun, o.bucket = true, spamBucket.Full()
	}
	r.key = m.combine(w, client, o)
	if r.key != uniqueMessage {
		r.counted = bit(&o.known, r.key)
		setBit(&o.known, r.key)
	}
	var ok bool
	o.bucket, ok = spamBucket.TryAccept(o.bucket, w.Now())
	return ok
}

// combine notes the message of the current event and returns the key under which it is counted:
// its message, or what stands for all of the object when they are too many (EventAggregate). Of
// the messages that are remembered one is then forgotten, any of them.
func (m *recorderMachine) combine(w World, client int32, o *recordedObject) int32 {
	e := m.of[client].current
	if w.Now()-o.latest > similarInterval {
		o.similar, o.messages = 0, 0
	}
	o.latest = w.Now()
	if e.message == uniqueMessage {
		o.similar++
	} else {
		o.messages |= 1 << e.message
		o.similar = int32(bits.OnesCount64(o.messages))
	}
	if o.similar < similarMax {
		return e.message
	}
	o.similar--
	if e.message != uniqueMessage {
		o.messages &^= 1 << nthBit(o.messages, int(w.Random(client).Float64()*float64(similarMax)))
	}
	return int32(m.Messages)
}

// nthBit returns the place of the bit that has n set ones below it.
func nthBit(x uint64, n int) int {
	for range n {
		x &= x - 1
	}
	return bits.TrailingZeros64(x)
}

func bit(set *[2]uint64, i int32) bool { return set[i/64]>>(i%64)&1 == 1 }
func setBit(set *[2]uint64, i int32)   { set[i/64] |= 1 << (i % 64) }

// The requests of a recorder.
const (
	recorderCreate int32 = iota
	recorderPatch
)

// try begins a try to send the current event (recordEvent).
func (m *recorderMachine) try(w World, client int32) {
	r := &m.of[client]
	r.patching = r.counted && m.patches
	m.send(w, client)
}

func (m *recorderMachine) send(w World, client int32) {
	r := &m.of[client]
	request := recorderCreate
	if r.patching {
		request = recorderPatch
	}
	r.op = w.Send(client, request, w.Now(), 0)
}

// Answered is part of Machine. An event that the server rejects is thrown away; it is sent again
// if the server could not be reached, or the client's own time was over (recordEvent in
// tools/record/event.go: only a StatusError is final). A patch of an event that the server does not have makes
// a new one.
func (m *recorderMachine) Answered(w World, client int32, _ Operation, a Answer) {
	r := &m.of[client]
	switch {
	case a.Status == OK && r.patching && !bit(&r.objects[r.current.object].there, r.key):
		r.patching = false
		m.send(w, client)
		return
	case a.Status == OK:
		if r.key != uniqueMessage {
			setBit(&r.objects[r.current.object].there, r.key)
		}
	case a.Status == Refused || a.Status == Lost || a.Own:
		if r.tries++; r.tries < recorderTries {
			w.Wake(client, timerRetry, w.Now()+m.sleep(w, client))
			return
		}
		w.Tell(client, Dropped, 0)
	default:
		w.Tell(client, Dropped, 0)
	}
	m.next(w, client)
}

// sleep is the pause before an event is sent again. The first one is random, so that clients
// whose server has gone do not come back together.
func (m *recorderMachine) sleep(w World, client int32) time.Duration {
	if m.of[client].tries == 1 {
		return time.Duration(float64(recorderSleep) * w.Random(client).Float64())
	}
	return recorderSleep
}

// WatchEnded is part of Machine. A recorder watches nothing.
func (m *recorderMachine) WatchEnded(World, int32, int32, Answer) {}
