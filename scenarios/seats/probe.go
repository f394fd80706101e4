package seats

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// question is a request whose cost is asked for. It is for a resource that no rule
// speaks of, so that the level decides and nothing else.
type question struct {
	verb        string
	subresource string
	// resource "" is one of which nothing is stored and which nobody watches.
	resource string
	name     string
	options  scheduler.RawListOptions
}

// answer is what a server makes of a request at its arrival.
type answer struct {
	initialSeats, finalSeats int
	additionalLatency        time.Duration
	waitLimit                time.Duration
}

// width is the seats that a request is charged with; 0 for one that APF does not concern.
func (a answer) width() int { return max(a.initialSeats, a.finalSeats) }

// probe is a server of some configuration that sends every request to the level that is
// asked about. What the requests cost does not depend on how they get to a level.
type probe struct {
	server *scheduler.Server
	levels []scheduler.LevelInfo
}

// askedGroup is the API group of the resources that are asked about.
const askedGroup = "apfsim.dev"

// newProbe makes the server. The objects and watches are those of askedGroup, whatever
// their Group says. The levels' limits are those of the configuration, first adjustment
// included.
func newProbe(cfg scheduler.Config, objects []scheduler.ObjectCount, watches []scheduler.WatchCount) (*probe, error) {
	cfg.FlowSchemas = []scheduler.FlowSchema{{Name: scheduler.CatchAll, PriorityLevel: scheduler.CatchAll, Precedence: 10_000}}
	for i := range cfg.PriorityLevels {
		cfg.FlowSchemas = append(cfg.FlowSchemas, schemaFor(cfg.PriorityLevels[i].Name))
	}
	cfg.Objects, cfg.Watches = nil, nil
	for _, o := range objects {
		o.Group = askedGroup
		cfg.Objects = append(cfg.Objects, o)
	}
	for _, w := range watches {
		w.Group = askedGroup
		cfg.Watches = append(cfg.Watches, w)
	}
	s, err := scheduler.New(WithFewQueues(cfg, ""), 0)
	if err != nil {
		return nil, err
	}
	return &probe{server: s, levels: s.Levels()}, nil
}

// schemaFor sends all requests of the user of that name to a level.
func schemaFor(level string) scheduler.FlowSchema {
	everything := []string{"*"}
	return scheduler.FlowSchema{
		Name: "asked-" + level, PriorityLevel: level, Precedence: 1, Distinguisher: scheduler.ByUser,
		Rules: []scheduler.Rule{{
			Subjects: []scheduler.SubjectRule{{Kind: scheduler.User, Name: level}},
			Resources: []scheduler.ResourceRule{{
				Verbs: everything, APIGroups: everything, Resources: everything, Namespaces: everything, ClusterScope: true,
			}},
		}},
	}
}

// ask brings a request to a level.
func (p *probe) ask(level int, q question) answer {
	name := p.levels[level].Name
	arrival, _ := p.server.Arrive(0, &scheduler.Request{
		Subject: p.server.Subject(name, nil),
		Target:  p.server.Target(scheduler.Target{Verb: q.verb, APIGroup: askedGroup, Resource: q.resource, Subresource: q.subresource}),
		Name:    scheduler.RequestName(q.verb, q.name, q.options),
		Options: scheduler.ParseListOptions(q.options),
	})
	if arrival.Level < 0 { // APF passes it by, as it did watches before 1.22
		return answer{}
	}
	if int(arrival.Level) != level {
		panic(fmt.Sprintf("seats: a question about level %d %s went to level %d", level, name, arrival.Level))
	}
	return answer{
		initialSeats: arrival.Estimate.InitialSeats, finalSeats: arrival.Estimate.FinalSeats,
		additionalLatency: arrival.Estimate.AdditionalLatency, waitLimit: arrival.WaitLimit,
	}
}
