package scheduler_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// look tells the state of the server.
func (s *script) look(now time.Duration, what string) string {
	s.t.Helper()
	var text strings.Builder
	switch what {
	case "levels":
		for i, l := range s.server.Levels() {
			st := s.server.LevelState(i)
			fmt.Fprintf(&text, "%s: %d seats (nominal %d, %d to %d)", l.Name, l.Current, l.Nominal, l.Min, l.Max)
			if l.MaxSeats > 0 {
				fmt.Fprintf(&text, ", %d for a request", l.MaxSeats)
			}
			fmt.Fprintf(&text, "; %d seats in use, %d waiting, %d executing", st.SeatsInUse, st.Waiting, st.Executing)
			if l.Status != scheduler.Active {
				fmt.Fprintf(&text, " (%v)", l.Status)
			}
			text.WriteString("\n")
		}
	case "queues":
		s.queues(&text)
	case "flows":
		for i := range s.server.Flows() {
			s.flow(&text, scheduler.FlowID(i))
		}
	case "schemas":
		names := s.server.Schemas()
		for _, number := range s.server.SchemasInForce() {
			fmt.Fprintf(&text, "%s (%s)\n", names[number], s.server.Levels()[s.server.SchemaLevel(int(number))].Name)
		}
	default:
		s.t.Fatalf("%v: unknown operation %q", now, what)
	}
	return text.String()
}

// limits tells the current limit of every level.
func (s *script) limits(now time.Duration) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%v", now)
	for i, l := range s.server.Levels() {
		if l.Status == scheduler.Gone {
			continue
		}
		if st := s.server.LevelState(i); st.Limit != l.Current {
			s.t.Errorf("level %s: the limit is %d, and %d is in force", l.Name, l.Current, st.Limit)
		}
		fmt.Fprintf(&text, " %s %d", l.Name, l.Current)
	}
	return text.String() + "\n"
}

// queues tells which queues hold something.
func (s *script) queues(text *strings.Builder) {
	for i, l := range s.server.Levels() {
		for q := range s.server.LevelState(i).Queues {
			if st := s.server.QueueState(i, q); st != (fairqueue.QueueState{}) && st.Waiting+st.Executing+st.SeatsInUse > 0 {
				fmt.Fprintf(text, "%s, queue %d: %d waiting, %d executing, %d seats in use\n", l.Name, q, st.Waiting, st.Executing, st.SeatsInUse)
			}
		}
	}
}

// flow tells what is known of a flow, and holds it against package shuffle.
func (s *script) flow(text *strings.Builder, id scheduler.FlowID) {
	f := s.server.Flow(id)
	name := s.server.Schemas()[f.Schema]
	level := s.server.Levels()[f.Level]
	dealer, err := shuffle.NewDealer(level.Queues, level.HandSize)
	if err != nil {
		s.t.Fatal(err)
	}
	if want := shuffle.FlowHash(name, f.Distinguisher); f.Hash != want || !slices.Equal(f.Hand, dealer.Deal(want, nil)) {
		s.t.Errorf("flow %+v has another hash than %#x, or another hand than that deals", f, want)
	}
	fmt.Fprintf(text, "flow %d of %s: %q, hash %016x, hand %v\n", id, name, f.Distinguisher, f.Hash, f.Hand)
}

// parseConfig reads the lines of the command server.
func parseConfig(t *testing.T, input string) scheduler.Config {
	t.Helper()
	cfg := scheduler.Config{ConsistentReadsFromCache: true}
	for line := range strings.Lines(input) {
		fields := strings.Fields(line)
		name, args := "", fields[1:]
		if len(args) > 0 && !strings.Contains(args[0], "=") {
			name, args = args[0], args[1:]
		}
		o := parseOptions(t, args)
		switch fields[0] {
		case "server":
			cfg.Seats, cfg.RequestTimeout = o.int("seats", 0), o.duration("timeout", time.Minute)
			cfg.ConsistentReadsFromCache = o.text("consistent", "true") == "true"
			version, err := release.Parse(o.text("release", "1.37"))
			if err != nil {
				t.Fatal(err)
			}
			cfg.Release = version
		case "level":
			cfg.PriorityLevels = append(cfg.PriorityLevels, parseLevel(name, o))
		case "schema":
			cfg.FlowSchemas = append(cfg.FlowSchemas, parseSchema(name, o))
		case "objects":
			cfg.Objects = append(cfg.Objects, scheduler.ObjectCount{Resource: name,
				Count: int64(o.int("count", 0)), AverageBytes: int64(o.int("size", 0)), Stale: o.text("stale", "") == "true"})
		case "watches":
			cfg.Watches = append(cfg.Watches, scheduler.WatchCount{Resource: name,
				Namespace: o.text("ns", ""), Name: o.text("name", ""), Count: o.int("count", 0)})
		default:
			t.Fatalf("%q is no part of a server", line)
		}
	}
	addMandatory(&cfg)
	return cfg
}

// addMandatory adds what every server has: requests of system:masters are exempt, and
// catch-all has the shares that upstream gives to it.
func addMandatory(cfg *scheduler.Config) {
	has := func(name string) bool {
		return slices.ContainsFunc(cfg.PriorityLevels, func(l scheduler.PriorityLevel) bool { return l.Name == name })
	}
	if !has(scheduler.Exempt) {
		cfg.PriorityLevels = append(cfg.PriorityLevels, scheduler.PriorityLevel{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1})
	}
	if !has(scheduler.CatchAll) {
		cfg.PriorityLevels = append(cfg.PriorityLevels, scheduler.PriorityLevel{Name: scheduler.CatchAll, Shares: 5, BorrowingLimitPercent: -1})
	}
	masters := options{"level": scheduler.Exempt, "precedence": "1", "groups": "system:masters"}
	rest := options{"level": scheduler.CatchAll, "precedence": "10000", "by": "user", "groups": "system:authenticated"}
	cfg.FlowSchemas = append(cfg.FlowSchemas, parseSchema(scheduler.Exempt, masters), parseSchema(scheduler.CatchAll, rest))
}

func parseLevel(name string, o options) scheduler.PriorityLevel {
	l := scheduler.PriorityLevel{
		Name: name, Exempt: name == scheduler.Exempt, Shares: int32(o.int("shares", 0)),
		LendablePercent: int32(o.int("lendable", 0)), BorrowingLimitPercent: int32(o.int("borrowing", -1)),
	}
	if queues := o.int("queues", 0); queues > 0 {
		l.Queuing = &scheduler.Queuing{Queues: int32(queues), HandSize: int32(o.int("hand", 1)), QueueLengthLimit: int32(o.int("length", 50))}
	}
	return l
}

// parseSchema makes a schema that takes all that the members of its groups ask for.
func parseSchema(name string, o options) scheduler.FlowSchema {
	f := scheduler.FlowSchema{Name: name, PriorityLevel: o.text("level", name), Precedence: int32(o.int("precedence", 100))}
	switch o.text("by", "") {
	case "user":
		f.Distinguisher = scheduler.ByUser
	case "namespace":
		f.Distinguisher = scheduler.ByNamespace
	}
	star := []string{"*"}
	rule := scheduler.Rule{
		Resources:    []scheduler.ResourceRule{{Verbs: star, APIGroups: star, Resources: star, Namespaces: star, ClusterScope: true}},
		NonResources: []scheduler.NonResourceRule{{Verbs: star, URLs: star}},
	}
	for _, g := range o.list("groups") {
		rule.Subjects = append(rule.Subjects, scheduler.SubjectRule{Kind: scheduler.Group, Name: g})
	}
	f.Rules = []scheduler.Rule{rule}
	return f
}

// options are the NAME=VALUE arguments of a line.
type options map[string]string

func parseOptions(t *testing.T, args []string) options {
	t.Helper()
	o := options{}
	for _, a := range args {
		key, value, ok := strings.Cut(a, "=")
		if !ok {
			t.Fatalf("%q is not NAME=VALUE", a)
		}
		o[key] = value
	}
	return o
}

func (o options) text(key, otherwise string) string {
	if v, ok := o[key]; ok {
		return v
	}
	return otherwise
}

func (o options) list(key string) []string {
	if o[key] == "" {
		return nil
	}
	return strings.Split(o[key], ",")
}

func (o options) int(key string, otherwise int) int {
	n, err := strconv.Atoi(o.text(key, strconv.Itoa(otherwise)))
	if err != nil {
		panic(fmt.Sprintf("%s: %v", key, err))
	}
	return n
}

func (o options) duration(key string, otherwise time.Duration) time.Duration {
	d, err := time.ParseDuration(o.text(key, otherwise.String()))
	if err != nil {
		panic(fmt.Sprintf("%s: %v", key, err))
	}
	return d
}
