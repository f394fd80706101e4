package markdown

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/reports"
)

// result is one with so many expectations, every other of which has failed.
func result(name string, n int) *reports.Result {
	r := &reports.Result{
		Metadata: reports.Metadata{Name: name}, KubernetesVersion: "1.37", Replications: make([]reports.Replication, 1),
		Source: &reports.Source{Command: "apfsim run a.yaml"},
	}
	for i := range n {
		j := reports.Judged{Text: fmt.Sprintf("rejected below %d", i), Outcome: reports.Passed, File: "a|b.yaml", Line: i}
		if i%2 == 0 {
			j.Outcome = reports.Failed
		}
		j.Verdict = fmt.Sprintf("%s: %s: 7 (n=9)", j.Outcome, j.Text)
		r.Expectations = append(r.Expectations, j)
	}
	return r
}

func TestVerdictComesFirst(t *testing.T) {
	text := Text([]*reports.Result{result("storm", 3)}, CommentMax)
	want := "## storm: **2 of 3 expectations failed**\n\n" +
		"|  | expectation | measured | at |\n| --- | --- | --: | --: |\n" +
		"| **failed** | rejected below 0 | 7 (n=9) | `a\\|b.yaml:0` |\n"
	if !strings.HasPrefix(text, want) {
		t.Errorf("got %s", text)
	}
	for _, want := range []string{"<summary>Expectations that hold (1)</summary>", "```sh\napfsim run a.yaml\n```", "**In short**"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestHeadlines(t *testing.T) {
	partial := result("x", 0)
	partial.Partial = true
	one := result("x", 2)
	one.Expectations = one.Expectations[1:]
	for want, r := range map[string]*reports.Result{
		"nothing is expected": result("x", 0), "nothing is expected, **interrupted**": partial,
		"**1 of 1 expectation failed**": result("x", 1), "the one expectation holds": one,
	} {
		if got := headline(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestKeepsToTheLimit holds that a text is never longer than allowed, says so when something is
// left out, has the verdicts as long as they fit, and leaves nothing open.
func TestKeepsToTheLimit(t *testing.T) {
	results := []*reports.Result{result("a", 200), result("b", 3), result("c", 60)}
	whole := Text(results, SummaryMax)
	if strings.Contains(whole, "left out") || !strings.Contains(whole, "and 50 more") {
		t.Errorf("got %s", whole)
	}
	for most := 0; most < len(whole)+100; most += 97 {
		text := Text(results, most)
		if len(text) > most {
			t.Fatalf("%d bytes of %d", len(text), most)
		}
		if most < len(whole) && most > len(leftOut) && !strings.Contains(text, "sections are left out") {
			t.Fatalf("at %d nothing says that something is left out", most)
		}
		if strings.Count(text, "<details>") != strings.Count(text, "</details>") || strings.Count(text, "```")%2 != 0 {
			t.Fatalf("at %d something is left open", most)
		}
	}
	if text := Text(results, 10000); !strings.Contains(text, "### c: **30 of 60") || !strings.Contains(text, "## apfsim: 0 of 3 scenarios do as expected") {
		t.Errorf("the verdicts are missing in\n%s", text)
	}
}

// unescape reads what escape writes, as GitHub does.
func unescape(text string) string {
	text = regexp.MustCompile(`\\([^A-Za-z0-9 ])`).ReplaceAllString(text, "$1")
	return strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&#8203;", "").Replace(text)
}

// TestEscapes holds that texts stay what they are and end neither a cell nor the line.
func TestEscapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("a1 |`*_~[]#<>@&\\\n"))).Draw(t, "text")
		flat := strings.ReplaceAll(text, "\n", " ")
		got := escape(text)
		bare := strings.ReplaceAll(got, "&#8203;", "")
		if regexp.MustCompile("(^|[^\\\\])(\\\\\\\\)*[|`*_~\\[\\]#]").MatchString(bare) || strings.ContainsAny(got, "<>\n") {
			t.Fatalf("%q is written as %q", text, got)
		}
		if unescape(got) != flat {
			t.Fatalf("%q is read as %q", got, unescape(got))
		}
		span := code(text)
		if strings.Contains(span, "\n") || regexp.MustCompile(`(^|[^\\])\|`).MatchString(span) {
			t.Fatalf("code %q", span)
		}
	})
}

func TestItems(t *testing.T) {
	for text, want := range map[string]string{
		"1. a": "- 1\\. a\n", "12) a": "- 12\\) a\n", "1.5s": "- 1.5s\n", "- a": "- \\- a\n", "a": "- a\n",
	} {
		if got := item(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestCoverage: the coverage of all results is one, what nothing matched is open, and the rest
// folded.
func TestCoverage(t *testing.T) {
	covered := func(requests int64) *reports.Result {
		r := result("storm", 1)
		r.Coverage = &reports.Coverage{
			Rules: []reports.RuleCoverage{
				{FlowSchema: "mine", Rule: "spec.rules[0]", At: "apf/a|b.yaml:9:5", Requests: requests},
				{FlowSchema: "mine", Rule: "spec.rules[1]", At: "apf/a|b.yaml:12:5"},
				{FlowSchema: "probes", Rule: "spec.rules[0]"},
			},
			PriorityLevels: []reports.LevelCoverage{{Name: "work", Arrivals: 7, Saturated: true, SaturatedIn: 1, Replications: 2}, {Name: "exempt", Exempt: true}},
		}
		return r
	}
	text := Text([]*reports.Result{covered(0), covered(3)}, CommentMax)
	for _, want := range []string{
		"**Coverage:** 1 of 2 rules of your FlowSchemas matched.\n\n| rule that nothing matched | of flow schema | at |\n| --- | --- | --- |\n| `spec.rules[1]` | mine | `apf/a\\|b.yaml:12:5` |\n\n",
		"<summary>Coverage of rules</summary>", "| mine | `spec.rules[0]` | `apf/a\\|b.yaml:9:5` | 3 | 0 | yes |", "| probes | `spec.rules[0]` | built in | 0 | 0 | **no** |",
		"<summary>Coverage of priority levels</summary>", "| work | 14 | 0 | in 2 of 4 runs |", "| exempt | 0 | 0 | - |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if text := Text([]*reports.Result{result("storm", 1)}, CommentMax); strings.Contains(text, "overage") {
		t.Errorf("coverage that nobody asked for:\n%s", text)
	}
}
