package html

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strconv"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/plots"
)

// MaxSize is what no page exceeds, in bytes.
const MaxSize = 2 << 20

var (
	//go:embed page.tmpl
	pageSource string
	//go:embed style.css
	pageStyle string
	//go:embed script.js
	pageScript string
)

// page is the template of all pages.
var page = template.Must(template.New("page").Funcs(template.FuncMap{"open": openHeading, "close": closeHeading}).Parse(pageSource))

// Write writes one page about results, of which there must be some, in their order. The same
// results give the same bytes.
func Write(w io.Writer, results []*reports.Result) error {
	if len(results) == 0 {
		panic("html: a page without a result")
	}
	made := make([]contents, len(results))
	for i, r := range results {
		var err error
		made[i].outline = reports.Outline(r)
		if made[i].charts, err = drawAll(r); err != nil {
			return fmt.Errorf("writing a page: %w", err)
		}
	}
	var text []byte
	for _, limits := range ladder {
		var err error
		if text, err = render(results, made, limits); err != nil {
			return fmt.Errorf("writing a page: %w", err)
		}
		if len(text) < MaxSize {
			break
		}
	}
	if len(text) >= MaxSize {
		return fmt.Errorf("writing a page: %d results do not fit into %d bytes, not even in short: write fewer of them to one page", len(results), MaxSize)
	}
	_, err := w.Write(text)
	return err
}

// contents is what a result tells, which does not depend on the limits of a page.
type contents struct {
	outline []reports.Section
	charts  []drawing
}

// render makes the page within limits.
func render(results []*reports.Result, made []contents, l limits) ([]byte, error) {
	d := &document{Style: template.CSS(plots.Style() + "\n" + pageStyle), Script: template.JS(pageScript), Policy: policy(), Several: len(results) > 1}
	for i, r := range results {
		a := &article{Level: 1}
		if d.Several {
			a.Level, a.ID = 2, "r"+strconv.Itoa(i+1)
			a.Prefix = a.ID + "-"
		}
		b := &builder{result: r, article: a, limits: l, outline: made[i].outline}
		b.build(made[i].charts)
		d.Results = append(d.Results, a)
	}
	d.Title = d.Results[0].Name
	if d.Several {
		d.Title = strconv.Itoa(len(results)) + " scenarios"
	}
	var b bytes.Buffer
	if err := page.Execute(&b, d); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// policy allows the page its own style, this very script and pictures that are part of it, as heat
// maps are, and forbids everything else, all
// of the network included.
func policy() string {
	sum := sha256.Sum256([]byte(pageScript))
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'; img-src data:; base-uri 'none'; form-action 'none'"
}

// openHeading and closeHeading write the tags of a heading, whose level the template cannot.
func openHeading(level int, id string) template.HTML {
	if id == "" {
		return template.HTML(fmt.Sprintf("<h%d>", level))
	}
	return template.HTML(fmt.Sprintf(`<h%d id="%s">`, level, template.HTMLEscapeString(id)))
}

func closeHeading(level int) template.HTML { return template.HTML(fmt.Sprintf("</h%d>", level)) }
