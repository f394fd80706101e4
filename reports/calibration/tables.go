package calibration

import (
	"slices"

	"github.com/apfsim/apfsim/internal/table"
)

// Titled is a table with the text above it.
type Titled struct {
	Title string
	*table.Table
}

// find returns the row of a subject in a span, or over the whole time with -1; nil if there is none.
func (c *Calibration) find(subject Subject, span int, metric Metric, q float64) *Row {
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.subject == subject && r.span == span && r.Metric == metric && r.Quantile == q && r.Reason == "" {
			return r
		}
	}
	return nil
}

// cells are the two figures of a row, the simulated one marked if they differ.
func cells(r *Row) []string {
	if r == nil {
		return []string{none, none}
	}
	simulated := r.text(r.Simulated)
	if r.Verdict == Differs {
		simulated += "*"
	} else {
		simulated += " "
	}
	return []string{r.text(r.Recorded), simulated}
}

// subjectsOf lists the subjects of a kind, in their order.
func (c *Calibration) subjectsOf(k Kind) []Subject {
	var out []Subject
	for i := range c.Rows {
		if s := c.Rows[i].subject; s.Kind == k && (len(out) == 0 || out[len(out)-1] != s) {
			out = append(out, s)
		}
	}
	return out
}

// differs tells whether any figure of a subject differs over the whole time.
func (c *Calibration) differs(s Subject) bool {
	return slices.ContainsFunc(c.Rows, func(r Row) bool { return r.subject == s && r.span < 0 && r.Verdict == Differs })
}

// matters tells whether a level is shown with all of its figures: something differs or was rejected.
func (c *Calibration) matters(s Subject) bool {
	r := c.find(s, -1, Rejected, 0)
	return c.differs(s) || r != nil && r.Recorded != nil && *r.Recorded > 0
}

// overview is one line for each subject of a kind.
func (c *Calibration) overview(k Kind, times bool) Titled {
	heading := []string{"", "record", "run ", "record", "run "}
	if times {
		heading = append(heading, "record", "run ")
	}
	t := Titled{upper(k.String()) + "s", table.New(1, heading...)}
	if k == OfUsers {
		t.Title = "Users"
	}
	t.Group(1, 2, "requests/s")
	t.Group(3, 4, "rejected")
	if times {
		t.Group(5, 6, "wait p99")
	}
	for _, s := range c.subjectsOf(k) {
		line := append([]string{s.Name}, cells(c.find(s, -1, Rate, 0))...)
		line = append(line, cells(c.find(s, -1, Rejected, 0))...)
		if times {
			line = append(line, cells(c.find(s, -1, Wait, 0.99))...)
		}
		t.Add(line...)
	}
	return t
}

// figures are all figures of a level or schema over the whole time.
func (c *Calibration) figures(s Subject) Titled {
	t := Titled{upper(s.title()), table.New(1, "", "recorded", "simulated", "±", "difference", "")}
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.subject != s || r.span >= 0 {
			continue
		}
		spread, difference := none, none
		if r.Spread != nil {
			spread = r.text(r.Spread)
		}
		recorded, simulated := r.text(r.Recorded), r.text(r.Simulated)
		switch {
		case r.Relative != nil:
			difference = signed(float64(*r.Relative))
		case r.Distance != nil && r.Chance != nil:
			difference, recorded, simulated, spread = figure(float64(*r.Distance)), "", "", figure(float64(*r.Chance))
		}
		t.Add(r.name(), recorded, simulated, spread, difference, string(r.Verdict))
	}
	return t
}

// overTime are the figures of a level by span.
func (c *Calibration) overTime(s Subject) Titled {
	t := Titled{s.Name + " over time", table.New(0, "from", "record", "run ", "record", "run ", "record", "run ")}
	t.Group(1, 2, "requests/s")
	t.Group(3, 4, "rejected")
	t.Group(5, 6, "execution p50")
	last := -1
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.subject != s || r.span < 0 || r.span == last {
			continue
		}
		last = r.span
		line := []string{clock(c.spanStart(r))}
		line = append(line, cells(c.find(s, r.span, Rate, 0))...)
		line = append(line, cells(c.find(s, r.span, Rejected, 0))...)
		t.Add(append(line, cells(c.find(s, r.span, Execution, 0.5))...)...)
	}
	return t
}

// use are the seats in use and the waits of a level by span.
func (c *Calibration) use(s Subject) Titled {
	t := Titled{s.Name + ": waits and seats over time", table.New(0, "from", "record", "run ", "record", "run ")}
	t.Group(1, 2, "wait p90")
	t.Group(3, 4, "seats in use")
	last := -1
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.subject != s || r.span < 0 || r.span == last {
			continue
		}
		last = r.span
		line := append([]string{clock(c.spanStart(r))}, cells(c.find(s, r.span, Wait, 0.9))...)
		t.Add(append(line, cells(c.find(s, r.span, Seats, 0))...)...)
	}
	return t
}
