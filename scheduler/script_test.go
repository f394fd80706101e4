package scheduler_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/apfsim/apfsim/scheduler"
)

// TestScripts runs the stories in testdata. The command server makes a server from lines
// like
//
//	server seats=600 [timeout=60s] [consistent=true] [release=1.37]
//	level NAME shares=30 [lendable=33] [borrowing=50] [queues=64 hand=6 length=50]
//	schema NAME level=NAME precedence=100 [by=user|namespace] [groups=a,b]
//	objects RESOURCE count=100 [size=2000] [stale=true]
//	watches RESOURCE count=10 [ns=] [name=]
//
// to which the mandatory level exempt and the schema and level catch-all are added where
// they are missing. Each line of the command run is one of
//
//	TIME arrive NAME [user=] [groups=] [verb=get] [resource=pods] [sub=] [ns=] [name=]
//	                 [path=] [timeout=] and the options limit= rv= match= field= events=
//	TIME finish|release|expire NAME
//	TIME crowd NAME n= ...     n requests, each of a user of its own: NAME-0 and so on
//	TIME leave NAME            finish those of the crowd that execute
//	TIME open|close NAME       the watch that NAME has asked for
//	TIME adjust
//	TIME levels|queues|flows|schemas
//
// The command change, with the argument at=TIME, reconfigures the server: its lines are like
// those of server, each adding an object or replacing the one of its name, or
//
//	delete level|schema NAME
//
// It tells what has changed, after how many digestions, and what is dispatched by it.
//
// Run with -rewrite to accept new output, and commit it only if you understand what has
// changed it.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var s *script
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch {
			case d.Cmd == "server":
				cfg := parseConfig(t, d.Input)
				server, err := scheduler.New(cfg, 0)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				s = &script{t: t, server: server, cfg: cfg, requests: map[string]*sent{}}
				return ""
			case d.Cmd == "change" && s != nil:
				s.t = t
				return s.change(d)
			case d.Cmd != "run" || s == nil:
				d.Fatalf(t, "no server, or unknown command %q", d.Cmd)
			}
			s.t = t
			var out strings.Builder
			for line := range strings.Lines(d.Input) {
				out.WriteString(s.step(strings.TrimSpace(line)))
			}
			return out.String()
		})
	})
}

// script is a server that operations are tried on, and what has been sent to it.
type script struct {
	t        *testing.T
	server   *scheduler.Server
	cfg      scheduler.Config
	names    []string // by tag
	requests map[string]*sent
}

// sent is one request.
type sent struct {
	request   scheduler.Request
	id        scheduler.ID
	executing bool
}

// step runs one operation and tells its result.
func (s *script) step(line string) string {
	s.t.Helper()
	fields := strings.Fields(line)
	if len(fields) < 2 {
		s.t.Fatalf("%q: want TIME and an operation", line)
	}
	now, err := time.ParseDuration(fields[0])
	if err != nil {
		s.t.Fatal(err)
	}
	name := ""
	if len(fields) > 2 {
		name = fields[2]
	}
	r := s.requests[name]
	server, digests := s.server, s.server.Digests()
	switch fields[1] {
	case "arrive":
		return s.arrive(now, name, parseOptions(s.t, fields[3:]))
	case "finish":
		freeAt, lingers, out := server.Finish(now, r.id)
		if lingers {
			return fmt.Sprintf("%v %s finished, its seats linger until %v\n", now, name, freeAt) + s.reaped(now, digests) + s.tell(now, out)
		}
		return fmt.Sprintf("%v %s finished\n", now, name) + s.reaped(now, digests) + s.tell(now, out)
	case "release":
		return fmt.Sprintf("%v %s released\n", now, name) + s.tell(now, server.Release(now, r.id))
	case "expire":
		out := server.Expire(now, r.id)
		return s.reaped(now, digests) + s.tell(now, out)
	case "crowd":
		return s.crowd(now, name, parseOptions(s.t, fields[3:]))
	case "leave":
		return s.leave(now, name)
	case "open":
		server.OpenWatch(r.request.Target, r.request.Name, r.request.Options)
		return fmt.Sprintf("%v %s open, watches of single objects: %t\n", now, name, server.NamedWatches())
	case "close":
		server.CloseWatch(r.request.Target, r.request.Name, r.request.Options)
		return fmt.Sprintf("%v %s closed\n", now, name)
	case "adjust":
		return s.tell(now, server.Adjust(now)) + s.limits(now)
	}
	return s.look(now, fields[1])
}

// arrive sends a request and tells everything that the server makes of it.
func (s *script) arrive(now time.Duration, name string, o options) string {
	raw := scheduler.RawListOptions{
		Limit:                int64(o.int("limit", 0)),
		ResourceVersion:      o.text("rv", ""),
		ResourceVersionMatch: o.text("match", ""),
		FieldSelector:        o.text("field", ""),
		SendInitialEvents:    o.text("events", "") == "true",
	}
	target := scheduler.Target{
		Verb: o.text("verb", "get"), Subresource: o.text("sub", ""), Namespace: o.text("ns", ""), Path: o.text("path", ""),
	}
	if target.Path == "" {
		target.Resource = o.text("resource", "pods")
	}
	r := &sent{request: scheduler.Request{
		Subject: s.server.Subject(o.text("user", "ann"), o.list("groups")),
		Target:  s.server.Target(target),
		Name:    scheduler.RequestName(target.Verb, o.text("name", ""), raw),
		Options: scheduler.ParseListOptions(raw),
		Timeout: o.duration("timeout", 0),
		Tag:     uint32(len(s.names)),
	}}
	s.names, s.requests[name] = append(s.names, name), r
	a, out := s.server.Arrive(now, &r.request)
	r.id = a.ID
	if a.Level < 0 {
		if a.Schema != -1 || a.Flow != -1 || a.Queue != -1 || a.WaitLimit != 0 {
			s.t.Errorf("%s passes by as %+v", name, *a)
		}
		return fmt.Sprintf("%v %s passes by\n", now, name) + s.tell(now, out)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%v %s: schema %s, level %s", now, name, s.server.Schemas()[a.Schema], s.server.Levels()[a.Level].Name)
	if got := s.server.SchemaLevel(int(a.Schema)); got != int(a.Level) {
		s.t.Errorf("%s is at level %d, its schema at %d", name, a.Level, got)
	}
	fmt.Fprintf(&text, ", %s, %s; seats: %d", numbered("flow", int(a.Flow)), numbered("queue", int(a.Queue)), a.Estimate.InitialSeats)
	if a.Estimate.FinalSeats > 0 {
		fmt.Fprintf(&text, ", then %d for %v", a.Estimate.FinalSeats, a.Estimate.AdditionalLatency)
	}
	fmt.Fprintf(&text, "; may wait %v\n", a.WaitLimit)
	return text.String() + s.tell(now, out)
}

// numbered names what -1 stands for the absence of.
func numbered(what string, n int) string {
	if n == -1 {
		return "no " + what
	}
	return fmt.Sprintf("%s %d", what, n)
}

// crowd sends many requests and tells how many of them executed or were rejected at once.
func (s *script) crowd(now time.Duration, name string, o options) string {
	n, dispatched, rejected := o.int("n", 0), 0, 0
	for i := range n {
		o["user"] = fmt.Sprintf("%s-%d", name, i)
		text := s.arrive(now, o["user"], o)
		dispatched += strings.Count(text, "dispatched")
		rejected += strings.Count(text, "rejected")
	}
	return fmt.Sprintf("%v of %d of %s %d dispatched, %d rejected\n", now, n, name, dispatched, rejected)
}

// leave finishes those of a crowd that execute, and tells how many that are and how many
// others are dispatched as they leave.
func (s *script) leave(now time.Duration, name string) string {
	finished, dispatched := 0, 0
	for i := 0; s.requests[fmt.Sprintf("%s-%d", name, i)] != nil; i++ {
		if r := s.requests[fmt.Sprintf("%s-%d", name, i)]; r.executing {
			_, _, out := s.server.Finish(now, r.id)
			r.executing = false
			s.tell(now, out)
			finished, dispatched = finished+1, dispatched+len(out)
		}
	}
	return fmt.Sprintf("%v %d of %s finished, %d dispatched\n", now, finished, name, dispatched)
}

// manyDispatched is how many decisions are counted and not told one by one.
const manyDispatched = 20

// tell writes the decisions.
func (s *script) tell(now time.Duration, out []scheduler.Decision) string {
	var text strings.Builder
	if len(out) > manyDispatched {
		fmt.Fprintf(&text, "%v %d dispatched, from %s to %s\n", now, len(out), s.names[out[0].Tag], s.names[out[len(out)-1].Tag])
	}
	for _, d := range out {
		name := s.names[d.Tag]
		r := s.requests[name]
		if r.id != d.ID {
			s.t.Errorf("%s is %d, and the decision about it is for %d", name, r.id, d.ID)
		}
		r.executing = d.Kind == scheduler.Dispatched
		switch {
		case d.Kind == scheduler.Rejected:
			fmt.Fprintf(&text, "%v %s rejected: %v, retry after %d s\n", now, name, d.Reason, d.RetryAfter)
		case len(out) <= manyDispatched:
			fmt.Fprintf(&text, "%v %s dispatched\n", now, name)
		}
	}
	return text.String()
}
