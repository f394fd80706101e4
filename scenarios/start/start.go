package start

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload/recording"
	"github.com/apfsim/apfsim/workload/recording/dump"
)

// Options are what the pages have to fit to.
type Options struct {
	// Scheduler is the configuration of the servers, Servers how many there are.
	Scheduler *scheduler.Config
	Servers   int
	// At is when the pages were made; zero is when they tell, or the latest time that they show.
	At time.Time
}

// What is assumed, as an account counts it. All but the last three are counted by level.
const (
	AssumedR          = "R of a level is estimated (no scrape)"
	AssumedLimits     = "the limit of a level follows from the demand of the moment (no scrape)"
	AssumedRobin      = "the queue last dispatched from is guessed"
	AssumedEnqueued   = "how many requests were dealt a hand is not told (dump_priority_levels from 1.27 on does)"
	AssumedRetryAfter = "no rejections before the start are known (Retry-After begins at 1)"
	AssumedLingering  = "lingering seats of a queue are free after 2.5ms"
	AssumedArrivalR   = "R at the arrival of a waiting request is estimated"
	AssumedExecuting  = "an executing request is not shown (up to 1.27), when it began is not known"
	AssumedDetails    = "no details of a request (includeRequestDetails=1 tells them)"
)

// maxAge bounds how long ago a present request may have arrived.
const maxAge = 30 * 24 * time.Hour

// maker makes a start of pages.
type maker struct {
	Options
	account *recording.Account
	faults  []dump.Fault
	// seatSeconds tells that the release counts in seat-seconds: it is 1.23 or later.
	seatSeconds bool
	// at is the time of the pages of the server that it is about.
	at time.Time
}

// Of makes the start of what pages tell. Its Population and Duration are the caller's to fill.
func Of(m *dump.Moment, o Options) (*sim.StartState, []dump.Fault, *recording.Account) {
	k := &maker{Options: o, account: &recording.Account{}}
	k.seatSeconds = release.For(cmp.Or(o.Scheduler.Release, release.Last)).Queues.SeatSeconds
	out := &sim.StartState{}
	for i := range m.Servers {
		s := &m.Servers[i]
		number, ok := k.serverNumber(s, i)
		if !ok {
			continue
		}
		k.at = s.Time
		if !o.At.IsZero() {
			k.at = o.At
		}
		out.Servers = append(out.Servers, k.server(s, number))
	}
	return out, k.faults, k.account
}

func (k *maker) fault(at dump.Place, problem, legal, hint string) {
	k.faults = append(k.faults, dump.Fault{Place: at, Problem: problem, Legal: legal, Hint: hint})
}

// numbered is a name that ends in the number of a server.
var numbered = regexp.MustCompile(`(?:^|-)(\d{1,4})$`)

// serverNumber returns the number of a server: that at the end of its name, or its place.
func (k *maker) serverNumber(s *dump.Server, place int) (int32, bool) {
	if m := numbered.FindStringSubmatch(s.Name); m != nil {
		place, _ = strconv.Atoi(m[1])
	}
	if place >= max(k.Servers, 1) && len(s.Levels) > 0 {
		k.fault(s.Levels[0].Place, fmt.Sprintf("pages of server %d, and there are %d servers", place, max(k.Servers, 1)), "a server.count that has it", "")
		return 0, false
	}
	return int32(place), len(s.Levels) > 0
}

func (k *maker) server(s *dump.Server, number int32) sim.ServerStart {
	out := sim.ServerStart{Server: number, Whole: true}
	for i := range s.Levels {
		l := &s.Levels[i]
		if l.Bare {
			continue
		}
		spec, known := k.level(l)
		if !known {
			continue
		}
		if w := l.Whole; w != nil {
			out.Adjustment = w.Adjustment
		} else {
			out.Whole = false
		}
		out.Levels = append(out.Levels, k.levelStart(s, l, spec))
	}
	return out
}

// level finds the level in the configuration.
func (k *maker) level(l *dump.Level) (*scheduler.PriorityLevel, bool) {
	levels := k.Scheduler.PriorityLevels
	var names []string
	for i := range levels {
		if levels[i].Name == l.Name {
			return &levels[i], true
		}
		names = append(names, levels[i].Name)
	}
	slices.Sort(names)
	hint := ""
	switch near, ok := suggest.Nearest(l.Name, names); {
	case l.Quiescing:
		hint = "the server was about to end it (IsQuiescing): it exists no more"
	case ok:
		hint = fmt.Sprintf("did you mean %q?", near)
	default:
		hint = "give the configuration of the server under flowControl.manifests"
	}
	k.fault(l.Place, fmt.Sprintf("the configuration has no priority level %q", l.Name), strings.Join(names, ", "), hint)
	return nil, false
}

// schema finds out whether a FlowSchema is in the configuration.
func (k *maker) schema(q *dump.Request) (*scheduler.FlowSchema, bool) {
	var names []string
	for i := range k.Scheduler.FlowSchemas {
		f := &k.Scheduler.FlowSchemas[i]
		if f.Name == q.FlowSchema && k.inForce(f) {
			return f, true
		}
		names = append(names, f.Name)
	}
	slices.Sort(names)
	hint := "give the configuration of the server under flowControl.manifests"
	if near, ok := suggest.Nearest(q.FlowSchema, names); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	k.fault(q.Place, fmt.Sprintf("the configuration has no FlowSchema %q", q.FlowSchema), strings.Join(names, ", "), hint)
	return nil, false
}

// inForce tells whether the level of a schema exists.
func (k *maker) inForce(f *scheduler.FlowSchema) bool {
	return slices.ContainsFunc(k.Scheduler.PriorityLevels, func(l scheduler.PriorityLevel) bool { return l.Name == f.PriorityLevel })
}

// queues is how many queues a level is configured to have.
func queues(spec *scheduler.PriorityLevel) int {
	if spec.Queuing == nil {
		return 0
	}
	return int(spec.Queuing.Queues)
}

// since is how long after the start of the run something was, so not after 0.
func (k *maker) since(at time.Time) time.Duration { return min(at.Sub(k.at), 0) }

// levelStart makes the start of a level.
func (k *maker) levelStart(s *dump.Server, l *dump.Level, spec *scheduler.PriorityLevel) sim.StartLevel {
	out := sim.StartLevel{Moment: scheduler.LevelMoment{Name: l.Name, Limit: l.Limit, Nominal: l.Nominal}}
	n := queues(spec)
	k.checkQueues(l, n)
	set := &out.Moment.Set
	set.Queues = make([]fairqueue.SavedQueue, min(len(l.Queues), n))
	for i := range set.Queues {
		set.Queues[i] = fairqueue.SavedQueue{NextDispatchR: fairqueue.SeatSeconds(l.Queues[i].NextDispatchR), VirtualStart: l.Queues[i].VirtualStart}
	}
	if len(set.Queues) == 0 { // no dump_queues
		set.Queues = make([]fairqueue.SavedQueue, n)
	}
	for i := range l.Requests {
		k.request(&out, &l.Requests[i], n)
	}
	if !s.Pages.Executing && l.Whole == nil {
		k.unseenExecuting(&out, l, spec)
	}
	if l.Whole == nil {
		k.lingering(&out, l, spec)
	}
	k.inOrder(&out)
	k.virtualTime(&out, l)
	k.demand(&out, l)
	k.rest(&out, l)
	return out
}

// checkQueues holds the queues of a page against those of the configuration.
func (k *maker) checkQueues(l *dump.Level, n int) {
	if len(l.Queues) > n {
		k.fault(l.Queues[n].Place, fmt.Sprintf("queue %d of %s, which has %d queues", n, l.Name, n), queueLegal(n),
			"begin with the configuration of the server; what another number of queues would do, a change of the run can tell")
	}
}

func queueLegal(n int) string {
	if n == 0 {
		return "no queue: the level rejects, or is exempt"
	}
	return fmt.Sprintf("0 to %d", n-1)
}

// request adds a request.
func (k *maker) request(out *sim.StartLevel, q *dump.Request, queues int) {
	f, known := k.schema(q)
	switch {
	case !known:
		return
	case q.Queue >= queues:
		k.fault(q.Place, fmt.Sprintf("queue %d of %s, which has %d queues", q.Queue, out.Moment.Name, queues), queueLegal(queues),
			"begin with the configuration of the server; what another number of queues would do, a change of the run can tell")
		return
	case q.Arrival.After(k.at):
		k.fault(q.Place, fmt.Sprintf("a request arrives at %s, after the moment of the pages, %s", clock(q.Arrival), clock(k.at)), "a time that is not after the moment", "")
		return
	case k.at.Sub(q.Arrival) > maxAge:
		k.fault(q.Place, fmt.Sprintf("a request has arrived at %s, %v before the moment of the pages", clock(q.Arrival), k.at.Sub(q.Arrival).Round(time.Second)), "at most "+maxAge.String(), "")
		return
	}
	saved := fairqueue.SavedRequest{
		Phase: [...]fairqueue.Phase{dump.Waiting: fairqueue.Waits, dump.Executing: fairqueue.Executes, dump.Lingering: fairqueue.Lingers}[q.Phase],
		Queue: q.Queue, Started: k.since(q.Arrival), ArrivalR: fairqueue.SeatSeconds(q.ArrivalR),
		Estimate: fairqueue.Estimate{InitialSeats: max(q.InitialSeats, 1), FinalSeats: q.FinalSeats, AdditionalLatency: q.AdditionalLatency},
	}
	r := k.asked(q, f)
	r.Arrival, r.Rest, r.WaitLimit, r.Order = k.since(q.Arrival), q.Rest, q.WaitLimit, q.Order
	switch {
	case q.Phase == dump.Waiting && !q.KnowsArrivalR && k.seatSeconds:
		k.account.Assume(AssumedArrivalR)
	case q.Phase != dump.Waiting && q.Start.IsZero():
		r.StartUnknown = true
		k.account.Assume(AssumedExecuting)
	case q.Phase != dump.Waiting:
		saved.Started = k.since(q.Start)
	}
	out.Moment.Set.Requests = append(out.Moment.Set.Requests, saved)
	out.Requests = append(out.Requests, r)
}

// asked is who asks for what.
func (k *maker) asked(q *dump.Request, f *scheduler.FlowSchema) sim.StartRequest {
	r := sim.StartRequest{Schema: f.Name, User: q.User}
	switch {
	case !q.Detailed:
		k.account.Assume(AssumedDetails)
		r.User, r.Target = "unknown", scheduler.Target{Verb: "get", Path: "/"}
		switch f.Distinguisher {
		case scheduler.ByUser:
			r.User = q.Flow
		case scheduler.ByNamespace:
			r.Target = scheduler.Target{Verb: "get", Resource: "unknown", Namespace: q.Flow}
		}
	case q.Resource == "":
		r.Target = scheduler.Target{Verb: q.Verb, Path: cmp.Or(q.Path, "/")}
	default:
		r.Target = scheduler.Target{Verb: q.Verb, APIGroup: q.Group, Resource: q.Resource, Subresource: q.Subresource, Namespace: q.Namespace}
		r.Name = q.Name
	}
	return r
}

func clock(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }
