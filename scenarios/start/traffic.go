package start

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload/recording/dump"
)

// Sender is a user who had requests in a level, and asks on as it seems to have done.
type Sender struct {
	Level, User string
	// Groups are those that follow from the name of the user; no page tells them.
	Groups []string
	// Waiting and Executing are its requests in the pages.
	Waiting, Executing int
	// Rate is in requests per second.
	Rate float64
	// Asks are what it asks for, the most frequent first.
	Asks []Ask
}

// Ask is a kind of request, with how many of them there are.
type Ask struct {
	Verb, Group, Resource, Subresource, Namespace, Path string
	Count                                               int
}

// Senders lists who had requests in the pages with details, those with the most of them first.
//
// Rates are estimated. Of whoever has requests waiting, those that arrived since the oldest of them did
// are all still there, as far as they were not rejected: so many in that time. Whoever has none waiting has
// as many executing as arrive during an execution, which is taken to last as long as
// executing requests have on average. Both leave out what was rejected.
func Senders(s *dump.Server) []Sender {
	at := s.Time
	mean := MeanAge(s)
	var out []Sender
	oldest := map[int]time.Time{}
	for i := range s.Levels {
		for j := range s.Levels[i].Requests {
			q := &s.Levels[i].Requests[j]
			if !q.Detailed || q.Phase == dump.Lingering {
				continue
			}
			n := slices.IndexFunc(out, func(o Sender) bool { return o.User == q.User && o.Level == s.Levels[i].Name })
			if n < 0 {
				n = len(out)
				out = append(out, Sender{Level: s.Levels[i].Name, User: q.User, Groups: groupsOf(q.User)})
			}
			out[n].note(q)
			if q.Phase == dump.Waiting && (oldest[n].IsZero() || q.Arrival.Before(oldest[n])) {
				oldest[n] = q.Arrival
			}
		}
	}
	for n := range out {
		o := &out[n]
		if age := at.Sub(oldest[n]); o.Waiting > 1 && age > 0 {
			o.Rate = float64(o.Waiting) / age.Seconds()
		} else if mean > 0 {
			o.Rate = float64(o.Waiting+o.Executing) / mean.Seconds()
		}
		slices.SortStableFunc(o.Asks, func(a, b Ask) int { return b.Count - a.Count })
	}
	slices.SortStableFunc(out, func(a, b Sender) int {
		return cmp.Or(b.Waiting+b.Executing-a.Waiting-a.Executing, strings.Compare(a.Level, b.Level), strings.Compare(a.User, b.User))
	})
	return out
}

// note counts a request.
func (o *Sender) note(q *dump.Request) {
	if q.Phase == dump.Waiting {
		o.Waiting++
	} else {
		o.Executing++
	}
	a := Ask{Verb: q.Verb, Group: q.Group, Resource: q.Resource, Subresource: q.Subresource, Namespace: q.Namespace}
	if q.Resource == "" {
		a = Ask{Verb: q.Verb, Path: cmp.Or(q.Path, "/")}
	}
	for i := range o.Asks {
		k := o.Asks[i]
		k.Count = 0
		if k == a {
			o.Asks[i].Count++
			return
		}
	}
	a.Count = 1
	o.Asks = append(o.Asks, a)
}

// MeanAge returns for how long the executing requests have executed on average, 0 if none is shown.
// If executions are exponentially distributed, that is how long they last.
func MeanAge(s *dump.Server) time.Duration {
	sum, n := time.Duration(0), time.Duration(0)
	for i := range s.Levels {
		for j := range s.Levels[i].Requests {
			if q := &s.Levels[i].Requests[j]; q.Phase == dump.Executing && !q.Start.IsZero() {
				sum += max(min(s.Time.Sub(q.Start), maxAge), 0)
				n++
			}
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// groupsOf returns the groups that every user of this name has.
func groupsOf(user string) []string {
	switch part := strings.Split(user, ":"); {
	case user == "system:anonymous":
		return []string{"system:unauthenticated"}
	case strings.HasPrefix(user, "system:serviceaccount:") && len(part) == 4:
		return []string{"system:serviceaccounts", "system:serviceaccounts:" + part[2], "system:authenticated"}
	case strings.HasPrefix(user, "system:node:"):
		return []string{"system:nodes", "system:authenticated"}
	}
	return []string{"system:authenticated"}
}
