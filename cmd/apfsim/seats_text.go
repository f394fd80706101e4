package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/scenarios/seats"
)

// formWide is text with more columns.
const formWide = "wide"

// standardWidth is the number of columns of a text that nobody looks at on a terminal.
const standardWidth = 80

// textWidth is how many columns a text may take.
func textWidth(p *Process) int {
	if w := p.columns(p.StdoutTerminal); w > 0 {
		return w
	}
	return standardWidth
}

// seatsView renders a table of seats.
type seatsView struct {
	table     *seats.Table
	explained []seats.Explanation
	wide      bool
	width     int
}

// text writes the two tables that people read.
func (v *seatsView) text(w io.Writer) error {
	t := v.table
	width := v.width
	if v.wide {
		width = math.MaxInt
	}
	lines := []string{serverLine(t), "", "Seats"}
	lines = append(lines, v.seats().Lines(width)...)
	if queues := v.queues(); !queues.Empty() {
		lines = append(lines, "", "Queues")
		lines = append(lines, queues.Lines(width)...)
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// serverLine says what server it is.
func serverLine(t *seats.Table) string {
	return fmt.Sprintf("Kubernetes %s, %s, %d shares", t.KubernetesVersion, serverText(t.Server), t.Sums.Shares)
}

// serverText is the size of a server.
func serverText(s seats.Server) string {
	text := plural(s.Seats, "seat", "seats")
	if s.MaxRequestsInflight+s.MaxMutatingRequestsInflight > 0 {
		text += fmt.Sprintf(" (%d + %d in flight)", s.MaxRequestsInflight, s.MaxMutatingRequestsInflight)
	}
	return text
}

// seats is the table of limits and widths.
func (v *seatsView) seats() *table.Table {
	head := []string{"level", "type", "shares", "lend%", "nominal", "min", "max", "idle", "alone", "LIST"}
	if v.wide {
		head = []string{"level", "type", "shares", "lend%", "borrow%", "nominal", "min", "max", "idle", "alone", "LIST", "WATCH", "write"}
	}
	tab := table.New(2, head...)
	first := len(head) - len(v.widths(&seats.Level{})) - 5
	tab.Group(first, first+4, "limit in seats")
	tab.Group(first+5, len(head)-1, "widest")
	for i := range v.table.Levels {
		l := &v.table.Levels[i]
		row := []string{l.Name, string(l.Type), number(l.Shares), number(l.LendablePercent)}
		if v.wide {
			row = append(row, borrowing(l))
		}
		tab.Add(append(append(row, limits(l)...), v.widths(l)...)...)
	}
	return tab
}

// widths are the widest requests of a level.
func (v *seatsView) widths(l *seats.Level) []string {
	if v.wide {
		return []string{widest(l.WidestList), widest(l.WidestWatch), widest(l.WidestWrite)}
	}
	return []string{widest(l.WidestList)}
}

// widest is the width of a request that APF may not concern.
func widest(seats int) string {
	if seats == 0 {
		return noFigure
	}
	return strconv.Itoa(seats)
}

// limits are the limits of a level. An exempt one has shares, and may lend, but is not
// limited by what comes of them.
func limits(l *seats.Level) []string {
	most := strconv.Itoa(l.Max)
	if l.Type == seats.Exempt {
		most = noFigure
	}
	return []string{strconv.Itoa(l.Nominal), strconv.Itoa(l.Min), most, limit(l.Idle), limit(l.Alone)}
}

// borrowing is the borrowingLimitPercent of a level.
func borrowing(l *seats.Level) string {
	if l.BorrowingLimitPercent == nil {
		return noFigure
	}
	return number(*l.BorrowingLimitPercent)
}

func number(n int32) string { return strconv.Itoa(int(n)) }

// queues is the table of what the queues hold, of the levels that have any.
func (v *seatsView) queues() *table.Table {
	tab := table.New(1, "level", "queues", "hand", "length", "one flow", "all flows", "memory", "time")
	tab.Group(4, 7, "can wait at most")
	for i := range v.table.Levels {
		l := &v.table.Levels[i]
		q := l.Queuing
		if q == nil {
			continue
		}
		tab.Add(l.Name, strconv.Itoa(q.Queues), strconv.Itoa(q.HandSize), strconv.Itoa(q.QueueLengthLimit),
			thousands(q.QueuedByOneFlow), thousands(q.QueuedInAll), byteText(q.Bytes), q.WaitLimit.String())
	}
	return tab
}

// arithmetic writes how figures come about.
func (v *seatsView) arithmetic(w io.Writer) error {
	lines := []string{serverLine(v.table)}
	for _, e := range v.explained {
		lines = append(lines, "", e.Level)
		for _, s := range e.Steps {
			lines = append(lines, v.step(s)...)
		}
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// stepNames are how the text calls the figures.
var stepNames = map[string]string{
	"maxSeats": "width", "widestList": "widest LIST", "widestWatch": "widest WATCH", "widestWrite": "widest write",
	"queuedByOneFlow": "one flow", "queuedInAll": "all flows", "bytes": "memory", "waitLimit": "time",
}

// step writes one figure: the arithmetic, and below it what its terms are.
func (v *seatsView) step(s seats.Step) []string {
	const column = 14
	name, ok := stepNames[s.Figure]
	if !ok {
		name = s.Figure
	}
	var lines []string
	room := v.width - len(table.Indent) - column
	for i, line := range append(table.Wrap(s.Arithmetic, room), table.Wrap("("+s.Why+")", room)...) {
		if i > 0 {
			name = ""
		}
		lines = append(lines, table.Indent+fmt.Sprintf("%-*s", column, name)+line)
	}
	return lines
}

// names writes the names of the levels, for scripts.
func (v *seatsView) names(w io.Writer) error {
	for i := range v.table.Levels {
		if _, err := fmt.Fprintln(w, v.table.Levels[i].Name); err != nil {
			return err
		}
	}
	return nil
}

// csv writes a line for each level, with all figures.
func (v *seatsView) csv(w io.Writer) error {
	rows := [][]string{{"level", "type", "builtIn", "shares", "lendablePercent", "borrowingLimitPercent",
		"nominal", "min", "max", "idle", "alone", "widestList", "widestWatch", "widestWrite",
		"queues", "handSize", "queueLengthLimit", "queuedByOneFlow", "queuedInAll", "bytes", "waitLimit"}}
	optional := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	for i := range v.table.Levels {
		l := &v.table.Levels[i]
		row := []string{l.Name, string(l.Type), strconv.FormatBool(l.BuiltIn), number(l.Shares), number(l.LendablePercent),
			strings.TrimPrefix(borrowing(l), noFigure), strconv.Itoa(l.Nominal), strconv.Itoa(l.Min), strconv.Itoa(l.Max),
			optional(l.Idle), optional(l.Alone), strconv.Itoa(l.WidestList), strconv.Itoa(l.WidestWatch), strconv.Itoa(l.WidestWrite)}
		if q := l.Queuing; q != nil {
			row = append(row, strconv.Itoa(q.Queues), strconv.Itoa(q.HandSize), strconv.Itoa(q.QueueLengthLimit),
				strconv.FormatInt(q.QueuedByOneFlow, 10), strconv.FormatInt(q.QueuedInAll, 10), strconv.FormatInt(q.Bytes, 10), q.WaitLimit.String())
		}
		rows = append(rows, append(row, make([]string, len(rows[0])-len(row))...))
	}
	return writeCSV(w, rows)
}

// thousands writes a number with commas between its thousands.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// byteText writes a number of bytes in three digits.
func byteText(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	x := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
		x /= 1000
		if x < 999.5 {
			return fmt.Sprintf("%.3g %s", x, unit)
		}
	}
	return fmt.Sprintf("%.3g EB", x)
}
