package html

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// certainty says what the figures rest on.
func (b *builder) certainty() {
	r := b.result
	if r.TestsAlone() {
		return
	}
	text := "The figures are of one replication, so nothing tells how far another seed would be from them. Run several with --replications to see that."
	if n := len(r.Replications); n > 1 {
		text = fmt.Sprintf("Counts are sums over %d replications, distributions are of all their requests. The replications differ in their random numbers alone.", n)
	}
	b.say("", "%s", text)
	b.say("note", "“-” stands for no data.")
}

// configuration shows what APF was configured with, and the files that say so.
func (b *builder) configuration() {
	if c := b.result.FlowControl; c != nil {
		b.levelSettings(c)
		b.schemaSettings(c)
	}
	if s := b.result.Source; s != nil {
		b.files(s.Files)
	}
}

func (b *builder) levelSettings(c *reports.FlowControl) {
	nominal := map[string]int{}
	for i := range b.result.PriorityLevels {
		nominal[b.result.PriorityLevels[i].Name] = b.result.PriorityLevels[i].Seats.Nominal
	}
	var rows [][]string
	for i := range c.PriorityLevels {
		l := &c.PriorityLevels[i]
		kind, borrows, queues, hand, length := "rejects", "any", "-", "-", "-"
		if q := l.Queuing; q != nil {
			kind, queues, hand, length = "queues", strconv.Itoa(q.Queues), strconv.Itoa(q.HandSize), strconv.Itoa(q.QueueLengthLimit)
		}
		if l.Exempt {
			kind, borrows = "exempt", "-"
		}
		if p := l.BorrowingLimitPercent; p != nil {
			borrows = strconv.Itoa(int(*p)) + "%"
		}
		rows = append(rows, []string{
			l.Name, kind, strconv.Itoa(int(l.Shares)), strconv.Itoa(nominal[l.Name]),
			strconv.Itoa(int(l.LendablePercent)) + "%", borrows, queues, hand, length,
		})
	}
	g := b.cells("Priority levels", []string{"level", "at its limit", "shares", "nominal seats", "lendable", "borrows", "queues", "hand", "length limit"}, rows)
	g.Names, g.Folded = 2, true
	b.add(item{Table: g})
}

// schemaSettings lists the flow schemas in the order in which a request is held against them.
func (b *builder) schemaSettings(c *reports.FlowControl) {
	arrivals := map[string]int64{}
	for i := range b.result.FlowSchemas {
		arrivals[b.result.FlowSchemas[i].Name] += b.result.FlowSchemas[i].Requests.Arrivals
	}
	var rows [][]string
	for i := range c.FlowSchemas {
		s := &c.FlowSchemas[i]
		flows := s.Distinguisher
		if flows == "" {
			flows = "one flow"
		}
		rows = append(rows, []string{strconv.Itoa(int(s.Precedence)), s.Name, s.PriorityLevel, flows, "", strconv.FormatInt(arrivals[s.Name], 10)})
	}
	g := b.cells("Flow schemas, in the order of matching", []string{"precedence", "flow schema", "level", "flows", "rules", "requests"}, rows)
	g.Names, g.Folded = 5, true
	for i := range g.Rows {
		g.Rows[i][4].Lines = b.rules(c.FlowSchemas[i].Rules)
	}
	b.add(item{Table: g})
}

const (
	// rulesShown is how many rules of a flow schema are shown, lineMax how many characters of
	// their subjects and of their requests.
	rulesShown = 8
	lineMax    = 300
)

// rules tells rules in lines.
func (b *builder) rules(rules []reports.RuleSettings) []string {
	var lines []string
	for _, r := range rules {
		if len(lines) == rulesShown {
			return append(lines, fmt.Sprintf("and %s more", plural(len(rules)-rulesShown, "rule")))
		}
		lines = append(lines, b.short(strings.Join(r.Subjects, ", "))+": "+b.short(strings.Join(r.Requests, " | ")))
	}
	if lines == nil {
		return []string{"none: it matches nothing"}
	}
	return lines
}

// short cuts a text to what fits into a cell.
func (b *builder) short(text string) string {
	runes := []rune(text)
	most := min(b.limits.text, lineMax)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

// files shows the scenario and what it names, or other texts, while there is room.
func (b *builder) files(list []reports.SourceFile) {
	room := b.limits.source
	for i := range list {
		f := &list[i]
		text := f.Text
		c := &code{Title: f.Name, Folded: true}
		if f.Cut {
			c.Left = "This is the beginning of a longer file."
		}
		if len(text) > room {
			text = strings.ToValidUTF8(text[:room], "")
			c.Left = fmt.Sprintf("The first %d of %d bytes.", len(text), len(f.Text))
		}
		room -= len(text)
		c.Text = text
		b.add(item{Code: c})
		if room == 0 && i+1 < len(list) {
			b.say("note", "And %s more.", plural(len(list)-i-1, "file"))
			return
		}
	}
}

// reproduce says how to get the same figures again.
func (b *builder) reproduce() {
	r := b.result
	if r.Source != nil {
		b.add(item{Code: &code{Title: "The same result, to the last byte", Copy: true, Text: r.Source.Command}})
	}
	if r.TestsAlone() {
		return
	}
	length := "until the last request has ended"
	if r.Duration > 0 {
		length = time.Duration(r.Duration).String()
	}
	b.add(item{Facts: []fact{
		{"Kubernetes", r.KubernetesVersion},
		{"seed", strconv.FormatUint(r.Seed, 10)},
		{"duration", length},
		{"warm-up", time.Duration(r.Warmup).String()},
		{"configuration", r.Configuration},
	}})
	var rows [][]string
	for _, run := range r.Replications {
		state := "whole"
		if run.Partial {
			state = "interrupted"
		}
		rows = append(rows, []string{strconv.Itoa(run.Replication), run.Fingerprint, strconv.FormatInt(run.Requests, 10), time.Duration(run.End).String(), state})
	}
	g := b.cells("Replications, each with the fingerprint of all its decisions", []string{"replication", "fingerprint", "requests, warm-up included", "end", "state"}, rows)
	g.Names = 2
	b.add(item{Table: g})
	b.say("note", "Runs with the same fingerprint took the same decisions at the same times. Runs with the same configuration differ in their traffic alone.")
}
