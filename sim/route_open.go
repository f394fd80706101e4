package sim

import (
	"fmt"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
)

// Which of the models there are follows from the configuration:
//
//	servers   balancer   gateway   then
//	1         -          -         nothing: requests arrive at once
//	1         -          yes       the gateway, and behind it connections to one server
//	several   -          any       connections at random: a cluster with a load balancer
//	any       yes        any       as the balancer says
//
// One server with a balancer is no mistake: its health checks decide how long clients are
// kept from a server that has started again.

// routing is what stands between clients and servers. A world of one server without
// balancer and gateway has none, and its requests cost nothing for it.
type routing struct {
	balancer *balance.Balancer
	gateway  *gateway.Gateway // nil for none
	// perRequest tells that what refuses a request speaks HTTP.
	perRequest bool
	// connections are the random streams of the balancer's clients: those of populations, and
	// the users of traces, each of whom is taken for one process.
	connections []workload.Stream
	// users are the balancer's clients of traced subjects, none for other subjects.
	users []int32
	// subjects and targets are the gateway's numbers for those of the servers.
	subjects []gateway.SubjectID
	targets  []gateway.TargetID
	// answers are on their way back; freeAnswer begins the list of the unused ones.
	answers    []comingAnswer
	freeAnswer int32
}

// openRouting makes the balancer and the gateway. Several servers have a balancer, whether
// one is configured or not, and a gateway has one behind it.
func (w *World) openRouting() {
	cfg := w.cfg
	if len(w.servers) == 1 && cfg.Balancer == nil && cfg.Gateway == nil {
		return
	}
	behind := cfg.Balancer
	if behind == nil {
		behind = &balance.Config{}
	}
	// Who joins later is down until then, and out of rotation without a check.
	up := make([]bool, len(w.servers))
	for i := range w.servers {
		up[i] = w.servers[i].up
	}
	w.routing = &routing{
		balancer:   balance.New(behind, up),
		perRequest: cfg.Gateway != nil || behind.Per == balance.PerRequest,
		freeAnswer: none,
	}
	if cfg.Gateway != nil {
		w.routing.gateway = gateway.New(cfg.Gateway, behind.Policy, func(name string) workload.Stream {
			return NewStream(cfg.Seed, w.replication, name)
		})
	}
}

// connectClient makes a client of a population known to the balancer, with a random stream of its
// own: which servers its connections come to does not depend on what other clients do.
// The clients of a population are told of one after the other, so the number of the first
// gives those of all.
func (w *World) connectClient(p *population, index int) {
	if w.routing == nil {
		return
	}
	id := w.addConnection(fmt.Sprintf("%s/%d/connection", p.def.Name, index))
	if index == 0 {
		p.connected = id
	}
}

// addConnection makes one more client of the balancer, and returns its number.
func (w *World) addConnection(name string) int32 {
	g := w.routing
	g.connections = append(g.connections, NewStream(w.cfg.Seed, w.replication, name))
	return g.balancer.AddClients(1)
}

// connectUser makes a user of a trace known to the balancer. A trace does not tell processes
// apart. The name of the stream is that of the user, and so the same wherever in the trace
// the user first appears.
func (w *World) connectUser(population, user string, id scheduler.SubjectID) {
	g := w.routing
	if g == nil {
		return
	}
	for len(g.users) <= int(id) {
		g.users = append(g.users, none)
	}
	if g.users[id] == none {
		g.users[id] = w.addConnection(population + "/" + user + "/connection")
	}
}

// knowSubject makes a subject known to the gateway.
func (w *World) knowSubject(id scheduler.SubjectID, user string, groups []string) {
	g := w.routing
	if g != nil && g.gateway != nil && int(id) == len(g.subjects) {
		g.subjects = append(g.subjects, g.gateway.Subject(user, groups))
	}
}

// knowTarget makes a target known to the gateway.
func (w *World) knowTarget(id scheduler.TargetID, t scheduler.Target) {
	g := w.routing
	if g != nil && g.gateway != nil && int(id) == len(g.targets) {
		g.targets = append(g.targets, g.gateway.Target(gateway.Target(t)))
	}
}

// Servers number subjects and targets without gaps, and the gateway is told of each of them
// when they are. So a slice brings one number to the other.

// routeStopped tells the balancer that a server has ended: connections to it break. The
// requests on them are told as over one by one, by the answers that their clients get.
func (w *World) routeStopped(server int32) {
	if w.routing != nil {
		w.routing.balancer.Down(w.now, int(server))
	}
}

// routeDraining tells the balancer that a server takes nothing new: every connection to it
// gets a GOAWAY (startGracefulShutdown of Go's HTTP/2 server, by Shutdown).
func (w *World) routeDraining(server int32) {
	if w.routing != nil {
		w.routing.balancer.Drain(w.now, int(server))
	}
}

// routeUnready makes the health checks of a server fail. Nothing else changes, so a run
// without health checks takes the server out of rotation at once.
func (w *World) routeUnready(server int32) {
	if w.routing != nil {
		w.routing.balancer.Unready(w.now, int(server))
	}
}

// routeStarted tells the balancer that a server serves. No connection comes to it by that.
func (w *World) routeStarted(server int32) {
	if w.routing != nil {
		w.routing.balancer.Up(w.now, int(server))
	}
}

// Balancer returns the balancer, to look at; nil if there is none.
func (w *World) Balancer() *balance.Balancer {
	if w.routing == nil {
		return nil
	}
	return w.routing.balancer
}

// Gateway returns the gateway, to look at; nil if there is none.
func (w *World) Gateway() *gateway.Gateway {
	if w.routing == nil {
		return nil
	}
	return w.routing.gateway
}

// validateRouting returns what is wrong with the balancer and the gateway.
func (c *Config) validateRouting() []error {
	var faults []error
	servers := max(c.Servers, 1)
	if c.Balancer != nil {
		faults = append(faults, c.Balancer.Validate(servers)...)
	}
	if c.Gateway != nil {
		faults = append(faults, c.Gateway.Validate(servers)...)
	}
	return faults
}
