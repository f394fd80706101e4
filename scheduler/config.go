package scheduler

import (
	"errors"
	"fmt"
	"time"

	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// The names of the objects that every server has.
const (
	// CatchAll is the FlowSchema that takes what no other one matches.
	CatchAll = "catch-all"
	// Exempt is the only level, and FlowSchema, whose requests are never limited.
	Exempt = "exempt"
)

// The parts of a configuration that the leaf packages define.
type (
	// FlowSchema is the part of the API object that decides.
	FlowSchema = classify.FlowSchema
	// Rule is one of a FlowSchema's rules.
	Rule = classify.Rule
	// SubjectRule matches who makes a request.
	SubjectRule = classify.SubjectRule
	// ResourceRule matches what a resource request asks for.
	ResourceRule = classify.ResourceRule
	// NonResourceRule matches the path of any other request.
	NonResourceRule = classify.NonResourceRule
	// Target is what a request asks for, but for its name and options.
	Target = classify.Target
	// SubjectID is an interned user with groups.
	SubjectID = classify.SubjectID
	// TargetID is an interned Target.
	TargetID = classify.TargetID
	// ListOptions are the options of a LIST or WATCH in a compact form.
	ListOptions = estimate.ListOptions
	// RawListOptions are the options of a LIST or WATCH as a URL holds them.
	RawListOptions = estimate.RawListOptions
)

// The kinds of a SubjectRule.
const (
	User           = classify.User
	Group          = classify.Group
	ServiceAccount = classify.ServiceAccount
)

// The ways to tell the flows of a FlowSchema apart.
const (
	OneFlow     = classify.None
	ByUser      = classify.ByUser
	ByNamespace = classify.ByNamespace
)

// Config is the configuration of one server.
type Config struct {
	// Seats is the server's concurrency limit: --max-requests-inflight and
	// --max-mutating-requests-inflight added up.
	Seats int
	// RequestTimeout is the server's --request-timeout.
	RequestTimeout time.Duration
	// ConsistentReadsFromCache tells that the etcd behind the server can report the
	// progress of watches, so that lists without a resourceVersion come from the cache.
	ConsistentReadsFromCache bool
	// PriorityLevels are in any order; CatchAll and Exempt must be among them.
	PriorityLevels []PriorityLevel
	// FlowSchemas are in any order. One that refers to a missing level is ignored, as
	// upstream does; one with the name CatchAll must be there.
	FlowSchemas []FlowSchema
	// Objects are the stored objects by resource.
	Objects []ObjectCount
	// Watches are open from the beginning on.
	Watches []WatchCount
}

// PriorityLevel is the part of a PriorityLevelConfiguration that decides.
type PriorityLevel struct {
	Name string
	// Exempt levels admit everything at once.
	Exempt bool
	// Shares is the level's weight in the division of the seats.
	Shares int32
	// LendablePercent of the nominal limit can be borrowed by others.
	LendablePercent int32
	// BorrowingLimitPercent bounds what the level may borrow, in percent of the nominal
	// limit; -1 is no bound but the server's seats.
	BorrowingLimitPercent int32
	// Queuing is nil for a level that rejects at its limit, and for an exempt one.
	Queuing *Queuing
}

// Queuing are the queues of a level.
type Queuing struct {
	Queues, HandSize, QueueLengthLimit int32
}

// ObjectCount is the number and size of the stored objects of a resource.
type ObjectCount struct {
	Group, Resource string
	Count           int64
	// AverageBytes is the mean serialized size; 0 is unknown.
	AverageBytes int64
	// Stale tells that the server has not been able to count for a while.
	Stale bool
}

// WatchCount is a number of watches that are open. Namespace and Name are empty for
// watches over all of them.
type WatchCount struct {
	Group, Resource, Namespace, Name string
	Count                            int
}

// validate returns all that makes the configuration impossible. Manifests are checked
// where they are read, with positions; this is the check for other callers.
func (c *Config) validate() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if c.Seats < 1 {
		fault("the server has %d seats; it needs at least 1", c.Seats)
	}
	if c.RequestTimeout <= 0 {
		fault("the request timeout is %v; it must be positive", c.RequestTimeout)
	}
	levels := map[string]bool{}
	for i := range c.PriorityLevels {
		l := &c.PriorityLevels[i]
		if levels[l.Name] {
			fault("priority level %q is there twice", l.Name)
		}
		levels[l.Name] = true
		if err := l.validate(); err != nil {
			fault("priority level %q: %w", l.Name, err)
		}
	}
	if !levels[CatchAll] || !levels[Exempt] {
		fault("the priority levels %q and %q must be there", CatchAll, Exempt)
	}
	schemas := map[string]bool{}
	for i := range c.FlowSchemas {
		name := c.FlowSchemas[i].Name
		if schemas[name] {
			fault("flow schema %q is there twice", name)
		}
		schemas[name] = true
	}
	if !schemas[CatchAll] {
		fault("the flow schema %q must be there", CatchAll)
	}
	return errors.Join(faults...)
}

func (l *PriorityLevel) validate() error {
	if l.Exempt != (l.Name == Exempt) {
		return fmt.Errorf("only %q can be exempt, and must be", Exempt)
	}
	if l.Shares < 0 || l.LendablePercent < 0 || l.LendablePercent > 100 {
		return fmt.Errorf("%d shares, %d %% lendable: shares must not be negative, percents be 0 to 100", l.Shares, l.LendablePercent)
	}
	q := l.Queuing
	if q == nil {
		return nil
	}
	if l.Exempt {
		return errors.New("an exempt level has no queues")
	}
	if q.QueueLengthLimit < 1 {
		return fmt.Errorf("queueLengthLimit is %d; it must be positive", q.QueueLengthLimit)
	}
	_, err := shuffle.NewDealer(int(q.Queues), int(q.HandSize))
	return err
}

// schemasInForce leaves out the schemas whose level does not exist.
func (c *Config) schemasInForce() []FlowSchema {
	exists := map[string]bool{}
	for i := range c.PriorityLevels {
		exists[c.PriorityLevels[i].Name] = true
	}
	var kept []FlowSchema
	for _, f := range c.FlowSchemas {
		if exists[f.PriorityLevel] {
			kept = append(kept, f)
		}
	}
	return kept
}
