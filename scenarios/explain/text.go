package explain

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// TextOptions tell how much of an explanation is written.
type TextOptions struct {
	// All shows every FlowSchema that does not take the request, and not only the ones
	// that are worth a look.
	All bool
	// Before is the explanation that the reader has just seen, nil for none. What is the
	// same is not said again.
	Before *Explanation
}

// WriteText writes the explanation for a person, at most 80 columns wide where the names
// in it allow that. The error is the writer's.
func (x *Explanation) WriteText(w io.Writer, o TextOptions) error {
	p := &page{}
	x.request(p)
	if x.Bypass != "" {
		p.gap()
		p.row("not seen", x.Bypass)
		_, err := io.WriteString(w, p.text())
		return err
	}
	x.answer(p)
	var same []string
	for _, section := range sections {
		now := section.text(x, o)
		if o.Before != nil && o.Before.Bypass == "" && now != "" && now == section.text(o.Before, o) {
			same = append(same, section.name)
			continue
		}
		p.b.WriteString(now)
	}
	if len(same) > 0 {
		p.gap()
		p.row("as before", strings.Join(same, ", "))
	}
	_, err := io.WriteString(w, p.text())
	return err
}

// section is a part of an explanation that may be the same for several requests.
type section struct {
	name  string
	write func(x *Explanation, p *page, o TextOptions)
}

// sections are those below the answer, in order.
var sections = []section{
	{"flow schema", func(x *Explanation, p *page, _ TextOptions) { x.match(p) }},
	{"priority level", func(x *Explanation, p *page, _ TextOptions) { x.level(p) }},
	{"flow", func(x *Explanation, p *page, _ TextOptions) { x.flow(p) }},
	{"seats", func(x *Explanation, p *page, _ TextOptions) { x.seats(p) }},
	{"wait", func(x *Explanation, p *page, _ TextOptions) { x.wait(p) }},
	{"not taken by", func(x *Explanation, p *page, o TextOptions) { x.others(p, o.All) }},
}

// text writes the section of an explanation.
func (s *section) text(x *Explanation, o TextOptions) string {
	p := &page{}
	s.write(x, p, o)
	return p.text()
}

// The width of a page and of its column of labels.
const (
	pageWidth  = 80
	labelWidth = 16
)

// page lays out rows of a label and a text.
type page struct{ b strings.Builder }

func (p *page) text() string { return p.b.String() }

// gap leaves a line free.
func (p *page) gap() { p.b.WriteByte('\n') }

// row writes a label and a text, which is wrapped between words. A label that is too long
// for its column moves the first line of the text aside, or stands alone. A row without a
// text is left out.
func (p *page) row(label, text string) {
	if text == "" {
		return
	}
	lines := wrap(text, pageWidth-labelWidth)
	column := utf8.RuneCountInString(label)
	p.b.WriteString(label)
	if column >= labelWidth-1 {
		if column+2+utf8.RuneCountInString(lines[0]) <= pageWidth {
			p.b.WriteString("  " + lines[0])
			lines = lines[1:]
		}
		p.b.WriteByte('\n')
		column = 0
	}
	for _, line := range lines {
		p.b.WriteString(strings.Repeat(" ", labelWidth-column))
		p.b.WriteString(line)
		p.b.WriteByte('\n')
		column = 0
	}
}

// detail is a row below another one.
func (p *page) detail(label, text string) { p.row("  "+label, text) }

// wrap breaks a text between words into lines that are no longer than width, if its words
// are not.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// request writes what was asked for, as it was understood.
func (x *Explanation) request(p *page) {
	r := &x.Request
	p.row("request", requestText(r))
	p.detail("from", r.From)
	p.detail("to", r.Purpose)
	p.detail("user", quotedIfEmpty(r.User))
	p.detail("groups", groupsText(r))
	p.detail("options", optionsText(r))
	p.detail("timeout", x.Timeout)
	p.detail("server", fmt.Sprintf("Kubernetes %s, %s", x.KubernetesVersion, count(x.ServerSeats, "seat")))
	for _, n := range x.Notes {
		p.detail("note", n)
	}
}

// requestText says what a request asks for.
func requestText(r *Request) string {
	if r.Path != "" {
		return r.Verb + " the path " + r.Path
	}
	text := r.Verb + " " + r.resource()
	if r.Name != "" {
		text += " " + r.Name
	}
	if r.Namespace != "" {
		return text + " in namespace " + r.Namespace
	}
	return text + ", in no namespace"
}

// groupsText lists the groups and says which of them nobody gave.
func groupsText(r *Request) string {
	text := strings.Join(r.Groups, ", ")
	switch {
	case len(r.Groups) == 0:
		return "none"
	case len(r.ImpliedGroups) == 0:
		return text
	case len(r.ImpliedGroups) == len(r.Groups):
		return text + " (implied by the user's name)"
	}
	return text + " (implied: " + strings.Join(r.ImpliedGroups, ", ") + ")"
}

// optionsText lists the options of a LIST or WATCH that are set.
func optionsText(r *Request) string {
	var set []string
	add := func(name, value string) {
		if value != "" {
			set = append(set, name+" "+value)
		}
	}
	if r.Limit != 0 {
		add("limit", fmt.Sprint(r.Limit))
	}
	add("resourceVersion", r.ResourceVersion)
	add("resourceVersionMatch", r.ResourceVersionMatch)
	add("continue", r.Continue)
	add("fieldSelector", r.FieldSelector)
	add("labelSelector", r.LabelSelector)
	if r.SendInitialEvents {
		set = append(set, "sendInitialEvents")
	}
	return strings.Join(set, ", ")
}

// answer writes in short what follows at length.
func (x *Explanation) answer(p *page) {
	text := fmt.Sprintf("%s takes it to the level %s", x.Match.FlowSchema, x.Level.Name)
	seats := count(x.Seats.Initial, "seat")
	if x.Seats.UpTo > 1 {
		seats += fmt.Sprintf(" (up to %d if many are stored)", x.Seats.UpTo)
	}
	switch x.Level.Response {
	case "exempt":
		text += ", where nothing limits it"
	case "Reject":
		text += fmt.Sprintf(" with %s; it never waits there, and is rejected at the limit", seats)
	default:
		text += fmt.Sprintf(" with %s; it waits for %s", seats, x.Wait.longest())
	}
	p.gap()
	p.row("answer", text)
}

// match writes which schema takes the request, and what of it decided.
func (x *Explanation) match(p *page) {
	m := x.Match
	p.gap()
	p.row("flow schema", m.FlowSchema)
	p.detail("precedence", fmt.Sprintf("%d, %s", m.Precedence, m.text()))
	if m.Fallback {
		p.detail("why", "no schema accepts the request, not even this one: it takes what is left over")
		return
	}
	p.detail("rule", m.Rule.text())
	p.detail("subject", m.Subject.text())
	p.detail("line", m.Line.text())
}

// text says where an object comes from.
func (o Origin) text() string {
	if o.BuiltIn {
		return "built in"
	}
	return o.At
}

// text shows a part of a schema and where it is.
func (r *Part) text() string {
	if r.At != "" {
		return r.Text + ", at " + r.At
	}
	return r.Text + ", at " + r.Path
}

// level writes which level serves the request.
func (x *Explanation) level(p *page) {
	l := x.Level
	p.gap()
	p.row("priority level", l.Name)
	switch l.Response {
	case "exempt":
		p.detail("kind", "exempt from all limits, "+l.Origin.text())
		return
	case "Reject":
		p.detail("kind", "rejects at its limit, "+l.Origin.text())
	default:
		p.detail("kind", "queues, "+l.Origin.text())
	}
	seats := fmt.Sprintf("nominal %d = %s", l.NominalSeats, l.NominalArithmetic)
	if l.MinSeats != l.MaxSeats || l.IdleSeats != l.NominalSeats {
		seats += fmt.Sprintf("; lending and borrowing make it %s to %s, %d while all levels are idle",
			grouped(int64(l.MinSeats)), grouped(int64(l.MaxSeats)), l.IdleSeats)
	}
	p.detail("seats", seats)
	if l.Queues > 0 {
		p.detail("queues", fmt.Sprintf("%s, hand size %d, queue length limit %s",
			grouped(int64(l.Queues)), l.HandSize, grouped(int64(l.QueueLengthLimit))))
	}
}

// flow writes the flow and its hand.
func (x *Explanation) flow(p *page) {
	f := x.Flow
	if x.Level.Response == "exempt" {
		return
	}
	p.gap()
	switch f.Method {
	case "":
		p.row("flow", "one for all requests of the schema: it has no distinguisherMethod")
	case "ByNamespace":
		text := "ByNamespace: " + quotedIfEmpty(f.Distinguisher)
		if f.Distinguisher == "" {
			text += ", as the request is in no namespace"
		}
		p.row("flow", text)
	default:
		p.row("flow", f.Method+": "+quotedIfEmpty(f.Distinguisher))
	}
	if !f.Hashed {
		p.detail("hand", "none: the level does not have several queues to choose from")
		return
	}
	p.detail("hash", f.Hash+" = "+f.HashDecimal)
	var hand []string
	for _, q := range f.Hand {
		hand = append(hand, fmt.Sprint(q))
	}
	p.detail("hand", "queues "+strings.Join(hand, ", ")+" in the order of the deal")
}

// seats writes the estimate and its arithmetic.
func (x *Explanation) seats(p *page) {
	s := x.Seats
	p.gap()
	text := count(s.Initial, "seat") + " while it executes"
	if s.Initial == 0 {
		text = "none"
	}
	if s.Final > 0 {
		text += fmt.Sprintf(", then %d for %s", s.Final, s.AdditionalLatency)
	}
	if x.Level.Response == "exempt" && s.Initial > 0 {
		text += ", which limit nothing here"
	}
	p.row("seats", text)
	if s.Source != "" {
		p.detail("read from", s.Source+": "+s.SourceReason)
	}
	for _, step := range s.Steps {
		p.detail(step.Name, step.Text)
	}
	p.detail("not known", s.Missing)
}

// wait writes what happens at the limit.
func (x *Explanation) wait(p *page) {
	w := x.Wait
	p.gap()
	switch {
	case w.Arithmetic == "":
		p.row("wait", "never")
	case w.Limit == "":
		p.row("wait", w.longest()+": "+w.Arithmetic)
	default:
		p.row("wait", fmt.Sprintf("%s = %s", w.longest(), w.Arithmetic))
	}
	for i, line := range w.AtLimit {
		label := "at the limit"
		if i > 0 {
			label = ""
		}
		p.detail(label, line)
	}
	p.detail("Retry-After", w.RetryAfter)
}

// longest says how long the request may wait.
func (w *Wait) longest() string {
	if w.Limit == "" {
		return "as long as its client does"
	}
	return "at most " + w.Limit
}

// shownMax is how many of the other schemas are shown if not all are.
const shownMax = 3

// others writes which schemas do not take the request, and why.
func (x *Explanation) others(p *page, all bool) {
	shown := x.Others
	if !all {
		shown = worthALook(x.Others)
	}
	if len(shown) > 0 {
		p.gap()
		head := "the nearest first"
		if n := len(x.Others) - len(shown); n > 0 {
			head = fmt.Sprintf("the nearest of %s tried before; --all shows all %d others", count(x.tried(), "schema"), len(x.Others))
		}
		p.row("not taken by", head)
	}
	for i := range shown {
		o := &shown[i]
		p.detail(o.FlowSchema, fmt.Sprintf("precedence %d, %s", o.Precedence, o.text()))
		for _, why := range o.Why {
			p.row("", "- "+why)
		}
	}
	if !all {
		p.later(x.Others)
	}
}

// tried counts the schemas that were tried in vain.
func (x *Explanation) tried() int {
	n := 0
	for i := range x.Others {
		if x.Others[i].Earlier && !x.Others[i].Dangling {
			n++
		}
	}
	return n
}

// worthALook are the schemas that would have taken the request if they were not dangling,
// and the few of those tried before that come nearest, those that somebody wrote first.
func worthALook(others []Other) []Other {
	var out, builtIn []Other
	for _, o := range others {
		switch {
		case o.worth() > 1:
		case o.BuiltIn:
			builtIn = append(builtIn, o)
		case len(out) < shownMax || o.worth() == 0:
			out = append(out, o)
		}
	}
	return append(out, builtIn[:min(len(builtIn), max(0, shownMax-len(out)))]...)
}

// later names the schemas that would have taken the request if none had before.
func (p *page) later(others []Other) {
	var names []string
	for _, o := range others {
		if o.worth() == 2 {
			names = append(names, fmt.Sprintf("%s (%d)", o.FlowSchema, o.Precedence))
		}
	}
	if len(names) > 0 {
		p.gap()
		p.row("too late for", strings.Join(slices.Clip(names), ", "))
	}
}
