// Package sheets writes results as tables for spreadsheets and data frames: CSV as RFC 4180
// has it, with a header, commas, CRLF and UTF-8. A cell without data is empty. Numbers have a
// point and no thousands separator; what has no end is Inf.
package sheets

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/apfsim/apfsim/reports"
)

// WriteFigures writes a row for each figure of each result: the metric, what it is of, the
// value over all replications in its unit, what it rests on, and the value of each replication.
// There are as many columns of replications as the result with the most of them has.
//
// quantile is empty for what is no distribution, and "mean" for the mean of one.
func WriteFigures(w io.Writer, results []*reports.Result) error {
	most := 0
	for _, r := range results {
		most = max(most, len(r.Replications))
	}
	header := []string{"scenario", "metric", "priorityLevel", "flowSchema", "client", "holder", "server", "quantile", "unit", "value", "samples", "effectiveSamples", "fewSamples"}
	for i := range most {
		header = append(header, "replication"+strconv.Itoa(i))
	}
	rows := [][]string{header}
	for _, r := range results {
		for i := range r.Figures {
			rows = append(rows, figure(r, &r.Figures[i], most))
		}
	}
	return write(w, rows)
}

// figure is the row of a figure, with so many columns of replications.
func figure(r *reports.Result, f *reports.Figure, most int) []string {
	server := ""
	if f.Server != nil {
		server = strconv.Itoa(*f.Server)
	}
	row := []string{
		r.Metadata.Name, string(f.Metric), f.PriorityLevel, f.FlowSchema, f.Client, f.Holder, server, quantile(f), string(f.Metric.Unit()),
		value(&f.Value), strconv.FormatInt(f.Samples, 10), effective(f), strconv.FormatBool(f.FewSamples),
	}
	for i := range most {
		cell := ""
		if i < len(f.Replications) {
			cell = value(f.Replications[i])
		}
		row = append(row, cell)
	}
	return row
}

// quantile names the quantile of a distribution as a number.
func quantile(f *reports.Figure) string {
	switch {
	case !f.Metric.IsDistribution():
		return ""
	case f.Quantile == 0:
		return "mean"
	}
	return number(f.Quantile)
}

// effective is the number of effective samples, if it is known.
func effective(f *reports.Figure) string {
	if f.EffectiveSamples == 0 {
		return ""
	}
	return strconv.FormatInt(f.EffectiveSamples, 10)
}

// value writes a value, or nothing where there is none.
func value(v *reports.Value) string {
	if v == nil {
		return ""
	}
	return number(float64(*v))
}

// number writes a number in the fewest digits that stand for it.
func number(x float64) string {
	if math.IsInf(x, 1) {
		return "Inf"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// write writes rows, the first being the header.
func write(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	return c.WriteAll(rows)
}
