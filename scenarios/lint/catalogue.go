package lint

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler/release"
)

// Rule is one kind of advice.
type Rule struct {
	Code scenarios.Code
	// Title says what is found, in a few words without a full stop.
	Title string
	// Severity is Warning or Note. A rule may say less of a finding than its severity, and
	// never more.
	Severity scenarios.Severity
	// Text says why it matters, in paragraphs of Markdown.
	Text string
	// Release is that of the server that the examples are for.
	Release release.Version
	// Bad is a manifest that gets this advice, on the lines that end with the comment
	// "# <- CODE". Good gets none.
	Bad, Good string
}

// ruleFiles hold one rule each.
//
//go:embed rules/*.md
var ruleFiles embed.FS

// Catalogue returns all rules, in order of code.
func Catalogue() []Rule { return catalogue().rules }

// Lookup returns the rule with a code.
func Lookup(code scenarios.Code) (Rule, bool) {
	i, ok := catalogue().index[code]
	if !ok {
		return Rule{}, false
	}
	return catalogue().rules[i], true
}

// catalog is the list of rules and where each stands in it.
type catalog struct {
	rules []Rule
	index map[scenarios.Code]int
}

var catalogue = sync.OnceValue(func() catalog {
	entries, err := ruleFiles.ReadDir("rules")
	if err != nil {
		panic("lint: " + err.Error())
	}
	c := catalog{index: map[scenarios.Code]int{}}
	for _, e := range entries { // in the order of the names
		text, err := ruleFiles.ReadFile("rules/" + e.Name())
		if err != nil {
			panic("lint: " + err.Error())
		}
		r, err := parseRule(strings.TrimSuffix(e.Name(), ".md"), string(text))
		if err != nil {
			panic(fmt.Sprintf("lint: rules/%s: %s", e.Name(), err))
		}
		c.index[r.Code] = len(c.rules)
		c.rules = append(c.rules, r)
	}
	return c
})

// parseRule reads the file of a rule: a heading with the title, lines "severity: ..."
// and "release: ..." (the newest if it is left out), the text, and after the lines
// "Bad:" and "Good:" one fenced block each.
func parseRule(code, text string) (Rule, error) {
	r := Rule{Code: scenarios.Code(code), Release: release.Last}
	head, rest, _ := strings.Cut(text, "\n\n")
	title, settings, _ := strings.Cut(head, "\n")
	var ok bool
	if r.Title, ok = strings.CutPrefix(title, "# "); !ok {
		return r, fmt.Errorf("the first line is no heading")
	}
	for _, line := range strings.Split(settings, "\n") {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "severity":
			r.Severity = scenarios.Severity(value)
		case "release":
			v, err := release.Parse(value)
			if err != nil {
				return r, err
			}
			r.Release = v
		default:
			return r, fmt.Errorf("unknown setting %q", line)
		}
	}
	if r.Severity != scenarios.Warning && r.Severity != scenarios.Note {
		return r, fmt.Errorf("the severity is %q", r.Severity)
	}
	var err error
	if r.Text, rest, ok = strings.Cut(rest, "\n\nBad:\n\n"); !ok {
		return r, fmt.Errorf("there is no bad example")
	}
	if r.Bad, rest, err = fenced(rest); err != nil {
		return r, err
	}
	if rest, ok = strings.CutPrefix(rest, "\nGood:\n\n"); !ok {
		return r, fmt.Errorf("there is no good example after the bad one")
	}
	if r.Good, rest, err = fenced(rest); err != nil {
		return r, err
	}
	if rest != "" {
		return r, fmt.Errorf("there is more after the good example")
	}
	return r, nil
}

// fenced reads a block of YAML, and returns what comes after it.
func fenced(text string) (block, rest string, err error) {
	text, ok := strings.CutPrefix(text, "```yaml\n")
	if !ok {
		return "", "", fmt.Errorf("an example does not begin with ```yaml")
	}
	block, rest, ok = strings.Cut(text, "\n```\n")
	if !ok {
		return "", "", fmt.Errorf("an example has no end")
	}
	return block + "\n", rest, nil
}
