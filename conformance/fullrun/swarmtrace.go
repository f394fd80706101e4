package fullrun

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// drawnPopulation sends one kind of traffic.
type drawnPopulation struct {
	users    []string
	groups   []string
	requests []Request // without times
	// mean is the mean execution time; heavy tells that few requests bring most of it.
	mean  time.Duration
	heavy bool
	// perSecond is the rate of arrival, of all users together.
	perSecond float64
	// burst is how many requests arrive within some nanoseconds of each other.
	burst int
	// from and to bound the time in which it is active.
	from, to time.Duration
	// timeouts is empty if nobody asks for a deadline.
	timeouts []time.Duration
}

// maxDrawnRequests bounds a drawn trace.
const maxDrawnRequests = 6000

// drawTrace draws some populations that together ask for a third to four times of
// what the server has.
func drawTrace(r *rand.Rand, seats int) []Request {
	length := time.Duration(5+r.IntN(40)) * time.Second
	load := math.Exp(r.Float64()*2.5-1.1) * float64(seats) // seats in use at once
	populations := make([]drawnPopulation, 1+r.IntN(7))
	for i := range populations {
		populations[i] = drawPopulation(r, length, load/float64(len(populations)))
	}
	var total float64
	for i := range populations {
		p := &populations[i]
		total += p.perSecond * (p.to - p.from).Seconds()
	}
	// Too many requests: fewer and longer ones keep the load.
	if slower := total / maxDrawnRequests; slower > 1 {
		for i := range populations {
			populations[i].perSecond /= slower
			populations[i].mean = time.Duration(float64(populations[i].mean) * slower)
		}
	}
	var trace []Request
	for i := range populations {
		trace = populations[i].send(r, trace)
	}
	return trace
}

func drawPopulation(r *rand.Rand, length time.Duration, load float64) drawnPopulation {
	p := drawnPopulation{
		mean:  time.Duration(math.Exp(r.Float64()*9-7) * float64(time.Second)), // 1 ms to 7 s
		heavy: oneIn(r, 3),
		burst: pick(r, 1, 1, 1, 5, 40, 150),
		to:    length,
	}
	p.perSecond = min(load/p.mean.Seconds(), 500)
	if oneIn(r, 3) {
		p.from = time.Duration(r.Int64N(int64(length / 2)))
		p.to = p.from + time.Duration(1+r.Int64N(int64(length/2)))
	}
	if oneIn(r, 4) {
		for range 3 {
			p.timeouts = append(p.timeouts, time.Duration(math.Exp(r.Float64()*9-3.5)*float64(time.Second)))
		}
	}
	drawClients(r, &p)
	for range 1 + r.IntN(15) {
		p.requests = append(p.requests, drawRequest(r))
	}
	return p
}

// drawClients draws who sends: one client or many, of every sort that the built-in
// schemas tell apart.
func drawClients(r *rand.Rand, p *drawnPopulation) {
	count := pick(r, 1, 1, 3, 20, 100)
	pattern := ""
	switch r.IntN(7) {
	case 0:
		pattern, p.groups = "system:serviceaccount:"+pick(r, "ci", "ops")+":bot-%d", []string{"system:serviceaccounts", "system:authenticated"}
	case 1:
		pattern, p.groups = "system:serviceaccount:kube-system:controller-%d", []string{"system:serviceaccounts", "system:authenticated"}
	case 2:
		pattern, p.groups = "system:node:n%d", []string{"system:nodes", "system:authenticated"}
	case 3:
		pattern, p.groups = "alice%.0d", []string{"team", "system:authenticated"}
	case 4:
		pattern, p.groups = pick(r, "system:kube-scheduler%.0d", "system:kube-controller-manager%.0d"), []string{"system:authenticated"}
	case 5:
		pattern, p.groups = "admin-%d", []string{"system:masters", "system:authenticated"}
	default:
		pattern, p.groups = "nobody-%d", pick(r, []string{"system:unauthenticated"}, []string{"strangers"}, nil)
	}
	for i := range count {
		user := fmt.Sprintf(pattern, i)
		p.users = append(p.users, user)
	}
}

// drawRequest draws what is asked: a read, a write, a watch, or something that is not
// for a resource.
func drawRequest(r *rand.Rand) Request {
	if oneIn(r, 15) {
		return Request{Verb: pick(r, "get", "delete", "post"), Path: pick(r, "/healthz", "/livez/ping", "/metrics", "/openapi/v3", "/debug/pprof/heap")}
	}
	stored := pick(r, append(storedResources, resource{"", "unheard-of"})...)
	q := Request{APIGroup: stored.group, Resource: stored.name, Namespace: pick(r, "", "prod", "dev", "kube-system")}
	q.Verb = pick(r, "get", "get", "list", "list", "list", "watch", "create", "create", "update", "update", "patch", "delete", "deletecollection")
	switch q.Verb {
	case "list", "watch":
		drawOptions(&q, r)
	case "deletecollection":
	default:
		q.Name = pick(r, "", "p1", "p2")
		q.Subresource = pick(r, "", "", "", "status", "token")
		if oneIn(r, 15) {
			q.Subresource = pick(r, "log", "exec", "proxy")
		}
	}
	return q
}

func drawOptions(q *Request, r *rand.Rand) {
	if oneIn(r, 2) {
		q.ResourceVersion = pick(r, "0", "12345")
	}
	if oneIn(r, 3) {
		q.Limit = pick[int64](r, 1, 100, 500, 5000)
	}
	if oneIn(r, 5) {
		q.ResourceVersionMatch = pick(r, "NotOlderThan", "Exact", "Unheard")
	}
	if oneIn(r, 6) {
		q.Continue = "token"
	}
	if oneIn(r, 3) {
		q.LabelSelector = pick(r, "app=web", "app in (web", "!app", "=")
	}
	if oneIn(r, 3) {
		q.FieldSelector = pick(r, "metadata.name=p1", "spec.nodeName=n1", "status.phase!=Running", `metadata.name=p\,1`, "a=b=c")
	}
	if oneIn(r, 10) {
		q.Name = "p1"
	}
	q.SendInitialEvents = q.Verb == "watch" && oneIn(r, 3)
}

// send appends the population's requests to the trace.
func (p *drawnPopulation) send(r *rand.Rand, trace []Request) []Request {
	burstsPerSecond := p.perSecond / float64(p.burst)
	at := p.from
	for {
		at += time.Duration(r.ExpFloat64() / burstsPerSecond * float64(time.Second))
		if at >= p.to || len(trace) > 2*maxDrawnRequests {
			return trace
		}
		for range p.burst {
			q := pick(r, p.requests...)
			q.User, q.Groups = pick(r, p.users...), p.groups
			q.Arrival = Duration(at + time.Duration(r.IntN(p.burst)))
			q.Duration = Duration(1 + r.IntN(1000))
			if p.heavy {
				q.Duration += Duration(float64(p.mean) / 4.5 * math.Exp(1.73*r.NormFloat64())) // lognormal, mean 1
			} else {
				q.Duration += Duration(float64(p.mean) * pick(r, 1, 1, r.ExpFloat64()))
			}
			if len(p.timeouts) > 0 && !oneIn(r, 3) {
				q.Timeout = Duration(pick(r, p.timeouts...))
			}
			trace = append(trace, q)
		}
	}
}
