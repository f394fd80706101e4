package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
	debug "github.com/apfsim/apfsim/reports/dump"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/start"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/recording"
	"github.com/apfsim/apfsim/workload/recording/dump"
)

// proofSpan is for how long after a moment two runs are compared: until the limits are adjusted again.
const proofSpan = 10 * time.Second

// traffic writes the requests that arrive from a moment on as a trace, with the time that they took,
// and what was decided of all of them. Its requests are those of one replication.
type traffic struct {
	sim.Silent
	world  *sim.World
	from   time.Duration
	lines  map[int64]*traced
	events []string
}

// traced is a request on its way into the trace.
type traced struct {
	sim.Request
	options workload.RawOptions
}

func (o *traffic) Start(w *sim.World) { o.world, o.lines = w, map[int64]*traced{} }

func (o *traffic) Arrived(now time.Duration, r *sim.Request) {
	if now > o.from {
		t := &traced{Request: *r}
		if r.Template >= 0 {
			t.options = o.world.Config().Populations[r.Population].Requests[r.Template].Options
		}
		o.lines[r.ID] = t
		o.event(now, r, "arrives", fmt.Sprint(r.Queue, r.Estimate))
	}
}

func (o *traffic) Dispatched(now time.Duration, r *sim.Request) {
	// Who executes when a run begins is told as dispatched then, which the other run has seen before.
	if now > o.from {
		o.event(now, r, "dispatched", "")
	}
}

func (o *traffic) Rejected(now time.Duration, r *sim.Request) {
	o.event(now, r, "rejected", fmt.Sprint(r.Reason, r.RetryAfter))
}

func (o *traffic) Finished(now time.Duration, r *sim.Request) {
	if t := o.lines[r.ID]; t != nil {
		t.Dispatched, t.Finished = r.Dispatched, now
	}
	o.event(now, r, "finished", "")
}

func (o *traffic) Released(now time.Duration, r *sim.Request) { o.event(now, r, "released", "") }

func (o *traffic) Adjusted(now time.Duration, server int32) {
	if now <= o.from {
		return
	}
	for _, l := range o.world.ServerAt(server).Levels() {
		o.events = append(o.events, fmt.Sprintf("%v server %d: %s has %d seats", now-o.from, server, l.Name, l.Current))
	}
}

// event keeps something that happens within the span, in words that are the same in both runs.
func (o *traffic) event(now time.Duration, r *sim.Request, what, more string) {
	if now <= o.from || now >= o.from+proofSpan || r.Level < 0 {
		return
	}
	apf := o.world.ServerAt(r.Server)
	flow := ""
	if r.Flow >= 0 {
		flow = apf.Flow(r.Flow).Distinguisher
	}
	asked := apf.Asked(r.Target)
	o.events = append(o.events, fmt.Sprintf("%012d server %d %s %s/%s/%s %s by %s in queue %d %s", now-o.from, r.Server, what,
		apf.Levels()[r.Level].Name, apf.Schemas()[r.Schema], flow, asked.Verb+" "+asked.Resource, apf.User(r.Subject), r.Queue, more))
}

// trace returns the lines, and no more of them than arrive within the span.
func (o *traffic) trace(groups map[string][]string) string {
	ids := make([]int64, 0, len(o.lines))
	for id := range o.lines {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var b []byte
	for _, id := range ids {
		t := o.lines[id]
		apf := o.world.ServerAt(t.Server)
		asked := apf.Asked(t.Target)
		r := recording.Request{
			Server: t.Server, User: apf.User(t.Subject), Verb: asked.Verb, APIGroup: asked.APIGroup, Resource: asked.Resource,
			Subresource: asked.Subresource, Namespace: asked.Namespace, Name: t.Name, Path: asked.Path, Waited: recording.Unknown,
			Options: recording.Options{
				Limit: t.options.Limit, ResourceVersion: t.options.ResourceVersion, ResourceVersionMatch: t.options.ResourceVersionMatch,
				Continue: t.options.Continue, FieldSelector: t.options.FieldSelector, LabelSelector: t.options.LabelSelector, SendInitialEvents: t.options.SendInitialEvents,
			},
			Execution: t.Execution, Timeout: 4 * t.WaitLimit,
		}
		if o.world.ServerAt(t.Server).Profile().Waiting.LimitedAtArrival {
			r.Timeout = t.WaitLimit
		}
		r.Groups = groups[r.User]
		if asked.Path != "" {
			r.Name = ""
		}
		b = append(recording.AppendTail(recording.AppendHead(b, t.Arrival-o.from), &r), '\n')
	}
	return string(b)
}

// groupsOf returns the groups of all users of the populations, which no page tells.
func groupsOf(cfg *sim.Config) map[string][]string {
	out := map[string][]string{}
	for i := range cfg.Populations {
		p := &cfg.Populations[i]
		for c := range p.Clients {
			out[workload.Expand(p.User, c)] = p.Groups
		}
	}
	return out
}

// observed runs a scenario to the end of the span after a moment.
func observed(t *testing.T, cfg sim.Config, from time.Duration, more ...sim.Observer) *traffic {
	t.Helper()
	cfg.Duration = from + proofSpan
	if !slices.Contains(cfg.Looks, from) {
		cfg.Looks = []time.Duration{from}
	}
	o := &traffic{from: from}
	if _, err := sim.Run(&cfg, 0, reports.Tee(append(more, o)...), nil); err != nil {
		t.Fatal(err)
	}
	slices.Sort(o.events)
	return o
}

// continued is the configuration of a run that begins where pages tell, with a trace.
func continued(t *testing.T, cfg sim.Config, trace, pages string, forget func(*dump.Level)) sim.Config {
	t.Helper()
	opened, faults := workload.OpenTrace("rest.jsonl", func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(trace)), nil })
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	moment, bad, _ := dump.Read([]dump.File{{Name: "whole.txt", Text: []byte(pages)}})
	if len(bad) > 0 {
		t.Fatalf("%+v", bad)
	}
	for i := range moment.Servers {
		for j := range moment.Servers[i].Levels {
			forget(&moment.Servers[i].Levels[j])
		}
	}
	state, bad, _ := start.Of(moment, start.Options{Scheduler: &cfg.Scheduler, Servers: cfg.Servers})
	if len(bad) > 0 {
		t.Fatalf("%+v", bad)
	}
	state.Duration, _ = workload.Constant(time.Second)
	state.Population = 1
	cfg.Populations = []workload.Population{{Name: "rest", Trace: opened}, {Name: scenarios.PresentName, Present: true}}
	cfg.Start, cfg.Warmup, cfg.Looks, cfg.Operations, cfg.Changes = state, 0, nil, nil, nil
	cfg.Gateway, cfg.Balancer = nil, nil
	return cfg
}

// wholePages are the pages of all servers at a moment.
func wholePages(o *debug.Observer, page func(*reports.Dump) string, at time.Duration) string {
	text := ""
	for _, d := range o.Dumps() {
		if time.Duration(d.Time) == at {
			d := d
			text += fmt.Sprintf("==> apiserver-%d <==\n%s\n", d.Server, page(&d))
		}
	}
	return text
}

// differ tells how many lines are in one list alone, and the first of them.
func differ(a, b []string) (n int, first string) {
	count := map[string]int{}
	for _, line := range a {
		count[line]++
	}
	for _, line := range b {
		count[line]--
	}
	var left []string
	for line, c := range count {
		if c != 0 {
			left = append(left, fmt.Sprintf("%+d %s", c, line))
			n += max(c, -c)
		}
	}
	slices.SortFunc(left, func(a, b string) int {
		return strings.Compare(strings.SplitN(a, " ", 2)[1], strings.SplitN(b, " ", 2)[1])
	})
	if len(left) > 0 {
		first = strings.Join(left[:min(len(left), 12)], "\n")
	}
	return n, first
}

// moments are runs of the library, with the times at which others begin where they were. They have
// what a queue set can be in: one flow and many, wide requests, lent and borrowed limits, rejections of
// all kinds, seats that linger, several servers, requests at the same nanosecond.
var moments = []struct {
	scenario string
	minor    int // 0 is that of the scenario
	at       time.Duration
}{
	{"elephants-and-mice", 0, 20 * time.Second},
	{"elephants-and-mice", 0, 33217 * time.Millisecond},
	{"elephants-and-mice", 22, 7217 * time.Millisecond},
	{"elephants-and-mice", 24, 7217 * time.Millisecond},
	{"elephants-and-mice", 26, 13217 * time.Millisecond},
	{"elephants-and-mice", 28, 13217 * time.Millisecond},
	{"agent-sandbox-burst", 0, 5 * time.Second},
	{"daemonset-restart", 0, 20 * time.Second},
	{"leader-election", 0, 20 * time.Second},
	{"list-storm", 0, 20 * time.Second},
	{"lists-never-read-thirsty", 0, 20 * time.Second},
	{"low-levels-larger-share", 0, 20 * time.Second},
	{"nine-hundred-at-once", 0, 5 * time.Second},
	{"one-user-floods-live-dump", 0, 5 * time.Second},
	{"slow-backend", 0, 33217 * time.Millisecond},
	{"three-servers-one-hot", 0, 20 * time.Second},
	{"zero-shares-jail", 0, 20 * time.Second},
}

// A run that begins with the whole pages of another one, and with its traffic from then on, decides
// the same as that one: every decision of ten seconds, to the nanosecond.
func TestBeginsWhereAnotherRunWas(t *testing.T) {
	for _, m := range moments {
		t.Run(fmt.Sprintf("%s/1.%d/%v", m.scenario, m.minor, m.at), func(t *testing.T) {
			t.Parallel()
			s, ok := scenarios.LoadLibrary(m.scenario)
			if !ok {
				t.Fatal("no such scenario")
			}
			if m.minor > 0 {
				s.Config.Scheduler.Release = release.Version{Minor: m.minor, Patch: release.Newest}
			}
			d := debug.NewObserver(m.at)
			a := observed(t, s.Config, m.at, d)
			pages := wholePages(d, func(d *reports.Dump) string { return d.Whole }, m.at)
			cfg := continued(t, s.Config, a.trace(groupsOf(&s.Config)), pages, func(*dump.Level) {})
			b := observed(t, cfg, 0)
			if n, first := differ(a.events, b.events); n > 0 {
				t.Errorf("%d of %d events differ:\n%s", n, len(a.events), first)
			}
			if len(a.events) == 0 {
				t.Error("nothing happens")
			}
		})
	}
}

// forgetWhole leaves what a server's own pages and a scrape tell, and for how long requests go on.
func forgetWhole(l *dump.Level) {
	l.Whole = nil
	l.Requests = slices.DeleteFunc(l.Requests, func(r dump.Request) bool { return r.Phase == dump.Lingering })
	for i := range l.Requests {
		l.Requests[i].KnowsArrivalR, l.Requests[i].ArrivalR, l.Requests[i].WaitLimit = false, 0, 0
	}
}

// forgetScrape leaves what a server's own pages tell.
func forgetScrape(l *dump.Level) {
	forgetWhole(l)
	l.KnowsR, l.R, l.KnowsDemand, l.Limit, l.Nominal = false, 0, false, dump.Unknown, dump.Unknown
}

// tallied counts what happens by kind, level and flow: the first six words of an event are its time, its
// server, what happens, and to whom.
func tallied(events []string) map[string]int {
	n := map[string]int{}
	for _, e := range events {
		if words := strings.Fields(e); len(words) > 4 {
			n[words[3]+" "+words[4]]++
		}
	}
	return n
}

// How far the pages of a real server lead, if the same requests come for ten seconds. To the nanosecond nothing is
// the same after the first decision that differs, since all others follow from it; but each flow has as
// many requests dispatched and rejected as in the run that the pages are of, but for this share.
// docs/import-dump.md tells the figures.
func TestServersOwnPagesLeadFar(t *testing.T) {
	for _, c := range []struct {
		scenario         string
		at               time.Duration
		scraped, unaided float64 // at most
	}{
		{"elephants-and-mice", 20 * time.Second, 0.001, 0.04},
		{"list-storm", 20 * time.Second, 0.1, 0.12},
	} {
		s, _ := scenarios.LoadLibrary(c.scenario)
		d := debug.NewObserver(c.at)
		a := observed(t, s.Config, c.at, d)
		pages := wholePages(d, func(d *reports.Dump) string { return d.Whole }, c.at)
		for _, way := range []struct {
			name   string
			forget func(*dump.Level)
			most   float64
		}{{"pages and scrape", forgetWhole, c.scraped}, {"pages", forgetScrape, c.unaided}} {
			b := observed(t, continued(t, s.Config, a.trace(groupsOf(&s.Config)), pages, way.forget), 0)
			was, is := tallied(a.events), tallied(b.events)
			off, all := 0, 0
			for what := range was {
				all += was[what]
				off += max(was[what]-is[what], is[what]-was[what])
			}
			share := float64(off) / float64(all)
			t.Logf("%s at %v, %s: %d of %d, %.4f", c.scenario, c.at, way.name, off, all, share)
			if share > way.most {
				t.Errorf("%s at %v, %s: a share of %.4f differs, at most %v is expected", c.scenario, c.at, way.name, share, way.most)
			}
		}
	}
}
