package seats

import (
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scheduler"
)

// Classification is where a request goes.
type Classification struct {
	// Bypasses tells that APF does not concern the request; the rest is then absent.
	Bypasses      bool   `json:"bypasses,omitempty"`
	FlowSchema    string `json:"flowSchema,omitempty"`
	PriorityLevel string `json:"priorityLevel,omitempty"`
	// Flow is the user or namespace that the request shares its queues with. It is absent
	// if the server computes none: for a level without several queues, and for a schema
	// without a distinguisher.
	Flow string `json:"flow,omitempty"`
}

// RequestChange is a request that goes elsewhere.
type RequestChange struct {
	Request
	Before Classification `json:"before"`
	After  Classification `json:"after"`
}

// RequestsDiff is how the classification of requests differs.
type RequestsDiff struct {
	// Kinds is how many different requests were compared, and Count how many requests they
	// stand for. They are one number but for a trace.
	Kinds int   `json:"kinds"`
	Count int64 `json:"count"`
	// Changed are in the order in which they were given.
	Changed []RequestChange `json:"changed"`
}

// Moved is how many requests, not kinds, go elsewhere.
func (d *RequestsDiff) Moved() int64 {
	n := int64(0)
	for i := range d.Changed {
		n += d.Changed[i].Count
	}
	return n
}

// classifier finds where requests go.
type classifier struct {
	server  *scheduler.Server
	schemas []string
	levels  []scheduler.LevelInfo
}

func newClassifier(cfg scheduler.Config) (*classifier, error) {
	s, err := scheduler.New(WithFewQueues(cfg, ""), 0)
	if err != nil {
		return nil, err
	}
	return &classifier{s, s.Schemas(), s.Levels()}, nil
}

// classify brings a request to the server. That it may have to wait or is rejected, as it
// is never finished, does not matter.
func (c *classifier) classify(r *Request) Classification {
	a, _ := c.server.Arrive(0, &scheduler.Request{
		Subject: c.server.Subject(r.User, r.Groups),
		Target:  c.server.Target(r.target()),
	})
	if a.Schema < 0 {
		return Classification{Bypasses: true}
	}
	out := Classification{FlowSchema: c.schemas[a.Schema], PriorityLevel: c.levels[a.Level].Name}
	if a.Flow >= 0 {
		out.Flow = c.server.Flow(a.Flow).Distinguisher
	}
	return out
}

// compareRequests classifies requests by two configurations.
func compareRequests(before, after scheduler.Config, requests []Request) (RequestsDiff, error) {
	d := RequestsDiff{Kinds: len(requests), Changed: []RequestChange{}}
	old, err := newClassifier(before)
	if err != nil {
		return d, err
	}
	now, err := newClassifier(after)
	if err != nil {
		return d, err
	}
	for i := range requests {
		r := &requests[i]
		d.Count += r.Count
		if a, b := old.classify(r), now.classify(r); a != b {
			d.Changed = append(d.Changed, RequestChange{*r, a, b})
		}
	}
	return d, nil
}

// CostChange is a request that costs something else in some levels.
type CostChange struct {
	What string `json:"what"`
	// Levels are those of both sides in which the change is this one.
	Levels []string `json:"levels"`
	Before Cost     `json:"before"`
	After  Cost     `json:"after"`
}

// CostsDiff is how the seats that requests are expected to need differ.
type CostsDiff struct {
	// Kinds is how many requests were compared in each level that both sides have.
	Kinds   int          `json:"kinds"`
	Changed []CostChange `json:"changed"`
}

// compareCosts asks both sides for the costs of typical requests.
func compareCosts(before, after scheduler.Config) (CostsDiff, error) {
	d := CostsDiff{Kinds: len(costly), Changed: []CostChange{}}
	p, old, err := costs(before)
	if err != nil {
		return d, err
	}
	q, now, err := costs(after)
	if err != nil {
		return d, err
	}
	for i, c := range costly {
		first := len(d.Changed)
		for a, info := range p.levels {
			b, both := slices.BinarySearchFunc(q.levels, info.Name, func(l scheduler.LevelInfo, name string) int { return strings.Compare(l.Name, name) })
			if !both || old[i][a] == now[i][b] {
				continue
			}
			d.add(first, c.what, info.Name, old[i][a], now[i][b])
		}
	}
	return d, nil
}

// add adds a level to the changes of a request, which begin at an index.
func (d *CostsDiff) add(first int, what, level string, before, after Cost) {
	for i := first; i < len(d.Changed); i++ {
		if c := &d.Changed[i]; c.Before == before && c.After == after {
			c.Levels = append(c.Levels, level)
			return
		}
	}
	d.Changed = append(d.Changed, CostChange{what, []string{level}, before, after})
}
