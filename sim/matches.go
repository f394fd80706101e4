package sim

import (
	"cmp"
	"slices"

	"github.com/apfsim/apfsim/scheduler"
)

// Matches notes which FlowSchema took which kinds of requests in one run. Its memory follows the
// number of subjects and of what they ask for, never that of requests.
type Matches struct {
	subjects []Asker
	targets  []scheduler.Target
	seen     map[kindOfRequest]bool
	last     kindOfRequest
}

// Asker is a user with all groups.
type Asker struct {
	User   string
	Groups []string
}

// kindOfRequest is all that decides which FlowSchema takes a request, and which did.
type kindOfRequest struct {
	subject scheduler.SubjectID
	target  scheduler.TargetID
	schema  int32
}

// NewMatches returns what a run can be given once, in Config.Matches.
func NewMatches() *Matches {
	return &Matches{seen: map[kindOfRequest]bool{}, last: kindOfRequest{schema: none}}
}

// note notes an arrival. Long-running requests match nothing.
func (m *Matches) note(q *scheduler.Request, schema int32) {
	k := kindOfRequest{q.Subject, q.Target, schema}
	if k == m.last || schema < 0 {
		return
	}
	m.last = k
	if !m.seen[k] {
		m.seen[k] = true
	}
}

// introduceSubject and introduceTarget keep what the ids stand for.
func (m *Matches) introduceSubject(id scheduler.SubjectID, user string, groups []string) {
	for int(id) >= len(m.subjects) {
		m.subjects = append(m.subjects, Asker{})
	}
	m.subjects[id] = Asker{user, groups}
}

func (m *Matches) introduceTarget(id scheduler.TargetID, t scheduler.Target) {
	for int(id) >= len(m.targets) {
		m.targets = append(m.targets, scheduler.Target{})
	}
	m.targets[id] = t
}

// Each calls visit for each kind of request once, in an order that is that of their coming up.
// schema is the number of the FlowSchema.
func (m *Matches) Each(visit func(who *Asker, what *scheduler.Target, schema int)) {
	var all []kindOfRequest
	// Any order: they are sorted below.
	for k := range m.seen {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b kindOfRequest) int {
		return cmp.Or(cmp.Compare(a.subject, b.subject), cmp.Compare(a.target, b.target), cmp.Compare(a.schema, b.schema))
	})
	for _, k := range all {
		visit(&m.subjects[k.subject], &m.targets[k.target], int(k.schema))
	}
}
