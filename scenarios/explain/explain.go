package explain

import (
	"fmt"
	"strconv"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/seats"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/borrowing"
)

// Explainer explains requests under one configuration of one server.
type Explainer struct {
	configuration *scenarios.Configuration
	server        scheduler.Config
}

// New returns an explainer for a configuration. server is what c.Compile returns, with
// the server's seats, its timeout and what it stores filled in. The error joins all that
// scheduler.New has against it.
func New(c *scenarios.Configuration, server scheduler.Config) (*Explainer, error) {
	server.Release = c.Release
	if _, err := scheduler.New(seats.WithFewQueues(server, ""), 0); err != nil {
		return nil, err
	}
	return &Explainer{configuration: c, server: server}, nil
}

// Explain explains one request to a server that is idle and has seen no other.
func (e *Explainer) Explain(r Request) *Explanation {
	x := &Explanation{
		APIVersion: APIVersion, Kind: Kind,
		KubernetesVersion: e.configuration.Release.String(), ServerSeats: e.server.Seats, Request: r,
		Notes: append([]string(nil), r.Notes...),
	}
	if r.Timeout > 0 {
		x.Timeout = durationText(r.Timeout)
	}
	name := scheduler.RequestName(r.Verb, r.Name, r.options())
	if name != r.Name {
		x.Request.Name = name
		x.Notes = append(x.Notes, "the field selector metadata.name makes "+name+" the name of the request")
	}
	asked := &asking{Explainer: e, request: &x.Request}
	if !asked.arrive(name, "") {
		x.Bypass = bypassReason(&r)
		return x
	}
	if q := asked.shares.Queuing; q != nil && int(q.Queues) != asked.level.Queues {
		asked.arrive(name, asked.level.Name) // the hand is dealt from all queues
	}
	x.Match, x.Others = asked.matching()
	x.Level = asked.levelOf()
	x.Flow = asked.flow()
	x.Seats = asked.seats()
	x.Wait = asked.wait()
	return x
}

// bypassReason says why a long-running request is none of APF's business.
func bypassReason(r *Request) string {
	what := "the path " + r.Path
	switch {
	case r.Verb == "watch":
		what = "up to 1.21 the verb watch"
	case r.Verb == "proxy":
		what = "the verb proxy"
	case r.Subresource != "":
		what = "the subresource " + r.Subresource
	}
	return what + " makes it a long-running request: it is not classified, holds no seat, never waits and is never rejected"
}

// asking is one request on its way through a server.
type asking struct {
	*Explainer
	request   *Request
	scheduler *scheduler.Server
	arrival   scheduler.Arrival
	// schema is the name of the FlowSchema that takes the request.
	schema string
	level  scheduler.LevelInfo
	shares scheduler.PriorityLevel
}

// arrive has a server take the request, and returns false if it is none of APF's
// business. Of the levels that have a great many queues only the one that is named has all
// of them.
func (a *asking) arrive(name, level string) bool {
	s, err := scheduler.New(seats.WithFewQueues(a.server, level), 0)
	if err != nil {
		panic("explain: a configuration that was found valid is not: " + err.Error())
	}
	a.scheduler = s
	arrival, _ := s.Arrive(0, &scheduler.Request{
		Subject: s.Subject(a.request.User, a.request.Groups),
		Target:  s.Target(a.request.target()),
		Name:    name,
		Options: scheduler.ParseListOptions(a.request.options()),
		Timeout: a.request.Timeout,
	})
	if arrival.Schema < 0 {
		return false
	}
	a.arrival = *arrival
	a.schema = s.Schemas()[arrival.Schema]
	a.level = s.Levels()[arrival.Level]
	for _, l := range a.server.PriorityLevels {
		if l.Name == a.level.Name {
			a.shares = l
		}
	}
	return true
}

// origin says where an object, or the part of it at a path, comes from.
func origin(s scenarios.Source, path string) Origin {
	if s.BuiltIn {
		return Origin{BuiltIn: true}
	}
	return Origin{At: s.At(path).String()}
}

// levelOf describes the level that serves the request.
func (a *asking) levelOf() *Level {
	l := a.level
	out := &Level{Name: l.Name, Response: "Queue"}
	for i := range a.configuration.Levels {
		if c := &a.configuration.Levels[i]; c.Object.Name == l.Name {
			out.Origin = origin(c.Source, "metadata.name")
		}
	}
	if l.Exempt {
		out.Response = "exempt"
		return out
	}
	if l.Queues == 0 {
		out.Response = "Reject"
	}
	out.NominalSeats, out.MinSeats, out.MaxSeats, out.IdleSeats = l.Nominal, l.Min, l.Max, l.Current
	out.NominalArithmetic = a.nominal()
	out.Queues, out.HandSize, out.QueueLengthLimit = l.Queues, l.HandSize, l.QueueLengthLimit
	return out
}

// nominal shows how the nominal seats of the level come about.
func (a *asking) nominal() string {
	sum := int64(0)
	for _, l := range a.server.PriorityLevels {
		if !l.Exempt || a.scheduler.Profile().Borrowing.Exempt != borrowing.ExemptOutside {
			sum += int64(l.Shares)
		}
	}
	return fmt.Sprintf("ceil(%d × %d / %d)", a.server.Seats, a.shares.Shares, sum)
}

// flow describes the flow of the request.
func (a *asking) flow() *Flow {
	out := &Flow{}
	for _, f := range a.server.FlowSchemas {
		if f.Name != a.schema {
			continue
		}
		out.Method = f.Distinguisher.String()
		switch f.Distinguisher {
		case scheduler.ByUser:
			out.Distinguisher = a.request.User
		case scheduler.ByNamespace:
			out.Distinguisher = a.request.Namespace
		}
	}
	if a.arrival.Flow < 0 {
		return out
	}
	info := a.scheduler.Flow(a.arrival.Flow)
	out.Hashed, out.Distinguisher, out.Hand = true, info.Distinguisher, info.Hand
	out.Hash = fmt.Sprintf("0x%016x", info.Hash)
	out.HashDecimal = strconv.FormatUint(info.Hash, 10)
	return out
}
