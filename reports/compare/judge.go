package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// Names are what conditions can be about.
type Names struct {
	PriorityLevels, FlowSchemas, Clients []string
	// Servers is their number.
	Servers int
}

// NamesOf lists what a result tells of.
func NamesOf(r *reports.Result) Names {
	n := Names{Servers: max(len(r.Servers), 1)}
	for i := range r.PriorityLevels {
		n.PriorityLevels = append(n.PriorityLevels, r.PriorityLevels[i].Name)
	}
	for i := range r.FlowSchemas {
		n.FlowSchemas = append(n.FlowSchemas, r.FlowSchemas[i].Name)
	}
	for i := range r.Populations {
		n.Clients = append(n.Clients, r.Populations[i].Name)
	}
	return n
}

// Join adds the names of the other side that are not there yet.
func (n Names) Join(o Names) Names {
	join := func(a, b []string) []string {
		out := slices.Clone(a)
		for _, name := range b {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		return out
	}
	return Names{join(n.PriorityLevels, o.PriorityLevels), join(n.FlowSchemas, o.FlowSchemas), join(n.Clients, o.Clients), max(n.Servers, o.Servers)}
}

// of lists the names of a kind.
func (n *Names) of(kind string) []string {
	switch kind {
	case "priorityLevel":
		return n.PriorityLevels
	case "flowSchema":
		return n.FlowSchemas
	case "client":
		return n.Clients
	}
	var out []string
	for i := range n.Servers {
		out = append(out, fmt.Sprint(i))
	}
	return out
}

// subjectsOf lists the kinds of subjects that a metric can have.
func subjectsOf(m reports.Metric) []string {
	var out []string
	for i, of := range []reports.Subject{reports.OfPriorityLevel, reports.OfFlowSchema, reports.OfClient, reports.OfServer} {
		if m.CanBe(of) {
			out = append(out, subjectKinds[i])
		}
	}
	return out
}

// Resolve finds what the condition is about among the names that there are. The error is a
// *Fault.
func (c *Condition) Resolve(n Names) error {
	kinds := subjectsOf(c.Of.Metric)
	if f := c.resolveHolder(n); f != nil {
		return f
	}
	if c.kind != "" {
		return c.resolveKind(n, kinds)
	}
	if c.bare == "" {
		if !c.Of.Metric.CanBe(reports.OfRun) {
			return c.fault(len(c.Text), fmt.Sprintf("%s is not of the whole run", c.Of.Metric), strings.Join(kinds, ", "), "")
		}
		return nil
	}
	var found, all []string
	for _, kind := range kinds {
		names := n.of(kind)
		if kind != "server" {
			all = append(all, names...)
		}
		if kind != "server" && slices.Contains(names, c.bare) {
			found = append(found, kind)
		}
	}
	switch len(found) {
	case 1:
		c.kind, c.name = found[0], c.bare
		return c.resolveKind(n, kinds)
	case 0:
		slices.Sort(all)
		all = slices.Compact(all)
		return c.fault(c.at, fmt.Sprintf("%s: there is no %s called %q", c.Of.Metric, strings.Join(kinds, " or "), c.bare), strings.Join(all, ", "), near(c.bare, all))
	}
	for i, kind := range found {
		found[i] = kind + "=" + c.bare
	}
	return c.fault(c.at, fmt.Sprintf("several things are called %q", c.bare), strings.Join(found, ", "), "")
}

// resolveHolder looks up who is blamed, which only blame has.
func (c *Condition) resolveHolder(n Names) error {
	switch holder := c.Of.Holder; {
	case c.Of.Metric != reports.MetricBlame || slices.Contains(n.Clients, holder):
		return nil
	case holder == "":
		return c.fault(len(string(reports.MetricBlame)), "blame is of a client on another one, and it is not said which: the holder of the seats is missing",
			"blame{client=NAME,holder=NAME}, with the names "+strings.Join(n.Clients, ", "), "")
	default:
		return c.fault(c.holderAt, fmt.Sprintf("there is no client %q", holder), strings.Join(n.Clients, ", "), near(holder, n.Clients))
	}
}

// resolveKind looks a name up whose kind is known.
func (c *Condition) resolveKind(n Names, kinds []string) error {
	if !slices.Contains(kinds, c.kind) {
		legal := strings.Join(kinds, ", ")
		if legal == "" {
			legal = "no name: it is of the whole run"
		}
		return c.fault(c.at, fmt.Sprintf("%s is not of a %s", c.Of.Metric, c.kind), legal, "")
	}
	names := n.of(c.kind)
	i := slices.Index(names, c.name)
	if i < 0 {
		return c.fault(c.at, fmt.Sprintf("there is no %s %q", c.kind, c.name), strings.Join(names, ", "), near(c.name, names))
	}
	switch c.kind {
	case "priorityLevel":
		c.Of.PriorityLevel = c.name
	case "flowSchema":
		c.Of.FlowSchema = c.name
	case "client":
		c.Of.Client = c.name
	case "server":
		c.Of.Server = &i
	}
	return nil
}

func (c *Condition) fault(at int, message, legal, hint string) *Fault {
	return &Fault{Text: c.Text, At: at, Message: message, Legal: legal, Hint: hint}
}

// Judgment is what became of a condition.
type Judgment struct {
	// Condition is what was written, Subject what it is about in words.
	Condition string `json:"condition"`
	Subject   string `json:"subject"`
	// Outcome is failed if the difference is what it must not be, by its estimate, and "no data"
	// if there is none.
	Outcome reports.Outcome `json:"outcome"`
	// Clear tells that the whole interval lies on one side of the bound.
	Clear bool `json:"clear"`
	// Want, Got and Margin are in words: what is allowed, what the difference is with its
	// interval, and how far it is from the bound.
	Want   string `json:"want"`
	Got    string `json:"got,omitempty"`
	Margin string `json:"margin,omitempty"`
	// Row is the figure that was judged.
	Row Row `json:"row"`
}

// Judge holds the comparison against conditions, which have been resolved. The results are
// those that were compared.
func (c *Comparison) Judge(a, b *reports.Result, conditions []*Condition) {
	m := match(a, b)
	for _, condition := range conditions {
		c.Conditions = append(c.Conditions, condition.judge(m.row(condition.Of)))
	}
}

// Passed tells whether all conditions hold.
func (c *Comparison) Passed() bool {
	return !slices.ContainsFunc(c.Conditions, func(j Judgment) bool { return !j.Passed() })
}

// judge holds one row against the bound.
func (c *Condition) judge(row Row) Judgment {
	j := Judgment{Condition: c.Text, Subject: c.Of.Subject(), Want: c.want(), Row: row, Outcome: reports.NoData}
	change, half, ok := c.measure(&row)
	if !ok {
		j.Got = cmpOr(row.Why, "there is no difference")
		return j
	}
	j.Outcome = reports.Passed
	if c.fails(change) {
		j.Outcome = reports.Failed
	}
	distance := change - c.Bound
	j.Clear = math.Abs(distance) > half
	j.Got = c.got(&row, change, half)
	j.Margin = c.format(math.Abs(distance))
	return j
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// measure takes the change that the condition is about with its half-width, infinite where it
// is not known. A change from 0 to something is an infinite part.
func (c *Condition) measure(row *Row) (change, half float64, ok bool) {
	if row.A == nil || row.B == nil {
		return 0, 0, false
	}
	if row.Difference == nil { // something has no end
		a, b := float64(*row.A), float64(*row.B)
		switch {
		case a == b:
			return 0, math.Inf(1), true
		case b > a:
			return math.Inf(1), 0, true
		}
		return math.Inf(-1), 0, true
	}
	change, half = float64(*row.Difference), math.Inf(1)
	if row.HalfWidth != nil {
		half = float64(*row.HalfWidth)
	}
	if !c.Relative {
		return change, half, true
	}
	if row.Relative != nil {
		return float64(*row.Relative), half / math.Abs(float64(*row.A)), true
	}
	if change == 0 {
		return 0, half, true
	}
	clear := math.Inf(1)
	if math.Abs(change) > half {
		clear = 0
	}
	return math.Copysign(math.Inf(1), change), clear, true
}

// fails tells whether a change is what must not be.
func (c *Condition) fails(change float64) bool {
	switch {
	case change == c.Bound:
		return c.Or
	case c.Less:
		return change < c.Bound
	}
	return change > c.Bound
}

// want says what is allowed.
func (c *Condition) want() string {
	word := "at most"
	switch {
	case c.Less && c.Or:
		word = "above"
	case c.Less:
		word = "at least"
	case c.Or:
		word = "below"
	}
	return word + " " + signed(c.format(c.Bound))
}

// got says what the change is.
func (c *Condition) got(row *Row, change, half float64) string {
	text := signed(c.format(change))
	if !math.IsInf(half, 1) && !math.IsInf(change, 0) {
		text += " ± " + c.format(half)
	}
	return fmt.Sprintf("%s, from %s to %s", text, row.text(row.A), row.text(row.B))
}

// format writes a change.
func (c *Condition) format(x float64) string {
	switch {
	case math.IsInf(x, 0) && x < 0:
		return "-∞"
	case math.IsInf(x, 0):
		return "∞"
	case c.Relative:
		return percent(reports.NewNumber(x))
	}
	return c.Of.Metric.Text(c.Of.Metric.RoundedValue(x))
}

// Passed tells whether the condition holds.
func (j *Judgment) Passed() bool { return j.Outcome == reports.Passed }

// String is the judgment in words.
func (j *Judgment) String() string {
	text := fmt.Sprintf("%s: %s: ", j.Outcome, j.Condition)
	if j.Outcome == reports.NoData {
		return text + j.Got
	}
	return text + fmt.Sprintf("want %s, got %s: %s", j.Want, j.Got, j.certainty())
}

// certainty says how far the change is from the bound, and whether all of its interval is on
// the same side.
func (j *Judgment) certainty() string {
	where := " within the bound"
	switch {
	case j.Outcome == reports.NoData:
		return ""
	case j.Outcome == reports.Failed:
		where = " beyond the bound"
	}
	if j.Clear {
		return j.Margin + where + ", as is the whole interval"
	}
	return j.Margin + where + ", but not all of the interval is"
}
