package study

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/reports"
)

// Growth is how goals do while the traffic of a scenario grows.
type Growth struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Scenario   string `json:"scenario"`
	// Seed and Replications are those of each run.
	Seed         uint64 `json:"seed"`
	Replications int    `json:"replications"`
	// Grows is what grows.
	Grows []Grown `json:"grows"`
	// Goals are as they were written.
	Goals []string `json:"goals"`
	// Curves are of the configuration as it is, and of the tuned one.
	Curves []Curve `json:"curves"`
}

// GrowthKind is the kind of the document.
const GrowthKind = "Growth"

// Grown is one number that grows, at the factor 1.
type Grown struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// Curve is what one configuration does.
type Curve struct {
	// Name is "today" or "tuned", and Settings are what makes it another one.
	Name     string      `json:"name"`
	Settings []string    `json:"settings,omitempty"`
	Steps    []GrowthRow `json:"steps"`
	// Breaks tell when each goal breaks, in their order.
	Breaks []Break `json:"breaks"`
}

// GrowthRow is the scenario at one factor.
type GrowthRow struct {
	Factor reports.Number `json:"factor"`
	// Counts are the numbers that have grown, in the order of Growth.Grows.
	Counts []int64 `json:"counts"`
	// Invalid says why it cannot be run.
	Invalid string `json:"invalid,omitempty"`
	// Cells and Statuses are of the goals.
	Cells    []Cell   `json:"cells,omitempty"`
	Statuses []Status `json:"statuses,omitempty"`
	// Seats and Servers are what it takes to meet all goals, if they are not met as it is, or 0 if
	// they were not searched; beyond what was tried they are left out and Why says so.
	Seats   *Need `json:"seats,omitempty"`
	Servers *Need `json:"servers,omitempty"`
}

// Need is how much of something it takes.
type Need struct {
	// Now is how much there is, and Enough the least that was found to meet all goals; 0 if even Tried did not.
	Now    int64 `json:"now"`
	Enough int64 `json:"enough,omitzero"`
	Tried  int64 `json:"tried"`
}

// Break is where a goal begins to be missed.
type Break struct {
	// Holds is the largest factor up to which the goal is met at each that was tried, and Fails the first
	// one at which it is not; nil where there is none.
	Holds *reports.Number `json:"holds,omitempty"`
	Fails *reports.Number `json:"fails,omitempty"`
	// Status is that at Fails.
	Status Status `json:"status,omitempty"`
}

// FindBreaks fills in when each goal breaks.
func (c *Curve) FindBreaks(goals int) {
	c.Breaks = make([]Break, goals)
	for g := range c.Breaks {
		b := &c.Breaks[g]
		for i := range c.Steps {
			step := &c.Steps[i]
			if step.Invalid == "" && step.Statuses[g] == Met {
				b.Holds = &step.Factor
				continue
			}
			b.Fails = &step.Factor
			if step.Invalid == "" {
				b.Status = step.Statuses[g]
			}
			break
		}
	}
}

// Holds tells whether all goals are met at a step.
func (r *GrowthRow) Holds() bool {
	if r.Invalid != "" {
		return false
	}
	for _, s := range r.Statuses {
		if s != Met {
			return false
		}
	}
	return true
}

// WriteText writes the growth for people.
func (g *Growth) WriteText(w io.Writer, width int) error {
	if width == 0 {
		width = defaultWidth
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s, seed %d, %s\n", g.Scenario, g.Seed, replications(g.Replications))
	grows := []string{}
	for _, n := range g.Grows {
		grows = append(grows, fmt.Sprintf("%s (%d)", n.Name, n.Count))
	}
	for _, line := range table.Wrap("What grows: "+strings.Join(grows, ", "), width) {
		b.WriteString(line + "\n")
	}
	for i := range g.Curves {
		g.curveText(b, &g.Curves[i], width)
	}
	for _, line := range g.words(width) {
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// curveText writes the table of one configuration.
func (g *Growth) curveText(b *strings.Builder, c *Curve, width int) {
	fmt.Fprintf(b, "\n%s\n", c.title())
	heading := []string{"factor"}
	for range g.Goals {
		heading = append(heading, "mean", "±", "")
	}
	seats, servers := c.needs()
	if seats {
		heading = append(heading, "seats needed")
	}
	if servers {
		heading = append(heading, "servers needed")
	}
	tab := table.New(1, heading...)
	for i, goal := range g.Goals {
		tab.Group(1+3*i, 3+3*i, goal)
	}
	for i := range c.Steps {
		s := &c.Steps[i]
		row := []string{"x " + formatFactor(s.Factor)}
		for k := range g.Goals {
			row = append(row, s.goal(k)...)
		}
		if seats {
			row = append(row, s.Seats.text())
		}
		if servers {
			row = append(row, s.Servers.text())
		}
		tab.Add(row...)
	}
	for _, line := range tab.Folded(width) {
		b.WriteString(line + "\n")
	}
}

// title names a configuration.
func (c *Curve) title() string {
	if len(c.Settings) == 0 {
		return "As it is"
	}
	return "With " + strings.Join(c.Settings, ", ")
}

// needs tells whether seats and servers were searched for.
func (c *Curve) needs() (seats, servers bool) {
	for i := range c.Steps {
		seats, servers = seats || c.Steps[i].Seats != nil, servers || c.Steps[i].Servers != nil
	}
	return seats, servers
}

// goal is the cell of a goal in words.
func (r *GrowthRow) goal(k int) []string {
	if r.Invalid != "" {
		return []string{"invalid", "", ""}
	}
	text := r.Cells[k].text()
	return []string{text[0], text[1], string(r.Statuses[k])}
}

// text says how much it takes.
func (n *Need) text() string {
	switch {
	case n == nil:
		return ""
	case n.Enough == 0:
		return fmt.Sprintf("more than %d", n.Tried)
	}
	return strconv.FormatInt(n.Enough, 10)
}

// formatFactor writes a factor.
func formatFactor(f reports.Number) string { return strconv.FormatFloat(float64(f), 'f', -1, 64) }

// words say when each goal breaks.
func (g *Growth) words(width int) []string {
	lines := []string{""}
	for i := range g.Curves {
		c := &g.Curves[i]
		for k, goal := range g.Goals {
			lines = append(lines, table.Wrap(fmt.Sprintf("%s: %s %s.", c.title(), goal, c.Breaks[k].words()), width)...)
		}
	}
	return lines
}

// words say when a goal breaks.
func (b *Break) words() string {
	switch {
	case b.Fails == nil:
		return "is met up to x " + formatFactor(*b.Holds) + ", the largest factor that was tried"
	case b.Holds == nil:
		return "is " + b.how() + " from x " + formatFactor(*b.Fails) + " on, the smallest factor that was tried"
	}
	return "is met up to x " + formatFactor(*b.Holds) + ", and " + b.how() + " at x " + formatFactor(*b.Fails)
}

// how says what becomes of a goal that is not met.
func (b *Break) how() string {
	switch b.Status {
	case Unclear:
		return "not surely met"
	case NoData:
		return "without data"
	case "":
		return "not to be had, since the scenario is invalid,"
	}
	return "missed"
}

// WriteCSV writes a row for each configuration and factor, in base units.
func (g *Growth) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	head := []string{"configuration", "factor"}
	for _, n := range g.Grows {
		head = append(head, n.Name)
	}
	for _, goal := range g.Goals {
		head = append(head, goal, goal+" half-width", goal+" status")
	}
	if err := out.Write(append(head, "seats needed", "servers needed")); err != nil {
		return err
	}
	for i := range g.Curves {
		for j := range g.Curves[i].Steps {
			if err := out.Write(g.fields(&g.Curves[i], &g.Curves[i].Steps[j])); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// fields are a step in CSV.
func (g *Growth) fields(c *Curve, s *GrowthRow) []string {
	row := []string{c.Name, formatFactor(s.Factor)}
	for _, n := range s.Counts {
		row = append(row, strconv.FormatInt(n, 10))
	}
	for k := range g.Goals {
		if s.Invalid != "" {
			row = append(row, "", "", "invalid: "+s.Invalid)
			continue
		}
		row = append(row, field(s.Cells[k].Mean), field(s.Cells[k].HalfWidth), string(s.Statuses[k]))
	}
	for _, n := range []*Need{s.Seats, s.Servers} {
		text := ""
		if n != nil && n.Enough > 0 {
			text = strconv.FormatInt(n.Enough, 10)
		}
		row = append(row, text)
	}
	return row
}
