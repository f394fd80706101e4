package plots

import (
	"cmp"
	"slices"

	"github.com/apfsim/apfsim/reports"
)

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
	return slices.Insert(charts, at, c)
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
		out[i] = column{name, slices.Clone(columns[i].panels)}
	}
	return out
}

// align puts the same panels side by side, with the same axes. One that the other column lacks
// gets an empty one beside it.
func align(columns []column) {
	a, b := &columns[0].panels, &columns[1].panels
	for i := 0; i < len(*a) || i < len(*b); i++ {
		switch {
		case i < len(*a) && !has(*b, (*a)[i].matched()):
			*b = slices.Insert(*b, min(i, len(*b)), (*a)[i].empty())
		case i < len(*b) && !has(*a, (*b)[i].matched()):
			*a = slices.Insert(*a, min(i, len(*a)), (*b)[i].empty())
		}
	}
	for i := range *a {
		p := &(*a)[i]
		for j := range *b {
			if q := &(*b)[j]; q.matched() == p.matched() {
				join(&p.x, &q.x)
				join(&p.y, &q.y)
				p.heat.join(q.heat)
			}
		}
	}
}

// matched is what a panel is matched by.
func (p *panel) matched() string { return cmp.Or(p.key, p.heading) }

// has tells whether one of the panels is matched by a key.
func has(panels []panel, key string) bool {
	return slices.ContainsFunc(panels, func(p panel) bool { return p.matched() == key })
}

// empty is a panel in place of one that there is no data for.
func (p *panel) empty() panel {
	return panel{heading: p.heading + ": no data", key: p.matched(), x: p.x, y: p.y, height: p.height, bare: p.bare}
}

// join gives two pictures the same shades.
func (m *cells) join(other *cells) {
	if m != nil && other != nil {
		m.most = max(m.most, other.most)
		other.most = m.most
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
