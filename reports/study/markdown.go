package study

import (
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/reports/markdown"
)

// WriteMarkdown writes the table for a pull request: of many points the best, and all if it is asked
// for them.
func (t *Table) WriteMarkdown(w io.Writer, all bool) error {
	b := &strings.Builder{}
	for i := range t.Study.Scenarios {
		v := t.view(&t.Study.Scenarios[i], all)
		v.markdown(b)
	}
	for _, note := range t.notes() {
		fmt.Fprintf(b, "%s\n", markdown.Escape(note))
	}
	if t.Study.Command != "" {
		fmt.Fprintf(b, "\n<details><summary>How to make the table again</summary>\n\n%s\n</details>\n", markdown.Block(t.Study.Command))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown writes a section about one scenario.
func (v *view) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "### Sweep: %s\n\n", markdown.Escape(v.scenario.Name))
	fmt.Fprintf(b, "Seed %d, %s of %s.\n\n", v.scenario.Seed, replications(v.scenario.Replications), counted(len(v.all)-1, "point"))
	head, rule := v.markdownHead()
	fmt.Fprintf(b, "| %s |\n|%s|\n", strings.Join(head, " | "), strings.Join(rule, "|"))
	for _, r := range v.rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(v.markdownRow(r), " | "))
	}
	b.WriteString("\n")
	for _, remark := range v.remarks() {
		if strings.HasPrefix(remark, "* is") {
			remark = strings.Replace(remark, "* is", "Bold is", 1)
		}
		fmt.Fprintf(b, "%s\n\n", markdown.Escape(remark))
	}
}

// markdownHead is the heading of the table, and the line below it.
func (v *view) markdownHead() (head, rule []string) {
	for i := range v.Study.Factors {
		head, rule = append(head, markdown.Code(v.Study.Factors[i].Path)), append(rule, "---")
	}
	if len(head) == 0 {
		head, rule = []string{"point"}, []string{"---"}
	}
	for _, c := range v.columns {
		for i, part := range v.perColumn() {
			if i == 0 {
				part = markdown.Escape(v.Study.Columns[c].Text)
			}
			head, rule = append(head, part), append(rule, "--:")
		}
	}
	return head, rule
}

// markdownRow is a row; the best one is bold.
func (v *view) markdownRow(r *Row) []string {
	var cells []string
	for _, value := range r.Values {
		cells = append(cells, markdown.Escape(value))
	}
	if r.Point == AsItIs {
		cells = append(cells, "as it is")
	}
	for len(cells) < max(1, len(v.Study.Factors)) {
		cells = append(cells, "")
	}
	for i, c := range v.columns {
		for _, text := range v.cell(r, c, i == 0) {
			cells = append(cells, markdown.Escape(text))
		}
	}
	if r == v.best {
		for i := range cells {
			if cells[i] != "" {
				cells[i] = "**" + cells[i] + "**"
			}
		}
	}
	return cells
}
