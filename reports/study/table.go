package study

import (
	"math"
	"slices"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/stats"
)

// Table is what a sweep showed: a row for each scenario and point, beginning with the scenario
// as it is.
type Table struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Study      *Study `json:"study"`
	Rows       []Row  `json:"rows"`
	// Missing counts the rows that are not there yet.
	Missing int `json:"missing,omitzero"`
}

// AsItIs is the point of a scenario without any of the settings.
const AsItIs = -1

// Row is what one scenario showed at one point.
type Row struct {
	Scenario string `json:"scenario"`
	// Point is the number of the point, or AsItIs.
	Point int `json:"point"`
	// Values are those of the factors; none of the scenario as it is.
	Values []string `json:"values"`
	// Invalid says why the settings do not go together, and Missing tells that nobody has run it yet.
	Invalid string `json:"invalid,omitempty"`
	Missing bool   `json:"missing,omitempty"`
	// Same tells that the settings of the point are those that the scenario has anyway: it is
	// configured alike, and the runs are the same.
	Same bool `json:"same,omitempty"`
	// Seats is the number of seats of all servers.
	Seats int64  `json:"seats,omitzero"`
	Cells []Cell `json:"cells,omitempty"`
}

// Cell is one figure at one point: the mean over the replications.
type Cell struct {
	// Why says why there is nothing.
	Why string `json:"why,omitempty"`
	// Metric gives the figure its unit.
	Metric reports.Metric `json:"metric,omitempty"`
	// Mean is with a confidence interval of 95 % of HalfWidth to both sides, which is left out
	// of fewer than two replications.
	Mean      *reports.Value `json:"mean,omitempty"`
	HalfWidth *reports.Value `json:"halfWidth,omitempty"`
	// Difference is the mean of the paired differences from the scenario as it is, with its
	// interval; left out where there is none.
	Difference          *reports.Value `json:"difference,omitempty"`
	DifferenceHalfWidth *reports.Value `json:"differenceHalfWidth,omitempty"`
	// FewSamples tells that a quantile rests on too few requests to be more than a hint.
	FewSamples bool `json:"fewSamples,omitzero"`
	// Samples are the values of the replications.
	Samples []*reports.Value `json:"samples,omitempty"`
}

// Find returns the record of a scenario at a point, nil if there is none.
type Find func(scenario, point int) *Record

// NewTable makes the table of a sweep of the records that there are.
func NewTable(s *Study, find Find) *Table {
	t := &Table{APIVersion: APIVersion, Kind: SweepKind, Study: s}
	for i := range s.Scenarios {
		base := find(i, AsItIs)
		for point := AsItIs; point < len(s.Points); point++ {
			record := find(i, point)
			against := base
			if point == AsItIs {
				against = nil
			}
			row := newRow(record, against, len(s.Columns))
			row.Scenario, row.Point, row.Values = s.Scenarios[i].Name, point, s.Values(point)
			if row.Missing {
				t.Missing++
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// Values are those of the factors at a point.
func (s *Study) Values(point int) []string {
	out := []string{}
	if point == AsItIs {
		return out
	}
	for i, v := range s.Points[point] {
		out = append(out, s.Factors[i].Values[v])
	}
	return out
}

// newRow makes the row of a record. The columns are the first figures that were asked for.
func newRow(r, base *Record, columns int) Row {
	switch {
	case r == nil:
		return Row{Missing: true}
	case r.Invalid != "":
		return Row{Invalid: r.Invalid}
	}
	row := Row{Seats: r.Seats, Same: base != nil && r.same(base)}
	for i := range columns {
		cell := NewCell(&r.Asked[i])
		if base != nil && base.Invalid == "" {
			cell.compare(&base.Asked[i])
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// same tells that two records are of the same configuration and the same trajectories.
func (r *Record) same(o *Record) bool {
	return r.Configuration == o.Configuration && slices.Equal(r.Fingerprints, o.Fingerprints)
}

// NewCell takes the mean of a figure over the replications.
func NewCell(a *Asked) Cell {
	if a.Figure == nil {
		return Cell{Why: a.Why}
	}
	c := Cell{Metric: a.Metric, FewSamples: a.FewSamples, Samples: a.Replications}
	samples, ok := a.Known()
	switch {
	case !ok:
		c.Mean = new(reports.Value(math.Inf(1)))
		return c
	case len(samples) == 0:
		c.Why = "no replication has it"
		return c
	}
	i := stats.Mean(samples)
	c.Mean = new(a.Metric.RoundedValue(i.Mean))
	if i.Known() {
		c.HalfWidth = new(a.Metric.RoundedValue(i.HalfWidth))
	}
	return c
}

// compare takes the difference from another point, replication by replication: their traffic is the
// same.
func (c *Cell) compare(base *Asked) {
	if base.Figure == nil || c.Mean == nil {
		return
	}
	a, b, ok := Pairs(base.Replications, c.Samples)
	if !ok || len(a) == 0 {
		return
	}
	i := stats.Paired(a, b)
	c.Difference = new(c.Metric.RoundedValue(i.Mean))
	if i.Known() {
		c.DifferenceHalfWidth = new(c.Metric.RoundedValue(i.HalfWidth))
	}
}

// Pairs returns the values of the replications that both have; false if one has no end.
func Pairs(a, b []*reports.Value) (as, bs []float64, ok bool) {
	for i := range min(len(a), len(b)) {
		if a[i] == nil || b[i] == nil {
			continue
		}
		x, y := float64(*a[i]), float64(*b[i])
		if math.IsInf(x, 0) || math.IsInf(y, 0) {
			return nil, nil, false
		}
		as, bs = append(as, x), append(bs, y)
	}
	return as, bs, true
}
