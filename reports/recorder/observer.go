// Package recorder tells the writers of records what simulated servers would have recorded.
//
// An Observer turns what happens to a request into the stages that a server records of it, and
// hands each of them to the logs of its server at the time of the stage: that the request was
// received, that the answer has begun (of a watch and of other long-running requests), and that it
// is complete. So a log comes in the order of time, and memory follows the open watches alone.
//
// What a server takes with it when it stops has no further stage, nor has what the run leaves
// behind. What reaches no server is recorded by none.
package recorder

import (
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/recording"
)

// Log is the record of one server.
type Log interface {
	// Stage records that a request has come to a stage, as a server of that version does. The
	// request is valid during the call, and what lies in its future is unknown.
	Stage(stage recording.Stages, q *recording.Request, v release.Version)
}

// Observer tells logs what happens. It is for one replication.
type Observer struct {
	sim.Silent
	epoch   int64
	open    func(server int32) []Log
	world   *sim.World
	servers [][]Log
	agents  []string // by population
	// schemas and levels are the names of those that servers have met, by their numbers.
	schemas, levels []string
	// watches are those that have arrived and have not ended, by their ids.
	watches map[int64]*watch
	free    []*watch
	q       recording.Request
}

// watch is what is kept of a watch until it ends.
type watch struct {
	recording.Request
	version release.Version
	// started tells that the answer has begun, and over that it has ended before that.
	started, over bool
}

var _ sim.Observer = (*Observer)(nil)

// New returns an observer of a run that starts at a time of day. open is called once for each
// server, when the run starts.
func New(epoch time.Time, open func(server int32) []Log) *Observer {
	return &Observer{epoch: epoch.UnixNano(), open: open, watches: map[int64]*watch{}}
}

// Start opens the logs.
func (o *Observer) Start(w *sim.World) {
	o.world = w
	for i := range w.Servers() {
		o.servers = append(o.servers, o.open(int32(i)))
	}
	for i := range w.Config().Populations {
		o.agents = append(o.agents, w.Config().Populations[i].Name+"/apfsim")
	}
	o.meet(0)
}

// meet takes over the names of the schemas and levels that are new at a server. All servers number
// these alike.
func (o *Observer) meet(server int32) {
	s := o.world.ServerAt(server)
	if names := s.Schemas(); len(names) > len(o.schemas) {
		o.schemas = names
	}
	levels := s.Levels()
	for i := len(o.levels); i < len(levels); i++ {
		o.levels = append(o.levels, levels[i].Name)
	}
}

// Reconfigured makes names known.
func (o *Observer) Reconfigured(_ time.Duration, server int32) { o.meet(server) }

// stage hands a stage of a request to the logs of its server.
func (o *Observer) stage(s recording.Stages, q *recording.Request, server int32) {
	o.staged(s, q, server, o.world.ServerAt(server).Version())
}

func (o *Observer) staged(s recording.Stages, q *recording.Request, server int32, v release.Version) {
	for _, log := range o.servers[server] {
		log.Stage(s, q, v)
	}
}

// describe fills in what is known of a request from its arrival on.
func (o *Observer) describe(r *sim.Request) *recording.Request {
	who, asked := o.world.Asker(r.Subject), o.world.ServerAt(r.Server).Asked(r.Target)
	q := &o.q
	*q = recording.Request{
		Received: o.epoch + int64(r.Arrival), Server: r.Server, ID: uint64(r.ID) + 1,
		User: who.User, Groups: who.Groups, Client: o.agents[r.Population],
		Verb: asked.Verb, APIGroup: asked.APIGroup, Resource: asked.Resource, Subresource: asked.Subresource,
		Namespace: asked.Namespace, Name: r.Name, Path: asked.Path,
		Timeout: r.Timeout, Waited: recording.Unknown, Started: recording.Unknown, Total: recording.Unknown,
		InitialSeats: -1, FinalSeats: -1, Place: place(r),
	}
	if r.Options != nil {
		q.Options = recording.Options(*r.Options)
	}
	if r.Level >= 0 {
		q.FlowSchema, q.PriorityLevel = o.schemas[r.Schema], o.levels[r.Level]
		q.InitialSeats, q.FinalSeats = int64(r.Estimate.InitialSeats), int64(r.Estimate.FinalSeats)
		q.AdditionalLatency = r.Estimate.AdditionalLatency
	}
	return q
}

// place tells clients apart by where they are: a client of a population, or a user of a trace, is
// one process.
func place(r *sim.Request) uint32 {
	if r.Template < 0 {
		return uint32(r.Population)<<16 + uint32(r.Subject)
	}
	return uint32(r.Population)<<16 + uint32(r.Client)
}

// Arrived records that a request was received.
func (o *Observer) Arrived(_ time.Duration, r *sim.Request) {
	o.stage(recording.StageReceived, o.describe(r), r.Server)
	if r.Watch {
		o.watches[r.ID] = o.newWatch()
	}
}

// Dispatched records that the answer to a long-running request begins that is no watch.
func (o *Observer) Dispatched(now time.Duration, r *sim.Request) {
	if r.Level < 0 && !r.Watch {
		q := o.describe(r)
		q.Started, q.Waited, q.Code, q.Handled = now-r.Arrival, 0, began(q), true
		o.stage(recording.StageStarted, q, r.Server)
	}
}

// began is the code of an answer that goes on: connections to containers change the protocol.
func began(q *recording.Request) int {
	switch q.Subresource {
	case "exec", "attach", "portforward":
		return 101
	}
	return 200
}

// Rejected records that the answer is complete.
func (o *Observer) Rejected(now time.Duration, r *sim.Request) {
	q := o.describe(r)
	q.Waited, q.Total, q.Code = now-r.Arrival, now-r.Arrival, 429
	if r.Status != workload.OK {
		q.Left = q.Total
	}
	if r.Watch {
		q.Started = q.Total
		o.stage(recording.StageStarted, q, r.Server)
		o.forget(r.ID)
	}
	o.stage(recording.StageComplete, q, r.Server)
}

// Finished records that the answer is complete, or, of a watch, that it has begun.
func (o *Observer) Finished(now time.Duration, r *sim.Request) {
	q := o.describe(r)
	q.Waited, q.Execution, q.Code, q.Handled = r.Wait(), now-r.Dispatched, code(r, q), true
	switch {
	case r.Watch:
		q.Started = now - r.Arrival
		o.stage(recording.StageStarted, q, r.Server)
		o.began(r, q)
		return
	case r.Level < 0:
		q.Started, q.Code = r.Dispatched-r.Arrival, began(q)
	}
	q.Total = now - r.Arrival
	o.stage(recording.StageComplete, q, r.Server)
}

// began keeps a watch whose answer has begun until it ends, unless it has.
func (o *Observer) began(r *sim.Request, q *recording.Request) {
	k := o.watches[r.ID]
	if k == nil { // it was there when the run began
		k = o.newWatch()
		o.watches[r.ID] = k
	}
	if r.Status != workload.OK || k.over {
		q.Total = q.Started
		o.stage(recording.StageComplete, q, r.Server)
		o.forget(r.ID)
		return
	}
	k.Request, k.version, k.started = *q, o.world.ServerAt(r.Server).Version(), true
}

// WatchEnded records that the answer to a watch is complete.
func (o *Observer) WatchEnded(now time.Duration, id int64, server int32) {
	k := o.watches[id]
	switch {
	case k == nil: // its server has stopped, or it was not initialised
	case !k.started:
		k.over = true
	default:
		k.Total = time.Duration(o.epoch + int64(now) - k.Received)
		o.staged(recording.StageComplete, &k.Request, server, k.version)
		o.forget(id)
	}
}

// Server forgets the watches of a server that stops: it records nothing any more.
func (o *Observer) Server(_ time.Duration, e sim.ServerEvent, server int32) {
	if e != sim.ServerStopped {
		return
	}
	// Any order: nothing is told of them.
	for id, k := range o.watches {
		if k.started && k.Request.Server == server {
			o.forget(id)
		}
	}
}

// Cut forgets a watch that its server takes with it.
func (o *Observer) Cut(_ time.Duration, r *sim.Request) {
	if r.Watch {
		o.forget(r.ID)
	}
}

func (o *Observer) newWatch() *watch {
	if n := len(o.free); n > 0 {
		k := o.free[n-1]
		o.free = o.free[:n-1]
		return k
	}
	return &watch{}
}

// forget makes the record of a watch available again, if there is one.
func (o *Observer) forget(id int64) {
	if k := o.watches[id]; k != nil {
		delete(o.watches, id)
		*k = watch{}
		o.free = append(o.free, k)
	}
}

// code is the status code of the answer of a handler.
func code(r *sim.Request, q *recording.Request) int {
	switch r.Status {
	case workload.TooManyRequests:
		return 429
	case workload.Expired:
		// A watch that is too old begins, and its only event is the error (newErrWatcher in
		// pkg/storage/cacher/cacher.go).
		if q.Verb != "watch" {
			return 410
		}
		return 200
	case workload.Failed:
		return 500
	case workload.TimedOut, workload.Withdrawn:
		return 504
	}
	if q.Verb == "create" && q.Subresource == "" {
		return 201
	}
	return 200
}
