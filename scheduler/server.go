package scheduler

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
)

// ID names a request that is present in a Server. IDs are used again.
type ID uint64

// bypassID is the ID of every request that APF does not concern, or no longer.
const bypassID = ID(math.MaxUint64)

// handleBits is the width of the handle in an ID, below the number of its queue set.
const handleBits = 32

func makeID(set int32, h fairqueue.Handle) ID {
	return ID(set)<<handleBits | ID(uint32(h))
}

func (id ID) set() int32               { return int32(id >> handleBits) }
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
	// Estimate is the work that the request is expected to bring; all zero for one to an
	// exempt level in a release that does not count those.
	Estimate fairqueue.Estimate
	// WaitLimit is how long the request may wait; Expire is due then. It can be NoLimit.
	WaitLimit time.Duration
	// QueueLength is how many requests were in its queue with it before any of them was
	// dispatched; 0 if it was not put into a queue.
	QueueLength int32
	// Watchers is the number of watchers of what it writes, -1 if it was not asked for.
	Watchers int32
	// Watch tells that the request is a watch, Mutating that it is no watch, get or list.
	Watch, Mutating bool
}

// DecisionKind is what a server decides about a request.
type DecisionKind uint8

// The decisions.
const (
	// Dispatched: the request executes from now on.
	Dispatched DecisionKind = iota
	// Rejected: the request is answered with 429, if the client still waits for an answer.
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
// return is valid until the next call of Arrive, Finish, Release, Expire, Adjust or Reconfigure.
type Server struct {
	// cfg is the configuration in force. Its levels and schemas are the API objects, so the
	// schemas that dangle are among them.
	cfg        Config
	profile    release.Profile
	classifier *classify.Classifier

	// levels holds all levels that are or were configured; their numbers never change.
	// inForce lists those that are or quiesce, in the order of their names, and quiescing
	// counts the latter. sets are the queue sets that there were ever, by the upper half of
	// IDs.
	levels       []level
	levelNumbers map[string]int32
	inForce      []int32
	quiescing    int
	sets         []levelSet
	// panics counts those of the lives before the last Restart.
	panics int

	// schemas holds all schemas that are or were in force; their numbers never change.
	// order lists those that are, in the order of matching.
	schemas       []schema
	schemaNumbers map[string]int32
	order         []int32
	catchAll      int32
	// conditions are the statuses of the FlowSchema objects.
	conditions map[string]condition
	digests    int
	changes    []Change

	flows []flow
	// hashes holds what Config.FlowHashes tells; it is nil if that is nothing.
	hashes  map[FlowHash]uint64
	targets []target
	objects map[resource]int32
	watches estimate.WatchCounts
	// namedWatches tells whether a watch of a single object was ever counted.
	namedWatches bool
	// recording tells that the queue sets keep what Progress tells of dispatches.
	recording bool
	// fairFrac is that of the last adjustment.
	fairFrac float64
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
		cfg:           cfg,
		profile:       release.For(cfg.version()),
		levelNumbers:  map[string]int32{},
		schemaNumbers: map[string]int32{},
		objects:       map[resource]int32{},
	}
	for _, h := range cfg.FlowHashes {
		if s.hashes == nil {
			s.hashes = map[FlowHash]uint64{}
		}
		s.hashes[FlowHash{h.FlowSchema, h.By, h.Distinguisher, 0}] = h.Hash
	}
	for i, o := range cfg.Objects {
		s.objects[resource{o.Group, o.Resource}] = int32(i)
	}
	for _, w := range cfg.Watches {
		s.watches.Add(s.watches.Scope(w.Group, w.Resource, w.Namespace), w.Name, w.Count)
		s.namedWatches = s.namedWatches || w.Name != ""
	}
	s.begin(now)
	return s, nil
}

// Profile returns how the release behaves that the server is one of.
func (s *Server) Profile() release.Profile { return s.profile }

// Arrive brings a request. In releases up to 1.28.4 it may eject others, which have waited
// in the same queue for too long: the decisions about them come first. Their IDs are not
// used again before the next call.
func (s *Server) Arrive(now time.Duration, r *Request) (*Arrival, []Decision) {
	s.out = s.out[:0]
	t := &s.targets[r.Target]
	if t.longRunning {
		s.out = append(s.out, Decision{ID: bypassID, Tag: r.Tag, Kind: Dispatched})
		s.arrival = Arrival{ID: bypassID, Schema: -1, Level: -1, Flow: -1, Queue: -1, Watchers: -1, Watch: t.watch, Mutating: t.mutating}
		return &s.arrival, s.out
	}
	index := s.catchAll
	if place := s.classifier.Classify(r.Subject, r.Target); place >= 0 {
		index = s.order[place]
	}
	f := &s.schemas[index]
	l := &s.levels[f.level]
	a := &s.arrival
	a.Schema, a.Level, a.Flow = index, f.level, -1
	a.QueueLength, a.Watchers, a.Watch, a.Mutating = 0, -1, t.watch, t.mutating
	a.WaitLimit = s.waitLimit(t, r.Timeout)
	if s.profile.ExemptBypasses && l.info.Exempt {
		a.ID, a.Queue, a.Estimate = bypassID, -1, fairqueue.Estimate{}
		s.out = append(s.out, Decision{ID: bypassID, Tag: r.Tag, Kind: Dispatched})
		return a, s.out
	}
	hand := l.onlyQueue
	if l.dealer != nil {
		a.Flow = s.flowOf(index, f, l, r)
		hand = s.flows[a.Flow].hand
	}
	a.Estimate = s.estimate(t, r, l)
	h, queue, reason, dispatched := l.set.Arrive(now, a.Estimate, hand, r.Tag)
	a.ID, a.Queue = makeID(l.setNumber, h), int32(queue)
	if s.profile.Waiting.LimitedAtArrival {
		for _, old := range l.set.Ejected() {
			s.reject(now, l, makeID(l.setNumber, old.Handle), old.Tag, fairqueue.TimeOut)
		}
	}
	if reason != fairqueue.NotRejected {
		s.reject(now, l, a.ID, r.Tag, reason)
		return a, s.out
	}
	if queue >= 0 {
		a.QueueLength = int32(l.set.QueueLength())
	}
	s.sets[l.setNumber].noteSchema(h, index)
	s.collect(l.setNumber, dispatched)
	return a, s.out
}

// Finish ends the execution of a request. If its seats linger, it returns true and
// the time at which Release is due.
func (s *Server) Finish(now time.Duration, id ID) (freeAt time.Duration, lingers bool, out []Decision) {
	s.out = s.out[:0]
	if id == bypassID {
		return now, false, s.out
	}
	set := id.set()
	freeAt, lingers, dispatched := s.sets[set].Finish(now, id.handle())
	s.collect(set, dispatched)
	if s.quiescing > 0 {
		s.reap(now, set)
	}
	return freeAt, lingers, s.out
}

// Release frees the seats of a request whose additional latency is over.
func (s *Server) Release(now time.Duration, id ID) []Decision {
	s.out = s.out[:0]
	s.collect(id.set(), s.sets[id.set()].Release(now, id.handle()))
	return s.out
}

// Expire rejects a waiting request, whose wait limit has been reached or whose client
// has gone. Its Tag is known to the caller; the decision repeats it. Others follow only if
// that was the last request of a quiescing level.
func (s *Server) Expire(now time.Duration, id ID) []Decision {
	s.out = s.out[:0]
	set := &s.sets[id.set()]
	tag := set.Tag(id.handle())
	set.Expire(now, id.handle())
	s.reject(now, &s.levels[set.level], id, tag, s.profile.Waiting.Expired)
	if s.quiescing > 0 {
		s.reap(now, id.set())
	}
	return s.out
}

// reject records and decides a rejection. Every rejection counts for the Retry-After
// of those that follow, where that adapts.
func (s *Server) reject(now time.Duration, l *level, id ID, tag uint32, reason fairqueue.Reason) {
	retryAfter := l.retryAfter.Answer()
	if s.profile.AdaptiveRetryAfter {
		retryAfter = l.retryAfter.Dropped(now)
	}
	s.out = append(s.out, Decision{
		ID:         id,
		Tag:        tag,
		Kind:       Rejected,
		Reason:     reason,
		RetryAfter: int32(retryAfter),
	})
}

// collect turns the dispatches of a queue set into decisions.
func (s *Server) collect(set int32, dispatched []fairqueue.Dispatch) {
	if h := s.sets[set].Refused(); h != fairqueue.None {
		s.noteRefused(set, h)
	}
	for _, d := range dispatched {
		s.out = append(s.out, Decision{ID: makeID(set, d.Handle), Tag: d.Tag, Kind: Dispatched})
	}
}
