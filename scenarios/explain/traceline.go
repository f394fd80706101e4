package explain

import "github.com/apfsim/apfsim/workload/traceline"

// FromLine makes the request of a line of a trace, which has been parsed without fault.
// Its groups are verbatim. Nothing of the line is kept.
func FromLine(l *traceline.Line) Request {
	text := func(f traceline.Field) string { return string(l.Text[f]) }
	r := Request{
		User: text(traceline.User), Groups: []string{},
		Verb: text(traceline.Verb), APIGroup: text(traceline.APIGroup), Resource: text(traceline.Resource),
		Subresource: text(traceline.Subresource), Namespace: text(traceline.Namespace), Name: text(traceline.Name),
		Path: text(traceline.Path), Timeout: l.Timeout,
	}
	for _, g := range l.Groups {
		r.Groups = append(r.Groups, string(g))
	}
	if r.Verb == "list" || r.Verb == "watch" {
		r.Limit = max(l.Limit, 0)
		r.ResourceVersion, r.ResourceVersionMatch = text(traceline.ResourceVersion), text(traceline.ResourceVersionMatch)
		r.Continue = text(traceline.Continue)
		r.FieldSelector, r.LabelSelector = text(traceline.FieldSelector), text(traceline.LabelSelector)
		r.SendInitialEvents = l.SendInitialEvents
	}
	return r
}
