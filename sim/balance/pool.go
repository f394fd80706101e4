package balance

import "time"

// none marks the absence of an index.
const none = -1

// condition is where a connection is in its life.
type condition uint8

const (
	// unused: nobody's.
	unused condition = iota
	// open: takes streams as long as it has room.
	open
	// leaving: has had a GOAWAY; takes no more streams.
	leaving
	// broken: its server has gone; what is left are streams whose end has not been told.
	broken
)

// connection is one HTTP/2 connection. The connections of a client are a list in the order
// of their opening, those without streams are one in the order in which they became so.
type connection struct {
	idleSince          time.Duration
	client, server     int32
	next               int32 // of the client, or among the unused
	idleNext, idlePrev int32 // among those without streams
	streams            int32
	condition          condition
}

// pool is the connections of all clients: indexes instead of pointers, so that a client
// costs 4 bytes and a connection 40.
type pool struct {
	limit       int32
	idleTimeout time.Duration
	connections []connection
	// first is the first connection of each client.
	first []int32
	// free begins the list of the unused ones.
	free int32
	// idle and idleEnd are the ends of the list of those without streams: the one that will
	// be closed first, and the latest.
	idle, idleEnd int32
	// opened counts the open and leaving connections of each server.
	opened []int32
}

// newPool returns a pool without clients. limit is how many streams a connection takes.
func newPool(limit int, idleTimeout time.Duration, servers int) pool {
	return pool{
		limit: int32(limit), idleTimeout: idleTimeout, opened: make([]int32, servers),
		free: none, idle: none, idleEnd: none,
	}
}

// addClients makes room for n more clients.
func (p *pool) addClients(n int) {
	for range n {
		p.first = append(p.first, none)
	}
}

// withRoom returns the oldest connection of a client that takes a stream, or none.
func (p *pool) withRoom(client int32) int32 {
	i := p.first[client]
	for i != none {
		c := &p.connections[i]
		if c.condition == open && c.streams < p.limit {
			break
		}
		i = c.next
	}
	return i
}

// dial opens a connection of a client. It has no stream, and is in no list of idle ones yet:
// the caller uses it at once.
func (p *pool) dial(client, server int32) int32 {
	i := p.free
	if i == none {
		i = int32(len(p.connections))
		p.connections = append(p.connections, connection{})
	} else {
		p.free = p.connections[i].next
	}
	p.connections[i] = connection{client: client, server: server, next: none, idleNext: none, idlePrev: none, condition: open}
	p.opened[server]++
	// A client has one connection as a rule, and a few more with many watches: walking its list
	// is cheaper than keeping the end of each.
	link := &p.first[client]
	for *link != none {
		link = &p.connections[*link].next
	}
	*link = i
	return i
}

// What follows keeps two rules: a connection is in the idle list if and only if it is open
// and has no stream, and it is in the list of its client until it is closed. Connections that
// take no more streams stay in the latter, where they are passed over: there are at most as
// many of them as the client has requests and watches open.

// use begins a stream.
func (p *pool) use(i int32) {
	c := &p.connections[i]
	if c.streams == 0 {
		p.leaveIdle(i)
	}
	c.streams++
}

// done ends a stream. The last one ends a connection that takes no more.
func (p *pool) done(now time.Duration, i int32) {
	c := &p.connections[i]
	c.streams--
	switch {
	case c.streams > 0: // in use
	case c.condition == open:
		c.idleSince = now
		p.joinIdle(i)
	default:
		p.close(i)
	}
}

// leave makes a connection take no more streams. The one that it was told on is still open.
func (p *pool) leave(i int32) {
	c := &p.connections[i]
	if c.condition != open {
		return
	}
	c.condition = leaving
	if c.streams == 0 {
		p.leaveIdle(i)
		p.close(i)
	}
}

// expire closes the connections that have been unused for the idle timeout.
func (p *pool) expire(now time.Duration) {
	for p.idle != none && now-p.connections[p.idle].idleSince >= p.idleTimeout {
		i := p.idle
		p.leaveIdle(i)
		p.close(i)
	}
}

// A broken connection keeps its streams, since they are in the hands of the caller, who may
// learn of the end of each one by one. It counts for its server no longer.

// breakAll breaks the connections of a server. It looks at all connections: a server goes
// down seldom.
func (p *pool) breakAll(server int32) {
	for i := range p.connections {
		c := &p.connections[i]
		if c.server != server || c.condition != open && c.condition != leaving {
			continue
		}
		p.opened[server]--
		c.condition = broken
		if c.streams == 0 {
			p.leaveIdle(int32(i))
			p.close(int32(i))
		}
	}
}

// leaveAll makes all connections of a server take no more streams.
//
// Those without streams close at once, as an HTTP/2 server closes a connection that is idle
// after the GOAWAY.
func (p *pool) leaveAll(server int32) {
	for i := range p.connections {
		if p.connections[i].server == server {
			p.leave(int32(i))
		}
	}
}

// close forgets a connection without streams.
func (p *pool) close(i int32) {
	c := &p.connections[i]
	if c.condition != broken {
		p.opened[c.server]--
	}
	link := &p.first[c.client]
	for *link != i {
		link = &p.connections[*link].next
	}
	*link = c.next
	c.condition, c.next = unused, p.free
	p.free = i
}

// joinIdle puts a connection at the end of the idle list: nobody has become so later.
func (p *pool) joinIdle(i int32) {
	c := &p.connections[i]
	c.idlePrev, c.idleNext = p.idleEnd, none
	if p.idleEnd == none {
		p.idle = i
	} else {
		p.connections[p.idleEnd].idleNext = i
	}
	p.idleEnd = i
}

// leaveIdle takes a connection out of the idle list, where a new one is not.
func (p *pool) leaveIdle(i int32) {
	c := &p.connections[i]
	if p.idle != i && c.idlePrev == none {
		return
	}
	if c.idlePrev == none {
		p.idle = c.idleNext
	} else {
		p.connections[c.idlePrev].idleNext = c.idleNext
	}
	if c.idleNext == none {
		p.idleEnd = c.idlePrev
	} else {
		p.connections[c.idleNext].idlePrev = c.idlePrev
	}
	c.idlePrev, c.idleNext = none, none
}
