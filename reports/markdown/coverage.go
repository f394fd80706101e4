package markdown

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/apfsim/apfsim/reports"
)

// coverage tells which rules and levels anything came to, of all results together: in a line how
// much that is, and what nothing came to; all else is folded.
func (d *document) coverage(results []*reports.Result) {
	if !slices.ContainsFunc(results, func(r *reports.Result) bool { return r.Coverage != nil }) {
		return
	}
	all := reports.CoverageOf(results)
	matched, of, written := all.Share()
	whose := "that come with the release"
	if written {
		whose = "of your FlowSchemas"
	}
	text := fmt.Sprintf("**Coverage:** %d of %d rules %s matched.\n", matched, of, whose)
	if unmatched := unmatched(all, written); len(unmatched.rows) > 0 {
		text += "\n" + unmatched.String()
	}
	d.add(ofSummary, text)
	d.add(ofDetails, details("Coverage of rules", rules(all).String()))
	d.add(ofDetails, details("Coverage of priority levels", levels(all).String()))
}

// unmatched lists the rules that nothing matched, of those that count.
func unmatched(c *reports.Coverage, written bool) *table {
	t := newTable(3, "rule that nothing matched", "of flow schema", "at")
	for i := range c.Rules {
		r := &c.Rules[i]
		if !r.Matched() && (r.At != "") == written && len(t.rows) < failedMax {
			t.row(code(r.Rule), escape(r.FlowSchema), origin(r.At))
		}
	}
	return t
}

// rules lists all rules.
func rules(c *reports.Coverage) *table {
	t := newTable(3, "flow schema", "rule", "at", "kinds of requests", "tests", "matched")
	for i := range c.Rules {
		r := &c.Rules[i]
		matched := "yes"
		if !r.Matched() {
			matched = "**no**"
		}
		t.row(escape(r.FlowSchema), code(r.Rule), origin(r.At), strconv.FormatInt(r.Requests, 10), strconv.FormatInt(r.Tests, 10), matched)
	}
	return t
}

// levels lists the priority levels.
func levels(c *reports.Coverage) *table {
	t := newTable(1, "level", "requests", "tests", "saturated")
	for i := range c.PriorityLevels {
		l := &c.PriorityLevels[i]
		t.row(escape(l.Name), strconv.FormatInt(l.Arrivals, 10), strconv.FormatInt(l.Tests, 10), l.Words())
	}
	return t
}

// origin is where a rule is written.
func origin(at string) string {
	if at == "" {
		return "built in"
	}
	return code(at)
}
