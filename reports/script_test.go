package reports

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/borrowing"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// TestScripts runs the scripts in testdata/scripts. Each describes a small server, tells
// what happened on it event by event, and shows the reports. With -rewrite the expected
// output is what comes out; commit that only if you understand what changed.
//
//	scenario    the server, one "level", "schema", "flow" or "population" a line; a "window" is a
//	            part of the run that expectations are about
//	events      what happens, "TIME EVENT ..." a line; "end" ends a replication
//	text        the text report, or the sections whose title begins as section= says
//	json        the JSON report, or the part that path= names
//	decisions   the decision log of the last replication
//	judge       verdicts on expectations, one a line
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		s := &script{t: t}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s.t, s.d = t, d
			switch d.Cmd {
			case "scenario":
				return s.scenario()
			case "events":
				return s.events()
			case "text":
				return s.text()
			case "json":
				return s.json()
			case "decisions":
				return s.log.String()
			case "judge":
				return s.judge()
			}
			d.Fatalf(t, "unknown command %q", d.Cmd)
			return ""
		})
	})
}

// script is the state of one script. It is the server of its collectors, too.
type script struct {
	t *testing.T
	d *datadriven.TestData

	info   Info
	cfg    sim.Config
	levels []scheduler.LevelInfo
	names  []string // of schemas
	leads  []int    // the level of each schema
	known  []scheduler.FlowInfo
	panics int // what the server would say in the end

	windows   []Window
	parts     []Windowed
	collector *Collector
	decisions *DecisionLog
	observer  sim.Observer
	log       bytes.Buffer
	requests  map[int64]*sim.Request
	seats     []int // in use, by level
	runs      []*Collected
	deadlock  *sim.Deadlock
}

func (s *script) Levels() []scheduler.LevelInfo               { return s.levels }
func (s *script) Schemas() []string                           { return s.names }
func (s *script) SchemaLevel(i int) int                       { return s.leads[i] }
func (s *script) Flow(id scheduler.FlowID) scheduler.FlowInfo { return s.known[id] }
func (s *script) Changes() []scheduler.Change                 { return nil }
func (s *script) Panics() int                                 { return s.panics }
func (s *script) QueueState(level, queue int) fairqueue.QueueState {
	panic("nobody asks for a queue of a server that does not change")
}
func (s *script) LevelState(i int) fairqueue.State {
	return fairqueue.State{Limit: s.levels[i].Current, SeatsInUse: s.seats[i]}
}

// options are the key=value words of a line, and its other words in order.
type options struct {
	s     *script
	words []string
	pairs map[string]string
}

func (s *script) parse(line string) options {
	o := options{s: s, pairs: map[string]string{}}
	for _, word := range strings.Fields(line) {
		if key, value, ok := strings.Cut(word, "="); ok {
			o.pairs[key] = value
		} else {
			o.words = append(o.words, word)
		}
	}
	return o
}

func (o options) has(word string) bool {
	for _, w := range o.words {
		if w == word {
			return true
		}
	}
	return false
}

func (o options) number(key string, otherwise int) int {
	text, ok := o.pairs[key]
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		o.s.d.Fatalf(o.s.t, "%s: %v", key, err)
	}
	return n
}

func (o options) duration(key string) time.Duration {
	text, ok := o.pairs[key]
	if !ok {
		return 0
	}
	return o.s.time(text)
}

func (s *script) time(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		s.d.Fatalf(s.t, "%v", err)
	}
	return d
}

func (s *script) lines() []string { return strings.Split(strings.TrimSpace(s.d.Input), "\n") }

func index(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	panic(fmt.Sprintf("the script uses %q without naming it before", name))
}

func (s *script) levelIndex(name string) int {
	for i := range s.levels {
		if s.levels[i].Name == name {
			return i
		}
	}
	panic(fmt.Sprintf("no level %q", name))
}

func (s *script) population(name string) int {
	for i := range s.cfg.Populations {
		if s.cfg.Populations[i].Name == name {
			return i
		}
	}
	panic(fmt.Sprintf("no population %q", name))
}

func (s *script) scenario() string {
	*s = script{t: s.t, d: s.d, info: Info{Scenario: "a-scenario", KubernetesVersion: "1.37"}}
	s.cfg.Scheduler.Seats, s.cfg.Scheduler.RequestTimeout = 600, time.Minute
	s.cfg.Seed = 1
	for _, line := range s.lines() {
		o := s.parse(line)
		switch o.words[0] {
		case "run":
			s.info.Replications, s.panics = o.number("replications", 1), o.number("panics", 0)
			s.cfg.Duration, s.cfg.Warmup = o.duration("duration"), o.duration("warmup")
		case "level":
			nominal := o.number("nominal", 10)
			s.levels = append(s.levels, scheduler.LevelInfo{
				Name:             o.words[1],
				Exempt:           o.has("exempt"),
				Queues:           o.number("queues", 0),
				HandSize:         o.number("hand", 0),
				QueueLengthLimit: o.number("length", 0),
				Limits:           borrowing.Limits{Nominal: nominal, Min: o.number("min", nominal), Max: o.number("max", nominal)},
				Current:          o.number("current", nominal),
			})
		case "schema":
			s.names, s.leads = append(s.names, o.words[1]), append(s.leads, s.levelIndex(o.pairs["level"]))
		case "population":
			s.cfg.Populations = append(s.cfg.Populations, workload.Population{Name: o.words[1], Clients: o.number("clients", 1), Requests: make([]workload.Template, 1)})
		case "flow":
			schema := index(s.names, o.pairs["schema"])
			f := scheduler.FlowInfo{Schema: int32(schema), Level: int32(s.leads[schema]), Distinguisher: o.words[1]}
			for _, q := range strings.Split(o.pairs["hand"], ",") {
				n, _ := strconv.Atoi(q)
				f.Hand = append(f.Hand, int32(n))
			}
			s.known = append(s.known, f)
		case "window":
			s.windows = append(s.windows, Window{From: o.duration("from"), Until: o.duration("until")})
		default:
			s.d.Fatalf(s.t, "unknown word %q", o.words[0])
		}
	}
	return ""
}

// begin starts a replication.
func (s *script) begin() {
	s.log.Reset()
	s.collector, s.decisions = NewCollector(), NewDecisionLog(&s.log)
	s.requests, s.seats = map[int64]*sim.Request{}, make([]int, len(s.levels))
	s.collector.start(&s.cfg, len(s.runs), []server{s}, []bool{true})
	s.decisions.start([]server{s})
	observers := []sim.Observer{s.collector, s.decisions}
	s.parts = nil
	for _, w := range s.windows {
		part := Windowed{w, NewCollector(Between(w.From, w.Until))}
		part.start(&s.cfg, len(s.runs), []server{s}, []bool{true})
		s.parts, observers = append(s.parts, part), append(observers, part.Collector)
	}
	s.observer = Tee(observers...)
}

func (s *script) events() string {
	for _, line := range s.lines() {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if s.collector == nil {
			s.begin()
		}
		s.event(line)
	}
	return ""
}

func (s *script) event(line string) {
	o := s.parse(line)
	now := s.time(o.words[0])
	switch o.words[1] {
	case "adjust":
		for i := range s.levels {
			s.levels[i].Current = o.number(s.levels[i].Name, s.levels[i].Current)
		}
		s.observer.Adjusted(now, 0)
	case "retried", "gave-up", "renewed", "lost", "throttled", "restarted", "synced", "relisted", "not-ready", "ready", "dropped":
		event := sim.ClientEvent(index([]string{"retried", "gave-up", "renewed", "lost", "throttled", "restarted", "synced", "relisted", "not-ready", "ready", "dropped"}, o.words[1]))
		s.observer.Client(now, event, int32(s.population(o.words[2])), int32(o.number("client", 0)), o.duration("value"))
	case "refuse":
		s.refuse(now, o)
	case "conclude":
		s.conclude(now, o)
	case "stop", "drain", "start", "killed":
		event := map[string]sim.ServerEvent{"stop": sim.ServerStopped, "drain": sim.ServerDraining, "start": sim.ServerStarted, "killed": sim.OutOfMemory}[o.words[1]]
		s.observer.Server(now, event, 0)
	case "stuck":
		s.stuck(now, o)
	case "inverted":
		caller, _ := strconv.ParseInt(o.words[2], 10, 64)
		called, _ := strconv.ParseInt(o.words[3], 10, 64)
		s.observer.Inverted(now, s.requests[caller], s.requests[called], now-s.requests[called].Arrival)
	case "end":
		s.end(now, o.has("partial"))
	default:
		id, err := strconv.ParseInt(o.words[2], 10, 64)
		if err != nil {
			s.d.Fatalf(s.t, "%v", err)
		}
		if o.words[1] == "arrive" {
			s.arrive(now, id, o)
		} else {
			s.happen(now, s.requests[id], o)
		}
	}
}

func (s *script) end(now time.Duration, partial bool) {
	s.observer.End(now, partial)
	if err := s.decisions.Close(); err != nil {
		s.d.Fatalf(s.t, "%v", err)
	}
	summary := sim.Summary{Requests: int64(len(s.requests)), End: now, Partial: partial, Fingerprint: 0xabc<<32 + uint64(len(s.runs))}
	run := s.collector.Collected(summary)
	for _, part := range s.parts {
		run.Attach(part.Window, part.Collected(summary))
	}
	s.runs = append(s.runs, run)
	s.collector = nil
}

func (s *script) arrive(now time.Duration, id int64, o options) {
	r := &sim.Request{
		ID: id, Arrival: now, Dispatched: -1, Finished: -1, Schema: -1, Level: -1,
		Population: int32(s.population(o.pairs["from"])),
		Attempt:    int32(o.number("attempt", 0)),
		Flow:       scheduler.FlowID(o.number("flow", -1)),
		Queue:      int32(o.number("queue", -1)),
		Execution:  o.duration("exec"),
		Estimate: fairqueue.Estimate{
			InitialSeats:      o.number("seats", 1),
			FinalSeats:        o.number("final", 0),
			AdditionalLatency: o.duration("latency"),
		},
	}
	if name, ok := o.pairs["schema"]; ok {
		r.Schema = int32(index(s.names, name))
		r.Level = int32(s.leads[r.Schema])
	}
	s.requests[id] = r
	s.observer.Arrived(now, r)
}

// refuse lets an attempt reach no server.
func (s *script) refuse(now time.Duration, o options) {
	why := sim.Refusal(index([]string{"no-server", "gateway-rate", "gateway-in-flight", "gateway-degraded", "gateway-no-rule"}, o.words[3]))
	id, _ := strconv.ParseInt(o.words[2], 10, 64)
	r := &sim.Request{ID: id, Server: -1, Arrival: now, Dispatched: -1, Finished: now, Schema: -1, Level: -1, Flow: -1, Queue: -1,
		Population: int32(s.population(o.pairs["from"])), Attempt: int32(o.number("attempt", 0))}
	s.observer.Refused(now, r, why)
}

// conclude ends an operation of a population.
func (s *script) conclude(now time.Duration, o options) {
	status := map[string]workload.Status{"ok": workload.OK, "429": workload.TooManyRequests, "503": workload.Unavailable, "time-out": workload.TimedOut,
		"refused": workload.Refused, "lost": workload.Lost, "withdrawn": workload.Withdrawn}[o.words[3]]
	s.observer.Concluded(now, &sim.Operation{
		Population: int32(s.population(o.words[2])), Attempts: int32(o.number("attempts", 1)), Status: status, Unsent: o.has("unsent"),
		Began: o.duration("began"), Throttled: o.duration("throttled"), Paused: o.duration("paused"), Queued: o.duration("queued"), Executing: o.duration("executing"),
	})
}

// stuck tells of a deadlock of a population that calls itself, or of its end.
func (s *script) stuck(now time.Duration, o options) {
	if s.deadlock != nil {
		s.deadlock.Ended, s.deadlock.By, s.deadlock.Failed = now, sim.BrokenByWaitLimit, o.number("failed", 0)
		s.observer.Stuck(now, s.deadlock)
		return
	}
	at := sim.Party{Population: int32(s.population(o.words[2])), Level: int32(s.levelIndex(o.words[3]))}
	s.deadlock = &sim.Deadlock{
		Since: now, Ended: -1, Requests: o.number("requests", 1), Seats: o.number("seats", 1),
		Levels: []sim.StuckLevel{{Level: at.Level, Limit: o.number("seats", 1), Seats: o.number("seats", 1), Waiting: o.number("requests", 1)}},
		Cycle:  []sim.Link{{Caller: at, Called: at, Requests: o.number("requests", 1), Seats: o.number("seats", 1)}},
	}
	s.observer.Stuck(now, s.deadlock)
}

// happen lets something happen to a request that has arrived.
func (s *script) happen(now time.Duration, r *sim.Request, o options) {
	seats := o.number("seats", r.Estimate.Width())
	switch o.words[1] {
	case "dispatch":
		r.Dispatched = now
		if r.Level >= 0 {
			s.seats[r.Level] += seats
		}
		s.observer.Dispatched(now, r)
	case "reject":
		r.Finished, r.RetryAfter = now, int32(o.number("retry", 1))
		r.Reason = fairqueue.Reason(index([]string{"", "queue-full", "concurrency-limit", "time-out", "cancelled", "ejected"}, o.words[3]))
		s.observer.Rejected(now, r)
	case "finish":
		r.Finished = now
		if o.has("timed-out") {
			r.Status = workload.TimedOut
		}
		s.observer.Finished(now, r)
		if r.Level >= 0 && !o.has("lingers") {
			s.release(now, r, seats)
		}
	case "release":
		s.release(now, r, seats)
	case "cut":
		r.Status = workload.Lost
		s.observer.Cut(now, r)
	default:
		s.d.Fatalf(s.t, "unknown event %q", o.words[1])
	}
}

func (s *script) release(now time.Duration, r *sim.Request, seats int) {
	s.seats[r.Level] -= seats
	s.observer.Released(now, r)
}
