// Package sim is virtual time: a discrete-event simulation of clients, requests and
// an API server, on one goroutine and without a clock.
//
// # Time and order
//
// Time is a time.Duration since the start of the run, in whole nanoseconds; there is
// no floating point in it. Events have a total order, (time, class, sequence), so that
// a run is a function of its configuration, its seed and its replication: the same
// input gives the same trajectory everywhere, which the fingerprint in the Summary
// stands for. The classes and the reason for their order are declared in event.go.
//
// # The life of a request
//
// A client's turn comes (an open arrival, the end of a pause, a line of a trace). The
// world fills a slot with what the client decides: what is asked, by whom, and how
// long it will execute. The server classifies the request, estimates its work, and
// takes its decisions, about this request and perhaps about others. Then
//
//	arrived ─┬─ dispatched ── finished ─┬─ released
//	         │                          └─ (its seats linger) ── released
//	         ├─ waits ─┬─ dispatched ...
//	         │         └─ rejected: its wait limit is reached, or (up to 1.28.4)
//	         │            another request comes and it has waited for too long
//	         └─ rejected: its queue or its level is full
//
// and each step is told to the Observer. A rejection goes back to the client, which
// may send the request again: that is a new attempt with a new id.
//
// The execution time is drawn when the request is made and not when it is dispatched.
// So what a request costs does not depend on what the server decides, and the same
// traffic can be put before two configurations.
//
// # Errands, attempts, operations
//
// What a client wants done is an errand (errands.go). Each attempt at it is a request of its
// own, in a slot; before it and between attempts the errand is part of a draft, which waits
// for the client's own limiter or for the end of a pause. The errand ends with Concluded:
// with an answer that is not tried again, or when the client's patience is over.
//
// Clients that are state machines (workload.Machine, machines.go) and requests that call for
// others keep an operation for each errand, so that they can be told how it ended, and can
// withdraw it. A machine is called in the middle of an event, so all that it asks for comes
// about by events of its own, be it at the same instant.
//
// # Servers
//
// Each API server has an APF of its own (servers.go). An attempt is first routed (route.go):
// through a gateway, if there is one, to a server that a balancer or a connection decides.
// What cannot reach a server is refused, and no APF learns of it. A server that stops takes
// all that it has with it: these requests are cut, their clients see a connection that
// broke, and so do those of its watches. When it starts again its APF knows nothing.
//
// # Between clients and servers
//
// What a request holds on its way is a stream of a connection and a place in the gateway
// (route_way.go). Both end when the server has answered, or with the watch that the request
// has opened: a watch keeps its stream, and is in flight at the gateway, until its client
// asks for it again or closes it, or its server goes. They also end when the client gives
// the request up, though the server may work on it for longer: the client has reset its
// stream.
//
// The latency of a gateway delays the arrival at the server, and the moment at which the
// client hears the answer; it delays neither the server nor what the gateway counts. What
// the gateway refuses, it refuses at once. A client whose patience ends while the request or
// its answer is on the way is told nothing else than that.
//
// The models are in packages of their own (balance, gateway), which are told the time and
// have no events. A balancer's checks take place without any: what they have found is worked
// out when it is asked for.
//
// # Execution
//
// A request that was dispatched executes (execute.go) for the time that was drawn, or goes
// through stages. An event that ends what a request is doing is recognised by its order,
// which the slot keeps: whoever takes a request out of what it is doing forgets that order,
// and the event finds nobody when it comes. So nothing is ever searched for in the queue.
//
// # Calls
//
// A request may call for others while it executes (calls.go): a webhook reads, or an
// aggregated server asks who may do what. The calls come before the request's own work, one
// after the other or side by side, and the request holds its seats meanwhile. So requests of
// one level wait for seats of another one, or of their own. A request of a level that waits
// because its call waits in a queue of another level is an inversion, and is told as such. If
// all seats of some levels are held by requests whose calls wait at these levels, nothing moves
// any more until some limit of time is reached: that is a deadlock (calls_stuck.go), and is
// told when it begins and when it is over, with the cycle. The search for them (calls_graph.go,
// calls_deadlock.go) costs nothing where there are no calls.
//
// # Backend
//
// With a backend (Config.Backend, backend.go) the request's own work goes through the cores
// of its server and through etcd, so that it takes longer when others are there:
//
//	dispatched ── CPU ─┬─ read ─┬─ write ─┬─ CPU ── own time ── finished
//	                   └────────┴─────────┘
//
// The models are passive and know nothing of requests (package backend). Each machine has one
// event in the queue, at the time at which something of it will be done if nothing changes;
// since something does change most of the time, that event is often too early, and finds
// that out by itself. The seats are held from the dispatch to the end, whatever the request is
// doing, as the real server does: so a backend that is slow fills the levels, and what is seen
// of it from outside looks like a lack of seats. Request.Alone tells the two apart.
//
// A machine never changes its own server in the middle of an event. A server that needs more
// memory than it may have is killed by an event of its own at the same instant, after all that
// ends then.
//
// # Changes
//
// The server's levels and FlowSchemas can change during the run (Config.Changes). Requests
// that are present keep what was decided about them.
//
// # Randomness
//
// Every purpose of every client draws from a stream of its own; see NewStream. The
// server has no randomness at all. Which server a connection comes to, and whether it gets
// a GOAWAY, is drawn by its client ("<population>/<index>/connection"); what the gateway
// draws, it draws by rule ("gateway/<rule>"). So a server or a rule more leaves what clients
// send as it is, and a population more leaves the connections of others where they are,
// unless the balancer looks at loads.
//
// # Ids
//
// Ids count the attempts in the order of their arrival. If a trace is all that there
// is, ids are the numbers of its lines, and what is sent again is numbered after the
// last line. An attempt that is refused on its way has an id, too.
//
// # Memory
//
// Memory follows what is in flight, the clients, and the flows that the server has
// met, and never how many requests have been served: slots, drafts and events are
// used again, and observers are shown records that they may not keep.
package sim
