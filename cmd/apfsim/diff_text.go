package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/scenarios/seats"
)

// formMarkdown is text for the comment of a pull request.
const formMarkdown = "markdown"

// The marks of lines, as in any diff.
const (
	minus   = "-"
	plus    = "+"
	changed = "~"
)

// diffView renders a diff. Each section has a title and lines; as Markdown the lines stand
// in a block that is coloured as a diff.
type diffView struct {
	diff     *seats.Diff
	width    int
	markdown bool
	// traced tells that the requests are those of a trace.
	traced bool

	out []string
}

// print writes the sections that hold anything.
func (v *diffView) print(w io.Writer) error {
	v.section("", v.head())
	if d := v.diff; !d.Different {
		v.out = append(v.out, "", "No difference.")
	} else {
		v.section("Behaviour of the releases", v.behaviour())
		v.section("Objects", v.objects())
		v.section("Seats", v.seats())
		v.section("Queues", v.queues())
		v.section(v.requestsTitle(), v.requests())
		if v.traced {
			v.section("Requests by level", v.moves())
		}
		v.costs()
	}
	_, err := io.WriteString(w, strings.Join(v.out, "\n")+"\n")
	return err
}

// section adds a title and its lines, if there are any.
func (v *diffView) section(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	if len(v.out) > 0 {
		v.out = append(v.out, "")
	}
	switch {
	case v.markdown && title != "":
		v.out = append(v.out, "**"+title+"**", "")
	case title != "":
		for i, line := range table.Wrap(title, v.width-len(table.Indent)) {
			if i > 0 {
				line = table.Indent + line
			}
			v.out = append(v.out, line)
		}
	}
	if v.markdown {
		v.out = append(v.out, "```diff")
	}
	for _, line := range lines {
		if v.markdown { // a mark counts in the first column
			line = strings.TrimPrefix(line, table.Indent)
		}
		v.out = append(v.out, line)
	}
	if v.markdown {
		v.out = append(v.out, "```")
	}
}

// room is the width of a table. Markdown has all there is.
func (v *diffView) room() int {
	if v.markdown {
		return math.MaxInt
	}
	return v.width
}

// head says what is compared.
func (v *diffView) head() []string {
	line := func(mark string, s *seats.Summary) string {
		return fmt.Sprintf("%s%s %s, Kubernetes %s, %s, %d shares", table.Indent, mark, s.Name, s.KubernetesVersion, serverText(s.Server), s.Sums.Shares)
	}
	return []string{line(minus, &v.diff.Before), line(plus, &v.diff.After)}
}

// behaviour says what the releases do differently.
func (v *diffView) behaviour() []string {
	var lines []string
	for _, b := range v.diff.Behaviour {
		mark := plus
		if b.Lost {
			mark = minus
		}
		lines = append(lines, v.paragraph(mark+" ", fmt.Sprintf("since %s: %s", strings.Join(b.Since, ", "), b.Text))...)
	}
	return lines
}

// paragraph breaks a text into lines that are indented, the first with a mark.
func (v *diffView) paragraph(mark, text string) []string {
	var lines []string
	for _, part := range table.Wrap(text, v.width-len(table.Indent)-len(mark)) {
		lines = append(lines, table.Indent+mark+part)
		mark = strings.Repeat(" ", len(mark))
	}
	return lines
}

// objects lists objects, those that changed with their fields.
func (v *diffView) objects() []string {
	var lines []string
	for i := range v.diff.Objects {
		o := &v.diff.Objects[i]
		mark := map[seats.Change]string{seats.Added: plus, seats.Removed: minus, seats.Changed: changed}[o.Change]
		line := fmt.Sprintf("%s%s %s %s", table.Indent, mark, o.Kind, o.Name)
		if o.Says != "" {
			line += " (" + o.Says + ")"
		}
		if o.Dangling {
			line += ", dangling: its level does not exist"
		}
		lines = append(lines, line)
		for _, f := range o.Fields {
			lines = append(lines, v.field(f)...)
		}
	}
	return lines
}

// shownValue is how many characters of a value are shown.
const shownValue = 200

// field writes a field of an object: both values in one line if there is room, otherwise
// each in a line of its own.
func (v *diffView) field(f seats.FieldChange) []string {
	const indent = table.Indent + table.Indent + table.Indent
	before, after := fieldText(f.Before), fieldText(f.After)
	if f.Before != nil && f.After != nil {
		line := fmt.Sprintf("%s%s: %s → %s", indent, f.Path, before, after)
		if len([]rune(line)) <= v.width {
			return []string{line}
		}
	}
	var lines []string
	if f.Before != nil {
		lines = append(lines, indent+minus+" "+f.Path+": "+before)
	}
	if f.After != nil {
		lines = append(lines, indent+plus+" "+f.Path+": "+after)
	}
	return lines
}

func fieldText(value any) string {
	if value == "" {
		return `""`
	}
	return table.Shorten(seats.ValueText(value), shownValue)
}

// seats lists the levels whose limits or widths differ, as they were and as they are.
func (v *diffView) seats() []string {
	tab := table.New(2, "", "level", "shares", "nominal", "min", "max", "idle", "alone", "LIST", "WATCH", "write")
	tab.Group(3, 7, "limit in seats")
	tab.Group(8, 10, "widest")
	return v.levels(tab, func(l *seats.Level) []string {
		return append(append([]string{number(l.Shares)}, limits(l)...),
			widest(l.WidestList), widest(l.WidestWatch), widest(l.WidestWrite))
	})
}

// queues lists the levels whose queues differ.
func (v *diffView) queues() []string {
	tab := table.New(2, "", "level", "queues", "hand", "length", "one flow", "all flows", "memory", "time")
	tab.Group(5, 8, "can wait at most")
	return v.levels(tab, func(l *seats.Level) []string {
		q := l.Queuing
		if q == nil {
			return slices.Repeat([]string{noFigure}, 7)
		}
		return []string{strconv.Itoa(q.Queues), strconv.Itoa(q.HandSize), strconv.Itoa(q.QueueLengthLimit),
			thousands(q.QueuedByOneFlow), thousands(q.QueuedInAll), byteText(q.Bytes), q.WaitLimit.String()}
	})
}

// levels fills a table with the levels whose cells differ.
func (v *diffView) levels(tab *table.Table, cells func(*seats.Level) []string) []string {
	for i := range v.diff.Levels {
		c := &v.diff.Levels[i]
		var before, after []string
		if c.Before != nil {
			before = cells(c.Before)
		}
		if c.After != nil {
			after = cells(c.After)
		}
		if slices.Equal(before, after) {
			continue
		}
		if before != nil {
			tab.Add(append([]string{minus, c.Name}, before...)...)
		}
		if after != nil {
			tab.Add(append([]string{plus, c.Name}, after...)...)
		}
	}
	if tab.Empty() {
		return nil
	}
	return tab.Lines(v.room())
}

// requestsTitle says how many requests there are, and how many of them change the level.
func (v *diffView) requestsTitle() string {
	r := &v.diff.Requests
	relevelled := int64(0)
	for i := range r.Changed {
		if otherLevel(&r.Changed[i]) {
			relevelled += r.Changed[i].Count
		}
	}
	title := fmt.Sprintf("Requests: %s of %s go elsewhere, %s of them to another level", thousands(r.Moved()), thousands(r.Count), thousands(relevelled))
	if v.traced {
		title += fmt.Sprintf(" (%s of %s kinds)", thousands(int64(len(r.Changed))), thousands(int64(r.Kinds)))
	}
	return title
}

// otherLevel tells whether a request goes to another level.
func otherLevel(c *seats.RequestChange) bool { return c.Before.PriorityLevel != c.After.PriorityLevel }

// shownRequests bounds the kinds of requests in a text.
const shownRequests = 40

// requests lists requests with the schema, level and flow before and after: first those
// that change the level, then those of which there are the most.
func (v *diffView) requests() []string {
	list := slices.Clone(v.diff.Requests.Changed)
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b seats.RequestChange) int {
		if x, y := otherLevel(&a), otherLevel(&b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Count, a.Count)
	})
	more := max(0, len(list)-shownRequests)
	list = list[:len(list)-more]
	tab := table.New(4, "", "flow schema", "level", "flow")
	for i := range list {
		tab.Add(classificationRow(minus, list[i].Before)...)
		tab.Add(classificationRow(plus, list[i].After)...)
	}
	rows := tab.Lines(v.room())
	lines := []string{rows[0]}
	for i := range list {
		what := list[i].What
		if v.traced {
			what += fmt.Sprintf(" (%s)", thousands(list[i].Count))
		}
		lines = append(append(lines, v.paragraph("", what)...), rows[1+2*i], rows[2+2*i])
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("%sand %s; -o json lists all", table.Indent, plural(more, "kind more", "kinds more")))
	}
	return lines
}

// classificationRow is where a request goes.
func classificationRow(mark string, c seats.Classification) []string {
	if c.Bypasses {
		return []string{mark, "(none: APF does not concern it)", "", ""}
	}
	return []string{mark, c.FlowSchema, c.PriorityLevel, c.Flow}
}

// moves counts the requests of a trace that change their level.
func (v *diffView) moves() []string {
	type move struct{ from, to string }
	counts := map[move]int64{}
	var order []move
	for i := range v.diff.Requests.Changed {
		c := &v.diff.Requests.Changed[i]
		if !otherLevel(c) {
			continue
		}
		m := move{c.Before.PriorityLevel, c.After.PriorityLevel}
		if counts[m] == 0 {
			order = append(order, m)
		}
		counts[m] += c.Count
	}
	tab := table.New(2, "from", "to", "requests")
	slices.SortFunc(order, func(a, b move) int { return strings.Compare(a.from+" "+a.to, b.from+" "+b.to) })
	for _, m := range order {
		tab.Add(m.from, m.to, thousands(counts[m]))
	}
	if tab.Empty() {
		return nil
	}
	return tab.Lines(v.room())
}

// costs writes a section for each group of levels in which the same requests change their
// costs in the same way.
func (v *diffView) costs() {
	byLevel := map[string][]seats.CostChange{}
	var names []string
	for _, c := range v.diff.Costs.Changed {
		for _, name := range c.Levels {
			if byLevel[name] == nil {
				names = append(names, name)
			}
			byLevel[name] = append(byLevel[name], seats.CostChange{What: c.What, Before: c.Before, After: c.After})
		}
	}
	slices.Sort(names)
	for len(names) > 0 {
		list := byLevel[names[0]]
		var alike, others []string
		for _, name := range names {
			if slices.EqualFunc(list, byLevel[name], func(a, b seats.CostChange) bool {
				return a.What == b.What && a.Before == b.Before && a.After == b.After
			}) {
				alike = append(alike, name)
			} else {
				others = append(others, name)
			}
		}
		v.section("Seats of a request to "+inWords(alike), v.costLines(list))
		names = others
	}
}

// costLines writes the costs of one level. Requests whose seats change alike stand
// together; one with after-effects stands alone.
func (v *diffView) costLines(list []seats.CostChange) []string {
	type pair struct{ before, after int }
	alike := map[pair][]string{}
	var order []pair
	var writes []string
	for _, c := range list {
		if c.Before.FinalSeats > 0 || c.After.FinalSeats > 0 {
			writes = append(writes, v.paragraph("", fmt.Sprintf("%s: %s → %s", c.What, c.Before, c.After))...)
			continue
		}
		p := pair{c.Before.InitialSeats, c.After.InitialSeats}
		if alike[p] == nil {
			order = append(order, p)
		}
		alike[p] = append(alike[p], c.What)
	}
	var lines []string
	for _, p := range order {
		mark := fmt.Sprintf("%3d → %-3d  ", p.before, p.after)
		text := strings.Join(families(alike[p]), "; ")
		for _, part := range table.Wrap(text, v.width-len(table.Indent)-len([]rune(mark))) {
			lines = append(lines, table.Indent+mark+part)
			mark = strings.Repeat(" ", len([]rune(mark)))
		}
	}
	return append(lines, writes...)
}

// families joins requests that differ in their options alone: "LIST 5,000 × 4 kB, RV=0" is
// of the family before its first comma.
func families(requests []string) []string {
	options := map[string][]string{}
	var order []string
	for _, r := range requests {
		family, option, has := strings.Cut(r, ", ")
		if !has {
			option = "no options"
		}
		if options[family] == nil {
			order = append(order, family)
		}
		options[family] = append(options[family], option)
	}
	for i, family := range order {
		if list := options[family]; len(list) > 1 || list[0] != "no options" {
			order[i] += " (" + strings.Join(list, ", ") + ")"
		}
	}
	return order
}

// inWords joins names with commas and "and".
func inWords(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
