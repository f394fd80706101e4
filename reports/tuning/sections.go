package tuning

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// section is a part of the report: a title, paragraphs, and a table with so many columns of names.
type section struct {
	title string
	// words come before the table, notes behind it.
	words, notes []string
	heading      []string
	names        int
	rows         [][]string
}

// maxRows bounds the tables of points.
const maxRows = 12

// sections are the parts of the report, those that have something to say.
func (p *Proposal) sections() []section {
	all := []section{p.answer(), p.goals(), p.obstacles(), p.front(), p.sensitivity(), p.cost(), p.how()}
	var out []section
	for _, s := range all {
		if len(s.words)+len(s.rows)+len(s.notes) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// answer is what comes first.
func (p *Proposal) answer() section {
	s := section{title: "Proposal", names: 1}
	switch p.Outcome {
	case Found:
		s.words = append(s.words, "Found: "+p.Reason)
	case Unverified:
		s.words = append(s.words, "Not verified: points met all goals in the search, and none of those that were tried did so on fresh replications.")
	case Impossible:
		if p.Method.Name == "CMA-ES" {
			s.words = append(s.words, "Not found: no point that was looked at meets all goals.")
			break
		}
		s.words = append(s.words, "Not found: no point meets all goals.")
	case Exhausted:
		s.words = append(s.words, "Not found: the budget ended before an answer.")
	}
	if len(p.Changes) > 0 {
		s.heading = []string{"knob", "today", "proposed"}
		for _, c := range p.Changes {
			today := c.Today
			if today == "" {
				today = "?"
			}
			s.rows = append(s.rows, []string{c.Path, today, c.Value})
		}
	}
	return s
}

// goals holds today, the recommended point and its fresh replications side by side.
func (p *Proposal) goals() section {
	s := section{title: "Goals", names: 1, heading: []string{"goal", "today", "proposed", "fresh"}}
	cell := func(list []Judged, i int) string {
		if i >= len(list) {
			return "-"
		}
		return list[i].text()
	}
	for i := range p.Today.Goals {
		g := &p.Today.Goals[i]
		row := []string{p.goalName(g), cell(p.Today.Goals, i), "-", "-"}
		if p.Recommended != nil {
			row[2] = cell(p.Recommended.Goals, i)
		}
		if p.Verification != nil {
			row[3] = cell(p.Verification.Goals, i)
		}
		s.rows = append(s.rows, row)
	}
	for i := range p.Today.Prices {
		row := []string{"minimize " + p.Today.Prices[i].Objective, p.Today.Prices[i].text(), "-", "-"}
		if p.Recommended != nil {
			row[2] = p.Recommended.Prices[i].text()
		}
		s.rows = append(s.rows, row)
	}
	if v := p.Verification; v != nil {
		text := fmt.Sprintf("fresh: replications %d to %d, which the search has not seen.", v.First, v.First+v.Replications-1)
		if v.Refuted > 0 {
			text += fmt.Sprintf(" %s met the goals in the search and failed on fresh replications before.", counted(v.Refuted, "point"))
		}
		if v.Worst >= 0 && v.Worst < len(v.Goals) {
			if g := &v.Goals[v.Worst]; g.Spare != 0 && g.Value != nil {
				text += fmt.Sprintf(" The least to spare has %s: %s%%.", p.goalName(g), percent(g.Spare))
			}
		}
		s.notes = append(s.notes, text)
	}
	return s
}

// goalName is a goal, with its scenario if there are several.
func (p *Proposal) goalName(g *Judged) string {
	if g.Scenario == "" || len(p.Scenarios) < 2 {
		return g.Goal
	}
	return g.Scenario + ": " + g.Goal
}

// percent is a part in percent.
func percent(x float64) string {
	return strconv.FormatFloat(float64(reports.NewNumber(x*100)), 'f', -1, 64)
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// text is the value with its interval and the verdict.
func (j *Judged) text() string {
	if j.Value == nil {
		return "no data"
	}
	out := valueText(j.Metric, *j.Value)
	if j.FewSamples {
		out += "?"
	}
	if j.HalfWidth != nil && *j.HalfWidth > 0 {
		out += " ± " + valueText(j.Metric, *j.HalfWidth)
	}
	if j.Verdict != Met {
		out += " " + j.Verdict
	}
	return out
}

// text is the value with its interval.
func (p *Price) text() string {
	out := valueText(p.Metric, p.Value)
	if p.HalfWidth != nil && *p.HalfWidth > 0 {
		out += " ± " + valueText(p.Metric, *p.HalfWidth)
	}
	return out
}

// valueText is a value in the unit of its metric; a plain number without one.
func valueText(m reports.Metric, v reports.Value) string {
	if m == "" {
		return strconv.FormatFloat(float64(v), 'g', 6, 64)
	}
	return m.Text(v)
}

// settingsText is where a point is.
func (p *Proposal) settingsText(point *Point) []string {
	var out []string
	for i := range p.Search.Knobs {
		value := "-"
		if i < len(point.Settings) {
			value = point.Settings[i].Value
		}
		out = append(out, value)
	}
	return out
}

// pointHeading is the heading of a table of points.
func (p *Proposal) pointHeading() []string {
	var out []string
	for _, k := range p.Search.Knobs {
		out = append(out, shortPath(k.Path))
	}
	for i := range p.Today.Prices {
		out = append(out, p.Today.Prices[i].Objective)
	}
	return append(out, "goals", "nearest to its bound", "there")
}

// shortPath leaves out of the path of an object what tells the kind of it.
func shortPath(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "priorityLevel/"), "flowSchema/")
}

// pointCells are a point in a table of points.
func (p *Proposal) pointCells(point *Point) []string {
	out := p.settingsText(point)
	for i := range p.Today.Prices {
		if i < len(point.Prices) {
			out = append(out, point.Prices[i].text())
		} else {
			out = append(out, "-")
		}
	}
	if point.Why != "" {
		return append(out, point.Verdict, point.Why, "")
	}
	worst := Worst(point.Goals)
	if worst < 0 {
		return append(out, point.Verdict, "-", "")
	}
	return append(out, point.Verdict, p.goalName(&point.Goals[worst]), point.Goals[worst].text())
}

// front are the points worth considering.
func (p *Proposal) front() section {
	s := section{title: "Trade-offs", names: len(p.Search.Knobs), heading: p.pointHeading()}
	if len(p.Front) < 2 {
		return s
	}
	for i := range p.Front[:min(len(p.Front), maxRows)] {
		s.rows = append(s.rows, p.pointCells(&p.Front[i]))
	}
	s.notes = append(s.notes, "No other point that was run costs no more and misses the goals by no more.")
	if more := len(p.Front) - maxRows; more > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d more are in -o json.", more))
	}
	return s
}

// sensitivity is one step of each knob.
func (p *Proposal) sensitivity() section {
	s := section{title: "One step to each side", names: 1}
	if len(p.Sensitivity) == 0 {
		return s
	}
	s.heading = []string{"knob", "step"}
	s.heading = append(s.heading, p.pointHeading()[len(p.Search.Knobs):]...)
	for i := range p.Sensitivity {
		step := &p.Sensitivity[i]
		row := []string{shortPath(step.Path), step.From + " → " + step.To}
		s.rows = append(s.rows, append(row, p.pointCells(&step.Point)[len(p.Search.Knobs):]...))
	}
	return s
}

// obstacles tell what stands in the way.
func (p *Proposal) obstacles() section {
	s := section{title: "What stands in the way"}
	for i := range p.Obstacles {
		o := &p.Obstacles[i]
		text := p.goalName(&o.Best) + ": the best is " + o.Best.text()
		if o.Alone {
			text = p.goalName(&o.Best) + ": it can be met, as " + o.Best.text() + ", but not together with the others"
		}
		if len(o.At) > 0 {
			var at []string
			for _, setting := range o.At {
				at = append(at, shortPath(setting.Path)+"="+setting.Value)
			}
			text += ", at " + strings.Join(at, ", ")
		}
		if o.Best.Verdict == Unclear {
			text += "; more replications may tell"
		}
		for _, end := range o.Ends {
			text += "; " + end
		}
		for _, b := range o.Binds {
			text += "; " + b
		}
		s.words = append(s.words, text+".")
	}
	return s
}

// cost is what becomes of the waits of the levels.
func (p *Proposal) cost() section {
	s := section{title: "What it costs", names: 1, heading: []string{"level", "figure", "before", "after", "change", "±"}}
	for i := range p.Cost {
		e := &p.Cost[i]
		name := e.PriorityLevel
		if len(p.Scenarios) > 1 {
			name = e.Scenario + ": " + name
		}
		figure := string(e.Metric)
		if e.Quantile != 0 {
			figure += " p" + percent(e.Quantile)
		}
		row := []string{name, figure, e.Metric.Text(e.Before), e.Metric.Text(e.After), signed(e.Metric, e.Difference), ""}
		if e.DifferenceHalfWidth != nil {
			row[5] = e.Metric.Text(*e.DifferenceHalfWidth)
		}
		s.rows = append(s.rows, row)
	}
	if p.Price != nil {
		seats := fmt.Sprintf("The servers have %d seats, as they have today", p.Price.Seats)
		if p.Price.Seats != p.Price.SeatsToday {
			seats = fmt.Sprintf("The servers have %d seats, and %d today", p.Price.Seats, p.Price.SeatsToday)
		}
		changes := " changes."
		if p.Price.Objects != 1 {
			changes = " change."
		}
		s.words = append(s.words, seats+". "+counted(p.Price.Objects, "flow-control object")+changes)
	}
	if len(s.rows) > 0 {
		s.notes = append(s.notes, "Of the levels in which something changes, pair by pair of fresh replications with the same traffic.")
	}
	return s
}

// signed is a difference with its sign.
func signed(m reports.Metric, v reports.Value) string {
	switch {
	case v == 0:
		return "="
	case v < 0:
		return "-" + m.Text(-v)
	}
	return "+" + m.Text(v)
}

// how tells how it was searched.
func (p *Proposal) how() section {
	s := section{title: "How it was searched"}
	text := fmt.Sprintf("Method: %s, because %s.", p.Method.Name, p.Method.Why)
	for _, note := range p.Method.Notes {
		text += " " + strings.ToUpper(note[:1]) + note[1:] + "."
	}
	s.words = append(s.words, text)
	text = fmt.Sprintf("Of %s, %d were looked at without a run", counted(p.Points.All, "point"), p.Points.Screened)
	if p.Points.Screened > 0 {
		text += fmt.Sprintf(", which left %d", p.Points.Candidates)
	}
	text += fmt.Sprintf("; %d were run.", p.Points.Run)
	for _, list := range [][]Reason{p.Points.Invalid, p.Points.Missed} {
		for _, r := range list {
			text += fmt.Sprintf(" Left out (%d): %s.", r.Points, r.Why)
		}
	}
	s.words = append(s.words, text)
	text = fmt.Sprintf("The search took %s of a budget of %d, %d for a point in full", counted(p.Runs.Search, "run"), p.Runs.Budget, p.Runs.Replications*len(p.Scenarios))
	if p.Runs.Grid > 0 {
		text += fmt.Sprintf(" (all points would take %d)", p.Runs.Grid)
	}
	s.words = append(s.words, text+fmt.Sprintf("; beside it %d were made of today and to verify.", p.Runs.Fresh))
	return s
}
