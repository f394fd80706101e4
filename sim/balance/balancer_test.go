package balance

import (
	"math"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/apfsim/apfsim/workload"
	"pgregory.net/rapid"
)

// naiveConnection is one of those that a client has, in the order of their opening.
type naiveConnection struct {
	client, server int32
	streams        int
	idleSince      time.Duration
	closing        bool // has had a GOAWAY
	broken         bool
}

// machine drives a balancer with random operations beside a model of lists.
type machine struct {
	b      *Balancer
	random workload.Stream
	now    time.Duration
	conns  []*naiveConnection
	open   []openStream
	up     []bool
	limit  int
	idle   time.Duration
}

type openStream struct {
	Stream
	conn *naiveConnection
}

// prune drops the connections that have ended.
func (m *machine) prune() {
	m.conns = slices.DeleteFunc(m.conns, func(c *naiveConnection) bool {
		return c.streams == 0 && (c.closing || c.broken || m.now-c.idleSince >= m.idle)
	})
}

func (m *machine) request(t *rapid.T, client int32) {
	m.prune()
	var expected *naiveConnection
	for _, c := range m.conns {
		if c.client == client && !c.closing && !c.broken && c.streams < m.limit {
			expected = c
			break
		}
	}
	s, outcome := m.b.Open(m.now, client, &m.random)
	if anyUp := slices.Contains(m.up, true); (outcome == Sent) != anyUp {
		t.Fatalf("%v, and servers up are %v", outcome, m.up)
	}
	if outcome != Sent {
		return
	}
	if expected == nil {
		if !m.up[s.Server] {
			t.Fatalf("connected to server %d, which is down", s.Server)
		}
		expected = &naiveConnection{client: client, server: s.Server}
		m.conns = append(m.conns, expected)
	}
	if s.Server != expected.server {
		t.Fatalf("sent to server %d, want %d", s.Server, expected.server)
	}
	expected.streams++
	m.open = append(m.open, openStream{s, expected})
}

func (m *machine) end(i int) {
	o := m.open[i]
	m.open = slices.Delete(m.open, i, i+1)
	m.b.Done(m.now, o.Stream)
	o.conn.streams--
	o.conn.idleSince = m.now
}

func (m *machine) down(server int) {
	m.up[server] = false
	m.b.Down(m.now, server)
	for _, c := range m.conns {
		c.broken = c.broken || c.server == int32(server)
	}
}

// check holds what must be true at any time: no connection has more streams than it may,
// their sum is what is open, and each server has the connections of the model.
func (m *machine) check(t *rapid.T) {
	m.prune()
	streams := 0
	for i := range m.b.pool.connections {
		c := &m.b.pool.connections[i]
		if c.condition == unused {
			continue
		}
		if c.streams < 0 || c.streams > int32(m.limit) {
			t.Fatalf("a connection has %d streams, at most %d are allowed", c.streams, m.limit)
		}
		streams += int(c.streams)
	}
	if streams != len(m.open) {
		t.Fatalf("connections have %d streams, and %d are open", streams, len(m.open))
	}
	for s := range m.up {
		active, connections := 0, 0
		for _, o := range m.open {
			if o.Server == int32(s) {
				active++
			}
		}
		for _, c := range m.conns {
			if c.server == int32(s) && !c.broken {
				connections++
			}
		}
		if got := m.b.Active(s); got != active {
			t.Fatalf("server %d has %d requests, want %d", s, got, active)
		}
		if got := m.b.Connections(m.now, s); got != connections {
			t.Fatalf("server %d has %d connections, want %d", s, got, connections)
		}
	}
}

// TestConnections drives clients, servers and time at random.
func TestConnections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{
			Policy:      Policy(rapid.IntRange(0, 3).Draw(t, "policy")),
			Streams:     rapid.IntRange(1, 3).Draw(t, "streams"),
			IdleTimeout: 10,
		}
		const servers, clients = 3, 3
		m := &machine{b: New(&cfg, allUp(servers)), up: allUp(servers), limit: cfg.Streams, idle: 10, random: workload.NewStream(1, 1)}
		m.b.AddClients(clients)
		t.Repeat(map[string]func(*rapid.T){
			"wait":    func(t *rapid.T) { m.now += time.Duration(rapid.IntRange(1, 8).Draw(t, "pause")) },
			"request": func(t *rapid.T) { m.request(t, rapid.Int32Range(0, clients-1).Draw(t, "client")) },
			"end": func(t *rapid.T) {
				if len(m.open) > 0 {
					m.end(rapid.IntRange(0, len(m.open)-1).Draw(t, "which"))
				}
			},
			"goaway": func(t *rapid.T) {
				if len(m.open) > 0 {
					i := rapid.IntRange(0, len(m.open)-1).Draw(t, "which")
					m.open[i].goaway = true
					m.b.Answered(m.open[i].Stream)
					m.open[i].conn.closing = true
				}
			},
			"down": func(t *rapid.T) { m.down(rapid.IntRange(0, servers-1).Draw(t, "server")) },
			"up": func(t *rapid.T) {
				s := rapid.IntRange(0, servers-1).Draw(t, "server")
				m.up[s] = true
				m.b.Up(m.now, s)
			},
			"drain": func(t *rapid.T) {
				s := rapid.IntRange(0, servers-1).Draw(t, "server")
				m.up[s] = false
				m.b.Drain(m.now, s)
				for _, c := range m.conns {
					c.closing = c.closing || c.server == int32(s)
				}
			},
			"": m.check,
		})
	})
}

// TestLeastConnections holds what least-requests means to a balancer that sees connections.
func TestLeastConnections(t *testing.T) {
	b := New(&Config{Policy: LeastRequests}, allUp(3))
	b.AddClients(7)
	random := workload.NewStream(1, 1)
	for client := range int32(7) {
		for range 20 * (client + 1) { // requests do not count, connections do
			if _, outcome := b.Open(0, client, &random); outcome != Sent {
				t.Fatal(outcome)
			}
		}
	}
	// 20, 40, 60, 80 and 100 streams fit on one connection; 120 and 140 need two.
	got := []int{b.Connections(0, 0), b.Connections(0, 1), b.Connections(0, 2)}
	if want := []int{3, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("connections %v, want %v", got, want)
	}
}

// TestGoawayIsGeometric holds how many requests a connection lives for: a number N with
// P(N = n) = p (1-p)^(n-1). With a chance of 0.001 the mean is 1,000.
func TestGoawayIsGeometric(t *testing.T) {
	const chance, lives = 0.001, 20_000
	b := New(&Config{GoawayChance: chance}, allUp(2))
	b.AddClients(1)
	random := workload.NewStream(5, 5)
	edges := []int{100, 300, 700, 1000, 1500, 2500, 5000, math.MaxInt}
	counts := make([]int, len(edges))
	total, length := 0, 0
	for done := 0; done < lives; {
		s, _ := b.Open(0, 0, &random)
		length++
		b.Answered(s)
		b.Done(0, s)
		if s.goaway {
			i, _ := slices.BinarySearch(edges, length)
			counts[i]++
			total += length
			length = 0
			done++
		}
		if open := b.Connections(0, 0) + b.Connections(0, 1); open != 0 && s.goaway {
			t.Fatalf("%d connections are open after the answer with a GOAWAY", open)
		}
	}
	probabilities := make([]float64, len(edges))
	below := 0.0
	for i, edge := range edges {
		upTo := 1 - math.Pow(1-chance, float64(edge))
		probabilities[i] = upTo - below
		below = upTo
	}
	fits(t, counts, probabilities)
	mean := float64(total) / lives
	if margin := 4 / (chance * math.Sqrt(lives)); math.Abs(mean-1/chance) > margin {
		t.Errorf("a connection lives for %.0f requests, want %.0f +- %.0f", mean, 1/chance, margin)
	}
}

// TestGoawayLetsGoOn holds that the open streams of a connection that had a GOAWAY go on, and
// that what comes meanwhile is sent on another one.
func TestGoawayLetsGoOn(t *testing.T) {
	b := New(&Config{Policy: RoundRobin, GoawayChance: GoawayChanceMax}, allUp(2))
	b.AddClients(1)
	random := workload.NewStream(1, 1)
	watch, _ := b.Open(0, 0, &random)
	for s := watch; ; {
		if s.goaway {
			if other, _ := b.Open(0, 0, &random); other.Server != watch.Server {
				t.Fatal("the GOAWAY has an effect before the answer")
			}
			b.Answered(s)
			break
		}
		s, _ = b.Open(0, 0, &random)
	}
	later, _ := b.Open(0, 0, &random)
	if later.Server == watch.Server {
		t.Errorf("a request after the GOAWAY goes to server %d again", later.Server)
	}
	if b.Connections(0, int(watch.Server)) != 1 {
		t.Error("the connection with the open watch has closed")
	}
}

// TestJoining holds why load comes back so slowly to a server that was away: only what
// opens a connection finds it. 3,000 clients that never pause, two servers and a third that
// joins: without GOAWAY it gets nothing; with a chance p each client has moved after n more
// requests with probability 1 - (1-p)^n, and then a third of them is there.
func TestJoining(t *testing.T) {
	const clients, requests = 3000, 1000
	for _, chance := range []float64{0, 0.001} {
		b := New(&Config{GoawayChance: chance}, []bool{true, true, false})
		b.AddClients(clients)
		random := workload.NewStream(9, 9)
		for n := range requests + 1 {
			if n == 1 {
				b.Up(1, 2)
			}
			for client := range int32(clients) {
				s, _ := b.Open(time.Duration(n), client, &random)
				b.Answered(s)
				b.Done(time.Duration(n), s)
			}
		}
		want := (1 - math.Pow(1-chance, requests)) / 3
		// The client whose last request had the GOAWAY has no connection.
		got := float64(b.Connections(requests, 2)) / clients
		if margin := 4 * math.Sqrt(want*(1-want)/clients); math.Abs(got-want) > margin {
			t.Errorf("chance %g: the new server has %.3f of the clients, want %.3f +- %.3f", chance, got, want, margin)
		}
	}
}

// TestIdleConnectionsMove holds that a client which asks every two minutes connects anew each
// time.
func TestIdleConnectionsMove(t *testing.T) {
	b := New(&Config{Policy: RoundRobin}, allUp(3))
	b.AddClients(1)
	var got []int32
	now := time.Duration(0)
	for _, pause := range []time.Duration{0, 89 * time.Second, 90 * time.Second, 90*time.Second - 1, 2 * time.Minute} {
		now += pause
		s, _ := b.Open(now, 0, nil)
		got = append(got, s.Server)
		b.Done(now, s)
	}
	if want := []int32{0, 0, 1, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestPerRequest holds that a balancer of layer 7 spreads the requests of one client.
func TestPerRequest(t *testing.T) {
	b := New(&Config{Policy: LeastRequests, Per: PerRequest, GoawayChance: 0.02}, allUp(3))
	first := b.AddClients(1)
	var streams []Stream
	for range 9 {
		s, _ := b.Open(0, first, nil)
		streams = append(streams, s)
	}
	for s := range 3 {
		if b.Active(s) != 3 || b.Connections(0, s) != 0 {
			t.Errorf("server %d has %d requests and %d connections, want 3 and 0", s, b.Active(s), b.Connections(0, s))
		}
	}
	b.Down(1, 1)
	for _, s := range streams {
		b.Done(1, s)
	}
	for s := range 3 {
		if b.Active(s) != 0 {
			t.Errorf("server %d still has %d requests", s, b.Active(s))
		}
	}
}

// TestCost holds what a client costs: memory, and allocations of a request.
func TestCost(t *testing.T) {
	if size := unsafe.Sizeof(connection{}); size != 40 {
		t.Errorf("a connection has %d bytes, want 40", size)
	}
	b := New(&Config{GoawayChance: 0.01}, allUp(3))
	b.AddClients(1000)
	random := workload.NewStream(1, 1)
	client, now := int32(0), time.Duration(0)
	step := func() {
		s, _ := b.Open(now, client, &random)
		b.Answered(s)
		b.Done(now, s)
		client, now = (client+1)%1000, now+time.Millisecond
	}
	for range 2000 {
		step()
	}
	if n := testing.AllocsPerRun(5000, step); n != 0 {
		t.Errorf("a request allocates %v times", n)
	}
}

func BenchmarkOpen(b *testing.B) {
	const clients = 100_000
	l := New(&Config{GoawayChance: 0.001}, allUp(3))
	l.AddClients(clients)
	random := workload.NewStream(1, 1)
	now := time.Duration(0)
	for i := 0; b.Loop(); i++ {
		s, _ := l.Open(now, int32(i%clients), &random)
		l.Answered(s)
		l.Done(now, s)
		now += 100 * time.Microsecond
	}
}
