package ci

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// Suite is the tests of one scenario or file.
type Suite struct {
	Name string
	// File is where they are written; empty if it is no file.
	File string
	// Properties are shown beside the tests.
	Properties []Property
	Cases      []Case
	// Output is a short text about all of them.
	Output string
}

// Property is a fact about a suite.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// Case is one test.
type Case struct {
	// Name is what is demanded. Names that a suite has twice get a number.
	Name string
	// File and Line are where; "" and 0 if nobody knows.
	File string
	Line int
	// Failure and Fault are nil for a test that passed: a failure is a demand that does not
	// hold, a fault is that nothing could be judged.
	Failure, Fault *Problem
	// Skipped says why a test was left out; empty if it was not.
	Skipped string
	Output  string
}

// Problem is why a test did not pass.
type Problem struct {
	// Kind is one word or two, Message one line, Text all there is to say.
	Kind    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// The elements, with the attributes and the order of the schemas of Jenkins
// (jenkinsci/xunit-plugin) and Surefire. All times are 0: no result knows the real time.
type (
	xmlSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		counts
		Suites []xmlSuite `xml:"testsuite"`
	}
	xmlSuite struct {
		Name string `xml:"name,attr"`
		counts
		File       string         `xml:"file,attr,omitempty"`
		Properties *xmlProperties `xml:"properties"`
		Cases      []xmlCase      `xml:"testcase"`
		Output     string         `xml:"system-out,omitempty"`
	}
	xmlProperties struct {
		Properties []Property `xml:"property"`
	}
	xmlCase struct {
		Name    string      `xml:"name,attr"`
		Class   string      `xml:"classname,attr"`
		Time    string      `xml:"time,attr"`
		File    string      `xml:"file,attr,omitempty"`
		Line    int         `xml:"line,attr,omitempty"`
		Skipped *xmlSkipped `xml:"skipped"`
		Fault   *Problem    `xml:"error"`
		Failure *Problem    `xml:"failure"`
		Output  string      `xml:"system-out,omitempty"`
	}
	xmlSkipped struct {
		Message string `xml:"message,attr"`
	}
	counts struct {
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Time     string `xml:"time,attr"`
	}
)

const noTime = "0"

// add counts a test.
func (c *counts) add(t *Case) {
	c.Tests++
	switch {
	case t.Fault != nil:
		c.Errors++
	case t.Failure != nil:
		c.Failures++
	case t.Skipped != "":
		c.Skipped++
	}
}

// WriteJUnit writes suites as JUnit's XML. Characters that XML cannot hold become U+FFFD.
func WriteJUnit(w io.Writer, suites []Suite) error {
	out := xmlSuites{Name: "apfsim", counts: counts{Time: noTime}}
	for i := range suites {
		s := element(&suites[i])
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Errors += s.Errors
		out.Skipped += s.Skipped
		out.Suites = append(out.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return fmt.Errorf("writing JUnit's XML: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// element makes the element of a suite.
func element(s *Suite) xmlSuite {
	out := xmlSuite{Name: s.Name, File: s.File, Output: s.Output, counts: counts{Time: noTime}}
	if len(s.Properties) > 0 {
		out.Properties = &xmlProperties{s.Properties}
	}
	seen := map[string]bool{}
	for i := range s.Cases {
		c := &s.Cases[i]
		out.add(c)
		x := xmlCase{Name: unique(c.Name, seen), Class: s.Name, Time: noTime, File: c.File, Line: c.Line, Fault: c.Fault, Failure: c.Failure, Output: c.Output}
		if c.Skipped != "" && c.Fault == nil && c.Failure == nil {
			x.Skipped = &xmlSkipped{c.Skipped}
		}
		out.Cases = append(out.Cases, x)
	}
	return out
}

// unique returns a name as XML can hold it, with a number if it has been seen.
func unique(name string, seen map[string]bool) string {
	name = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 {
			return r
		}
		return '\uFFFD'
	}, name)
	out := name
	for n := 2; seen[out]; n++ {
		out = fmt.Sprintf("%s (%d)", name, n)
	}
	seen[out] = true
	return out
}

// wholeCase is the name of the test that a run came to its end. It makes a suite of a scenario
// that expects nothing have a test, since CI systems take a report without tests for a fault.
const wholeCase = "the run comes to its end"

// Suites makes a suite of each result: a test for each expectation and for each test of the
// configuration, and one that the run came to its end. An expectation without data has failed, as
// in the exit code.
func Suites(results []*reports.Result) []Suite {
	suites := make([]Suite, 0, len(results))
	for _, r := range results {
		s := Suite{Name: r.Metadata.Name, File: sourceFile(r), Properties: properties(r), Output: output(r)}
		if !r.TestsAlone() {
			s.Cases = append(s.Cases, ending(r, s.File))
		}
		for i := range r.Expectations {
			s.Cases = append(s.Cases, expectation(&r.Expectations[i]))
		}
		for i := range r.Tests {
			s.Cases = append(s.Cases, tested(&r.Tests[i]))
		}
		suites = append(suites, s)
	}
	return suites
}

// NotRun makes a suite of a scenario that was not run: all that it demands is skipped, and why.
// runs tells that it has a run, beside tests of the configuration.
func NotRun(name, source, why string, runs bool, demands []Case) Suite {
	s := Suite{Name: name, File: file(source)}
	if runs {
		s.Cases = append(s.Cases, Case{Name: wholeCase, File: s.File})
	}
	for _, c := range demands {
		if c.File = file(c.File); c.File == "" {
			c.Line = 0
		}
		s.Cases = append(s.Cases, c)
	}
	for i := range s.Cases {
		s.Cases[i].Skipped = why
	}
	return s
}

// ending is the test that a run came to its end.
func ending(r *reports.Result, file string) Case {
	end := Case{Name: wholeCase, File: file}
	if r.Partial {
		end.Fault = &Problem{"partial", "the run was interrupted, and its figures are partial", ""}
	}
	return end
}

// expectation is the test of an expectation.
func expectation(j *reports.Judged) Case {
	c := Case{Name: j.Text, File: fileOf(j), Line: lineOf(j)}
	if j.Outcome != reports.Passed {
		c.Failure = &Problem{string(j.Outcome), j.Verdict, j.String()}
	}
	return c
}

// TestName is how a test of the configuration is called.
func TestName(test, kubernetesVersion string) string {
	return test + " with Kubernetes " + kubernetesVersion
}

// tested is a test of the configuration.
func tested(t *reports.Tested) Case {
	c := Case{Name: TestName(t.Name, t.KubernetesVersion), File: file(t.File), Line: t.Line, Output: t.Request}
	if t.Outcome != reports.Passed {
		c.Failure = &Problem{string(t.Outcome), t.Verdict, t.String()}
	}
	return c
}

// properties are what a result was made with.
func properties(r *reports.Result) []Property {
	list := []Property{
		{"kubernetesVersion", r.KubernetesVersion},
		{"seed", fmt.Sprint(r.Seed)},
		{"replications", fmt.Sprint(len(r.Replications))},
		{"configuration", r.Configuration},
	}
	if r.Source != nil {
		list = append(list, Property{"command", r.Source.Command})
	}
	return list
}

// output says why the populations suffer that do, and with which fingerprints.
func output(r *reports.Result) string {
	var b strings.Builder
	for i := range r.Expectations {
		fmt.Fprintln(&b, r.Expectations[i].String())
	}
	for i := range r.Tests {
		fmt.Fprintln(&b, r.Tests[i].String())
	}
	for _, d := range r.Diagnoses {
		fmt.Fprintf(&b, "%s: %s\n", d.Population, strings.Join(d.Symptoms, "; "))
		for _, c := range d.Causes {
			fmt.Fprintf(&b, "  behind it: %s (%s)\n", c.Cause, c.Figures)
		}
	}
	return b.String()
}
