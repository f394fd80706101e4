package classify

import "math/bits"

// What is here answers why. Classify gives the same answers and no reasons: it serves
// the millions of requests of a run, and this the few that a person asks about.

// Parts is a set of the parts of a rule that a request has to fit. In a Verdict it
// holds those that it does not fit.
type Parts uint8

// The parts, in the order in which a person would ask.
const (
	// PartSubject: who makes the request is none of the rule's subjects.
	PartSubject Parts = 1 << iota
	// PartKind: the rule has no line at all for resources, or none for other paths,
	// whichever the request is for. It is the only part besides the subject then.
	PartKind
	// PartVerb: the verb is not listed.
	PartVerb
	// PartAPIGroup: the API group is not listed.
	PartAPIGroup
	// PartResource: the resource, with its subresource, is not listed.
	PartResource
	// PartNamespace: the namespace is not listed, or the request is in none and the line
	// does not accept the cluster's scope.
	PartNamespace
	// PartPath: no URL accepts the path.
	PartPath
)

// Has tells whether the set holds a part.
func (p Parts) Has(part Parts) bool { return p&part != 0 }

// distance orders misses: the number of parts that would have to be changed. A rule
// that is not about such requests at all is as far as a line of which the verb, the API
// group and the resource are wrong.
func (p Parts) distance() int {
	n := bits.OnesCount8(uint8(p))
	if p.Has(PartKind) {
		n += 2
	}
	return n
}

// Verdict says what one schema makes of a request and which part of it decides: the
// rule that accepts the request, or else the one that comes nearest to it.
type Verdict struct {
	// Failed is empty if and only if the schema accepts the request. For a schema without
	// any rule it holds PartSubject and PartKind.
	Failed Parts
	// Rule is an index into the schema's rules, -1 if it has none.
	Rule int
	// Subject is the index of the first of the rule's subjects that accepts the request,
	// -1 if PartSubject failed.
	Subject int
	// Line is an index into the rule's Resources or NonResources, whichever the request
	// is for: the first that accepts the request, or else the nearest one; -1 if PartKind
	// failed.
	Line int
}

// Matches tells whether the schema accepts the request.
func (v Verdict) Matches() bool { return v.Failed == 0 }

// Distance tells how far the request is from being accepted: 0 if it is, and more the
// more parts of the nearest rule would have to be changed.
func (v Verdict) Distance() int { return v.Failed.distance() }

// Explain says of every schema, in matching order, whether it accepts the request and
// why. Its first verdict that matches is the schema that Classify answers with. It asks
// each rule in words, and takes as long as there are rules.
func (c *Classifier) Explain(user string, groups []string, t *Target) []Verdict {
	out := make([]Verdict, len(c.schemas))
	for i := range c.schemas {
		out[i] = Explain(&c.schemas[i], user, groups, t)
	}
	return out
}

// Explain says whether the schema accepts the request, as Matches does, and why. Of
// rules that are equally near the first one is told; of two misses that differ in the
// same number of parts the one whose subjects accept the request is the nearer, since
// who asks is the first thing that a schema is written for.
func Explain(schema *FlowSchema, user string, groups []string, t *Target) Verdict {
	best := Verdict{Failed: PartSubject | PartKind, Rule: -1, Subject: -1, Line: -1}
	for i := range schema.Rules {
		v := explainRule(&schema.Rules[i], user, groups, t)
		v.Rule = i
		if best.Rule < 0 || nearer(v, best) {
			best = v
		}
		if best.Matches() {
			break
		}
	}
	return best
}

// nearer tells whether a is a nearer miss than b, or a match where b is none.
func nearer(a, b Verdict) bool {
	if d, e := a.Distance(), b.Distance(); d != e {
		return d < e
	}
	return !a.Failed.Has(PartSubject) && b.Failed.Has(PartSubject)
}

// explainRule is Explain for one rule. A request has to fit one subject and one line, and
// upstream stops at the first of each that fits; so do the indexes. Where nothing fits,
// the subjects have no nearest one, since names are equal or not, but the lines have:
// the one with the fewest parts that fail.
func explainRule(rule *Rule, user string, groups []string, t *Target) Verdict {
	v := Verdict{Failed: PartSubject, Subject: -1, Line: -1}
	for i := range rule.Subjects {
		if matchesSubject(&rule.Subjects[i], user, groups) {
			v.Subject, v.Failed = i, 0
			break
		}
	}
	lines, missed := len(rule.Resources), func(i int) Parts { return missedResource(&rule.Resources[i], t) }
	if t.Path != "" {
		lines, missed = len(rule.NonResources), func(i int) Parts { return missedPath(&rule.NonResources[i], t) }
	}
	// Without a line for requests of this kind nothing is left to compare.
	least := PartKind
	for i := range lines {
		if m := missed(i); v.Line < 0 || m.distance() < least.distance() {
			v.Line, least = i, m
		}
	}
	v.Failed |= least
	return v
}

// missedResource returns the parts of a line that matchesResource finds wrong, all of
// them and not only the first.
func missedResource(r *ResourceRule, t *Target) Parts {
	var missed Parts
	if !listed(r.Verbs, t.Verb) {
		missed |= PartVerb
	}
	if !listed(r.APIGroups, t.APIGroup) {
		missed |= PartAPIGroup
	}
	if !listed(r.Resources, t.resource()) {
		missed |= PartResource
	}
	if t.Namespace == "" && !r.ClusterScope || t.Namespace != "" && !listed(r.Namespaces, t.Namespace) {
		missed |= PartNamespace
	}
	return missed
}

// missedPath returns the parts of a line that matchesNonResource finds wrong, both of
// them if both are. The path alone is PartPath however many URLs the line has.
func missedPath(r *NonResourceRule, t *Target) Parts {
	missed := PartPath
	for _, url := range r.URLs {
		if matchesPath(url, t.Path) {
			missed = 0
			break
		}
	}
	if !listed(r.Verbs, t.Verb) {
		missed |= PartVerb
	}
	return missed
}
