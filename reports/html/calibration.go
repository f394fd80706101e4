package html

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/apfsim/apfsim/reports/calibration"
	"github.com/apfsim/apfsim/reports/plots"
)

// WriteCalibration writes one page about what was simulated, held against what was recorded. The same
// calibration gives the same bytes.
func WriteCalibration(w io.Writer, c *calibration.Calibration, all bool) error {
	charts, err := drawCharts(plots.Calibrated(c))
	if err != nil {
		return fmt.Errorf("writing a page: %w", err)
	}
	for _, limits := range ladder {
		text, err := renderCalibration(c, charts, all, limits)
		if err != nil {
			return fmt.Errorf("writing a page: %w", err)
		}
		if len(text) < MaxSize {
			_, err := w.Write(text)
			return err
		}
	}
	return fmt.Errorf("writing a page: the calibration does not fit into %d bytes, not even in short", MaxSize)
}

// calibrated makes the article of a calibration.
type calibrated struct {
	builder
	*calibration.Calibration
}

// renderCalibration makes the page within limits.
func renderCalibration(c *calibration.Calibration, charts []drawing, all bool, l limits) ([]byte, error) {
	a := &article{Level: 1, Name: "Calibration: " + c.Scenario, Verdict: verdict{"good", c.Summary()}, Facts: []fact{
		{"record", c.Record + " (" + c.Source + ")"},
		{"time", time.Duration(c.From).String() + " to " + time.Duration(c.Until).String()},
		{"simulated", c.Server()},
		{"tolerance", c.Tolerance()},
	}}
	if !c.Agrees() {
		a.Verdict.Tone = "warning"
	}
	b := &calibrated{builder{article: a, limits: l}, c}
	b.begin("reasons", "Likely reasons", b.reasons)
	b.draw(charts)
	for _, name := range b.sections {
		b.begin("charts", name, func() {
			for _, f := range b.charts[name] {
				b.add(item{Chart: f})
			}
		})
	}
	b.begin("notes", "What the record does not tell", b.notes)
	b.begin("figures", "Figures", func() { b.figures(all) })
	d := &document{
		Title: a.Name, Results: []*article{a},
		Style: template.CSS(plots.Style() + "\n" + pageStyle), Script: template.JS(pageScript), Policy: policy(),
	}
	var out bytes.Buffer
	if err := page.Execute(&out, d); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// begin adds a section, unless there is nothing in it.
func (b *calibrated) begin(id, title string, fill func()) {
	b.current = &section{ID: id, Title: title, Level: b.article.Level + 1}
	fill()
	if len(b.current.Items) > 0 {
		b.article.Sections = append(b.article.Sections, b.current)
	}
}

// reasons lists why the two disagree.
func (b *calibrated) reasons() {
	for i := range b.Reasons {
		r := &b.Reasons[i]
		b.say("warning", "%s", strconv.Itoa(i+1)+". "+r.About())
		b.say("", "%s", strings.TrimSpace(r.Evidence+" "+r.Remedy))
	}
}

// notes say what the record does not tell.
func (b *calibrated) notes() {
	for _, n := range b.Notes {
		b.say("note", "%s.", sentenceOf(n))
	}
}

// figures are the tables.
func (b *calibrated) figures(all bool) {
	for _, t := range b.Tables(all) {
		if !t.Empty() {
			b.add(item{Table: b.grid(t.Title, t.Table)})
		}
	}
	if !b.Agrees() {
		b.say("note", "%s", calibration.Legend)
	}
}

// sentenceOf begins a text with a capital letter.
func sentenceOf(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
