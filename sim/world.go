package sim

import (
	"sync/atomic"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// World is one run of one replication: the clients, the server, and what is in flight
// between them.
type World struct {
	cfg         *Config
	replication int
	servers     []apiServer
	observer    Observer
	// routing is between clients and servers; nil if they have nothing between them.
	routing *routing

	// askers are the subjects that the servers know, by their numbers.
	askers []Asker

	// now is the time of the event that is happening.
	now   time.Duration
	queue eventQueue

	// expiry holds the wait limits of what waits, one queue for each distinct limit.
	// expiryIndex finds it, lastExpiry is the one last asked for, and freeExpiry lists
	// those without use.
	expiry      []expiryQueue
	expiryIndex map[time.Duration]int32
	lastExpiry  int
	freeExpiry  []int32
	// background counts the events in the event queue that nobody waits for: adjustments,
	// changes, looks, operations and wait limits, and those whose request has gone.
	background int

	// slots holds the requests in flight; freeSlot begins the list of the unused ones.
	// serial numbers all users of all slots.
	slots    []slotRecord
	freeSlot int32
	serial   uint64
	nextID   int64
	present  int64 // requests that have arrived and are neither finished nor rejected

	// clients are those of all populations, one population after the other.
	populations []population
	clients     []client
	// drafts are the requests that will be sent when their event comes; freeDraft begins
	// the list of the unused ones.
	drafts    []draft
	freeDraft int32
	traces    []traceFeed
	// operations are what machines wait for; freeOperation begins the list of the unused ones.
	operations    []operation
	freeOperation int32
	// callings are the requests that wait for their calls; freeCalling begins the list of the
	// unused ones. graph looks for deadlocks among them.
	callings    []calling
	freeCalling int32
	graph       waitGraph
	// concluded is what observers are shown of an errand at its end.
	concluded Operation
	// wakes are the calls that machines wait for; freeWake begins the list of the unused ones.
	wakes    []wake
	freeWake int32

	// watches are the open ones of traces; freeWatch begins the list of the unused records.
	watches   []tracedWatch
	freeWatch int32

	// behind is the backend, nil if execution times are as the populations say.
	behind *behind

	fingerprint fingerprint
	counts      counts
	// err is why a trace could not be read on; it ends the run.
	err error
}

// counts are the totals of a run, in attempts. The invariants are about them: what has
// arrived is finished, rejected, cut or present, and what is dispatched is finished, cut or
// executes.
type counts struct {
	arrived, dispatched, finished, rejected int64
	// cut counts those that a server took with it when it stopped, cutExecuting the ones among
	// them that executed.
	cut, cutExecuting int64
}

// Control lets another goroutine watch and stop a run.
type Control struct {
	// Stop ends the run soon; its results are then partial.
	Stop atomic.Bool
	// Now is the virtual time in nanoseconds, brought up to date now and then.
	Now atomic.Int64
}

// Summary tells how a run went.
type Summary struct {
	// Requests counts the attempts that arrived.
	Requests int64
	// End is the virtual time at which the run ended.
	End time.Duration
	// Partial tells that the run was stopped before its end.
	Partial bool
	// Fingerprint stands for the whole trajectory.
	Fingerprint uint64
}

// controlPeriod is how many events pass between two looks at the Control: some thousand
// of them happen within a millisecond, so a run stops without delay and its cost does not
// show.
const controlPeriod = 1 << 12

// Run simulates one replication and tells the observer all that happens. It returns an
// error if the configuration is impossible or a trace cannot be read; the observer has
// then not been told of an end.
func Run(cfg *Config, replication int, observer Observer, control *Control) (Summary, error) {
	w, err := newWorld(cfg, replication, observer)
	if err != nil {
		return Summary{}, err
	}
	defer w.closeTraces()
	w.begin()
	partial := w.loop(control)
	if w.err != nil {
		return Summary{}, w.err
	}
	if invariants {
		w.check()
	}
	w.endDeadlocks()
	observer.End(w.now, partial)
	return Summary{
		Requests:    w.counts.arrived,
		End:         w.now,
		Partial:     partial,
		Fingerprint: uint64(w.fingerprint),
	}, nil
}

// newWorld makes a world in which nothing has happened yet. Its traces are open.
func newWorld(cfg *Config, replication int, observer Observer) (*World, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	w := &World{
		cfg:           cfg,
		replication:   replication,
		observer:      observer,
		expiryIndex:   map[time.Duration]int32{},
		freeSlot:      none,
		freeDraft:     none,
		freeOperation: none, freeWake: none, freeCalling: none, freeWatch: none,
		fingerprint: newFingerprint,
	}
	w.queue.grain = cfg.Resolution
	if err := w.openServers(); err != nil {
		return nil, err
	}
	w.openBackend()
	w.openRouting()
	if err := w.populate(); err != nil {
		w.closeTraces()
		return nil, err
	}
	return w, nil
}

// begin tells the observer of the start, and schedules what happens to the servers.
func (w *World) begin() {
	w.observer.Start(w)
	present, decided := w.startServers()
	// scheduler.New has made the first adjustment, as the real server does when it starts
	// its borrowing loop; the next one is due a period later.
	for i := range w.servers {
		if w.servers[i].up {
			w.adjusted(int32(i))
			w.scheduleAdjustment(int32(i), w.firstAdjustment(int32(i)))
		}
	}
	w.startRequests(present, decided)
	w.awaitChange(0)
	w.awaitOperation(0)
	w.awaitStall(0)
	w.awaitLook(0)
}

// Config returns the configuration of the run.
func (w *World) Config() *Config { return w.cfg }

// Server returns the APF of the first API server, to look at.
func (w *World) Server() *scheduler.Server { return w.ServerAt(0) }

// Servers returns how many API servers there are, up or not.
func (w *World) Servers() int { return len(w.servers) }

// ServerAt returns the APF of an API server, to look at.
func (w *World) ServerAt(server int32) *scheduler.Server { return w.servers[server].apf }

// Asker returns who a subject is.
func (w *World) Asker(id scheduler.SubjectID) *Asker { return &w.askers[id] }

// Up tells whether an API server is there.
func (w *World) Up(server int32) bool { return w.servers[server].up }

// NextAdjustment returns when the limits of an API server that is up are adjusted next.
func (w *World) NextAdjustment(server int32) time.Duration { return w.servers[server].adjustedAt }

// Replication returns the number of the replication, from 0.
func (w *World) Replication() int { return w.replication }

// loop runs event by event until nothing is left to happen, the duration is over or
// the run is stopped, which it reports.
func (w *World) loop(control *Control) (stopped bool) {
	for n := 0; w.err == nil; n++ {
		if n%controlPeriod == 0 && control != nil {
			control.Now.Store(int64(w.now))
			if control.Stop.Load() {
				return true
			}
		}
		if w.over() {
			return false
		}
		if w.queue.len() == 0 {
			// All servers have stopped for good, and nobody asks for anything any more.
			w.now = w.cfg.Duration
			return false
		}
		e := w.queue.pop()
		// The run covers [0, Duration): what is due at its end does not happen, so that a
		// minute of adjustments every ten seconds has six of them and not seven.
		if w.cfg.Duration > 0 && e.at >= w.cfg.Duration {
			w.now = w.cfg.Duration
			return false
		}
		w.step(e)
		if invariants && n%controlPeriod == 0 {
			w.check()
		}
	}
	return false
}

// step lets the time come to an event, and lets it happen.
func (w *World) step(e event) {
	w.now = e.at
	w.handle(e)
	if w.graph.busy {
		w.lookForDeadlocks(e)
	}
}

// over tells that a run which ends when its traces do has come to its end: no request is
// present, and in the event queue there is only what nobody waits for.
func (w *World) over() bool {
	return w.cfg.Duration == 0 && w.present == 0 && w.queue.len() == w.background
}

// handle lets one event happen. Each event changes the server by at most one call, and
// what that call decides is carried out before the next event.
func (w *World) handle(e event) {
	switch e.act {
	case actFinish, actStage:
		w.stageEnded(e.ref, e.order)
	case actRelease:
		w.release(e.ref, e.order)
	case actExpire:
		w.expire(e.ref, e.order)
	case actDeadline:
		w.deadlineReached(e.ref, e.order)
	case actAdjust:
		w.adjust(e.ref, e.order)
	case actChange:
		w.change(e.ref)
	case actOperation:
		w.operate(e.ref)
	case actCPU, actStorage, actStall, actOutOfMemory, actRestart:
		w.handleBackend(e)
	case actCacheReady:
		w.cacheReady(e.ref)
	case actWake:
		w.wakeUp(e.ref)
	case actWithdraw:
		w.withdraw(e.ref)
	case actEndWatch:
		w.endTracedWatch(e.ref)
	case actOpen:
		w.openArrival(e.ref)
	case actSend:
		w.sendDraft(e.ref)
	case actTrace:
		w.traceArrival(e.ref)
	case actDeliver:
		w.delivered(e.ref)
	case actLook:
		w.look(e.ref)
	case actAnswer:
		w.answerComes(e.ref)
	}
}
