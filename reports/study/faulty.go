package study

import "fmt"

// Faulty says what a table lacks that was read from a file, "" for nothing: a row that no study has, or one
// with another number of values or figures than there are factors and columns.
func (t *Table) Faulty() string {
	if t.Study == nil || len(t.Study.Scenarios) == 0 || len(t.Rows) == 0 {
		return "the sweep has no rows"
	}
	known := map[string]bool{}
	for i := range t.Study.Scenarios {
		known[t.Study.Scenarios[i].Name] = true
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		switch {
		case !known[r.Scenario]:
			return fmt.Sprintf("rows[%d] is of the scenario %q, which the sweep does not have", i, r.Scenario)
		case r.Point < AsItIs || r.Point >= len(t.Study.Points):
			return fmt.Sprintf("rows[%d] is of point %d, and there are %d", i, r.Point, len(t.Study.Points))
		case r.Point != AsItIs && !t.Study.has(r):
			return fmt.Sprintf("rows[%d] has other values than point %d", i, r.Point)
		case r.Runnable() && len(r.Cells) != len(t.Study.Columns):
			return fmt.Sprintf("rows[%d] has %d cells, and there are %d columns", i, len(r.Cells), len(t.Study.Columns))
		}
	}
	return ""
}

// has tells whether a row has the values of its point.
func (s *Study) has(r *Row) bool {
	at := s.Points[r.Point]
	if len(at) != len(s.Factors) || len(r.Values) != len(at) {
		return false
	}
	for i, v := range at {
		if v < 0 || v >= len(s.Factors[i].Values) || s.Factors[i].Values[v] != r.Values[i] {
			return false
		}
	}
	return true
}
