package fit

import (
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// Options are what a fit needs to know of the record as a whole.
type Options struct {
	// Start and End are its period, in nanoseconds since 1970. Start is the start of the scenario.
	Start, End int64
	// Populations bounds how many populations the scenario has; 0 is a default.
	Populations int
}

// populationsDefault makes a scenario that one can read.
const populationsDefault = 16

// Fitter takes the requests of a record in the order of their arrivals. Make one with New.
type Fitter struct {
	options Options
	width   int64
	users   map[userKey]*user
	// lined are the classes in the order of their first requests.
	classes map[string]*class
	lined   []*class
	// kinds spares the making of kinds; it is bounded.
	kinds  map[kindKey]*kindOfClass
	series int
	// servers is one more than the largest number of a server.
	servers int
	// requests counts all, rejected and waits those that were rejected and whose wait is told, and
	// crowded those beyond the bound of series.
	requests, rejected, waits, crowded int64
	// origin and last are the first and the last arrival, since the start; bins begin at origin.
	origin, last int64
	rejections   rejections
}

// userKey is who sends, and by which client.
type userKey struct{ user, client string }

type kindKey struct {
	class *class
	kind  kind
}

// kindsMax bounds the table of kinds.
const kindsMax = 1 << 16

// class is all users that are called alike, are in like groups and have the same client.
type class struct {
	pattern, agent string
	groups         []string
	users          []*user
	kinds          []*kindOfClass
	byKind         map[kind]*kindOfClass
	// timeout is the deadline that the first request with one asked for, and timed counts those with the same.
	timeout     time.Duration
	timed, sent int64
}

// timeouts notes the deadline that a request asks for.
func (c *class) timeouts(r *recording.Request) {
	if c.timeout == 0 {
		c.timeout = r.Timeout
	}
	if c.sent++; r.Timeout > 0 && r.Timeout == c.timeout {
		c.timed++
	}
}

// nearlyAll is the share of the requests of a class that has to have a deadline for it to be the class's.
const nearlyAll = 0.9

// deadline is the time-out that clients of the class ask for, 0 if they do not or differ.
func (c *class) deadline() time.Duration {
	if float64(c.timed) < nearlyAll*float64(c.sent) {
		return 0
	}
	return c.timeout
}

// user is one user with one client.
type user struct {
	name   string
	class  *class
	groups []string
	// series are in the order of their first requests.
	series []*series
	byKind map[*kindOfClass]*series
	count  int64
	loop   loop
}

// New makes a fitter.
func New(o Options) *Fitter {
	if o.Populations == 0 {
		o.Populations = populationsDefault
	}
	return &Fitter{
		options: o, width: max((o.End-o.Start+binsMax)/binsMax, 1),
		users: map[userKey]*user{}, classes: map[string]*class{}, kinds: map[kindKey]*kindOfClass{},
	}
}

// Add takes the next request. It keeps nothing of it.
func (f *Fitter) Add(r *recording.Request) {
	at := r.Received - f.options.Start
	if f.requests == 0 {
		f.origin = at
	}
	f.last = max(f.last, at)
	f.requests++
	f.servers = max(f.servers, int(r.Server)+1)
	u := f.user(r)
	s := f.seriesOf(u, r)
	if s == nil {
		f.crowded++
		return
	}
	f.rejections.forget(r.Received)
	what := whatOf(r)
	by := f.rejections.match(what, r.Received)
	end := r.Received + int64(max(r.Total, r.Execution, 0))
	if r.Verb == "watch" {
		end = r.Received + int64(max(r.Execution, 0))
	}
	if r.Total == recording.Unknown {
		u.loop.unknown++
	}
	if r.Waited != recording.Unknown {
		f.waits++
	}
	if r.Rejected() {
		f.rejected++
		f.rejections.note(what, end)
	}
	u.count++
	u.class.timeouts(r)
	s.arrive(at-f.origin, f.width, by)
	s.end(r)
	u.loop.arrive(r.Received, end, by[clientGo].folded)
}

// user finds a user or makes one, nil if there are too many.
func (f *Fitter) user(r *recording.Request) *user {
	key := userKey{r.User, agent(r.Client)}
	if u, ok := f.users[key]; ok {
		return u
	}
	if f.series >= seriesMax {
		return nil
	}
	key = userKey{strings.Clone(key.user), strings.Clone(key.client)}
	u := &user{name: key.user, byKind: map[*kindOfClass]*series{}}
	u.loop.pauses.seed, u.loop.fresh.seed = mix(uint64(len(f.users))), mix(uint64(len(f.users))+1)
	for _, g := range r.Groups {
		u.groups = append(u.groups, strings.Clone(g))
	}
	u.class = f.classOf(u, key.client)
	u.class.users = append(u.class.users, u)
	f.users[key] = u
	return u
}

// classOf finds the class of a user or makes one.
func (f *Fitter) classOf(u *user, client string) *class {
	c := &class{pattern: pattern(u.name), agent: client, byKind: map[kind]*kindOfClass{}}
	for _, g := range u.groups {
		if pattern(g) == g {
			c.groups = append(c.groups, g)
		}
	}
	key := strings.Join(append([]string{c.pattern, client}, c.groups...), "\x00")
	if old, ok := f.classes[key]; ok {
		return old
	}
	f.classes[key] = c
	f.lined = append(f.lined, c)
	return c
}

// seriesOf finds the series of a request or makes one, nil if there are too many.
func (f *Fitter) seriesOf(u *user, r *recording.Request) *series {
	if u == nil {
		return nil
	}
	k := f.kindOf(u.class, kindOf(r))
	s := u.byKind[k]
	if s == nil {
		if f.series >= seriesMax {
			return nil
		}
		s = &series{kind: k, size: sampleMax}
		if f.series >= plenty {
			s.size = sampleSmall
		}
		s.gaps.seed, s.durations.seed = mix(uint64(2*f.series)), mix(uint64(2*f.series+1))
		f.series++
		u.byKind[k] = s
		u.series = append(u.series, s)
	}
	if r.Namespace != "" && len(s.spaces) < spacesMax && !slices.Contains(s.spaces, r.Namespace) {
		s.spaces = append(s.spaces, strings.Clone(r.Namespace))
	}
	return s
}

// kindOf finds a kind of a class or makes one.
func (f *Fitter) kindOf(c *class, raw kind) *kindOfClass {
	if k, ok := f.kinds[kindKey{c, raw}]; ok {
		return k
	}
	general := raw.general()
	k := c.byKind[general]
	if k == nil {
		k = &kindOfClass{general, len(c.kinds)}
		c.byKind[general] = k
		c.kinds = append(c.kinds, k)
	}
	if len(f.kinds) < kindsMax {
		f.kinds[kindKey{c, raw.clone()}] = k
	}
	return k
}

// clone is the kind with texts of its own.
func (k kind) clone() kind {
	for _, s := range [...]*string{
		&k.verb, &k.apiGroup, &k.resource, &k.subresource, &k.namespace, &k.path, &k.options.ResourceVersion,
		&k.options.ResourceVersionMatch, &k.options.Continue, &k.options.FieldSelector, &k.options.LabelSelector,
	} {
		*s = strings.Clone(*s)
	}
	return k
}
