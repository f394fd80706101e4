package seats

import (
	"strconv"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// Cost is what a request is expected to need.
type Cost struct {
	InitialSeats int `json:"initialSeats"`
	// FinalSeats and AdditionalLatency are absent without after-effects.
	FinalSeats        int      `json:"finalSeats,omitempty"`
	AdditionalLatency Duration `json:"additionalLatency,omitempty"`
}

// cost takes the part of an answer that is compared.
func (a answer) cost() Cost {
	return Cost{a.initialSeats, a.finalSeats, Duration(a.additionalLatency)}
}

// The collections that the typical costs are about: a handful, the pods of a cluster of
// some 200 nodes, its events, Helm's secrets.
var stored = []scheduler.ObjectCount{
	{Resource: "few", Count: 100, AverageBytes: 2_000},
	{Resource: "pods", Count: 5_000, AverageBytes: 4_000},
	{Resource: "events", Count: 50_000, AverageBytes: 1_000},
	{Resource: "secrets", Count: 500, AverageBytes: 50_000},
}

// watched are the collections that writes are about.
var watched = []scheduler.WatchCount{
	{Resource: "watched-by-5", Count: 5},
	{Resource: "watched-by-100", Count: 100},
	{Resource: "watched-by-5000", Count: 5_000},
	{Resource: "serviceaccounts", Count: 100},
}

// costly are requests whose cost differs by release, level or size of the server. RV is
// short for resourceVersion.
var costly = []struct {
	what string
	question
}{
	{"LIST 100 × 2 kB", question{verb: "list", resource: "few"}},
	{"LIST 5,000 × 4 kB", question{verb: "list", resource: "pods"}},
	{"LIST 5,000 × 4 kB, RV=0", question{verb: "list", resource: "pods", options: options{ResourceVersion: "0"}}},
	{"LIST 5,000 × 4 kB, RV not older", question{verb: "list", resource: "pods", options: options{ResourceVersion: "7", ResourceVersionMatch: "NotOlderThan"}}},
	{"LIST 5,000 × 4 kB, RV exact", question{verb: "list", resource: "pods", options: options{ResourceVersion: "7", ResourceVersionMatch: "Exact"}}},
	{"LIST 5,000 × 4 kB, limit=500", question{verb: "list", resource: "pods", options: options{Limit: 500}}},
	{"LIST 5,000 × 4 kB, limit=500 continued", question{verb: "list", resource: "pods", options: options{Limit: 500, Continue: "token"}}},
	{"LIST 5,000 × 4 kB, label selector", question{verb: "list", resource: "pods", options: options{LabelSelector: "app=web"}}},
	{"LIST 5,000 × 4 kB, one node, RV=0", question{verb: "list", resource: "pods", options: options{FieldSelector: "spec.nodeName=node-1", ResourceVersion: "0"}}},
	{"LIST 5,000 × 4 kB, one name", question{verb: "list", resource: "pods", options: options{FieldSelector: "metadata.name=web-0"}}},
	{"LIST 50,000 × 1 kB", question{verb: "list", resource: "events"}},
	{"LIST 50,000 × 1 kB, RV=0", question{verb: "list", resource: "events", options: options{ResourceVersion: "0"}}},
	{"LIST 50,000 × 1 kB, limit=500", question{verb: "list", resource: "events", options: options{Limit: 500}}},
	{"LIST 500 × 50 kB", question{verb: "list", resource: "secrets"}},
	{"LIST 500 × 50 kB, limit=500 continued", question{verb: "list", resource: "secrets", options: options{Limit: 500, Continue: "token"}}},
	{"LIST from an aggregated API", question{verb: "list", resource: "elsewhere"}},
	{"WATCH 5,000 × 4 kB, from an RV", question{verb: "watch", resource: "pods", options: options{ResourceVersion: "7"}}},
	{"WATCH 5,000 × 4 kB, RV=0", question{verb: "watch", resource: "pods", options: options{ResourceVersion: "0"}}},
	{"WATCH 5,000 × 4 kB, initial events", question{verb: "watch", resource: "pods", options: options{SendInitialEvents: true, ResourceVersionMatch: "NotOlderThan"}}},
	{"UPDATE with 5 watchers", question{verb: "update", resource: "watched-by-5", name: "a"}},
	{"UPDATE with 100 watchers", question{verb: "update", resource: "watched-by-100", name: "a"}},
	{"UPDATE with 5,000 watchers", question{verb: "update", resource: "watched-by-5000", name: "a"}},
	{"CREATE a token for a service account with 100 watchers", question{verb: "create", resource: "serviceaccounts", subresource: "token", name: "a"}},
}

// options is short for what is written so often here.
type options = scheduler.RawListOptions

// costs asks what each of costly costs in each level: by request, then by level.
func costs(cfg scheduler.Config) (*probe, [][]Cost, error) {
	p, err := newProbe(cfg, stored, watched)
	if err != nil {
		return nil, nil, err
	}
	all := make([][]Cost, len(costly))
	for i, c := range costly {
		for level := range p.levels {
			all[i] = append(all[i], p.ask(level, c.question).cost())
		}
	}
	return p, all, nil
}

// String says how many seats: "10", or "1, then 10 for 50ms".
func (c Cost) String() string {
	switch {
	case c.InitialSeats == 0:
		return "none"
	case c.FinalSeats == 0:
		return strconv.Itoa(c.InitialSeats)
	}
	return strconv.Itoa(c.InitialSeats) + ", then " + strconv.Itoa(c.FinalSeats) + " for " + durationText(time.Duration(c.AdditionalLatency).Round(time.Microsecond))
}
