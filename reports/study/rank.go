package study

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Of are the rows of a scenario, that of the scenario as it is first.
func (t *Table) Of(scenario string) []*Row {
	var out []*Row
	for i := range t.Rows {
		if t.Rows[i].Scenario == scenario {
			out = append(out, &t.Rows[i])
		}
	}
	return out
}

// Runnable tells that the row has figures.
func (r *Row) Runnable() bool { return !r.Missing && r.Invalid == "" }

// Missed lists the goals of a scenario that the mean of a figure does not meet. Where there is no figure
// they are missed, unless that is allowed.
func (c *Column) Missed(scenario string, cell *Cell) []Goal {
	var out []Goal
	for _, g := range c.Goals {
		holds := g.AllowNoData
		if cell.Mean != nil {
			holds = g.holds(float64(*cell.Mean))
		}
		if g.Scenario == scenario && !holds {
			out = append(out, g)
		}
	}
	return out
}

// holds tells whether a value is what the goal wants.
func (g *Goal) holds(x float64) bool {
	switch g.Op {
	case "<":
		return x < float64(g.Value)
	case ">":
		return x > float64(g.Value)
	}
	return x == float64(g.Value)
}

// Missed counts the goals that the row does not meet.
func (t *Table) Missed(r *Row) int {
	n := 0
	for i := range r.Cells {
		n += len(t.Study.Columns[i].Missed(r.Scenario, &r.Cells[i]))
	}
	return n
}

// Ranked returns rows with the best ones first: those that miss the fewest goals, among them those whose
// first figure is better, then the second and so on; figures that are neither better nor worse say
// nothing. What cannot be run comes last, and what is equal stays in its order.
func (t *Table) Ranked(rows []*Row) []*Row {
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b *Row) int {
		if a.Runnable() != b.Runnable() {
			return 1 - 2*ordinal(a.Runnable())
		}
		return cmp.Or(cmp.Compare(t.Missed(a), t.Missed(b)), t.better(a, b))
	})
	return out
}

// ordinal is 1 for true.
func ordinal(b bool) int {
	if b {
		return 1
	}
	return 0
}

// better compares the figures of two rows: below 0 if the first is better.
func (t *Table) better(a, b *Row) int {
	for i := range t.Study.Columns {
		if i >= len(a.Cells) || i >= len(b.Cells) {
			break
		}
		c := cmp.Compare(a.Cells[i].badness(t.Study.Columns[i].Better), b.Cells[i].badness(t.Study.Columns[i].Better))
		if c != 0 {
			return c
		}
	}
	return 0
}

// badness is the mean with its sign such that less is better; 0 if it is neither.
func (c *Cell) badness(better Direction) float64 {
	switch {
	case better == "":
		return 0
	case c.Mean == nil:
		return math.Inf(1)
	case better == Higher:
		return -float64(*c.Mean)
	}
	return float64(*c.Mean)
}

// Best is the best of the rows of a scenario, nil where nothing makes one better than the others.
func (t *Table) Best(scenario string) *Row {
	rows := t.Ranked(t.Of(scenario))
	if len(rows) < 2 || !rows[0].Runnable() || !rows[1].Runnable() {
		return nil
	}
	if last := slices.IndexFunc(rows, func(r *Row) bool { return !r.Runnable() }); last > 0 {
		rows = rows[:last]
	}
	first, last := rows[0], rows[len(rows)-1]
	if t.Missed(first) == t.Missed(last) && t.better(first, last) == 0 {
		return nil
	}
	return first
}

// RankedBy says in words what Ranked goes by, as far as rows of the scenario differ in it.
func (t *Table) RankedBy(scenario string) string {
	var parts []string
	for i := range t.Study.Columns {
		if slices.ContainsFunc(t.Study.Columns[i].Goals, func(g Goal) bool { return g.Scenario == scenario }) {
			parts = []string{"the fewest missed expectations"}
		}
	}
	rows := t.Of(scenario)
	for i := range t.Study.Columns {
		if c := &t.Study.Columns[i]; c.Better != "" && !t.Everywhere(rows, i) {
			return strings.Join(append(parts, "the "+string(c.Better.superlative())+" "+c.Text), ", then ")
		}
	}
	return strings.Join(parts, ", then ")
}

// superlative is the direction as of the best.
func (d Direction) superlative() string {
	if d == Higher {
		return "highest"
	}
	return "lowest"
}

// Headings are names of the factors that are as short as they can be without being the same.
func (s *Study) Headings() []string {
	for _, short := range []func(string) string{lastWord, shortPath} {
		var out []string
		for i := range s.Factors {
			out = append(out, short(s.Factors[i].Path))
		}
		if distinct(out) {
			return out
		}
	}
	var out []string
	for i := range s.Factors {
		out = append(out, s.Factors[i].Path)
	}
	return out
}

// lastWord is what follows the last dot of a path.
func lastWord(path string) string { return path[strings.LastIndex(path, ".")+1:] }

// shortPath leaves out of the path of an object what tells the kind of it.
func shortPath(path string) string {
	path = strings.TrimPrefix(path, "priorityLevel/")
	return strings.TrimPrefix(path, "flowSchema/")
}

// distinct tells that no text is there twice.
func distinct(texts []string) bool {
	for i := range texts {
		if texts[i] == "" || slices.Contains(texts[:i], texts[i]) {
			return false
		}
	}
	return true
}

// At says at which point a row is: "handSize 4, queues 32".
func (t *Table) At(r *Row) string {
	if r.Point == AsItIs {
		return "as it is"
	}
	names := t.Study.Headings()
	var parts []string
	for i, v := range r.Values {
		parts = append(parts, names[i]+" "+v)
	}
	return strings.Join(parts, ", ")
}

// Everywhere tells that the figure of a column is the same at all points that can be run.
func (t *Table) Everywhere(rows []*Row, column int) bool {
	var first *Cell
	for _, r := range rows {
		switch {
		case !r.Runnable():
		case first == nil:
			first = &r.Cells[column]
		case !first.equal(&r.Cells[column]):
			return false
		}
	}
	return first != nil && len(rows) > 1
}

// equal tells that two cells have the same mean, and no spread.
func (c *Cell) equal(o *Cell) bool {
	if c.Mean == nil || o.Mean == nil {
		return c.Mean == nil && o.Mean == nil && c.Why == o.Why
	}
	return *c.Mean == *o.Mean && !c.spread() && !o.spread()
}

// spread tells that the replications differ.
func (c *Cell) spread() bool { return c.HalfWidth != nil && *c.HalfWidth != 0 }
