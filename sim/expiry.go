package sim

import "time"

// deadline is the wait limit of one waiting request. serial tells whether the slot
// still holds that request.
type deadline struct {
	at     time.Duration
	order  uint64
	serial uint64
	slot   int32
}

// expiryQueue holds the deadlines of all requests with the same wait limit. Since
// they come in order of arrival, their deadlines do too: a ring is enough, and the
// event queue needs to hold only one event for all of them.
type expiryQueue struct {
	limit time.Duration // noLimit if the queue is not used
	ring  []deadline    // length is a power of two, or 0
	first int
	count int
	// armed tells that an event for this queue is in the event queue. Its time is at most
	// that of the first deadline.
	armed bool
}

// noLimit is the limit of a queue that waits for another use.
const noLimit = -1

// push appends a deadline. The ring must not be full.
func (q *expiryQueue) push(d deadline) {
	q.ring[(q.first+q.count)&(len(q.ring)-1)] = d
	q.count++
}

// full tells that there is no room for one more deadline.
func (q *expiryQueue) full() bool { return q.count == len(q.ring) }

// head returns the first deadline; the queue must not be empty.
func (q *expiryQueue) head() *deadline { return &q.ring[q.first] }

// drop removes the first deadline.
func (q *expiryQueue) drop() {
	q.first = (q.first + 1) & (len(q.ring) - 1)
	q.count--
}

// makeRoom forgets all deadlines that are not kept, and enlarges the ring if more than
// half of them are. So the ring is at most about twice as long as the requests that wait
// are many, and moving a deadline costs no more than pushing another half a ring of them.
func (q *expiryQueue) makeRoom(keep func(*deadline) bool) {
	kept := 0
	for i := range q.count {
		d := q.ring[(q.first+i)&(len(q.ring)-1)]
		if keep(&d) {
			q.ring[(q.first+kept)&(len(q.ring)-1)] = d
			kept++
		}
	}
	q.count = kept
	if 2*kept < len(q.ring) {
		return
	}
	ring := make([]deadline, max(16, 2*len(q.ring)))
	for i := range q.count {
		ring[i] = q.ring[(q.first+i)&(len(q.ring)-1)]
	}
	q.ring, q.first = ring, 0
}

// expiryFor returns the index of the queue for a wait limit. There are as many as
// there are distinct limits in what waits: usually one or two. The last one used is
// looked at first.
func (w *World) expiryFor(limit time.Duration) int32 {
	if w.lastExpiry < len(w.expiry) && w.expiry[w.lastExpiry].limit == limit {
		return int32(w.lastExpiry)
	}
	i, known := w.expiryIndex[limit]
	if !known {
		if n := len(w.freeExpiry); n > 0 {
			i, w.freeExpiry = w.freeExpiry[n-1], w.freeExpiry[:n-1]
		} else {
			i = int32(len(w.expiry))
			w.expiry = append(w.expiry, expiryQueue{})
		}
		w.expiry[i].limit = limit
		w.expiryIndex[limit] = i
	}
	w.lastExpiry = int(i)
	return i
}

// watchDeadline makes sure that a request which now waits is ejected in time.
func (w *World) watchDeadline(slot int32, r *slotRecord) {
	i := w.expiryFor(r.WaitLimit)
	q := &w.expiry[i]
	w.skipGone(q)
	if q.full() {
		// Behind a request that waits for long there may be many that have gone.
		q.makeRoom(w.stillWaits)
	}
	w.queue.sequence++
	q.push(deadline{
		at:     w.queue.whole(max(r.Arrival+r.WaitLimit, w.now)), // one that is present at the start may be late already
		order:  uint64(classExpire)<<56 | w.queue.sequence,
		serial: r.serial,
		slot:   slot,
	})
	if !q.armed {
		w.arm(i, q)
	}
}

// skipGone drops deadlines of requests that wait no longer from the front, where most of
// them come to stand.
func (w *World) skipGone(q *expiryQueue) {
	for q.count > 0 && !w.stillWaits(q.head()) {
		q.drop()
	}
}

func (w *World) stillWaits(d *deadline) bool {
	r := &w.slots[d.slot]
	return r.serial == d.serial && r.state == stateWaiting
}

// arm puts the first deadline of the queue into the event queue.
func (w *World) arm(i int32, q *expiryQueue) {
	head := q.head()
	w.queue.add(event{at: head.at, order: head.order, ref: i, act: actExpire})
	q.armed = true
	w.background++
}

// expire is the event of an expiry queue: its first deadline is due, if the request
// still waits. Then the next deadline is armed, or the queue is free for another limit.
//
// The event may be older than the first deadline: it was armed for a request that has
// been dispatched meanwhile. Taking it out of the event queue then would cost a search;
// letting it happen costs a comparison.
func (w *World) expire(i int32, order uint64) {
	q := &w.expiry[i]
	q.armed = false
	w.background--
	w.skipGone(q)
	if q.count > 0 && q.head().at == w.now && q.head().order == order {
		slot := q.head().slot
		q.drop()
		w.graph.breaks(BrokenByWaitLimit)
		w.eject(slot)
		w.skipGone(q)
	}
	if q.count > 0 {
		w.arm(i, q)
		return
	}
	delete(w.expiryIndex, q.limit)
	q.limit = noLimit
	w.freeExpiry = append(w.freeExpiry, i)
}

// eject takes a waiting request out of its queue: its time is over, or its client has gone.
func (w *World) eject(slot int32) {
	r := &w.slots[slot]
	server := r.Server
	w.decide(w.servers[server].apf.Expire(w.now, r.id))
	w.noticeDigest(server)
}
