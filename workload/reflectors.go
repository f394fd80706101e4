package workload

import (
	"time"

	"github.com/apfsim/apfsim/workload/backoff"
)

// reflectors are the reflectors of all clients of a population, one for each client and resource:
// the part that informers, leaders, nodes and the pods of a DaemonSet have in common. It is
// client-go's tools/cache/reflector.go (v0.37.2, ListAndWatchWithContext and below), as a state
// machine.
//
// A round lists and then watches, again and again as long as watches end as they should. When
// something else happens the round is over, and another one begins after the backoff. The
// timer of a reflector is its number within the client, from 0.
//
// Two things are not known here and are assumed: that something has happened to the resource up
// to the very moment at which a watch ends, so that the version to go on from is that of the
// moment; and that nothing happens in the first second of a watch, so that one that ends within
// it counts as very short.
type reflectors struct {
	groups []watchGroup
	of     []reflector
	syncs  []syncState
}

// watchGroup are the requests of one resource: their indexes in the population. stream is -1 if
// the client does not ask for initial events.
type watchGroup struct{ stream, list, watch int32 }

// reflector is one client's informer of one resource.
type reflector struct {
	op Operation
	// began is when the request in flight, or the watch that is open, was sent.
	began time.Duration
	// version is the latest version of the resource that is known, as a time; 0 is none.
	version time.Duration
	// until is when the pause or the watch is over.
	until time.Duration
	pause backoff.Since
	phase reflectorPhase
	// timeout is what the client has asked for as the length of the watch, in seconds.
	timeout int32
	// unavailable: the server did not know the version, so the next LIST asks for the latest.
	unavailable bool
	// relisting: the LIST in flight is the second one of two, since the server did not know the
	// version of the first.
	relisting bool
	// open is the request whose watch is open.
	open int32
}

// reflectorPhase is what a reflector does.
type reflectorPhase uint8

const (
	// The zero value is idle.
	_ reflectorPhase = iota
	// streaming, listing and asking: a request for initial events, a LIST or a watch is in flight.
	reflectorStreaming
	reflectorListing
	reflectorAsking
	// watching: the watch is open.
	reflectorWatching
	// the pauses before the next round, the next request for initial events and the next watch.
	reflectorRoundPause
	reflectorStreamPause
	reflectorWatchPause
)

// syncState is how far a client is from having listed all that it watches.
type syncState struct {
	began   time.Duration
	missing int32
}

// watchTimeoutMin is the least length of a watch, which is up to twice as long
// (defaultMinWatchTimeout); veryShort is how long one has to last that counts as one
// (handleAnyWatch).
const (
	watchTimeoutMin = 5 * time.Minute
	veryShort       = time.Second
)

// newReflectors returns the idle reflectors of clients, whose requests from first on are groups
// for resources.
func newReflectors(clients int, requests []Template, first int) reflectors {
	var s reflectors
	for i := first; i+1 < len(requests); i += 2 {
		g := watchGroup{stream: -1}
		if requests[i].Options.SendInitialEvents && i+2 < len(requests) {
			g.stream = int32(i)
			i++
		}
		g.list, g.watch = int32(i), int32(i+1)
		s.groups = append(s.groups, g)
	}
	s.of = make([]reflector, clients*len(s.groups))
	if len(s.groups) > 0 {
		s.syncs = make([]syncState, clients)
	}
	return s
}

// start begins the first round of all reflectors of a client, and tells whether that is all,
// since it watches nothing.
func (s *reflectors) start(w World, client int32) (synced bool) {
	if len(s.groups) == 0 {
		return true
	}
	s.syncs[client] = syncState{w.Now(), int32(len(s.groups))}
	for g := range s.groups {
		r := s.reflector(client, g)
		*r = reflector{pause: backoff.Reflector().Start(w.Now())}
		s.round(w, client, g)
	}
	return false
}

// resume lets a client go on that has listed what it watches before the run began: it sends its
// watches at a time.
func (s *reflectors) resume(w World, client int32, at time.Duration) {
	for g := range s.groups {
		r := s.reflector(client, g)
		*r = reflector{pause: backoff.Reflector().Start(0), version: 1}
		s.ask(w, client, g, at)
	}
}

// stop ends all that the reflectors of a client have in flight or open.
func (s *reflectors) stop(w World, client int32) {
	for g := range s.groups {
		r := s.reflector(client, g)
		if r.op != 0 {
			w.Withdraw(r.op)
		}
		if r.phase == reflectorWatching {
			w.CloseWatch(client, r.open)
		}
		*r = reflector{}
	}
}

func (s *reflectors) reflector(client int32, g int) *reflector {
	return &s.of[int(client)*len(s.groups)+g]
}

// round begins a round: the stream of initial events, or a LIST.
func (s *reflectors) round(w World, client int32, g int) {
	if s.groups[g].stream >= 0 {
		s.stream(w, client, g)
	} else {
		s.list(w, client, g)
	}
}

// since is the version that a LIST or a stream asks for at least.
func (r *reflector) since() time.Duration {
	if r.unavailable {
		return 0
	}
	return r.version
}

func (s *reflectors) list(w World, client int32, g int) {
	r := s.reflector(client, g)
	r.phase, r.relisting = reflectorListing, false
	r.op = w.Send(client, s.groups[g].list, w.Now(), r.since())
}

func (s *reflectors) stream(w World, client int32, g int) {
	r := s.reflector(client, g)
	r.phase, r.began = reflectorStreaming, w.Now()
	r.timeout = watchTimeout(w, client)
	r.op = w.Send(client, s.groups[g].stream, w.Now(), r.since())
}

// ask asks for a watch from the version that is known.
func (s *reflectors) ask(w World, client int32, g int, at time.Duration) {
	r := s.reflector(client, g)
	r.phase, r.began = reflectorAsking, at
	r.timeout = watchTimeout(w, client)
	r.op = w.Send(client, s.groups[g].watch, at, r.version)
}

// watchTimeout draws how long a watch is asked to last, in seconds.
func watchTimeout(w World, client int32) int32 {
	least := watchTimeoutMin.Seconds()
	return int32(least + float64(w.Random(client).Float64()*least))
}

// wait lets a reflector do nothing for the next step of its backoff.
func (s *reflectors) wait(w World, client int32, g int, phase reflectorPhase) {
	r := s.reflector(client, g)
	var delay time.Duration
	r.pause, delay = backoff.Reflector().Step(r.pause, w.Now(), w.Random(client).Float64())
	r.phase, r.until = phase, w.Now()+delay
	w.Wake(client, int32(g), r.until)
}

// due ends a pause, or a watch whose time is over. The server ends it then in good order.
func (s *reflectors) due(w World, client int32, g int) {
	r := s.reflector(client, g)
	if r.until != w.Now() {
		return
	}
	switch r.phase {
	case reflectorRoundPause:
		if r.version > 0 {
			w.Tell(client, Relisted, 0)
		}
		s.round(w, client, g)
	case reflectorStreamPause:
		s.stream(w, client, g)
	case reflectorWatchPause:
		s.ask(w, client, g, w.Now())
	case reflectorWatching:
		w.CloseWatch(client, r.open)
		r.version = w.Now()
		s.ask(w, client, g, w.Now())
	}
}

// answered goes on after the answer to a request, if it is one of a reflector. It tells whether
// it is, and whether the client has just listed the last of what it watches.
func (s *reflectors) answered(w World, client int32, op Operation, a Answer) (ours, synced bool) {
	for g := range s.groups {
		r := s.reflector(client, g)
		if r.op != op {
			continue
		}
		r.op = 0
		switch r.phase {
		case reflectorListing:
			return true, s.listed(w, client, g, a)
		case reflectorStreaming:
			return true, s.streamed(w, client, g, a)
		case reflectorAsking:
			s.asked(w, client, g, a)
		}
		return true, false
	}
	return false, false
}

// listed goes on after a LIST. One whose version the server does not know is followed at once by
// another one for the latest version.
func (s *reflectors) listed(w World, client int32, g int, a Answer) (synced bool) {
	r := s.reflector(client, g)
	switch {
	case a.Status == OK:
		synced = s.populated(w, client, r)
		s.ask(w, client, g, w.Now())
	case a.Status == Expired && !r.relisting:
		r.unavailable = true
		s.list(w, client, g)
		r.relisting = true
	default:
		s.wait(w, client, g, reflectorRoundPause)
	}
	return synced
}

// populated notes that a reflector knows all objects.
func (s *reflectors) populated(w World, client int32, r *reflector) (synced bool) {
	first := r.version == 0
	r.version, r.unavailable = w.Now(), false
	if !first {
		return false
	}
	y := &s.syncs[client]
	if y.missing--; y.missing != 0 {
		return false
	}
	w.Tell(client, Synced, w.Now()-y.began)
	return true
}

// streamed goes on after a request for initial events: when they have all come, the watch is
// open. A LIST does it where the stream cannot (watchList and what follows it).
func (s *reflectors) streamed(w World, client int32, g int, a Answer) (synced bool) {
	r := s.reflector(client, g)
	switch {
	case a.Status == OK:
		synced = s.populated(w, client, r)
		s.opened(w, client, g, s.groups[g].stream)
	case retriable(a.Status):
		s.wait(w, client, g, reflectorStreamPause)
	case a.Status == Expired:
		r.unavailable = true
		s.stream(w, client, g)
	case broken(a.Status) && w.Now()-r.began >= veryShort:
		s.stream(w, client, g)
	default:
		s.list(w, client, g)
	}
	return synced
}

// asked goes on after a request for a watch.
func (s *reflectors) asked(w World, client int32, g int, a Answer) {
	r := s.reflector(client, g)
	switch {
	case a.Status == OK:
		s.opened(w, client, g, s.groups[g].watch)
	case retriable(a.Status):
		s.wait(w, client, g, reflectorWatchPause)
	case broken(a.Status) && w.Now()-r.began >= veryShort:
		s.ask(w, client, g, w.Now())
	default:
		s.wait(w, client, g, reflectorRoundPause)
	}
}

// retriable tells whether a reflector asks for the same watch again after a pause
// (isWatchErrorRetriable).
func retriable(s Status) bool { return s == TooManyRequests || s == Refused }

// broken tells whether the rest client takes an answer for a watch that has ended before it has
// told anything: the connection broke or timed out (Request.Watch in rest/request.go).
func broken(s Status) bool { return s == Lost || s == TimedOut }

// opened notes that a watch is open. Its time runs.
func (s *reflectors) opened(w World, client int32, g int, request int32) {
	r := s.reflector(client, g)
	if request == s.groups[g].stream {
		r.began = w.Now()
	}
	r.phase, r.open = reflectorWatching, request
	r.until = w.Now() + time.Duration(r.timeout)*time.Second
	w.Wake(client, int32(g), r.until)
}

// watchEnded goes on after the end of a watch that was open.
func (s *reflectors) watchEnded(w World, client, request int32, a Answer) {
	for g := range s.groups {
		r := s.reflector(client, g)
		if r.phase != reflectorWatching || r.open != request {
			continue
		}
		lasted := w.Now() - r.began
		switch {
		case a.Status == TooManyRequests:
			s.wait(w, client, g, reflectorWatchPause)
		case (a.Status == OK || broken(a.Status)) && lasted >= veryShort:
			r.version = w.Now()
			s.ask(w, client, g, w.Now())
		default:
			s.wait(w, client, g, reflectorRoundPause)
		}
	}
}
