package fairqueue

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// TestScripts runs the stories in testdata. Each line of input is an operation:
//
//	TIME arrive NAME [hand=0,1] [seats=1] [final=0] [latency=0s]
//	TIME finish|release|expire NAME
//	TIME configure [queues=] [hand=] [length=] [limit=] [wait=]
//	TIME state | queues | demand
//
// The argument new begins with a new set, of the newest releases or of others:
//
//	run new [seconds] [expiry=unbounded]
//
// Run with -rewrite to accept new output, and commit it only if you understand what
// has changed it.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := &script{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "run" {
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			if s.set == nil || d.HasArg("new") {
				*s = script{set: newSet(d), handles: map[string]Handle{}}
			}
			var out strings.Builder
			for line := range strings.Lines(d.Input) {
				result, err := s.step(strings.Fields(line))
				if err != nil {
					d.Fatalf(t, "%s: %v", strings.TrimSpace(line), err)
				}
				out.WriteString(result)
			}
			return out.String()
		})
	})
}

// newSet returns the set that the arguments of the command ask for.
func newSet(d *datadriven.TestData) QueueSet {
	rules := Rules{SeatSeconds: !d.HasArg("seconds"), BoundsExpiry: !d.HasArg("expiry")}
	return New(0, rules)
}

// script is a set that operations are tried on, and the names of its requests.
type script struct {
	set     QueueSet
	cfg     Config
	limit   int
	names   []string
	handles map[string]Handle
}

// step runs one operation and tells its result.
func (s *script) step(fields []string) (string, error) {
	if len(fields) < 2 {
		return "", fmt.Errorf("want TIME and an operation")
	}
	now, err := time.ParseDuration(fields[0])
	if err != nil {
		return "", err
	}
	verb, args := fields[1], fields[2:]
	name := ""
	if len(args) > 0 && !strings.Contains(args[0], "=") {
		name, args = args[0], args[1:]
	}
	options, err := parseOptions(args)
	if err != nil {
		return "", err
	}
	return s.do(now, verb, name, options)
}

func (s *script) do(now time.Duration, verb, name string, o options) (string, error) {
	at := func(format string, args ...any) string {
		return fmt.Sprintf("%v %s\n", now, fmt.Sprintf(format, args...))
	}
	h := s.handles[name]
	var err error
	switch verb {
	case "configure":
		s.cfg = Config{Queues: o.int("queues", s.cfg.Queues), HandSize: o.int("hand", s.cfg.HandSize), QueueLengthLimit: o.int("length", s.cfg.QueueLengthLimit)}
		if s.cfg.WaitLimit, err = time.ParseDuration(o.text("wait", "0s")); err != nil {
			return "", err
		}
		s.limit = o.int("limit", s.limit)
		return s.tell(now, s.set.Configure(now, s.cfg, s.limit)), nil
	case "arrive":
		return s.arrive(now, name, o)
	case "finish":
		freeAt, lingers, out := s.set.Finish(now, h)
		if lingers {
			return at("%s finished, its seats linger until %v", name, freeAt) + s.tell(now, out), nil
		}
		return at("%s finished", name) + s.tell(now, out), nil
	case "release":
		return at("%s released", name) + s.tell(now, s.set.Release(now, h)), nil
	case "expire":
		s.set.Expire(now, h)
		return at("%s ejected", name), nil
	case "demand":
		d := s.set.TakeDemand(now)
		return at("demand over %.3fs: average %.3f, deviation %.3f, highest %v", d.Seconds, d.Avg, d.StdDev, d.Max), nil
	case "state":
		return at("%+v", s.set.State()), nil
	case "queues":
		var out strings.Builder
		for i := range s.set.State().Queues {
			out.WriteString(at("queue %d %+v", i, s.set.QueueState(i)))
		}
		return out.String(), nil
	}
	return "", fmt.Errorf("unknown operation %q", verb)
}

func (s *script) arrive(now time.Duration, name string, o options) (string, error) {
	latency, err := time.ParseDuration(o.text("latency", "0s"))
	if err != nil {
		return "", err
	}
	var hand []int32
	for card := range strings.SplitSeq(o.text("hand", "0"), ",") {
		i, err := strconv.Atoi(card)
		if err != nil {
			return "", err
		}
		hand = append(hand, int32(i))
	}
	e := Estimate{InitialSeats: o.int("seats", 1), FinalSeats: o.int("final", 0), AdditionalLatency: latency}
	s.names = append(s.names, name)
	h, queue, reason, out := s.set.Arrive(now, e, hand, uint32(len(s.names)-1))
	var text strings.Builder
	for _, d := range s.set.Ejected() {
		fmt.Fprintf(&text, "%v %s ejected, older than the limit\n", now, s.names[d.Tag])
	}
	if h == None {
		fmt.Fprintf(&text, "%v %s rejected at queue %d: %v\n", now, name, queue, reason)
		return text.String(), nil
	}
	s.handles[name] = h
	if s.set.Waiting(h) {
		fmt.Fprintf(&text, "%v %s waits in queue %d\n", now, name, queue)
	}
	return text.String() + s.tell(now, out), nil
}

// tell names the requests that were dispatched.
func (s *script) tell(now time.Duration, out []Dispatch) string {
	var text strings.Builder
	for _, d := range out {
		fmt.Fprintf(&text, "%v %s dispatched\n", now, s.names[d.Tag])
	}
	return text.String()
}

// options are the NAME=VALUE arguments of an operation.
type options map[string]string

func parseOptions(args []string) (options, error) {
	o := options{}
	for _, a := range args {
		key, value, ok := strings.Cut(a, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not NAME=VALUE", a)
		}
		o[key] = value
	}
	return o, nil
}

func (o options) text(key, otherwise string) string {
	if v, ok := o[key]; ok {
		return v
	}
	return otherwise
}

func (o options) int(key string, otherwise int) int {
	n, err := strconv.Atoi(o.text(key, strconv.Itoa(otherwise)))
	if err != nil {
		panic(fmt.Sprintf("%s: %v", key, err))
	}
	return n
}
