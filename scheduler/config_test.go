package scheduler_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// mandatory is the smallest legal configuration: 10 seats and what every server has.
func mandatory() scheduler.Config {
	return scheduler.Config{
		Seats:          10,
		RequestTimeout: time.Minute,
		PriorityLevels: []scheduler.PriorityLevel{
			{Name: scheduler.CatchAll, Shares: 5, BorrowingLimitPercent: -1},
			{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
		},
		FlowSchemas: []scheduler.FlowSchema{
			{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll},
		},
	}
}

// refusal is a change of the mandatory configuration, and the faults that it makes.
type refusal struct {
	name   string
	change func(c *scheduler.Config)
	want   []string
}

func refuses(t *testing.T, all []refusal) {
	t.Helper()
	for _, c := range all {
		cfg := mandatory()
		c.change(&cfg)
		s, err := scheduler.New(cfg, 0)
		if want := strings.Join(c.want, "\n"); s != nil || fmt.Sprint(err) != want {
			t.Errorf("%s: the server is there: %v, and the faults are\n%v\nwant\n%s", c.name, s != nil, err, want)
		}
	}
}

// TestNewRefuses holds that New finds all faults at once, and panics at none.
func TestNewRefuses(t *testing.T) {
	queues := func(q scheduler.Queuing) func(*scheduler.Config) {
		return func(c *scheduler.Config) { c.PriorityLevels[0].Queuing = &q }
	}
	refuses(t, []refusal{
		{"empty", func(c *scheduler.Config) { *c = scheduler.Config{} }, []string{
			"the server has 0 seats; legal: 1 to 4294967296",
			"the request timeout is 0s; it must be positive",
			`priority level "catch-all" is missing`,
			`priority level "exempt" is missing`,
			`flow schema "catch-all" is missing`}},
		{"too many seats", func(c *scheduler.Config) { c.Seats = math.MaxInt }, []string{
			"the server has 9223372036854775807 seats; legal: 1 to 4294967296"}},
		{"twice", func(c *scheduler.Config) {
			c.PriorityLevels = append(c.PriorityLevels, c.PriorityLevels[0])
			c.FlowSchemas = append(c.FlowSchemas, c.FlowSchemas[0])
		}, []string{`priority level "catch-all" is there twice`, `flow schema "catch-all" is there twice`}},
		{"catch-all without level", func(c *scheduler.Config) { c.FlowSchemas[0].PriorityLevel = "global" }, []string{
			`flow schema "catch-all" refers to priority level "global", which is missing`}},
		{"exempt by another name", func(c *scheduler.Config) {
			c.PriorityLevels[0].Exempt, c.PriorityLevels[1].Exempt = true, false
		}, []string{
			`priority level "catch-all": exempt is true; it must be so for "exempt" alone`,
			`priority level "exempt": exempt is false; it must be true`}},
		{"a level with every fault", func(c *scheduler.Config) {
			c.PriorityLevels[1] = scheduler.PriorityLevel{
				Name: scheduler.Exempt, Exempt: true, Shares: -1, LendablePercent: 101, BorrowingLimitPercent: -2,
				Queuing: &scheduler.Queuing{Queues: 1, HandSize: 2},
			}
		}, []string{
			`priority level "exempt": -1 shares; legal: 0 or more`,
			`priority level "exempt": 101 % lendable; legal: 0 to 100`,
			`priority level "exempt": a borrowing limit of -2 %; legal: 0 or more, -1 for none`,
			`priority level "exempt": there are queues; an exempt level has none`,
			`priority level "exempt": queueLengthLimit is 0; legal: 1 or more`,
			`priority level "exempt": hand size 2 exceeds the 1 queues`}},
		{"no queue", queues(scheduler.Queuing{HandSize: 1, QueueLengthLimit: 1}), []string{
			`priority level "catch-all": 0 queues: at least 1 is needed`}},
		{"no hand", queues(scheduler.Queuing{Queues: 1, QueueLengthLimit: 1}), []string{
			`priority level "catch-all": hand size 0: at least 1 is needed`}},
		{"entropy", queues(scheduler.Queuing{Queues: 1024, HandSize: 7, QueueLengthLimit: 1}), []string{
			`priority level "catch-all": hands of 7 of 1024 queues take 70 bits of the hash, more than the limit of 60`}},
		{"unknown kinds", func(c *scheduler.Config) {
			c.FlowSchemas[0].Distinguisher = 3
			c.FlowSchemas[0].Rules = []scheduler.Rule{{Subjects: []scheduler.SubjectRule{{Kind: 3}}}}
		}, []string{
			`flow schema "catch-all": distinguisher 3 is unknown`,
			`flow schema "catch-all": rules[0].subjects[0] is of the unknown kind 3`}},
	})
}

// TestNewRefusesObjects is the same of what is stored and watched.
func TestNewRefusesObjects(t *testing.T) {
	refuses(t, []refusal{
		{"objects", func(c *scheduler.Config) {
			c.Objects = []scheduler.ObjectCount{
				{Resource: "pods", Count: -1, AverageBytes: -2},
				{Resource: "pods", Count: 1 << 31, AverageBytes: 1 << 32},
				{Group: "apps", Resource: "pods", Count: 1<<31 - 1, AverageBytes: 1 << 32},
			}
		}, []string{
			`objects of resource "pods" of group "": a count of -1; legal: 0 or more`,
			`objects of resource "pods" of group "": -2 bytes on average; legal: 0 or more`,
			`objects of resource "pods" of group "" are there twice`,
			`objects of resource "pods" of group "": 2147483648 of 4294967296 bytes are more than 9223372036854775807 bytes together`}},
		{"watches", func(c *scheduler.Config) {
			c.Watches = []scheduler.WatchCount{{Resource: "pods", Name: "a", Count: -1}, {Resource: "pods", Count: 3}}
		}, []string{
			`watches[0] of resource "pods" of group "": a count of -1; legal: 0 or more`}},
		{"too many watches", func(c *scheduler.Config) {
			c.Watches = []scheduler.WatchCount{{Count: 1e12}, {Count: math.MaxInt}}
		}, []string{"more than 1000000000000 watches are open"}},
	})
}

// TestNewAcceptsTheBounds holds that what is just within the bounds makes a server that
// works.
func TestNewAcceptsTheBounds(t *testing.T) {
	cfg := mandatory()
	cfg.Seats = 1 << 32
	cfg.PriorityLevels[0].LendablePercent = 100
	cfg.PriorityLevels[0].BorrowingLimitPercent = math.MaxInt32
	cfg.PriorityLevels[0].Queuing = &scheduler.Queuing{Queues: 64, HandSize: 10, QueueLengthLimit: 1}
	cfg.FlowSchemas[0].Rules = []scheduler.Rule{{Subjects: []scheduler.SubjectRule{{Kind: scheduler.ServiceAccount}}}}
	cfg.Objects = []scheduler.ObjectCount{{Resource: "pods", Count: math.MaxInt64, AverageBytes: 1}, {Resource: "nodes"}}
	cfg.Watches = []scheduler.WatchCount{{Resource: "pods", Count: 1e12}, {Resource: "pods"}}
	s, err := scheduler.New(cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	// The limit of the level is 0 as a 32-bit integer, which is what upstream divides by the
	// size of a hand: so a request gets one seat, and the work takes the longest time.
	user := s.Subject("ann", nil)
	for verb, want := range map[string]string{
		"list":   "{InitialSeats:1 FinalSeats:0 AdditionalLatency:0s}",
		"create": "{InitialSeats:1 FinalSeats:1 AdditionalLatency:138888h53m20s}",
	} {
		a, _ := s.Arrive(0, &scheduler.Request{Subject: user, Target: s.Target(scheduler.Target{Verb: verb, Resource: "pods"})})
		if got := fmt.Sprintf("%+v", a.Estimate); got != want {
			t.Errorf("a %s is %s, want %s", verb, got, want)
		}
	}
}
