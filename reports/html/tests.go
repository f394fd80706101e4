package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// demands lists what is expected of the run, and the tests of the configuration.
func (b *builder) demands() {
	b.expectations()
	b.tests()
}

// tests lists the tests of the configuration, what failed first.
func (b *builder) tests() {
	list := b.result.Tests
	if len(list) == 0 {
		return
	}
	b.heading("Tests of the configuration")
	order := make([]*reports.Tested, len(list))
	for i := range list {
		order[i] = &list[i]
	}
	slices.SortStableFunc(order, func(x, y *reports.Tested) int { return rankOf(x.Outcome) - rankOf(y.Outcome) })
	shown := order[:min(len(order), b.limits.rows)]
	var out []outcome
	for _, t := range shown {
		line, column := t.At()
		o := outcome{
			Tone: good, Outcome: string(t.Outcome), Text: b.clip(strings.TrimPrefix(t.Verdict, string(t.Outcome)+": ")),
			Place: fmt.Sprintf("%s:%d:%d", t.File, line, column),
		}
		if t.Outcome != reports.Passed {
			o.Tone = bad
		}
		out = append(out, o)
	}
	b.add(item{Outcomes: out})
	if n := len(order) - len(shown); n > 0 {
		b.say("note", "And %s more; none of those that failed are among them, unless all of the above did.", plural(n, "test"))
	}
}

// testVerdict says how the tests of the configuration do, "" if there are none.
func testVerdict(tests []reports.Tested) (text string, failed bool) {
	missed := 0
	for i := range tests {
		if tests[i].Outcome != reports.Passed {
			missed++
		}
	}
	switch n := len(tests); {
	case n == 0:
		return "", false
	case missed > 0:
		return fmt.Sprintf("%d of %s failed", missed, plural(n, "test")), true
	case n == 1:
		return "The one test passes", false
	default:
		return fmt.Sprintf("All %d tests pass", n), false
	}
}
