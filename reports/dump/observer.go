package dump

import (
	"cmp"
	"slices"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
)

// Epoch is the time of day at the start of a run in the pages, which show times of day. It is
// easily told from real time.
var Epoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// Observer keeps what the debug pages of all servers show at some looks at the world, and at the
// end. It is for one replication. What it remembers follows the requests that wait or execute.
type Observer struct {
	sim.Silent
	world   *sim.World
	servers []serverState
	dumps   []reports.Dump
	times   []time.Duration
	looked  time.Duration
	now     time.Duration
}

var _ sim.Observer = (*Observer)(nil)

// NewObserver returns an observer of a replication, for times that are looks of it.
func NewObserver(times ...time.Duration) *Observer { return &Observer{times: times, looked: -1} }

// Dumps returns the pages, in the order of time and of servers.
func (o *Observer) Dumps() []reports.Dump { return o.dumps }

// serverState is what is known of a server beside what it tells itself.
type serverState struct {
	// present are the requests that wait or execute, by their numbers.
	present map[int64]*present
	// counts are by level, since its queue set is there.
	counts []counts
	// arrivals counts requests, dispatches those that were dispatched: orders of what happens
	// at one instant.
	arrivals, dispatches int64
}

// present is a request that waits or executes.
type present struct {
	sim.Request
	arrived, dispatched int64
	handed              bool // finished, and its seats linger
}

// counts are what the server counts of a level.
type counts struct{ dispatched, rejected, timedOut, cancelled int }

// Start is called before the first event.
func (o *Observer) Start(w *sim.World) {
	o.world = w
	o.servers = make([]serverState, w.Servers())
	for i := range o.servers {
		o.servers[i].present = map[int64]*present{}
	}
}

// of returns the state of a server, with counts for all of its levels up to one.
func (o *Observer) of(server, level int32) (*serverState, *counts) {
	s := &o.servers[server]
	for int(level) >= len(s.counts) {
		s.counts = append(s.counts, counts{})
	}
	return s, &s.counts[level]
}

// Arrived remembers a request.
func (o *Observer) Arrived(_ time.Duration, r *sim.Request) {
	if r.Level >= 0 {
		s, _ := o.of(r.Server, r.Level)
		s.arrivals++
		s.present[r.ID] = &present{Request: *r, arrived: s.arrivals}
	}
}

// Dispatched remembers that a request executes, with what the limit left of its estimate.
func (o *Observer) Dispatched(_ time.Duration, r *sim.Request) {
	if r.Level < 0 {
		return
	}
	s, n := o.of(r.Server, r.Level)
	n.dispatched++
	s.dispatches++
	p := s.present[r.ID]
	p.Dispatched, p.dispatched = r.Dispatched, s.dispatches
	if r.Queue >= 0 {
		p.Estimate = p.Estimate.Trimmed(o.world.ServerAt(r.Server).LevelState(int(r.Level)).Limit)
	}
}

// Rejected counts a rejection. What leaves a queue is cancelled in the eyes of the server, but up to
// 1.28.4 timed out if another arrival has ejected it.
func (o *Observer) Rejected(_ time.Duration, r *sim.Request) {
	s, n := o.of(r.Server, r.Level)
	n.rejected++
	switch r.Reason {
	case fairqueue.TimeOut:
		if o.world.ServerAt(r.Server).Profile().Waiting.Expired == fairqueue.TimeOut {
			n.cancelled++
		} else {
			n.timedOut++
		}
	case fairqueue.Cancelled:
		n.cancelled++
	}
	delete(s.present, r.ID)
}

// Finished notes that the seats of a request linger, or are to be free at once.
func (o *Observer) Finished(now time.Duration, r *sim.Request) {
	if r.Level >= 0 {
		p := o.servers[r.Server].present[r.ID]
		p.handed, p.Finished = true, now
	}
}

// Released forgets a request.
func (o *Observer) Released(_ time.Duration, r *sim.Request) {
	delete(o.servers[r.Server].present, r.ID)
}

// Cut forgets a request.
func (o *Observer) Cut(_ time.Duration, r *sim.Request) {
	if r.Level >= 0 {
		delete(o.servers[r.Server].present, r.ID)
	}
}

// Server begins anew to count for a server that has stopped.
func (o *Observer) Server(_ time.Duration, e sim.ServerEvent, server int32) {
	if e == sim.ServerStopped {
		clear(o.servers[server].counts)
	}
}

// Reconfigured begins anew to count for levels that have come.
func (o *Observer) Reconfigured(_ time.Duration, server int32) {
	for _, c := range o.world.ServerAt(server).Changes() {
		if c.Kind == scheduler.LevelAdded {
			_, n := o.of(server, c.Number)
			*n = counts{}
		}
	}
}

// Look keeps the pages of a moment, if it is one of the times.
func (o *Observer) Look(now time.Duration) {
	if slices.Contains(o.times, now) {
		o.keep(now)
	}
}

// keep keeps the pages of all servers that are up.
func (o *Observer) keep(now time.Duration) {
	o.looked, o.now = now, now
	for i := range o.servers {
		server := int32(i)
		if !o.world.Up(server) {
			continue
		}
		s := o.State(server)
		o.dumps = append(o.dumps, reports.Dump{
			Server: i, Time: reports.Duration(now),
			PriorityLevels: s.PriorityLevels(), Queues: s.Queues(),
			Requests: s.Requests(false), RequestsWithDetails: s.Requests(true), Whole: s.Whole(),
		})
	}
}

// End keeps the pages of the end.
func (o *Observer) End(now time.Duration, _ bool) {
	if o.looked != now {
		o.keep(now)
	}
}

// State returns what the pages of a server would show now.
func (o *Observer) State(server int32) *State {
	apf := o.world.ServerAt(server)
	out := &State{Minor: apf.Version().Minor, Now: o.now, NextAdjustment: o.world.NextAdjustment(server)}
	levels := apf.Levels()
	at := o.levels(server, levels)
	for i := range levels {
		if levels[i].Status != scheduler.Gone {
			out.Levels = append(out.Levels, o.level(server, i, &levels[i], at[i]))
		}
	}
	slices.SortFunc(out.Levels, func(a, b Level) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// levels divides the requests of a server among its levels, in the order of arrival.
func (o *Observer) levels(server int32, levels []scheduler.LevelInfo) [][]*present {
	out := make([][]*present, len(levels))
	// Any order: the lists are sorted below.
	for _, p := range o.servers[server].present {
		out[p.Level] = append(out[p.Level], p)
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b *present) int {
			return cmp.Or(cmp.Compare(a.dispatched, b.dispatched), cmp.Compare(a.arrived, b.arrived))
		})
	}
	return out
}

// level returns what the pages show of a level.
func (o *Observer) level(server int32, number int, info *scheduler.LevelInfo, requests []*present) Level {
	apf := o.world.ServerAt(server)
	_, n := o.of(server, int32(number))
	state := apf.LevelState(number)
	l := Level{
		Name: info.Name, Bare: info.Exempt && apf.Profile().ExemptBypasses,
		Idle: state.Waiting == 0 && state.Executing == 0, Quiescing: info.Status == scheduler.Quiescing,
		Waiting: state.Waiting, Executing: state.Executing,
		Dispatched: n.dispatched, Rejected: n.rejected, TimedOut: n.timedOut, Cancelled: n.cancelled,
		Saved: apf.Save(o.now, number), Lends: apf.Profile().Borrowing.Lending,
	}
	for i := range state.Queues {
		l.Queues = append(l.Queues, Queue{QueueState: apf.QueueState(number, i), VirtualStart: apf.VirtualStart(number, i)})
	}
	for _, p := range requests {
		r := o.request(apf, p)
		switch {
		case p.handed:
			l.Lingering = append(l.Lingering, Lingering{r, int(p.Queue)})
		case p.Queue < 0 || int(p.Queue) >= len(l.Queues):
			l.Queueless = append(l.Queueless, r)
		case p.Dispatched < 0:
			q := &l.Queues[p.Queue]
			q.Waiting = append(q.Waiting, r)
		default:
			q := &l.Queues[p.Queue]
			q.Executing = append(q.Executing, r)
		}
	}
	return l
}

// request returns what the pages show of a request.
func (o *Observer) request(apf *scheduler.Server, p *present) Request {
	t := apf.Asked(p.Target)
	r := Request{
		FlowSchema: apf.Schemas()[p.Schema], Arrival: Epoch.Add(p.Arrival), Estimate: p.Estimate,
		Details: Details{User: apf.User(p.Subject), Verb: t.Verb, Path: t.Path},
	}
	r.WaitLimit, r.Rest, r.Order = p.WaitLimit, p.Execution, p.arrived
	if p.Dispatched >= 0 {
		r.Start = Epoch.Add(p.Dispatched) // of others the server shows the zero time
		r.Rest, r.Order = max(p.Dispatched+p.Execution-o.now, 0), p.dispatched
	}
	if p.handed {
		r.Rest = max(p.Finished+p.Estimate.AdditionalLatency-o.now, 0)
	}
	if p.Flow >= 0 {
		r.Flow = apf.Flow(p.Flow).Distinguisher
	}
	if t.Path == "" {
		r.Details = Details{apf.User(p.Subject), t.Verb, pathOf(&t, p.Name), t.Namespace, p.Name, t.APIGroup, version, t.Resource, t.Subresource}
	}
	return r
}

// version is taken to be the version of the API that all requests are made to.
const version = "v1"

// pathOf returns the path of a request for a resource.
func pathOf(t *scheduler.Target, name string) string {
	path := "/api/" + version
	if t.APIGroup != "" {
		path = "/apis/" + t.APIGroup + "/" + version
	}
	if t.Namespace != "" {
		path += "/namespaces/" + t.Namespace
	}
	path += "/" + t.Resource
	if name != "" && t.Verb != "list" && t.Verb != "watch" && t.Verb != "create" {
		path += "/" + name
	}
	if t.Subresource != "" {
		path += "/" + t.Subresource
	}
	return path
}
