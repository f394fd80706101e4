package table

// Folded lays the table out as Lines does, and where it is too wide even with the shortest
// names, in several pieces below each other: each has the names and some of the figures. Columns
// under the heading of a group stay together if they can.
func (t *Table) Folded(width int) []string {
	if t.width(t.shrunk(width)) <= width {
		return t.Lines(width)
	}
	names := t.columns(0, t.names-1)
	var out []string
	piece := names
	for column := t.names; column < len(t.rows[0]); {
		unit := t.columns(column, t.unitEnd(column))
		if len(piece) > len(names) && !t.Pick(append(clip(piece), unit...)).fits(width) {
			out = append(out, t.Pick(piece).Lines(width)...)
			piece = names
		}
		if len(unit) > 1 && !t.Pick(append(clip(names), unit...)).fits(width) {
			unit = unit[:1] // a group that is too wide for itself
		}
		piece = append(clip(piece), unit...)
		column += len(unit)
	}
	return append(out, t.Pick(piece).Lines(width)...)
}

// columns lists the columns from first to last.
func (t *Table) columns(first, last int) []int {
	var out []int
	for i := first; i <= last; i++ {
		out = append(out, i)
	}
	return out
}

// clip returns a list that appending to does not change.
func clip(list []int) []int { return list[:len(list):len(list)] }

// unitEnd returns the last column of the group that a column is in, or the column.
func (t *Table) unitEnd(column int) int {
	for _, g := range t.groups {
		if g.first <= column && column <= g.last {
			return g.last
		}
	}
	return column
}

// fits tells whether the table keeps to a width.
func (t *Table) fits(width int) bool { return t.width(t.shrunk(width)) <= width }

// Pick returns a table of some of the columns, all names among them. A group of which there are
// not all columns is a group of those that there are.
func (t *Table) Pick(columns []int) *Table {
	out := &Table{names: t.names}
	for _, row := range t.rows {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = row[c]
		}
		out.rows = append(out.rows, cells)
	}
	for _, g := range t.groups {
		part := group{first: -1, title: g.title}
		for i, c := range columns {
			if g.first <= c && c <= g.last {
				if part.first < 0 {
					part.first = i
				}
				part.last = i
			}
		}
		if part.first >= 0 {
			out.groups = append(out.groups, part)
		}
	}
	return out
}
