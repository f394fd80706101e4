package ci

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/reports"
)

// xmlElement is any element of a document.
type xmlElement struct {
	XMLName  xml.Name
	Attrs    []xml.Attr   `xml:",any,attr"`
	Children []xmlElement `xml:",any"`
	Text     string       `xml:",chardata"`
}

func (e *xmlElement) attr(name string) (string, bool) {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

// rule is what the schemas of Jenkins and Surefire have in common about an element: the
// attributes that must be there, those that may, and the children in their order.
type rule struct {
	required, optional, children []string
}

var rules = map[string]rule{
	"testsuites": {nil, []string{"name", "tests", "failures", "errors", "skipped", "time"}, []string{"testsuite"}},
	"testsuite":  {[]string{"name", "tests", "failures", "errors"}, []string{"skipped", "time", "file"}, []string{"properties", "testcase", "system-out", "system-err"}},
	"properties": {nil, nil, []string{"property"}},
	"property":   {[]string{"name", "value"}, nil, nil},
	"testcase":   {[]string{"name", "classname", "time"}, []string{"file", "line"}, []string{"skipped", "error", "failure", "system-out", "system-err"}},
	"skipped":    {nil, []string{"message", "type"}, nil},
	"error":      {nil, []string{"message", "type"}, nil},
	"failure":    {nil, []string{"message", "type"}, nil},
	"system-out": {}, "system-err": {},
}

// check holds an element and all in it against the rules.
func check(e *xmlElement) error {
	r, ok := rules[e.XMLName.Local]
	if !ok {
		return fmt.Errorf("there is no element %s", e.XMLName.Local)
	}
	for _, name := range r.required {
		if _, ok := e.attr(name); !ok {
			return fmt.Errorf("%s lacks %s", e.XMLName.Local, name)
		}
	}
	for _, a := range e.Attrs {
		if !slices.Contains(r.required, a.Name.Local) && !slices.Contains(r.optional, a.Name.Local) {
			return fmt.Errorf("%s has %s", e.XMLName.Local, a.Name.Local)
		}
		if slices.Contains([]string{"tests", "failures", "errors", "skipped", "line", "time"}, a.Name.Local) {
			if _, err := strconv.ParseUint(a.Value, 10, 31); err != nil {
				return fmt.Errorf("%s of %s: %w", a.Name.Local, e.XMLName.Local, err)
			}
		}
	}
	last := 0
	for i := range e.Children {
		at := slices.Index(r.children, e.Children[i].XMLName.Local)
		if at < last {
			return fmt.Errorf("%s in %s, or out of order", e.Children[i].XMLName.Local, e.XMLName.Local)
		}
		last = at
		if err := check(&e.Children[i]); err != nil {
			return err
		}
	}
	return checkCounts(e)
}

// checkCounts holds that a suite counts its own tests, and that no two have one name.
func checkCounts(e *xmlElement) error {
	if e.XMLName.Local != "testsuite" {
		return nil
	}
	counts := map[string]int{}
	names := map[string]bool{}
	for i := range e.Children {
		if c := &e.Children[i]; c.XMLName.Local == "testcase" {
			counts["tests"]++
			name, _ := c.attr("name")
			if names[name] {
				return fmt.Errorf("two tests are called %q", name)
			}
			names[name] = true
			for _, inner := range c.Children {
				counts[map[string]string{"failure": "failures", "error": "errors", "skipped": "skipped"}[inner.XMLName.Local]]++
			}
		}
	}
	for _, name := range []string{"tests", "failures", "errors", "skipped"} {
		if said, _ := e.attr(name); said != strconv.Itoa(counts[name]) {
			return fmt.Errorf("%s is %s, and there are %d", name, said, counts[name])
		}
	}
	return nil
}

// parse writes suites, holds the document against the rules, and returns it.
func parse(t interface{ Fatalf(string, ...any) }, suites []Suite) (xmlElement, string) {
	var b strings.Builder
	if err := WriteJUnit(&b, suites); err != nil {
		t.Fatalf("%v", err)
	}
	var root xmlElement
	if err := xml.Unmarshal([]byte(b.String()), &root); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if err := check(&root); err != nil || root.XMLName.Local != "testsuites" {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	return root, b.String()
}

// judged are expectations of all outcomes.
func judged() []reports.Judged {
	return []reports.Judged{
		{Text: "wait below 1s", Verdict: "passed: wait below 1s: 1ms (n=5)", Outcome: reports.Passed, File: "./a/b.yaml", Line: 7, Column: 3},
		{Text: "wait below 1s", Verdict: "passed: wait below 1s: 1ms (n=1, too few)", Outcome: reports.Passed, FewSamples: true, File: "a.yaml", Line: 8},
		{Text: "rejected equal to 0", Verdict: "failed: rejected equal to 0: 7 (n=9)", Outcome: reports.Failed, File: `a\b.yaml`, Line: 9, Column: 1},
		{Text: "cut equal to 0", Verdict: "no data: cut equal to 0: nothing came", Outcome: reports.NoData, File: "<stdin>", Line: 10, Column: 1},
	}
}

func TestSuites(t *testing.T) {
	whole := &reports.Result{
		Metadata: reports.Metadata{Name: "whole"}, Expectations: judged(),
		Source:    &reports.Source{Command: "apfsim run a.yaml", Files: []reports.SourceFile{{Name: "a.yaml"}}},
		Diagnoses: []reports.Diagnosis{{Population: "p", Symptoms: []string{"it fails"}, Causes: []reports.Cause{{Cause: reports.CauseRejects, Figures: "all of it"}}}},
	}
	partial := &reports.Result{Metadata: reports.Metadata{Name: "partial"}, Partial: true}
	_, text := parse(t, Suites([]*reports.Result{whole, partial}))
	for _, want := range []string{
		`<testsuites name="apfsim" tests="6" failures="2" errors="1" skipped="0" time="0">`,
		`<testsuite name="whole" tests="5" failures="2" errors="0" skipped="0" time="0" file="a.yaml">`,
		`<testcase name="wait below 1s" classname="whole" time="0" file="a/b.yaml" line="7">`,
		`<testcase name="wait below 1s (2)" classname="whole" time="0" file="a.yaml" line="8">`,
		`<testcase name="cut equal to 0" classname="whole" time="0">`,
		`<failure type="no data" message="no data: cut equal to 0: nothing came">`,
		`failed: rejected equal to 0: 7 (n=9) (a\b.yaml:9:1)</failure>`,
		`<error type="partial" message="the run was interrupted, and its figures are partial">`,
		`p: it fails&#xA;  behind it: APF rejects (all of it)`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
}

// TestAnyTextIsLegal holds that documents are well-formed and have the right structure whatever
// the texts are.
func TestAnyTextIsLegal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("a<>&\"'\x00\x0b\ufffe]\n\t"))),
				rapid.Just("\xff"), rapid.SampledFrom([]string{"a", "a (2)"})).Draw(t, name)
		}
		s := Suite{Name: text("suite"), File: text("file"), Properties: []Property{{text("name"), text("value")}}, Output: text("output")}
		for range rapid.IntRange(0, 4).Draw(t, "cases") {
			c := Case{Name: text("case"), File: text("at"), Line: rapid.IntRange(0, 9).Draw(t, "line"), Skipped: text("skipped"), Output: text("said")}
			if rapid.Bool().Draw(t, "fails") {
				c.Failure = &Problem{text("kind"), text("message"), text("text")}
			} else if rapid.Bool().Draw(t, "faulty") {
				c.Fault = &Problem{text("kind"), text("message"), text("text")}
			}
			s.Cases = append(s.Cases, c)
		}
		parse(t, []Suite{s})
	})
}
