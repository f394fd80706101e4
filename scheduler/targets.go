package scheduler

import (
	"math"

	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// resource is a key of the stored objects.
type resource struct{ group, resource string }

// target is what is worth knowing of a Target for its next request.
type target struct {
	longRunning bool
	watch       bool
	mutating    bool
	kind        estimate.Kind
	stats       estimate.Stats
	watchers    estimate.Scope
}

// Subject interns a user with groups, in their order. The same gives the same.
func (s *Server) Subject(user string, groups []string) SubjectID {
	return s.classifier.Subject(user, groups)
}

// Target interns a target. The same gives the same.
func (s *Server) Target(t Target) TargetID {
	id := s.classifier.Target(t)
	if int(id) < len(s.targets) {
		return id
	}
	known := target{
		longRunning: classify.LongRunning(t),
		watch:       t.Verb == "watch",
		mutating:    t.Verb != "watch" && t.Verb != "get" && t.Verb != "list",
		kind:        s.profile.Estimate.KindOf(t.Verb, t.Resource, t.Subresource),
		watchers:    s.watches.Scope(t.APIGroup, t.Resource, t.Namespace),
	}
	if known.watch && s.profile.WatchesBypass {
		known.longRunning = true
	}
	if i, stored := s.objects[resource{t.APIGroup, t.Resource}]; stored {
		known.stats = s.cfg.Objects[i].stats()
	}
	s.targets = append(s.targets, known)
	return id
}

// estimate foresees the work of a request to a level.
func (s *Server) estimate(t *target, r *Request, l *level) fairqueue.Estimate {
	rules := &s.profile.Estimate
	switch t.kind {
	case estimate.ByList:
		return rules.List(r.Options, r.Name != "", t.stats, l.info.MaxSeats, s.cfg.ConsistentReadsFromCache)
	case estimate.ByWatch:
		return rules.Watch(r.Options, r.Name != "", t.stats, l.info.MaxSeats)
	case estimate.ByWrite:
		watchers := s.watches.Interested(t.watchers, r.Name)
		s.arrival.Watchers = int32(min(watchers, math.MaxInt32))
		return rules.Write(watchers, l.info.MaxSeats)
	}
	return estimate.Other()
}

// OpenWatch counts a watch that has been dispatched, until CloseWatch is called with
// the same arguments.
func (s *Server) OpenWatch(t TargetID, name string, o ListOptions) {
	s.watches.Register(s.targets[t].watchers, name, o)
	s.namedWatches = s.namedWatches || name != ""
}

// CloseWatch forgets a watch that has ended.
func (s *Server) CloseWatch(t TargetID, name string, o ListOptions) {
	s.watches.Forget(s.targets[t].watchers, name, o)
}

// NamedWatches tells whether there may be watches of single objects; if not, the name
// of a written object makes no difference.
func (s *Server) NamedWatches() bool { return s.namedWatches }

// User returns the name of a subject's user.
func (s *Server) User(id SubjectID) string { return s.classifier.User(id) }

// Asked returns what a target is.
func (s *Server) Asked(id TargetID) Target { return s.classifier.Asked(id) }

// RequestName returns the name of a request's object as upstream's RequestInfo has it:
// a LIST or WATCH without a name takes it from its field selector
// (pkg/endpoints/request/requestinfo.go). Nearly all of them are without: a name in the
// path makes a GET of what would be a LIST. No other verb's selector is looked at, not
// even that of a DELETECOLLECTION, which has one.
func RequestName(verb, name string, o RawListOptions) string {
	if name == "" && (verb == "list" || verb == "watch") {
		return o.Name()
	}
	return name
}

// ParseListOptions digests the options of a LIST or WATCH. It looks at the text of the
// selectors; who sends the same request often should keep the result.
func ParseListOptions(o RawListOptions) ListOptions { return o.Parse() }
