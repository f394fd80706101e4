// Package markdown writes results for a pull request or a review of an incident, in GitHub's
// Markdown: the verdict first, then why clients suffer, and everything else folded.
package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// The limits of GitHub: the characters of a comment, and the bytes of the summary of a step.
// Bytes are counted for both, and those are never fewer.
const (
	CommentMax = 65536
	SummaryMax = 1 << 20
)

// Write writes the results for a comment: what does not fit is left out, and the end says so.
func Write(w io.Writer, results []*reports.Result) error {
	_, err := io.WriteString(w, Text(results, CommentMax))
	return err
}

// Text returns the results in so many bytes at most. What matters most stays: the verdicts, then
// the sections in their order, of one result after the other.
func Text(results []*reports.Result, most int) string {
	d, level := &document{}, "##"
	if len(results) > 1 {
		d.contents(results)
		level = "###"
	}
	for _, r := range results {
		d.result(r, level)
	}
	d.coverage(results)
	return d.fit(most)
}

// piece is a part of a document that is there as a whole or not at all.
type piece struct {
	rank rank
	text string
}

// rank tells what stays if there is no room for all: lower ones.
type rank int

const (
	ofVerdict rank = iota
	ofSummary
	ofDetails
	ranks
)

// document is what is being written.
type document struct{ pieces []piece }

func (d *document) add(rank rank, text string) {
	if text != "" {
		d.pieces = append(d.pieces, piece{rank, text})
	}
}

// leftOut says at the end that not all pieces are there.
const leftOut = "\n%d sections are left out, since there is room for so much alone; the text and the HTML form have them.\n"

// fit joins the pieces that fit, each with an empty line before it.
func (d *document) fit(most int) string {
	total := 0
	for _, p := range d.pieces {
		total += len(p.text) + 1
	}
	room := most
	if total > most {
		room = most - len(leftOut) - len("1000000")
	}
	kept := make([]bool, len(d.pieces))
	left := 0
	for rank := range ranks {
		for i, p := range d.pieces {
			switch {
			case p.rank != rank:
			case len(p.text)+1 <= room:
				kept[i], room = true, room-len(p.text)-1
			default:
				left++
			}
		}
	}
	var b strings.Builder
	for i, p := range d.pieces {
		if kept[i] && b.Len() > 0 {
			b.WriteByte('\n')
		}
		if kept[i] {
			b.WriteString(p.text)
		}
	}
	if left > 0 && most > len(leftOut) {
		fmt.Fprintf(&b, leftOut, left)
	}
	return b.String()
}

// contents lists several results with their verdicts.
func (d *document) contents(results []*reports.Result) {
	t := newTable(2, "scenario", "verdict")
	good := 0
	for _, r := range results {
		if r.Passed() {
			good++
		}
		t.row(code(r.Metadata.Name), headline(r))
	}
	d.add(ofVerdict, fmt.Sprintf("## apfsim: %d of %d scenarios do as expected\n", good, len(results)))
	d.add(ofVerdict, t.String())
}

// result writes one result, under a heading of a level.
func (d *document) result(r *reports.Result, level string) {
	d.add(ofVerdict, fmt.Sprintf("%s %s: %s\n", level, escape(r.Metadata.Name), headline(r)))
	passed := d.failures(r)
	var folded, run []reports.Section
	for part := range parts(reports.Outline(r)) {
		switch {
		case part[0].Part == reports.PartExpectations:
		case part[0].Part == reports.PartHeader:
			run = part
		case open[part[0].Part]:
			d.add(ofSummary, sections(part, ""))
		default:
			folded = append(folded, part...)
		}
	}
	d.add(ofDetails, passed)
	for part := range parts(folded) {
		title := partTitle(part)
		d.add(ofDetails, details(title, sections(part, title)))
	}
	d.run(r, run)
}

// headline says in a few words how a result does, in bold where it does not do well.
func headline(r *reports.Result) string {
	failed := 0
	for i := range r.Expectations {
		if r.Expectations[i].Outcome != reports.Passed {
			failed++
		}
	}
	failedTests := 0
	for i := range r.Tests {
		if r.Tests[i].Outcome != reports.Passed {
			failedTests++
		}
	}
	var parts []string
	if n := len(r.Expectations); n > 0 || len(r.Tests) == 0 {
		parts = append(parts, tally(n, failed, "expectation", "hold"))
	}
	if n := len(r.Tests); n > 0 {
		parts = append(parts, tally(n, failedTests, "test of the configuration", "pass"))
	}
	text := strings.Join(parts, ", ")
	if r.Partial {
		text += ", **interrupted**"
	}
	return text
}

// tally says how many of something failed.
func tally(n, failed int, what, verb string) string {
	noun, rest, ok := strings.Cut(what, " ")
	several := noun + "s"
	if ok {
		several += " " + rest
	}
	switch {
	case n == 0:
		return "nothing is expected"
	case failed > 0 && n == 1:
		return fmt.Sprintf("**1 of 1 %s failed**", what)
	case failed > 0:
		return fmt.Sprintf("**%d of %d %s failed**", failed, n, several)
	case n == 1:
		plural := map[string]string{"hold": "holds", "pass": "passes"}[verb]
		return fmt.Sprintf("the one %s %s", what, plural)
	}
	return fmt.Sprintf("all %d %s %s", n, several, verb)
}

// failedMax is how many failed expectations a table shows.
const failedMax = 50

// failures writes the expectations that failed, and returns those that hold, folded.
func (d *document) failures(r *reports.Result) (hold string) {
	failed, passed := expectationTable(), expectationTable()
	for i := range r.Expectations {
		j := &r.Expectations[i]
		t := failed
		if j.Outcome == reports.Passed {
			t = passed
		}
		t.row(outcome(j), escape(j.Text), escape(got(j)), place(j))
	}
	for i := range r.Tests {
		test := &r.Tests[i]
		line, _ := test.At()
		t := failed
		if test.Outcome == reports.Passed {
			t = passed
		}
		t.row(outcomeOf(test.Outcome), escape(fmt.Sprintf("test %q with Kubernetes %s", test.Name, test.KubernetesVersion)),
			escape(missed(test)), placeOf(test.File, line))
	}
	if n := len(failed.rows) - failedMax; n > 0 {
		failed.rows = failed.rows[:failedMax]
		failed.row(fmt.Sprintf("and %d more", n), "", "", "")
	}
	if len(failed.rows) > 0 {
		d.add(ofVerdict, failed.String())
	}
	if len(passed.rows) == 0 {
		return ""
	}
	return details(fmt.Sprintf("Expectations that hold (%d)", len(passed.rows)), passed.String())
}

func expectationTable() *table { return newTable(2, "", "expectation", "measured", "at") }

// outcome is the outcome of an expectation, in bold if it is not good.
func outcome(j *reports.Judged) string {
	switch {
	case j.Outcome != reports.Passed:
	case j.FewSamples:
		return "passed, on few samples"
	case j.Warning != "":
		return "passed, perhaps by chance"
	}
	return outcomeOf(j.Outcome)
}

// outcomeOf is an outcome, in bold if it is not good.
func outcomeOf(o reports.Outcome) string {
	if o != reports.Passed {
		return "**" + escape(string(o)) + "**"
	}
	return escape(string(o))
}

// missed is what a test of the configuration has found.
func missed(t *reports.Tested) string {
	if t.Outcome == reports.Passed {
		return t.Cause
	}
	_, rest, _ := strings.Cut(t.Verdict, t.KubernetesVersion+": ")
	return rest
}

// got is what the verdict says beyond the outcome and the demand.
func got(j *reports.Judged) string {
	rest, _ := strings.CutPrefix(j.Verdict, string(j.Outcome)+": ")
	rest, _ = strings.CutPrefix(rest, j.Text+": ")
	return rest
}

// place is where an expectation is written.
func place(j *reports.Judged) string {
	return placeOf(j.File, j.Line)
}

// placeOf is a line of a file.
func placeOf(file string, line int) string {
	if file == "" {
		return ""
	}
	return code(fmt.Sprintf("%s:%d", file, line))
}

// run tells what was run, and how the result can be made again.
func (d *document) run(r *reports.Result, header []reports.Section) {
	text := ""
	if len(header) > 0 {
		text = sections(header, "")
	}
	if r.Source != nil {
		text += "\n" + block("sh", r.Source.Command)
	}
	d.add(ofDetails, details("The run, and how to make it again", text))
}
