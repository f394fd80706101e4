package scheduler

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// ID names a request that is present in a Server. IDs are used again.
type ID uint64

// bypassID is the ID of every request that APF does not concern.
const bypassID = ID(math.MaxUint64)

// handleBits is the width of the handle in an ID, below the level.
const handleBits = 32

func makeID(level int32, h fairqueue.Handle) ID {
	return ID(level)<<handleBits | ID(uint32(h))
}

func (id ID) level() int32             { return int32(id >> handleBits) }
func (id ID) handle() fairqueue.Handle { return fairqueue.Handle(uint32(id)) }

// Request is what a server learns of a request when it arrives.
type Request struct {
	// Subject and Target come from Server.Subject and Server.Target.
	Subject SubjectID
	Target  TargetID
	// Name is the name of the object as RequestInfo has it; see RequestName.
	Name string
	// Options are those of a LIST or WATCH.
	Options ListOptions
	// Timeout is the deadline that the client asks for, after arrival. Zero, or more than
	// the server's request timeout, is that timeout.
	Timeout time.Duration
	// Tag comes back in the decisions about the request.
	Tag uint32
}

// Arrival is what a server makes of a request that arrives. What it decides comes
// separately: a request without a decision waits.
type Arrival struct {
	// ID names the request until its seats are free or it is rejected.
	ID ID
	// Schema and Level are indexes into Schemas and Levels, -1 for a request that
	// passes APF by.
	Schema, Level int32
	// Flow is -1 where the server computes none: a level that is exempt, rejects, or has
	// one queue.
	Flow FlowID
	// Queue is the index of the chosen queue, also if it was full; -1 without queues.
	Queue int32
	// Estimate is the work that the request is expected to bring.
	Estimate fairqueue.Estimate
	// WaitLimit is how long the request may wait; Expire is due then.
	WaitLimit time.Duration
}

// DecisionKind is what a server decides about a request.
type DecisionKind uint8

// The decisions.
const (
	// Dispatched: the request executes from now on.
	Dispatched DecisionKind = iota
	// Rejected: the request is answered with 429.
	Rejected
)

// Decision is one decision about one request.
type Decision struct {
	ID   ID
	Tag  uint32
	Kind DecisionKind
	// Reason and RetryAfter, in seconds, belong to a rejection.
	Reason     fairqueue.Reason
	RetryAfter int32
}

// Server is the APF of one API server. It is not safe for concurrent use. What its methods
// return is valid until the next call of Arrive, Finish, Release, Expire or Adjust.
type Server struct {
	cfg        Config
	classifier *classify.Classifier
	levels     []level
	schemas    []schema
	catchAll   int32
	flows      []flow
	targets    []target
	objects    map[resource]int32
	watches    estimate.WatchCounts
	// namedWatches tells whether a watch of a single object was ever counted.
	namedWatches bool
	// arrival and out are what the last call returned.
	arrival Arrival
	out     []Decision
}

// New returns a server whose configuration is in force and whose limits have been
// adjusted for the first time, at now, which must not be negative.
//
// The error, if any, joins one for each fault of the configuration: what is out of the
// bounds that its fields tell; names that are there twice; a level or FlowSchema that
// every server has and that is missing, or a catch-all schema without its level; hands
// that cannot be dealt (see shuffle.NewDealer). With a configuration that passes, no
// request makes the server panic; calls out of turn and times that go back do.
func New(cfg Config, now time.Duration) (*Server, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &Server{
		cfg:        cfg,
		classifier: classify.New(cfg.schemasInForce()),
		objects:    map[resource]int32{},
	}
	s.makeLevels(now)
	s.makeSchemas()
	for i, o := range cfg.Objects {
		s.objects[resource{o.Group, o.Resource}] = int32(i)
	}
	for _, w := range cfg.Watches {
		s.watches.Add(s.watches.Scope(w.Group, w.Resource, w.Namespace), w.Name, w.Count)
		s.namedWatches = s.namedWatches || w.Name != ""
	}
	s.Adjust(now)
	return s, nil
}

// Arrive brings a request.
func (s *Server) Arrive(now time.Duration, r *Request) (*Arrival, []Decision) {
	s.out = s.out[:0]
	t := &s.targets[r.Target]
	if t.longRunning {
		s.out = append(s.out, Decision{ID: bypassID, Tag: r.Tag, Kind: Dispatched})
		s.arrival = Arrival{ID: bypassID, Schema: -1, Level: -1, Flow: -1, Queue: -1}
		return &s.arrival, s.out
	}
	index := s.classifier.Classify(r.Subject, r.Target)
	if index < 0 {
		index = s.catchAll
	}
	f := &s.schemas[index]
	l := &s.levels[f.level]
	a := &s.arrival
	a.Schema, a.Level, a.Flow = index, f.level, -1
	a.WaitLimit = s.waitLimit(t, r.Timeout)
	hand := l.onlyQueue
	if l.dealer != nil {
		a.Flow = s.flowOf(index, f, l, r)
		hand = s.flows[a.Flow].hand
	}
	a.Estimate = s.estimate(t, r, l)
	h, queue, reason, dispatched := l.set.Arrive(now, a.Estimate, hand, r.Tag)
	a.ID, a.Queue = makeID(f.level, h), int32(queue)
	if reason != fairqueue.NotRejected {
		s.reject(now, l, a.ID, r.Tag, reason)
		return a, s.out
	}
	s.collect(f.level, dispatched)
	return a, s.out
}

// Finish ends the execution of a request. If its seats linger, it returns true and
// the time at which Release is due.
func (s *Server) Finish(now time.Duration, id ID) (freeAt time.Duration, lingers bool, out []Decision) {
	s.out = s.out[:0]
	if id == bypassID {
		return now, false, s.out
	}
	freeAt, lingers, dispatched := s.levels[id.level()].set.Finish(now, id.handle())
	s.collect(id.level(), dispatched)
	return freeAt, lingers, s.out
}

// Release frees the seats of a request whose additional latency is over.
func (s *Server) Release(now time.Duration, id ID) []Decision {
	s.out = s.out[:0]
	s.collect(id.level(), s.levels[id.level()].set.Release(now, id.handle()))
	return s.out
}

// Expire rejects a waiting request, whose wait limit has been reached or whose client
// has gone. Its Tag is known to the caller; the decision repeats it.
func (s *Server) Expire(now time.Duration, id ID) []Decision {
	s.out = s.out[:0]
	l := &s.levels[id.level()]
	tag := l.set.Tag(id.handle())
	l.set.Expire(now, id.handle())
	s.reject(now, l, id, tag, fairqueue.TimeOut)
	return s.out
}

// reject records and decides a rejection. Every rejection counts for the Retry-After
// of those that follow.
func (s *Server) reject(now time.Duration, l *level, id ID, tag uint32, reason fairqueue.Reason) {
	s.out = append(s.out, Decision{
		ID:         id,
		Tag:        tag,
		Kind:       Rejected,
		Reason:     reason,
		RetryAfter: int32(l.retryAfter.Dropped(now)),
	})
}

// collect turns the dispatches of a level into decisions.
func (s *Server) collect(level int32, dispatched []fairqueue.Dispatch) {
	for _, d := range dispatched {
		s.out = append(s.out, Decision{ID: makeID(level, d.Handle), Tag: d.Tag, Kind: Dispatched})
	}
}

// maxWait is the most that any request may wait (getRequestWaitContext in
// pkg/server/filters/priority-and-fairness.go).
const maxWait = time.Minute

// waitLimit is a quarter of the request's deadline. A watch has none of its own and
// gets what a request without a wish for one gets.
func (s *Server) waitLimit(t *target, timeout time.Duration) time.Duration {
	if timeout <= 0 || timeout > s.cfg.RequestTimeout || t.watch {
		timeout = s.cfg.RequestTimeout
	}
	return min(timeout/4, maxWait)
}
