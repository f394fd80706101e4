package compare

import "math"

// Section is a table of rows for people.
type Section struct {
	Title   string
	Heading []string
	Rows    [][]string
}

// sectionTitles are the titles of sections by what they are of.
var sectionTitles = map[kind]string{
	ofLevel: "Priority levels", ofClient: "Clients", ofRun: "The whole run", ofServer: "Servers", ofSchema: "Flow schemas",
}

// Sections are the rows by what they are of: those that differ, or all. Two columns are names.
func (c *Comparison) Sections(all bool) []Section {
	var out []Section
	for k := ofLevel; k <= ofSchema; k++ {
		out = appendSection(out, k, c.shown(k, all))
	}
	return out
}

// MayBeChance are the headlines that seem to differ, and may not.
func (c *Comparison) MayBeChance() []Section {
	var out []Section
	for _, k := range []kind{ofLevel, ofClient, ofServer} {
		out = appendSection(out, k, c.doubtful(k))
	}
	return out
}

// doubtful picks the headlines of a kind that seem to differ and may not.
func (c *Comparison) doubtful(k kind) []*Row {
	var rows []*Row
	for _, r := range c.shown(k, true) {
		if r.Verdict == Unclear && r.headline() < math.MaxInt && r.Relative != nil && math.Abs(float64(*r.Relative)) >= notable {
			rows = append(rows, r)
		}
	}
	return rows
}

func appendSection(out []Section, k kind, rows []*Row) []Section {
	if len(rows) == 0 {
		return out
	}
	s := Section{sectionTitles[k], []string{kindTitles[k], "figure", "A", "B", "change", "±", "verdict"}, nil}
	for _, r := range rows {
		_, name := r.kind()
		change, half := r.change()
		s.Rows = append(s.Rows, []string{name, r.figure(), r.text(r.A), r.text(r.B), change, half, r.said()})
	}
	return append(out, s)
}

// MethodText says in words how the figures are compared.
func (c *Comparison) MethodText() string { return upperFirst(c.method()) + "." }
