package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// callFailure is what a failed call makes of the request that waits for it.
type callFailure string

const (
	callFails   callFailure = "fail"
	callIgnored callFailure = "ignore"
)

func (callFailure) legal() []string { return []string{string(callFails), string(callIgnored)} }

// calls makes the calls of a request. Whom they are for is checked by callGraph, when all
// populations are known.
func (d *decoder) calls(path string, list []callSpec) []workload.Call {
	var out []workload.Call
	for i := range list {
		s, at := &list[i], index(join(path, "calls"), i)
		d.require(at, "client", "the name of a population that is called")
		c := workload.Call{
			Population: s.Client, Request: value(s.Request, 0), Count: value(s.Count, 1), Parallel: s.Parallel,
			Ignore: s.OnFailure == callIgnored,
		}
		d.inRange(join(at, "count"), int64(c.Count), 1, maxClients)
		if s.Timeout != nil {
			c.Timeout = time.Duration(*s.Timeout)
			if c.Timeout == 0 {
				d.refuse(join(at, "timeout"), fault{code: CodeOutOfRange, message: join(at, "timeout") + " is 0",
					legal: "a duration above 0", hint: "leave it out to wait for as long as the caller may take"})
			}
		}
		out = append(out, c)
	}
	return out
}

// callGraph looks at who calls whom.
type callGraph struct {
	*loader
	populations []workload.Population
	// called tells which populations somebody calls.
	called []bool
	// lost tells that a call is for nobody: perhaps for one of those that nobody calls.
	lost bool
}

// callRef is a request of a population.
type callRef struct{ population, request int }

// checkCalls reports calls that lead to nobody or back to themselves, and populations that
// nobody calls.
func (l *loader) checkCalls(populations []workload.Population) {
	g := callGraph{loader: l, populations: populations, called: make([]bool, len(populations))}
	for i := range populations {
		for j := range populations[i].Requests {
			for k := range populations[i].Requests[j].Calls {
				g.callee(callRef{i, j}, k, true)
			}
		}
	}
	for i := range populations {
		if at := index("clients", i) + ".arrivals"; populations[i].Called && !g.called[i] && !g.lost && l.sound(at) {
			l.c.warning(l.at(at), fault{code: CodeNoEffect, field: at,
				message: fmt.Sprintf("%s: nobody calls %s, so that it sends nothing", at, populations[i].Name),
				hint:    fmt.Sprintf("a request calls it: {verb: create, resource: pods, calls: [{client: %s}]}", populations[i].Name)})
		}
	}
	g.tellCycles()
}

// callee returns the request that a call is for, or false after a fault, which it reports if
// it is told to.
func (g *callGraph) callee(from callRef, k int, report bool) (callRef, bool) {
	call := &g.populations[from.population].Requests[from.request].Calls[k]
	to := slices.IndexFunc(g.populations, func(p workload.Population) bool { return p.Name == call.Population })
	if to >= 0 {
		g.called[to] = true
	}
	ok := to >= 0 && g.populations[to].Called && call.Request >= 0 && call.Request < len(g.populations[to].Requests)
	if ok || !report {
		return callRef{to, call.Request}, ok
	}
	path := g.pathOf(from) + fmt.Sprintf(".calls[%d]", k)
	client, request := join(path, "client"), join(path, "request")
	switch {
	case to < 0:
		g.lost = true
		names := g.calledNames()
		g.refuse(client, fault{code: CodeReference, message: fmt.Sprintf("%s: there is no client %q", client, shorten(call.Population)),
			legal: namesOr(names, "a population with arrivals: {called: {}}"), hint: didYouMean(call.Population, names)})
	case !g.populations[to].Called:
		if g.sound(index("clients", to) + ".arrivals") {
			g.refuse(client, fault{code: CodeReference, message: fmt.Sprintf("%s: %s sends by itself, and cannot be called", client, call.Population),
				legal: namesOr(g.calledNames(), "a population with arrivals: {called: {}}")})
		}
	case len(g.populations[to].Requests) > 0:
		g.refuse(request, fault{code: CodeReference, message: fmt.Sprintf("%s: %s has no request %d", request, call.Population, call.Request),
			legal: numbersOf(len(g.populations[to].Requests)) + ", the numbers of its requests"})
	}
	return callRef{}, false
}

// namesOr lists names, or says something else if there are none.
func namesOr(names []string, otherwise string) string {
	if len(names) == 0 {
		return otherwise
	}
	return strings.Join(names, ", ")
}

func (g *callGraph) calledNames() []string {
	var names []string
	for i := range g.populations {
		if g.populations[i].Called {
			names = append(names, g.populations[i].Name)
		}
	}
	return names
}

func (g *callGraph) pathOf(r callRef) string {
	return index(index("clients", r.population)+".requests", r.request)
}

// callStep is a call from one request to another: the call of that number.
type callStep struct {
	from, to callRef
	call     int
}

// callWalk is a search in depth along calls, from request to request, or from population to
// population.
type callWalk struct {
	*callGraph
	populationsOnly bool
	// state is what is known of a node, way the steps that have led to the one at hand.
	state map[callRef]walkState
	way   []callStep
	// found tells that there is a cycle.
	found bool
}

type walkState uint8

const (
	onWay walkState = iota + 1
	walked
)

// tellCycles reports, first, requests that call for themselves in the end, which is a fault;
// and if there are none, calls that come back to a population by another of its requests. Those
// may deadlock: the calls of some clients wait for seats that those of others hold. Of cycles
// that share populations not each is told.
func (g *callGraph) tellCycles() {
	for _, populationsOnly := range []bool{false, true} {
		w := callWalk{callGraph: g, populationsOnly: populationsOnly, state: map[callRef]walkState{}}
		for i := range g.populations {
			for j := range g.populations[i].Requests {
				if n := w.node(callRef{i, j}); w.state[n] == 0 {
					w.visit(n)
				}
			}
		}
		if w.found {
			return
		}
	}
}

// node is what the walk takes a request for.
func (w *callWalk) node(r callRef) callRef {
	if w.populationsOnly {
		r.request = 0
	}
	return r
}

// requests returns the requests that a node stands for.
func (w *callWalk) requests(n callRef) []callRef {
	if !w.populationsOnly {
		return []callRef{n}
	}
	var all []callRef
	for j := range w.populations[n.population].Requests {
		all = append(all, callRef{n.population, j})
	}
	return all
}

func (w *callWalk) visit(n callRef) {
	w.state[n] = onWay
	for _, from := range w.requests(n) {
		for k := range w.populations[from.population].Requests[from.request].Calls {
			if to, ok := w.callee(from, k, false); ok {
				w.step(callStep{from, to, k})
			}
		}
	}
	w.state[n] = walked
}

// step goes on along a call, or reports the cycle that it closes.
func (w *callWalk) step(s callStep) {
	to := w.node(s.to)
	w.way = append(w.way, s)
	switch w.state[to] {
	case onWay:
		begin := slices.IndexFunc(w.way, func(o callStep) bool { return w.node(o.from) == to })
		w.tell(w.way[begin:])
	case 0:
		w.visit(to)
	}
	w.way = w.way[:len(w.way)-1]
}

// tell reports a cycle at the call that closes it.
func (w *callWalk) tell(cycle []callStep) {
	w.found = true
	last := cycle[len(cycle)-1]
	path := w.pathOf(last.from) + fmt.Sprintf(".calls[%d]", last.call)
	var way strings.Builder
	for _, s := range cycle {
		fmt.Fprintf(&way, "%s calls ", w.nameOf(s.from))
	}
	way.WriteString(w.nameOf(last.to))
	if !w.populationsOnly {
		w.refuse(path, fault{code: CodeCallCycle, message: fmt.Sprintf("%s: a request calls for itself in the end, which never ends: %s", path, &way)})
		return
	}
	w.c.warning(w.at(path), fault{code: CodeCallCycle, field: path,
		message: fmt.Sprintf("%s: calls come back to the clients that began, which can deadlock: %s", path, &way),
		hint:    "each holds its seats while it waits for the next; what is called at the end should have a priority level of its own"})
}

func (w *callWalk) nameOf(r callRef) string {
	return index(w.populations[r.population].Name+".requests", r.request)
}
