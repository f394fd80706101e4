package scheduler

import (
	"cmp"
	"time"

	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/release"
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

// The ways to tell the flows of a FlowSchema apart. The zero value is the third one: all
// its requests are one flow.
const (
	ByUser      = classify.ByUser
	ByNamespace = classify.ByNamespace
)

// Config is the configuration of one server.
type Config struct {
	// Release is the version of kube-apiserver to behave as, from release.First to
	// release.Last; the zero value stands for the latter.
	Release release.Version `json:",omitzero"`
	// Seats is the server's concurrency limit: --max-requests-inflight and
	// --max-mutating-requests-inflight added up; 1 to 1<<32.
	Seats int
	// RequestTimeout is the server's --request-timeout.
	RequestTimeout time.Duration
	// ConsistentReadsFromCache tells that the etcd behind the server can report the
	// progress of watches, so that lists without a resourceVersion come from the cache in
	// the releases that can do that.
	ConsistentReadsFromCache bool
	// PriorityLevels are in any order; CatchAll and Exempt must be among them.
	PriorityLevels []PriorityLevel
	// FlowSchemas are in any order. One that refers to a missing level is ignored, as
	// upstream does; one with the name CatchAll must be there, and its level too.
	FlowSchemas []FlowSchema
	// Objects are the stored objects, each resource at most once.
	Objects []ObjectCount
	// Watches are open from the beginning on, at most 1e12 in all.
	Watches []WatchCount
	// FlowHashes are the hashes of flows whose names are not those that the hash was made from,
	// such as those of a trace whose names were replaced. All other hashes follow from the names.
	FlowHashes []FlowHash `json:"-"`
}

// FlowHash is the hash of a flow.
type FlowHash struct {
	FlowSchema string
	// By tells of what the Distinguisher is the name.
	By            classify.Distinguisher
	Distinguisher string
	Hash          uint64
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

// ObjectCount is the number and size of the stored objects of a resource. All of them
// together must not be larger than an int64 can tell in bytes.
type ObjectCount struct {
	Group, Resource string
	// Count is not negative.
	Count int64
	// AverageBytes is the mean serialized size, not negative; 0 is unknown, and counts as
	// 1.5 MB, the largest size.
	AverageBytes int64
	// Stale tells that the server has not been able to count for a while.
	Stale bool
}

// WatchCount is a number of watches that are open. Namespace and Name are empty for
// watches over all of them.
type WatchCount struct {
	Group, Resource, Namespace, Name string
	// Count is not negative. Entries for the same watches add up.
	Count int
}

// version is the release in force.
func (c *Config) version() release.Version { return cmp.Or(c.Release, release.Last) }

// schemasInForce leaves out the schemas whose level does not exist.
func (c *Config) schemasInForce() []FlowSchema {
	exists := c.levelNames()
	var kept []FlowSchema
	for _, f := range c.FlowSchemas {
		if exists[f.PriorityLevel] {
			kept = append(kept, f)
		}
	}
	return kept
}

// levelNames returns the names of the configured levels.
func (c *Config) levelNames() map[string]bool {
	names := make(map[string]bool, len(c.PriorityLevels))
	for i := range c.PriorityLevels {
		names[c.PriorityLevels[i].Name] = true
	}
	return names
}
