package backend

import (
	"fmt"
	"time"
)

// Storage is etcd as API servers see it: members, each of which serves so many reads and so
// many writes at a time, first come, first served.
//
// A read is served by the member that the API server is connected to. A write costs every
// member the same. It is answered when the leader and a majority of the members have it,
// the leader being one of them, and the member that the API server is connected to has it
// too: etcd answers from there, once it has applied the entry
// (server/etcdserver/v3_server.go, processInternalRaftRequestOnce). So a member that is slow
// slows down the writes of its own clients, and all of them if it is the leader.
//
// Every call tells the time, which must not go back, nor pass by the time that Next tells.
// Jobs are numbers of the caller's, from 0.
type Storage struct {
	members []member
	leader  int32
	choice  Choice
	pinned  int32 // the member that all are pinned to, none for server modulo members
	turns   []int32

	operations []operation
	free       int32
	ofJob      []int32 // the operation of each job, none without
	done       []int32
}

// member is one etcd member.
type member struct{ reads, writes station }

// operation is one read or write. It is not the job, since what is written goes on being
// written by the other members when the caller has its answer, or has gone.
type operation struct {
	job   int32
	own   int32 // the member that answers
	next  int32 // links the free ones
	write bool
	// For a write: how many members have it and how many have it not yet, and whether the
	// leader and the own member are among the former.
	have, left            int32
	leaderHasIt, ownHasIt bool
}

// Choice tells which member an API server asks.
type Choice uint8

// The choices.
const (
	// Pinned: always the same, server i the member i modulo their number, or all of them
	// the one that is told. So do clients that keep one connection: those of etcd before
	// 3.4, and any behind a load balancer of connections.
	Pinned Choice = iota
	// Balanced: each in turn, server i beginning with the member i modulo their number.
	// So does the client of etcd from 3.4 on (client/v3, round_robin of gRPC).
	Balanced
)

// NewStorage returns idle members. The configuration must be valid; servers is the number
// of API servers.
func NewStorage(c *Etcd, servers int) *Storage {
	s := &Storage{leader: int32(c.Leader), choice: c.Choice, pinned: none, free: none}
	if c.PinnedTo != nil {
		s.pinned = int32(*c.PinnedTo)
	}
	for range c.Members {
		s.members = append(s.members, member{newStation(c.Reads.Concurrency), newStation(c.Writes.Concurrency)})
	}
	for i := range servers {
		s.turns = append(s.turns, int32(i%c.Members))
	}
	return s
}

// etcd's own balance is not in the model: no member is asked for its load, since neither a
// connection nor the client's balancer asks. So one slow member of three slows down a third of
// the reads where they are balanced, and all of those of the servers that are pinned to it.

// memberFor returns the member that a server's next operation goes to. A server that is
// added later is numbered on.
func (s *Storage) memberFor(server int32) int32 {
	n := int32(len(s.members))
	switch {
	case s.choice == Pinned && s.pinned != none:
		return s.pinned
	case s.choice == Pinned:
		return server % n
	}
	for int(server) >= len(s.turns) {
		s.turns = append(s.turns, int32(len(s.turns))%n)
	}
	m := s.turns[server]
	s.turns[server] = (m + 1) % n
	return m
}

// Read begins a read of a server, and returns the member that it goes to. The job must have
// no other operation.
func (s *Storage) Read(now time.Duration, server, job int32, work time.Duration) (member int32) {
	o, own := s.begin(server, job)
	s.members[own].reads.add(now, o, work)
	return own
}

// Write begins a write of a server, and returns the member that answers. The work is that of
// each member. The job must have no other operation.
func (s *Storage) Write(now time.Duration, server, job int32, work time.Duration) (member int32) {
	o, own := s.begin(server, job)
	s.operations[o].write = true
	s.operations[o].left = int32(len(s.members))
	for i := range s.members {
		s.members[i].writes.add(now, o, work)
	}
	return own
}

// begin makes an operation for a job.
func (s *Storage) begin(server, job int32) (number, own int32) {
	for int(job) >= len(s.ofJob) {
		s.ofJob = append(s.ofJob, none)
	}
	if s.ofJob[job] != none {
		panic(fmt.Sprintf("backend: job %d has an operation already", job))
	}
	number = s.free
	if number == none {
		number = int32(len(s.operations))
		s.operations = append(s.operations, operation{})
	} else {
		s.free = s.operations[number].next
	}
	own = s.memberFor(server)
	s.operations[number] = operation{job: job, own: own}
	s.ofJob[job] = number
	return number, own
}

// Remove lets a job give up, and tells whether it had an operation. A read leaves its member
// at once: etcd looks at the context between two objects of a range. A write has been
// proposed and goes on.
func (s *Storage) Remove(now time.Duration, job int32) bool {
	if int(job) >= len(s.ofJob) || s.ofJob[job] == none {
		return false
	}
	number := s.ofJob[job]
	s.ofJob[job] = none
	o := &s.operations[number]
	o.job = none
	if !o.write {
		s.members[o.own].reads.remove(now, number)
		s.release(number)
	}
	return true
}

// release makes an operation available again.
func (s *Storage) release(number int32) {
	s.operations[number].next = s.free
	s.free = number
}

// Next returns when something will be done at one of the members if nothing changes until
// then; false if nothing moves. Take has to be called then, whether or not it will return
// anything: a write may be done at one member and not at another.
func (s *Storage) Next() (at time.Duration, ok bool) {
	for i := range s.members {
		m := &s.members[i]
		for _, station := range [...]*station{&m.reads, &m.writes} {
			if t, moves := station.service.next(); moves && (!ok || t < at) {
				at, ok = t, true
			}
		}
	}
	return at, ok
}

// Take lets the operations end that are done by now, and returns the jobs that are answered:
// member by member, reads before writes, in the order in which they were done. The result is
// good until the next call.
func (s *Storage) Take(now time.Duration) []int32 {
	s.done = s.done[:0]
	for i := range s.members {
		m := &s.members[i]
		for _, number := range m.reads.take(now) {
			s.answer(number)
			s.release(number)
		}
		for _, number := range m.writes.take(now) {
			s.written(number, int32(i))
		}
	}
	return s.done
}

// written notes that a member has what is written.
func (s *Storage) written(number, by int32) {
	o := &s.operations[number]
	o.have++
	o.left--
	o.leaderHasIt = o.leaderHasIt || by == s.leader
	o.ownHasIt = o.ownHasIt || by == o.own
	if majority := int32(len(s.members)/2 + 1); o.have >= majority && o.leaderHasIt && o.ownHasIt {
		s.answer(number)
	}
	if o.left == 0 {
		s.release(number)
	}
}

// answer tells the job of an operation that it is done, once, if it has not given up.
func (s *Storage) answer(number int32) {
	o := &s.operations[number]
	if o.job == none {
		return
	}
	s.ofJob[o.job] = none
	s.done = append(s.done, o.job)
	o.job = none
}

// Slow makes a member slower by a factor from now on, also for what it is doing.
func (s *Storage) Slow(now time.Duration, member int, f Factor) {
	s.members[member].reads.slow(now, f)
	s.members[member].writes.slow(now, f)
}

// Members is how many members there are.
func (s *Storage) Members() int { return len(s.members) }

// StationState is what can be known of the reads, or the writes, of a member.
type StationState struct {
	// Slots are served at a time. Serving and Waiting is how many are.
	Slots, Serving, Waiting int
	// WaitingPeak is the most that ever waited, Served counts what was done.
	WaitingPeak int
	Served      int64
	// Busy is the time of all slots that were in use, added up.
	Busy time.Duration
}

// Reads returns the state of a member's reads.
func (s *Storage) Reads(now time.Duration, member int) StationState {
	return s.members[member].reads.state(now)
}

// Writes returns the state of a member's writes.
func (s *Storage) Writes(now time.Duration, member int) StationState {
	return s.members[member].writes.state(now)
}

func (s *station) state(now time.Duration) StationState {
	s.advance(now)
	return StationState{
		Slots: s.slots, Serving: len(s.service.heap), Waiting: s.length,
		WaitingPeak: s.peak, Served: s.served,
		Busy: time.Duration(div128(s.busyHigh, s.busyLow, 1)),
	}
}
