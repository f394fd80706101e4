package scheduler

import "github.com/apfsim/apfsim/scheduler/estimate"

// ReadFacts are what is known of a read before it is made: where the objects come from and
// how many there are. They are what the estimators go by, before seats are made of it; what
// the read costs is for others to say.
type ReadFacts struct {
	// Known tells that the configuration has the number of stored objects of the resource:
	// Count, over all namespaces, of ObjectBytes each on average, 0 if that is unknown.
	Known              bool
	Count, ObjectBytes int64
	// FromStorage tells that the objects are read from etcd and not from the watch cache.
	FromStorage bool
	// Consistent tells that the watch cache has to ask etcd for the latest version first,
	// and wait until it is that far.
	Consistent bool
	// Named tells that one object is asked for, by its name.
	Named bool
	// Selector tells that a selector is given, NodeSelector that it requires a node name.
	Selector, NodeSelector bool
	// Limit is the size of a page, 0 for all. The watch cache does not look at the limit of
	// a LIST that is content with any version (computeListLimit in pkg/storage/cacher).
	Limit int64
	// Initial tells that a watch begins with the objects that there are. It does if it is
	// asked to, or if it does not say from which version on it wants to know.
	Initial bool
}

// ReadFacts returns what is known of a GET, LIST, WATCH or DELETECOLLECTION with this
// target, name and options, in the release of the server. For a LIST, FromStorage is what
// the estimators of the release take it to be. A GET without a version is always read from
// etcd, and a WATCH never (pkg/storage/cacher/delegator.go).
func (s *Server) ReadFacts(t Target, name string, o ListOptions) ReadFacts {
	f := ReadFacts{Named: name != "", Selector: o.Selector, NodeSelector: o.NodeSelector}
	if i, stored := s.objects[resource{t.APIGroup, t.Resource}]; stored {
		objects := &s.cfg.Objects[i]
		f.Known, f.Count, f.ObjectBytes = true, objects.Count, objects.AverageBytes
	}
	switch t.Verb {
	case "get":
		f.FromStorage = o.Version == estimate.VersionUnset
	case "watch":
		f.Initial = o.SendInitialEvents || o.Version != estimate.VersionGiven
	default:
		rules := &s.profile.Estimate
		f.FromStorage = rules.FromStorage(o, s.cfg.ConsistentReadsFromCache)
		f.Consistent = !f.FromStorage && o.Version == estimate.VersionUnset && o.Match == estimate.MatchUnset
		if f.FromStorage || o.Version != estimate.VersionZero {
			f.Limit = max(0, o.Limit)
		}
	}
	return f
}

// StoredObjects returns how many objects of a resource are stored; false if the
// configuration does not say.
func (s *Server) StoredObjects(group, name string) (count int64, known bool) {
	i, known := s.objects[resource{group, name}]
	if !known {
		return 0, false
	}
	return s.cfg.Objects[i].Count, true
}
