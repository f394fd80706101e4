package study

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/apfsim/apfsim/reports"
)

// WriteCSV writes the table with a row for each point, in base units: seconds, or numbers.
func (t *Table) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"scenario", "point"}
	for i := range t.Study.Factors {
		head = append(head, t.Study.Factors[i].Path)
	}
	head = append(head, "status", "seats")
	for _, column := range t.Study.Columns {
		for _, part := range []string{"", " half-width", " difference", " difference half-width"} {
			head = append(head, column.Text+part)
		}
	}
	if err := c.Write(head); err != nil {
		return err
	}
	for i := range t.Rows {
		if err := c.Write(t.Rows[i].fields(t.Study)); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// fields are the row in CSV.
func (r *Row) fields(s *Study) []string {
	point, status, seats := "", "run", strconv.FormatInt(r.Seats, 10)
	if r.Point != AsItIs {
		point = strconv.Itoa(r.Point)
	}
	switch {
	case r.Missing:
		status, seats = "missing", ""
	case r.Invalid != "":
		status, seats = "invalid: "+r.Invalid, ""
	}
	out := append([]string{r.Scenario, point}, r.Values...)
	for range len(s.Factors) - len(r.Values) {
		out = append(out, "")
	}
	out = append(out, status, seats)
	for i := range s.Columns {
		cell := Cell{}
		if i < len(r.Cells) {
			cell = r.Cells[i]
		}
		for _, v := range []*reports.Value{cell.Mean, cell.HalfWidth, cell.Difference, cell.DifferenceHalfWidth} {
			out = append(out, field(v))
		}
	}
	return out
}

// field is a value in CSV, "" without one.
func field(v *reports.Value) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(float64(*v), 'f', -1, 64)
}
