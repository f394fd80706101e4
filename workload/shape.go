package workload

import (
	"fmt"
	"slices"
)

// Machines send requests by their index, so the requests of a population have to be in the order
// that its behaviour says.

// shape is what a behaviour needs as its requests.
type shape struct {
	// verbs are those of the first requests, each one of several; the last of them may be missing
	// from least on.
	verbs [][]string
	least int
	// groups tells that all further requests are groups of a LIST and a WATCH.
	groups bool
}

// shaped is a behaviour that is particular about its requests.
type shaped interface {
	shape(requests []Template) shape
}

// writes are the verbs of a request that writes an object which is there.
var writes = []string{"update", "patch"}

func (Informer) shape([]Template) shape { return shape{groups: true} }
func (Rollout) shape([]Template) shape  { return shape{groups: true} }
func (Lease) shape([]Template) shape {
	return shape{verbs: [][]string{writes, {"get"}}, least: leaseRequests, groups: true}
}
func (Heartbeat) shape(requests []Template) shape {
	s := shape{verbs: [][]string{writes, {"get"}}, least: 2, groups: true}
	if hasStatus(requests) {
		s.verbs = append(s.verbs, writes, []string{"get"})
		s.least = 4
	}
	return s
}
func (Recorder) shape([]Template) shape {
	return shape{verbs: [][]string{{"create"}, {"patch"}}, least: 1}
}

// CheckRequests returns what keeps requests from being those of a behaviour, each a *FieldError.
func CheckRequests(b Behaviour, requests []Template) []error {
	least := b.Requests()
	var s shape
	if p, ok := b.(shaped); ok {
		s = p.shape(requests)
		least = max(least, s.least)
	}
	for i := range min(len(s.verbs), len(requests)) {
		if !slices.Contains(s.verbs[i], requests[i].Verb) {
			return []error{wrongVerb(i, requests[i].Verb, s.verbs[i][0])}
		}
	}
	if len(requests) < least {
		return []error{&FieldError{"requests", fmt.Sprintf("there are %d, and the behaviour needs more", len(requests)), fmt.Sprintf("at least %d", least)}}
	}
	if !s.groups {
		return nil
	}
	return checkGroups(requests, len(s.verbs))
}

// checkGroups returns what keeps the requests from first on from being groups of a LIST and a
// WATCH.
func checkGroups(requests []Template, first int) []error {
	for i := first; i < len(requests); i++ {
		t := &requests[i]
		if t.Verb == "watch" && t.Options.SendInitialEvents {
			i++
		}
		for n, verb := range [...]string{"list", "watch"} {
			switch {
			case i+n >= len(requests):
				return []error{&FieldError{"requests", fmt.Sprintf("ends within a group, with a %s", requests[len(requests)-1].Verb),
					"groups of a list and a watch; before them, if the client asks for it, a watch with sendInitialEvents"}}
			case requests[i+n].Verb != verb:
				return []error{wrongVerb(i+n, requests[i+n].Verb, verb)}
			}
		}
		i++
	}
	return nil
}

func wrongVerb(i int, verb, want string) error {
	return &FieldError{fmt.Sprintf("requests[%d].verb", i), fmt.Sprintf("%q is out of place: a behaviour sends its requests by their order", verb), want}
}

// Complete returns the requests with those that a behaviour needs and that follow from others:
// what is renewed is also read, for which there is a get after the update.
func Complete(b Behaviour, requests []Template) []Template {
	switch b.(type) {
	case Lease:
		return withGet(requests, 0)
	case Heartbeat:
		requests = withGet(requests, 0)
		if len(requests) > 2 && slices.Contains(writes, requests[2].Verb) {
			requests = withGet(requests, 2)
		}
	}
	return requests
}

// withGet puts a get of the same object after request i, if there is none.
func withGet(requests []Template, i int) []Template {
	if len(requests) <= i || !slices.Contains(writes, requests[i].Verb) || len(requests) > i+1 && requests[i+1].Verb == "get" {
		return requests
	}
	get := requests[i]
	get.Verb, get.Subresource = "get", ""
	return slices.Insert(slices.Clone(requests), i+1, get)
}

// hasStatus tells whether a node's requests go on with its status.
func hasStatus(requests []Template) bool {
	return len(requests) > 2 && slices.Contains(writes, requests[2].Verb)
}
