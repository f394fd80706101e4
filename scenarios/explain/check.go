package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/scenarios"
)

// Check is one demand of a test, and what is so.
type Check struct {
	// Field is that of the test: flowSchema, initialSeats and so on.
	Field     string
	Want, Got string
	// Hint names what was probably meant, "" for nothing.
	Hint  string
	Place scenarios.Place
}

// Holds tells whether what is so is what is wanted.
func (c *Check) Holds() bool { return c.Want == c.Got }

// nothing stands for what a request does not have.
const nothing = "none"

// FromTest makes the request of a test.
func FromTest(t *scenarios.Test) Request {
	q := &t.Request
	o := &q.Options
	r := Request{
		User: t.User, Groups: slices.Clone(t.Groups),
		Verb: q.Verb, APIGroup: q.APIGroup, Resource: q.Resource, Subresource: q.Subresource,
		Namespace: q.Namespace, Name: q.Name, Path: q.Path, Timeout: q.Timeout,
		Limit: o.Limit, ResourceVersion: o.ResourceVersion, ResourceVersionMatch: o.ResourceVersionMatch,
		Continue: o.Continue, FieldSelector: o.FieldSelector, LabelSelector: o.LabelSelector,
		SendInitialEvents: o.SendInitialEvents,
	}
	if t.Groups == nil {
		r.ImpliedGroups = Imply(t.User)
		r.Groups = slices.Clone(r.ImpliedGroups)
	}
	return r
}

// Test explains the request of a test, and holds that against all that the test demands.
func (e *Explainer) Test(t *scenarios.Test) (*Explanation, []Check) {
	x := e.Explain(FromTest(t))
	c := checks{explainer: e, places: t.Expect.Places}
	schema, level, flow, hand, initial, final, latency := x.facts()
	w := &t.Expect
	c.text("flowSchema", w.FlowSchema, schema, e.schemaNames())
	c.text("priorityLevel", w.PriorityLevel, level, e.levelNames())
	c.text("flow", w.Flow, flow, nil)
	if w.Hand != nil {
		c.add("hand", queuesText(w.Hand), hand, "")
	}
	c.number("initialSeats", w.InitialSeats, initial)
	c.number("finalSeats", w.FinalSeats, final)
	if w.AdditionalLatency != nil {
		c.add("additionalLatency", w.AdditionalLatency.String(), latency, "")
	}
	if w.LongRunning != nil {
		c.add("longRunning", strconv.FormatBool(*w.LongRunning), strconv.FormatBool(x.Bypass != ""), "")
	}
	return x, c.list
}

// facts are what tests look at, in words.
func (x *Explanation) facts() (schema, level, flow, hand, initial, final, latency string) {
	if x.Bypass != "" {
		return nothing, nothing, nothing, nothing, nothing, nothing, nothing
	}
	latency = "0s"
	if x.Seats.AdditionalLatency != "" {
		latency = x.Seats.AdditionalLatency
	}
	return x.Match.FlowSchema, x.Level.Name, x.Flow.Distinguisher, queuesText(x.Flow.Hand),
		strconv.Itoa(x.Seats.Initial), strconv.Itoa(x.Seats.Final), latency
}

// queuesText shows a hand, without a hand that there is none.
func queuesText(hand []int32) string {
	if len(hand) == 0 {
		return nothing
	}
	return strings.ReplaceAll(fmt.Sprint(hand), " ", ", ")
}

// checks are those of one test.
type checks struct {
	explainer *Explainer
	places    map[string]scenarios.Place
	list      []Check
}

func (c *checks) add(field, want, got, hint string) {
	c.list = append(c.list, Check{Field: field, Want: want, Got: got, Hint: hint, Place: c.places[field]})
}

// text adds a check of a name; of one that nothing has, known says what may have been meant.
func (c *checks) text(field string, want *string, got string, known []string) {
	if want == nil {
		return
	}
	hint := ""
	if len(known) > 0 && !slices.Contains(known, *want) {
		hint = fmt.Sprintf("there is no %s %s", field, *want)
		if near, ok := suggest.Nearest(*want, known); ok {
			hint += fmt.Sprintf(": did you mean %q?", near)
		}
	}
	c.add(field, quoted(*want), quoted(got), hint)
}

// quoted shows a name; an empty one would not be seen.
func quoted(name string) string {
	if name == "" {
		return `""`
	}
	return name
}

func (c *checks) number(field string, want *int, got string) {
	if want != nil {
		c.add(field, strconv.Itoa(*want), got, "")
	}
}

// schemaNames and levelNames list the objects of the configuration.
func (e *Explainer) schemaNames() []string {
	var names []string
	for i := range e.configuration.Schemas {
		names = append(names, e.configuration.Schemas[i].Object.Name)
	}
	return names
}

func (e *Explainer) levelNames() []string {
	var names []string
	for i := range e.configuration.Levels {
		names = append(names, e.configuration.Levels[i].Object.Name)
	}
	return names
}

// Cause says in one line what decided on a request: which rule of which FlowSchema takes it, and
// where that is written.
func (x *Explanation) Cause() string {
	switch {
	case x.Bypass != "":
		return x.Bypass
	case x.Match.Fallback:
		return "no FlowSchema accepts it, so that " + x.Match.FlowSchema + " takes it"
	}
	text := fmt.Sprintf("%s of FlowSchema %s takes it (precedence %d", x.Match.Rule.Path, x.Match.FlowSchema, x.Match.Precedence)
	if x.Match.BuiltIn {
		return text + ", built in)"
	}
	return text + ", " + x.Match.Rule.At + ")"
}

// Sentence names a request in one line: who asks for what.
func (r *Request) Sentence() string {
	if r.Path != "" {
		return fmt.Sprintf("%s %s as %s", r.Verb, r.Path, r.User)
	}
	text := r.Verb + " " + r.resource()
	if r.Name != "" {
		text += " " + r.Name
	}
	if r.Namespace != "" {
		text += " in " + r.Namespace
	}
	return text + " as " + r.User
}
