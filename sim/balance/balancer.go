package balance

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// Outcome is what becomes of a request at the balancer.
type Outcome uint8

// The outcomes.
const (
	// Sent: the request has a server.
	Sent Outcome = iota
	// NoServer: no server is in rotation; the balancer refuses.
	NoServer
	// Refused: the server that was chosen accepts no connections.
	Refused
)

// String returns the outcome in words.
func (o Outcome) String() string {
	return [...]string{"sent", "no server", "connection refused"}[o]
}

// Stream is a request on its way, to be kept by the caller until Done.
type Stream struct {
	// Server is the index of the server.
	Server int32
	// connection is none PerRequest.
	connection int32
	// goaway tells that the server ends the connection with its answer.
	goaway bool
}

// Balancer is a load balancer before some servers, and the connections of its clients.
type Balancer struct {
	cfg     Config
	health  health
	chooser Chooser
	pool    pool
	// accepts tells which servers take connections.
	accepts []bool
	// active counts the open requests of each server.
	active []int32
}

// New returns a balancer. up tells which servers are up at time 0; those that are not may
// come up later. cfg must be valid, and must not change.
func New(cfg *Config, up []bool) *Balancer {
	b := &Balancer{
		cfg:     *cfg,
		chooser: NewChooser(cfg.Policy, nil),
		accepts: append([]bool(nil), up...),
		active:  make([]int32, len(up)),
	}
	if b.cfg.Streams == 0 {
		b.cfg.Streams = DefaultStreams
	}
	if b.cfg.IdleTimeout == 0 {
		b.cfg.IdleTimeout = DefaultIdleTimeout
	}
	b.health = newHealth(&b.cfg.Health, up)
	b.pool = newPool(b.cfg.Streams, b.cfg.IdleTimeout, len(up))
	return b
}

// AddClients makes n more clients known and returns the number of the first. A client here
// is what shares connections: one process, as a rule.
func (b *Balancer) AddClients(n int) int32 {
	first := int32(len(b.pool.first))
	b.pool.addClients(n)
	return first
}

// Open gives a request of a client a server, and a stream if it is Sent; Answered and Done
// must follow. random is the client's own stream: a choice takes the numbers that its policy
// takes, and the GOAWAY one, if there is a chance of it.
func (b *Balancer) Open(now time.Duration, client int32, random *workload.Stream) (Stream, Outcome) {
	if b.cfg.Per == PerRequest {
		return b.OpenBy(now, &b.chooser, random)
	}
	// All connections that are unused for too long go first, not only those of this client:
	// least-requests counts them.
	b.health.advance(now)
	b.pool.expire(now)
	i := b.pool.withRoom(client)
	if i == none {
		server, outcome := b.choose(&b.chooser, b.pool.opened, random)
		if outcome != Sent {
			return Stream{Server: server, connection: none}, outcome
		}
		i = b.pool.dial(client, server)
	}
	b.pool.use(i)
	server := b.pool.connections[i].server
	b.active[server]++
	goaway := b.cfg.GoawayChance > 0 && random.Float64() < b.cfg.GoawayChance
	return Stream{Server: server, connection: i, goaway: goaway}, Sent
}

// OpenBy gives a request a server by itself, whatever connections there are: for balancers
// of layer 7, and gateways that choose by a rule.
func (b *Balancer) OpenBy(now time.Duration, c *Chooser, random *workload.Stream) (Stream, Outcome) {
	b.health.advance(now)
	server, outcome := b.choose(c, b.active, random)
	if outcome == Sent {
		b.active[server]++
	}
	return Stream{Server: server, connection: none}, outcome
}

// choose asks the chooser. That the server accepts is not part of the choice: a balancer
// learns from its checks, and from nothing else.
func (b *Balancer) choose(c *Chooser, loads []int32, random *workload.Stream) (int32, Outcome) {
	server, some := c.choose(&b.health, loads, random)
	switch {
	case !some:
		return none, NoServer
	case !b.accepts[server]:
		return server, Refused
	}
	return server, Sent
}

// Answered tells that the server begins to answer: at the end of the execution, or once a
// watch has been initialised. That is when a GOAWAY goes out: the filter only marks the
// answer (pkg/server/filters/goaway.go), and the HTTP/2 server acts on the mark when it
// writes the headers.
func (b *Balancer) Answered(s Stream) {
	if s.goaway && s.connection != none {
		b.pool.leave(s.connection)
	}
}

// Done ends a stream, also one of a connection that has broken. It must be called once for
// each that was Sent.
func (b *Balancer) Done(now time.Duration, s Stream) {
	if b.active[s.Server] == 0 {
		panic(fmt.Sprintf("balance: a request of server %d ends at %v, and none is open", s.Server, now))
	}
	b.active[s.Server]--
	if s.connection != none {
		b.pool.done(now, s.connection)
	}
}

// Up tells that a server has started: it accepts connections, and checks succeed.
func (b *Balancer) Up(now time.Duration, server int) {
	b.accepts[server] = true
	b.health.set(now, server, true)
}

// Unready makes the checks of a server fail from now on, while it works as before: the
// beginning of an orderly shutdown (/readyz fails for --shutdown-delay-duration).
func (b *Balancer) Unready(now time.Duration, server int) {
	b.health.set(now, server, false)
}

// Drain sends a GOAWAY on all connections of a server and makes it accept no more: an HTTP
// server that shuts down in good order. What is open goes on until Down.
func (b *Balancer) Drain(now time.Duration, server int) {
	b.accepts[server] = false
	b.health.set(now, server, false)
	b.pool.leaveAll(int32(server))
}

// Down tells that a server has ended: its connections break, and it refuses new ones. The
// caller ends the streams that were open, by Done.
func (b *Balancer) Down(now time.Duration, server int) {
	b.accepts[server] = false
	b.health.set(now, server, false)
	b.pool.breakAll(int32(server))
}

// Servers counts the servers, up or not.
func (b *Balancer) Servers() int { return len(b.active) }

// InRotation tells whether the balancer would choose a server.
func (b *Balancer) InRotation(now time.Duration, server int) bool {
	b.health.advance(now)
	for _, s := range b.health.rotation {
		if int(s) == server {
			return true
		}
	}
	return false
}

// Active returns how many requests of this balancer a server has, open watches included.
func (b *Balancer) Active(server int) int { return int(b.active[server]) }

// Connections returns how many connections of clients a server has: those that take
// streams, and those that had a GOAWAY and still have some.
func (b *Balancer) Connections(now time.Duration, server int) int {
	b.pool.expire(now)
	return int(b.pool.opened[server])
}
