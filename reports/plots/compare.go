package plots

import "github.com/apfsim/apfsim/reports"

// Compared returns the charts of two results, both in each chart with the same axes and
// colours, in the order of a report. A chart that only one of them has data for is there too.
func Compared(a, b *reports.Result, nameA, nameB string) []Chart {
	colors := newColors(a, b)
	left, right := chartsOf(a, colors), chartsOf(b, colors)
	var out []Chart
	for i := range left {
		out = append(out, paired(left[i], find(right, left[i].ID), nameA, nameB))
	}
	for i := range right {
		if find(left, right[i].ID) == nil {
			out = insert(out, paired(right[i], nil, nameB, nameA))
		}
	}
	return out
}

// find returns the chart with an identifier, nil if there is none.
func find(charts []Chart, id string) *Chart {
	for i := range charts {
		if charts[i].ID == id {
			return &charts[i]
		}
	}
	return nil
}

// insert puts a chart behind the last one of its section.
func insert(charts []Chart, c Chart) []Chart {
	at := len(charts)
	for i := range charts {
		if charts[i].Section == c.Section {
			at = i + 1
		}
	}
	out := append(append([]Chart{}, charts[:at]...), c)
	return append(out, charts[at:]...)
}

// paired makes one chart of two. The second one may be missing.
func paired(a Chart, b *Chart, nameA, nameB string) Chart {
	out := a
	out.Table = Table{Columns: append([]string{"result"}, a.Table.Columns...)}
	out.Table.append(nameA, &a.Table)
	out.columns = named(a.columns, nameA)
	if b == nil {
		out.Caption += " " + nameB + " has no data for it."
		return out
	}
	out.Table.append(nameB, &b.Table)
	out.columns = append(out.columns, named(b.columns, nameB)...)
	out.subtitle = a.subtitle
	if b.subtitle != a.subtitle {
		out.subtitle += " against " + b.subtitle
	}
	align(out.columns)
	return out
}

// named returns columns with a name.
func named(columns []column, name string) []column {
	out := make([]column, len(columns))
	for i := range columns {
		out[i] = column{name, append([]panel{}, columns[i].panels...)}
	}
	return out
}

// align gives panels with the same heading the same axes.
func align(columns []column) {
	for i := range columns[0].panels {
		p := &columns[0].panels[i]
		for j := range columns[1].panels {
			if q := &columns[1].panels[j]; q.heading == p.heading {
				join(&p.x, &q.x)
				join(&p.y, &q.y)
			}
		}
	}
}

// join makes two axes of the same kind equally long.
func join(a, b *axis) {
	if a.kind != b.kind || a.kind == categories || a.kind == plain {
		return
	}
	a.min, a.max = min(a.min, b.min), max(a.max, b.max)
	b.min, b.max = a.min, a.max
}

// append adds the rows of a table, each cell under the column of its name.
func (t *Table) append(name string, from *Table) {
	places := make([]int, len(from.Columns))
	for i, column := range from.Columns {
		places[i] = t.place(column)
	}
	for _, row := range from.Rows {
		cells := make([]string, len(t.Columns))
		cells[0] = name
		for i, cell := range row {
			cells[places[i]] = cell
		}
		t.Rows = append(t.Rows, cells)
	}
}

// place returns the column of a name, which may be new.
func (t *Table) place(name string) int {
	for i, known := range t.Columns {
		if i > 0 && known == name {
			return i
		}
	}
	t.Columns = append(t.Columns, name)
	for i := range t.Rows {
		t.Rows[i] = append(t.Rows[i], "")
	}
	return len(t.Columns) - 1
}
