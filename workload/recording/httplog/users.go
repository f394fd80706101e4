package httplog

import (
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/workload/recording"
)

// Users makes up who sends requests, since HTTP lines do not tell. Each user agent at each address
// is one, or each agent wherever it is (PerAgent), and who it is follows, in this order, from the service account that it names in its
// agent, as the controllers of kube-controller-manager do; from the subjects of the FlowSchema that
// the line names, those whose name is that of the program first; and from the program alone. The
// first is taken for whom the configuration classifies the request as the line says.
type Users struct {
	// PerAgent takes all that call themselves the same for one user, as the replicas of a program
	// with one service account are; only nodes are told apart by their addresses. It is set before
	// the first request.
	PerAgent bool

	// schemas are the FlowSchemas by the name as servers log it.
	schemas map[string]*classify.FlowSchema
	// ordered are all in the order in which they are tried.
	ordered []classify.FlowSchema
	known   map[uint64]identity
	// clients numbers the agents that have the same short name.
	clients map[string][]uint64
	tries   []identity
}

// identity is a user with its groups. fits tells that the configuration classifies its request as
// the line does.
type identity struct {
	user   string
	groups []string
	fits   bool
}

// nameMax is how much of the name of a FlowSchema a server logs (truncateLogField in
// pkg/server/filters/priority-and-fairness.go), and knownMax bounds the memory.
const (
	nameMax  = 64
	knownMax = 1 << 17
)

// NewUsers returns the users of a configuration: the FlowSchemas that are in force.
func NewUsers(schemas []classify.FlowSchema) *Users {
	u := &Users{
		schemas: map[string]*classify.FlowSchema{}, ordered: classify.New(schemas).Schemas(),
		known: map[uint64]identity{}, clients: map[string][]uint64{},
	}
	for i := range u.ordered {
		s := &u.ordered[i]
		u.schemas[s.Name[:min(len(s.Name), nameMax)]] = s
	}
	return u
}

// fill sets the user and groups of a request from an address, and tells whether the configuration
// classifies it as the line does, where the line tells.
func (u *Users) fill(q *recording.Request, address []byte) (fits bool) {
	host := recording.View(hostOf(address))
	h := recording.Mix(recording.Mix(recording.Hash(q.FlowSchema), q.Client), host)
	for _, s := range [...]string{q.Verb, q.APIGroup, q.Resource, q.Subresource, q.Namespace, q.Path} {
		h = recording.Mix(h, s)
	}
	id, known := u.known[h]
	if !known {
		id = u.identify(q, host)
		if len(u.known) < knownMax {
			u.known[h] = id
		}
	}
	q.User, q.Groups = id.user, append(q.Groups, id.groups...)
	return id.fits
}

// identify finds the first identity that the configuration classifies as the line does, or else
// the first at all.
func (u *Users) identify(q *recording.Request, host string) identity {
	c := client{agent: q.Client, program: program(q.Client)}
	c.process = u.shortName(&c, host)
	if c.name = c.process; u.PerAgent {
		c.name = u.shortName(&c, "")
	}
	schema := u.schemas[q.FlowSchema]
	u.tries = c.candidates(u.tries[:0], schema)
	if q.FlowSchema == "" {
		id := u.tries[0]
		id.fits = true // there is nothing to be like
		return id
	}
	t := classify.Target{
		Verb: q.Verb, APIGroup: q.APIGroup, Resource: q.Resource, Subresource: q.Subresource, Namespace: q.Namespace, Path: q.Path,
	}
	for _, id := range u.tries {
		if schema != nil && u.classify(&id, &t) == schema {
			id.fits = true
			return id
		}
	}
	return u.tries[0]
}

// classify returns the schema of a request, nil if there is none. It asks one schema after the
// other, which keeps nothing of the request.
func (u *Users) classify(id *identity, t *classify.Target) *classify.FlowSchema {
	for i := range u.ordered {
		if classify.Matches(&u.ordered[i], id.user, id.groups, t) {
			return &u.ordered[i]
		}
	}
	return nil
}

// shortName is the program and its address, with a number for further agents that have both.
func (u *Users) shortName(c *client, host string) string {
	name := strings.Clone(c.program)
	if host != "" {
		name += "@" + host
	}
	h := recording.Hash(c.agent)
	same := u.clients[name]
	at := 0
	for at < len(same) && same[at] != h {
		at++
	}
	if at == len(same) && len(u.clients) < knownMax {
		u.clients[name] = append(same, h)
	}
	if at > 0 {
		name += "-" + strconv.Itoa(at+1)
	}
	return name
}

// hostOf returns an address without its port.
func hostOf(address []byte) []byte {
	for i := len(address) - 1; i >= 0; i-- {
		switch address[i] {
		case ':':
			return address[:i]
		case ']':
			return address
		}
	}
	return address
}

// program is the name of the program that a user agent begins with.
func program(agent string) string {
	if i := strings.IndexAny(agent, "/ ("); i >= 0 {
		agent = agent[:i]
	}
	if agent == "" {
		return "unnamed"
	}
	return agent
}
