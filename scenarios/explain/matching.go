package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
)

// matching says which schema takes the request, and of every other one why it does not.
// The others are in the order in which they are worth a look: see worth.
func (a *asking) matching() (*Match, []Other) {
	target := a.request.target()
	var match *Match
	var others []Other
	for i := range a.configuration.Schemas {
		from, schema := &a.configuration.Schemas[i], &a.server.FlowSchemas[i]
		v := classify.Explain(schema, a.request.User, a.request.Groups, &target)
		if schema.Name == a.schema {
			match = a.match(from, schema, v)
			continue
		}
		o := a.other(from, schema, v)
		o.Earlier = match == nil
		others = append(others, o)
	}
	if match.Fallback {
		// Nothing took the request before catch-all, nor would have after it.
		for i := range others {
			others[i].Earlier = true
		}
	}
	slices.SortStableFunc(others, func(x, y Other) int {
		return cmp.Or(cmp.Compare(x.worth(), y.worth()), cmp.Compare(x.distance, y.distance))
	})
	return match, others
}

// worth orders the others: first those that would have taken the request had the server
// not ignored them, then those tried before the one that took it, of which somebody may
// have expected otherwise, then those that would have taken it later, then the rest.
func (o *Other) worth() int {
	switch {
	case o.Dangling && o.Accepts:
		return 0
	case o.Earlier:
		return 1
	case o.Accepts:
		return 2
	}
	return 3
}

// match describes the schema that takes the request.
func (a *asking) match(from *scenarios.FlowSchema, schema *scheduler.FlowSchema, v classify.Verdict) *Match {
	m := &Match{FlowSchema: schema.Name, Origin: origin(from.Source, "metadata.name"), Precedence: schema.Precedence}
	if !v.Matches() {
		m.Fallback = true
		return m
	}
	rule := rulePath(v.Rule)
	part := func(path, text string) *Part {
		return &Part{Path: path, At: origin(from.Source, path).At, Text: text}
	}
	r := &schema.Rules[v.Rule]
	m.Rule = part(rule, fmt.Sprintf("%d of %d", v.Rule+1, len(schema.Rules)))
	m.Subject = part(fmt.Sprintf("%s.subjects[%d]", rule, v.Subject), subjectText(&r.Subjects[v.Subject]))
	if a.request.Path != "" {
		m.Line = part(fmt.Sprintf("%s.nonResourceRules[%d]", rule, v.Line), pathLineText(&r.NonResources[v.Line]))
	} else {
		m.Line = part(fmt.Sprintf("%s.resourceRules[%d]", rule, v.Line), resourceLineText(&r.Resources[v.Line]))
	}
	return m
}

func rulePath(i int) string { return fmt.Sprintf("spec.rules[%d]", i) }

// other describes a schema that does not take the request.
func (a *asking) other(from *scenarios.FlowSchema, schema *scheduler.FlowSchema, v classify.Verdict) Other {
	o := Other{
		FlowSchema: schema.Name, Precedence: schema.Precedence, PriorityLevel: schema.PriorityLevel,
		Accepts: v.Matches(), Dangling: from.Dangling, distance: v.Distance(),
	}
	at := "metadata.name"
	if v.Rule >= 0 {
		o.Nearest = rulePath(v.Rule)
		at = o.Nearest
	}
	o.Origin = origin(from.Source, at)
	if from.Dangling {
		o.Why = append(o.Why, "the server ignores it: the priority level "+schema.PriorityLevel+" does not exist")
	}
	if v.Matches() {
		if !from.Dangling {
			o.Why = append(o.Why, "it accepts the request too, but its turn comes later")
		}
		return o
	}
	if v.Rule < 0 {
		o.Failed = []string{"subject", "kind"}
		o.Why = append(o.Why, "it has no rules")
		return o
	}
	failed, why := a.missed(&schema.Rules[v.Rule], v)
	o.Failed, o.Why = failed, append(o.Why, why...)
	return o
}

// missed names the parts of a rule that the request does not fit, and says how.
func (a *asking) missed(rule *scheduler.Rule, v classify.Verdict) (failed, why []string) {
	r := a.request
	add := func(part classify.Parts, name string, text func() string) {
		if v.Failed.Has(part) {
			failed, why = append(failed, name), append(why, text())
		}
	}
	add(classify.PartSubject, "subject", func() string { return a.subjectMiss(rule.Subjects) })
	add(classify.PartKind, "kind", func() string {
		if r.Path != "" {
			return "it has no nonResourceRules, and the request is for a path"
		}
		return "it has no resourceRules, and the request is for a resource"
	})
	if v.Line < 0 {
		return failed, why
	}
	if r.Path != "" {
		line := &rule.NonResources[v.Line]
		add(classify.PartVerb, "verb", func() string { return listMiss("the verb "+r.Verb, "verbs", line.Verbs) })
		add(classify.PartPath, "path", func() string {
			return fmt.Sprintf("the path %s is neither one of nor below the nonResourceURLs %s", r.Path, list(line.URLs))
		})
		return failed, why
	}
	line := &rule.Resources[v.Line]
	add(classify.PartVerb, "verb", func() string { return listMiss("the verb "+r.Verb, "verbs", line.Verbs) })
	add(classify.PartAPIGroup, "apiGroup", func() string { return groupMiss(r.APIGroup, line.APIGroups) })
	add(classify.PartResource, "resource", func() string { return resourceMiss(r, line.Resources) })
	add(classify.PartNamespace, "namespace", func() string { return namespaceMiss(r.Namespace, line) })
	return failed, why
}

// subjectMiss says that none of the subjects makes the request.
func (a *asking) subjectMiss(subjects []scheduler.SubjectRule) string {
	if len(subjects) == 0 {
		return "it has no subjects"
	}
	text := "the user is " + subjectMiss(&subjects[0])
	if len(subjects) > 1 {
		var texts []string
		for i := range subjects {
			texts = append(texts, subjectText(&subjects[i]))
		}
		text = "the user is none of " + shortened(texts)
	}
	for _, s := range subjects {
		if s.Kind == scheduler.ServiceAccount && s.Namespace == "*" {
			return text + ` (a namespace of "*" is literal there)`
		}
	}
	return text
}

// listMiss says that a list of a rule does not name what the request has.
func listMiss(what, field string, values []string) string {
	return fmt.Sprintf("%s is not among the %s %s%s", what, field, list(values), literalStar(values))
}

// literalStar reminds of what a wildcard among other values is worth.
func literalStar(values []string) string {
	if len(values) > 1 && slices.Contains(values, "*") {
		return ` ("*" beside other values is literal)`
	}
	return ""
}

func groupMiss(group string, groups []string) string {
	text := listMiss("the API group "+quotedIfEmpty(group), "apiGroups", groups)
	for _, g := range groups {
		if bare, _, versioned := strings.Cut(g, "/"); versioned && (bare == group || group == "" && g == "core/v1") {
			return text + ": a group goes without its version"
		}
	}
	return text
}

func resourceMiss(r *Request, resources []string) string {
	full := withSubresource(r.Resource, r.Subresource)
	text := listMiss("the resource "+full, "resources", resources)
	if r.Subresource != "" && slices.Contains(resources, r.Resource) {
		return text + ": a subresource is named apart"
	}
	return text
}

func namespaceMiss(namespace string, line *scheduler.ResourceRule) string {
	if namespace == "" {
		return "the request is in no namespace, and clusterScope is not set"
	}
	return listMiss("the namespace "+namespace, "namespaces", line.Namespaces)
}
