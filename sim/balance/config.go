package balance

import (
	"fmt"
	"slices"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// Policy is how a server is chosen among those in rotation.
type Policy uint8

// The policies. How many random numbers a choice takes depends on the policy alone.
const (
	// Random takes each with the same chance: what a hash of addresses and ports comes to.
	Random Policy = iota
	// RoundRobin takes one after the other.
	RoundRobin
	// LeastRequests takes the one with the least load, the first of several: a full scan, as
	// HAProxy's leastconn and Envoy's FULL_SCAN, which break ties in other ways (in turn, at
	// random). The load is the open requests, or PerConnection the open connections.
	LeastRequests
	// TwoChoices draws two at random, which may be the same, and takes the one with less
	// load, the first if they are equal: Envoy's LEAST_REQUEST with its default of two choices
	// (source/extensions/load_balancing_policies/least_request/least_request_lb.cc).
	TwoChoices
)

// policyNames are the names in scenario files.
var policyNames = [...]string{"random", "round-robin", "least-requests", "two-choices"}

// String returns the name that scenario files use.
func (p Policy) String() string { return policyNames[p] }

// ParsePolicy returns the policy of a name in scenario files.
func ParsePolicy(name string) (Policy, bool) {
	i := slices.Index(policyNames[:], name)
	return Policy(max(i, 0)), i >= 0
}

// Policies lists the names that ParsePolicy takes.
func Policies() []string { return slices.Clone(policyNames[:]) }

// Scope is what a choice is made for.
type Scope uint8

// The scopes.
const (
	// PerConnection: a balancer of layer 4.
	PerConnection Scope = iota
	// PerRequest: a balancer of layer 7.
	PerRequest
)

// String returns the name that scenario files use.
func (s Scope) String() string { return [...]string{"connection", "request"}[s] }

// What applies where a configuration says 0.
const (
	// DefaultStreams is MaxConcurrentStreams of kube-apiserver's HTTP/2 server
	// (pkg/server/secure_serving.go, v0.37.2).
	DefaultStreams = 100
	// DefaultIdleTimeout is how long an unused connection stays open (the same file, and
	// DefaultTransport of net/http).
	DefaultIdleTimeout = 90 * time.Second
)

// GoawayChanceMax is the largest --goaway-chance that kube-apiserver takes
// (pkg/server/options/server_run_options.go, v0.37.2).
const GoawayChanceMax = 0.02

// A chance of 1 in 50 is the upper bound of kube-apiserver because each GOAWAY costs a TLS
// handshake; see the help of the flag.

// streamsMax bounds the streams of a connection: HTTP/2 numbers them with 31 bits.
const streamsMax = 1<<31 - 1

// Config is a balancer with what it balances.
type Config struct {
	// Policy chooses among the servers in rotation.
	Policy Policy
	// Per tells what it chooses for.
	Per Scope
	// Streams is how many streams a connection has at most; 0 means DefaultStreams. It is
	// of no interest PerRequest.
	Streams int
	// GoawayChance is --goaway-chance of the servers: the share of requests that make the
	// server end the connection they came by, 0 to GoawayChanceMax. It is of no interest
	// PerRequest: the connections between such a balancer and the servers are its own.
	GoawayChance float64
	// IdleTimeout is how long a connection may be unused; 0 means DefaultIdleTimeout.
	IdleTimeout time.Duration
	// Health is how the balancer learns which servers are well.
	Health Health
}

// Health is a balancer's health checks.
type Health struct {
	// Interval is the time between two checks of a server; the first is one Interval after
	// the start. 0 means that the balancer knows at once.
	Interval time.Duration
	// UnhealthyAfter failures in a row take a server out of rotation, HealthyAfter successes
	// put it back. At least 1 each, if there is an Interval.
	UnhealthyAfter, HealthyAfter int
	// Sees narrows what the balancer sees, from a time on to the next one: checks of a server
	// that is not listed fail for a reason that is none of the server's, from that moment and
	// without any delay. Before the first, and where there is none, it sees all.
	Sees []View
}

// View is what a balancer sees from a time on.
type View struct {
	At time.Duration
	// Servers are indexes; nil means all, and none at all is legal.
	Servers []int
}

// Validate returns all faults at once, each a *workload.FieldError with the path in scenario
// files. servers is how many servers there are.
func (c *Config) Validate(servers int) []error {
	var all []error
	// add notes that a value is out of range, unless it is not.
	add := func(ok bool, field string, value any, legal string) {
		if !ok {
			all = append(all, &workload.FieldError{
				Field: "balancer." + field, Problem: fmt.Sprintf("%v is out of range", value), Legal: legal})
		}
	}
	duration := fmt.Sprintf("a duration from 0s to %v", workload.MaxDuration)
	h := &c.Health
	add(c.Policy <= TwoChoices, "policy", int(c.Policy), "random, round-robin, least-requests, two-choices")
	add(c.Per <= PerRequest, "per", int(c.Per), "connection, request")
	add(c.Streams >= 0 && c.Streams <= streamsMax, "streams", c.Streams, fmt.Sprintf("a whole number from 1 to %d", streamsMax))
	add(c.GoawayChance >= 0 && c.GoawayChance <= GoawayChanceMax, "goawayChance", c.GoawayChance,
		fmt.Sprintf("a number from 0 to %g, as kube-apiserver takes it", GoawayChanceMax))
	add(c.IdleTimeout >= 0 && c.IdleTimeout <= workload.MaxDuration, "idleTimeout", c.IdleTimeout, duration)
	add(h.Interval >= 0 && h.Interval <= intervalMax, "health.interval", h.Interval, fmt.Sprintf("a duration from 0s to %v", intervalMax))
	least := 0
	if h.Interval > 0 {
		least = 1
	}
	counts := fmt.Sprintf("a whole number from %d to %d", least, thresholdMax)
	add(h.UnhealthyAfter >= least && h.UnhealthyAfter <= thresholdMax, "health.unhealthyAfter", h.UnhealthyAfter, counts)
	add(h.HealthyAfter >= least && h.HealthyAfter <= thresholdMax, "health.healthyAfter", h.HealthyAfter, counts)
	return append(all, h.validateViews(servers)...)
}

// The bounds keep the time that it takes to change a mind within 64 bits.
const (
	thresholdMax = 1000
	intervalMax  = time.Hour
)

// validateViews checks what the balancer sees, and when.
func (h *Health) validateViews(servers int) []error {
	var all []error
	last := time.Duration(-1)
	for i := range h.Sees {
		v := &h.Sees[i]
		field := fmt.Sprintf("balancer.health.sees[%d]", i)
		if v.At <= last || v.At > workload.MaxDuration {
			all = append(all, &workload.FieldError{Field: field + ".at", Problem: fmt.Sprintf("%v is out of range", v.At),
				Legal: "0s or later, and later than the one before"})
		}
		last = max(last, v.At)
		all = append(all, CheckServers(field+".servers", v.Servers, servers)...)
	}
	return all
}

// CheckServers returns an error for each index that is not of one of n servers, or is there
// twice.
func CheckServers(field string, indexes []int, n int) []error {
	var all []error
	for i, s := range indexes {
		problem := ""
		switch {
		case s < 0 || s >= n:
			problem = fmt.Sprintf("there is no server %d", s)
		case slices.Contains(indexes[:i], s):
			problem = fmt.Sprintf("server %d is there twice", s)
		default:
			continue
		}
		all = append(all, &workload.FieldError{Field: fmt.Sprintf("%s[%d]", field, i), Problem: problem,
			Legal: fmt.Sprintf("servers from 0 to %d, each once", n-1)})
	}
	return all
}
