package lint

import (
	"fmt"
	"slices"
	"strings"
)

// Whether schemas match at all, and which of several does.

// parts lists the ways for one rule of a schema to match: for each subject, first the
// resource rules and then the others.
func (s *schema) parts(rule int) [][]part {
	var out [][]part
	r := &s.spec.Rules[rule]
	for _, subject := range r.Subjects {
		var row []part
		for i := range r.Resources {
			row = append(row, part{subject: subject, resource: &r.Resources[i]})
		}
		for i := range r.NonResources {
			row = append(row, part{subject: subject, path: &r.NonResources[i]})
		}
		out = append(out, row)
	}
	return out
}

// corpse is what never matches: a place in a schema, and who takes its requests.
type corpse struct {
	path, what string
	by         []*schema
}

// checkMatching looks for what never matches since earlier schemas take it all.
func (c *checker) checkMatching(s *schema) {
	if len(s.spec.Rules) == 0 {
		c.say(s.Source, "spec.rules", advice{code: "APF003",
			message: fmt.Sprintf("the FlowSchema %s has no rules, so it matches no request", s.name()),
			hint:    "give it rules, or remove it"})
		return
	}
	if c.tried.count == 0 {
		return
	}
	var corpses []corpse
	by := map[*schema]bool{}
	dead := true
	for i := range s.spec.Rules {
		found, whole := deadParts(s, i, c.tried)
		corpses = append(corpses, found...)
		dead = dead && whole
		for _, f := range found {
			for _, b := range f.by {
				by[b] = true
			}
		}
	}
	if dead {
		s.dead = true
		takers := inOrder(by)
		c.say(s.Source, "spec.matchingPrecedence", advice{code: "APF001",
			message: fmt.Sprintf("the FlowSchema %s never matches: %s all of its requests first", s.name(), take(takers)),
			hint:    before(takers[0])})
		return
	}
	for _, d := range corpses {
		c.say(s.Source, d.path, advice{code: "APF002",
			message: fmt.Sprintf("this %s of the FlowSchema %s never matches: %s all of its requests first", d.what, s.name(), take(d.by)),
			hint:    "remove it, or give the schema a lower matchingPrecedence"})
	}
}

// before is the advice to go before another schema, where that is possible: 1 is kept for
// the schema exempt.
func before(taker *schema) string {
	if taker.spec.Precedence <= 2 {
		return "remove it"
	}
	return fmt.Sprintf("give it a matchingPrecedence below %d, or remove it", taker.spec.Precedence)
}

// take says who takes something: "a (100) takes", "a (100) and b (200) take".
func take(by []*schema) string {
	names := make([]string, len(by))
	for i, s := range by {
		names[i] = fmt.Sprintf("%s (%d)", s.name(), s.spec.Precedence)
	}
	if len(names) == 1 {
		return names[0] + " takes"
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " take"
}

// deadParts lists what of a rule never matches, in pieces as large as can be: the rule,
// its subjects, or its resource and non-resource rules.
func deadParts(s *schema, rule int, earlier *tried) (out []corpse, whole bool) {
	rows := s.parts(rule)
	takers := make([][][]*schema, len(rows)) // nil for a part that can match
	for i, row := range rows {
		takers[i] = make([][]*schema, len(row))
		for j, p := range row {
			if by, ok := coverers(p, earlier); ok {
				takers[i][j] = by
			}
		}
	}
	union := func(pick func(i, j int) bool) (by []*schema, all bool) {
		set := map[*schema]bool{}
		for i := range takers {
			for j, t := range takers[i] {
				if !pick(i, j) {
					continue
				}
				if t == nil {
					return nil, false
				}
				for _, e := range t {
					set[e] = true
				}
			}
		}
		return inOrder(set), true
	}
	path := fmt.Sprintf("spec.rules[%d]", rule)
	if by, all := union(func(int, int) bool { return true }); all {
		return []corpse{{path, "rule", by}}, true
	}
	for i := range rows {
		if by, all := union(func(a, _ int) bool { return a == i }); all {
			out = append(out, corpse{fmt.Sprintf("%s.subjects[%d]", path, i), "subject", by})
		}
	}
	resources := len(s.spec.Rules[rule].Resources)
	for j := range rows[0] {
		by, all := union(func(_, b int) bool { return b == j })
		switch {
		case !all:
		case j < resources:
			out = append(out, corpse{fmt.Sprintf("%s.resourceRules[%d]", path, j), "resource rule", by})
		default:
			out = append(out, corpse{fmt.Sprintf("%s.nonResourceRules[%d]", path, j-resources), "non-resource rule", by})
		}
	}
	return out, false
}

// checkPrecedence looks for schemas of the same precedence that match common requests
// and send them to different levels: the order of their names decides.
func (c *checker) checkPrecedence(s *schema) {
	if s.Dangling || s.dead {
		return
	}
	for _, other := range c.peers(s) {
		mineFirst := other.index > s.index
		switch {
		case other == s, other.Dangling:
		case other.spec.PriorityLevel == s.spec.PriorityLevel:
		case other.mine && mineFirst: // reported there, unless the other is dead
		case !common(s, other):
		default:
			first, second := other, s
			if mineFirst {
				first, second = s, other
			}
			c.say(s.Source, "spec.matchingPrecedence", advice{code: "APF005",
				message: fmt.Sprintf("%s and %s have the same matchingPrecedence, %d, and match common requests; the order of the names decides, so %s gets them",
					first.name(), second.name(), s.spec.Precedence, first.name()),
				hint: "give each its own"})
		}
	}
}

// peers lists the schemas of the same precedence, which lie side by side.
func (c *checker) peers(s *schema) []*schema {
	begin, end := s.index, s.index+1
	for begin > 0 && c.schemas[begin-1].spec.Precedence == s.spec.Precedence {
		begin--
	}
	for end < len(c.schemas) && c.schemas[end].spec.Precedence == s.spec.Precedence {
		end++
	}
	return c.schemas[begin:end]
}

// common tells whether two schemas match a common request for certain.
func common(a, b *schema) bool {
	for i := range a.spec.Rules {
		for j := range b.spec.Rules {
			for _, p := range slices.Concat(a.parts(i)...) {
				if slices.ContainsFunc(slices.Concat(b.parts(j)...), func(q part) bool { return overlap(p, q) }) {
					return true
				}
			}
		}
	}
	return false
}
