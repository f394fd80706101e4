package vary

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
)

// ReadPlan reads the points from a table in CSV: the first row has a path in each column, each other
// row the values of one point. Empty rows, and rows that begin with #, are passed over. All faults
// are found.
func ReadPlan(name string, r io.Reader) (*Design, scenarios.Diagnostics) {
	p := &planReader{name: name, csv: csv.NewReader(r), design: &Design{}}
	p.csv.Comment, p.csv.FieldsPerRecord, p.csv.TrimLeadingSpace = '#', -1, true
	for p.row() {
	}
	if len(p.faults) == 0 && len(p.design.Points) == 0 {
		p.fault(1, 1, "the plan has no points", "a row of paths, and a row of values for each point")
	}
	if len(p.faults) > 0 {
		return nil, p.faults
	}
	return p.design, nil
}

// planReader reads a plan.
type planReader struct {
	name   string
	csv    *csv.Reader
	design *Design
	faults scenarios.Diagnostics
	// known are the numbers of the values of each path.
	known []map[string]int
}

func (p *planReader) fault(line, column int, message, legal string) {
	p.faults = append(p.faults, scenarios.Diagnostic{File: p.name, Line: line, Column: column,
		Code: scenarios.CodeSyntax, Severity: scenarios.Error, Message: message, Legal: legal})
}

// row reads a row; false after the last one.
func (p *planReader) row() bool {
	fields, err := p.csv.Read()
	var bad *csv.ParseError
	switch {
	case err == io.EOF:
		return false
	case errors.As(err, &bad):
		p.fault(bad.Line, bad.Column, "the plan is no table in CSV: "+bad.Err.Error(), "")
		return false
	case err != nil:
		p.fault(1, 1, "cannot read the plan: "+err.Error(), "")
		return false
	}
	if p.design.Factors == nil {
		return p.head(fields)
	}
	line, _ := p.csv.FieldPos(0)
	if len(fields) != len(p.design.Factors) {
		p.fault(line, 1, fmt.Sprintf("the row has %d values, and there are %d paths", len(fields), len(p.design.Factors)), "")
		return true
	}
	if len(p.design.Points) == MaxPoints {
		p.fault(line, 1, fmt.Sprintf("the plan has more than %d points", MaxPoints), "")
		return false
	}
	point := make(Point, len(fields))
	for i, text := range fields {
		if text = strings.TrimSpace(text); text == "" {
			line, column := p.csv.FieldPos(i)
			p.fault(line, column, "a value is missing here", "")
		}
		f := &p.design.Factors[i]
		number, known := p.known[i][text]
		if !known {
			number = len(f.Values)
			p.known[i][text], f.Values = number, append(f.Values, text)
		}
		point[i] = number
	}
	p.design.Points = append(p.design.Points, point)
	return true
}

// head reads the row of paths.
func (p *planReader) head(fields []string) bool {
	seen := map[string]bool{}
	for i, path := range fields {
		path = strings.TrimSpace(strings.TrimPrefix(path, "\ufeff"))
		line, column := p.csv.FieldPos(i)
		switch {
		case path == "":
			p.fault(line, column, "a path is missing here", "paths such as priorityLevel/workload-low.queues")
		case seen[path]:
			p.fault(line, column, fmt.Sprintf("the path %s is there twice", path), "")
		}
		seen[path] = true
		p.design.Factors, p.known = append(p.design.Factors, Factor{Path: path}), append(p.known, map[string]int{})
	}
	return len(p.faults) == 0
}
