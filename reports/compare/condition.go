package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/internal/marked"
	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/reports"
)

// Condition is what must not be so of a difference.
//
//	CONDITION = METRIC [ "{" [ SELECTOR { "," SELECTOR } ] "}" ] OP CHANGE
//	SELECTOR  = [ KIND "=" ] NAME | "holder" "=" NAME | QUANTILE
//	KIND      = "priorityLevel" | "flowSchema" | "client" | "server"
//	QUANTILE  = "mean" | "max" | "p" NUMBER
//	OP        = ">" | ">=" | "<" | "<="
//	CHANGE    = ( "+" | "-" ) NUMBER [ "%" | UNIT ]
//
// METRIC is one of reports.Metrics; of blame the holder is the client that is blamed. There is at most one NAME, which needs its KIND only if
// several things have it, and at most one QUANTILE, of a METRIC that is a distribution; without
// one it is the mean. Without a NAME it is about the whole run. CHANGE is B - A: with % as a
// part of A, else in the unit of the metric: a time needs a UNIT of Go's durations, a number
// has none. Blanks may stand anywhere but within a word.
type Condition struct {
	// Text is what was written.
	Text string
	// Of is what it is about; its bounds are not used.
	Of reports.Expectation
	// Less tells that a change below the bound fails, and Or that the bound itself fails too.
	Less, Or bool
	// Bound is in the base unit of the metric, or a part of A if Relative.
	Bound    float64
	Relative bool

	// bare is a name without a kind, and at where it stands in the text.
	bare string
	at   int
	// kind and name are the subject otherwise.
	kind, name string
	// holderAt is where the name of the holder stands.
	holderAt int
}

// Fault is what is wrong with a condition.
type Fault = marked.Fault

// parser reads a condition.
type parser struct {
	text string
	at   int
}

// fail makes a fault at a byte of the text.
func (p *parser) fail(at int, legal, hint, format string, args ...any) *Fault {
	return &Fault{Text: p.text, At: at, Message: fmt.Sprintf(format, args...), Legal: legal, Hint: hint}
}

func (p *parser) blanks() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

// word reads what stands before any of some characters, without the blanks around it.
func (p *parser) word(ends string) (word string, at int) {
	p.blanks()
	at = p.at
	end := strings.IndexAny(p.text[at:], ends)
	if end < 0 {
		end = len(p.text) - at
	}
	p.at += end
	return strings.TrimRight(p.text[at:p.at], " \t"), at
}

// take reads a character if it is there.
func (p *parser) take(c byte) bool {
	p.blanks()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// ParseCondition reads a condition. The error is a *Fault.
func ParseCondition(text string) (*Condition, error) {
	p := &parser{text: text}
	c := &Condition{Text: text}
	for _, step := range []func(*Condition) *Fault{p.metric, p.selectors, p.operator, p.change} {
		if f := step(c); f != nil {
			return nil, f
		}
	}
	return c, nil
}

func (p *parser) metric(c *Condition) *Fault {
	word, at := p.word("{<> \t")
	var names []string
	for _, m := range reports.Metrics() {
		names = append(names, string(m))
	}
	if !slices.Contains(names, word) {
		message := fmt.Sprintf("there is no metric %q", word)
		if word == "" {
			message = "a condition begins with a metric"
		}
		return p.fail(at, strings.Join(names, ", "), near(word, names), "%s", message)
	}
	c.Of.Metric = reports.Metric(word)
	return nil
}

// near is the hint that names the word that was probably meant.
func near(word string, legal []string) string {
	if best, ok := suggest.Nearest(word, legal); ok {
		return "did you mean " + best + "?"
	}
	return ""
}

func (p *parser) selectors(c *Condition) *Fault {
	if !p.take('{') || p.take('}') {
		return nil
	}
	quantile := false
	for {
		word, at := p.word(",}<>")
		switch q, ok := quantileOf(word); {
		case word == "":
			return p.fail(at, "a name, a quantile such as p99, or }", "", "something is missing here")
		case ok && quantile:
			return p.fail(at, "", "", "a second quantile")
		case ok && !c.Of.Metric.IsDistribution():
			return p.fail(at, "", "", "%s has no quantiles", c.Of.Metric)
		case ok && !(q >= 0 && q <= 1):
			return p.fail(at, "mean, max, p0.1 to p100", "", "there is no quantile %s", word)
		case ok:
			c.Of.Quantile, quantile = q, true
		case isHolder(word):
			if f := p.holder(c, word, at); f != nil {
				return f
			}
		case (c.bare != "" || c.kind != "") && !strings.Contains(word, "="):
			return p.fail(at, "", "", "a second name: %q", word)
		default:
			if f := p.subject(c, word, at); f != nil {
				return f
			}
		}
		if p.take('}') {
			return nil
		}
		if !p.take(',') {
			return p.fail(p.at, ", or }", "", "the { is not closed")
		}
	}
}

// quantileOf reads a quantile.
func quantileOf(word string) (q float64, ok bool) {
	switch word {
	case "mean":
		return 0, true
	case "max":
		return 1, true
	}
	number, is := strings.CutPrefix(word, "p")
	percent, err := strconv.ParseFloat(number, 64)
	if !is || err != nil || math.IsNaN(percent) {
		return 0, false
	}
	if percent == 0 {
		return -1, true
	}
	return percent / 100, true
}

// isHolder tells that a selector says who is blamed.
func isHolder(word string) bool {
	kind, _, has := strings.Cut(word, "=")
	return has && strings.TrimSpace(kind) == "holder"
}

func (p *parser) holder(c *Condition, word string, at int) *Fault {
	_, name, _ := strings.Cut(word, "=")
	name = strings.TrimSpace(name)
	switch {
	case c.Of.Metric != reports.MetricBlame:
		return p.fail(at, "", "", "%s blames nobody: holder is for blame", c.Of.Metric)
	case c.Of.Holder != "":
		return p.fail(at, "", "", "a second holder: %q", name)
	case name == "":
		return p.fail(at+len(word), "", "", "the holder has no name")
	}
	c.Of.Holder, c.holderAt = name, at+strings.Index(word, "=")+1
	return nil
}

// subjectKinds are the kinds of subjects.
var subjectKinds = []string{"priorityLevel", "flowSchema", "client", "server"}

func (p *parser) subject(c *Condition, word string, at int) *Fault {
	kind, name, has := strings.Cut(word, "=")
	if !has {
		c.bare, c.at = word, at
		return nil
	}
	kind, name = strings.TrimSpace(kind), strings.TrimSpace(name)
	if !slices.Contains(subjectKinds, kind) {
		return p.fail(at, strings.Join(subjectKinds, ", "), near(kind, append(slices.Clone(subjectKinds), "holder")), "there is no kind %q", kind)
	}
	if c.bare != "" || c.kind != "" {
		return p.fail(at, "", "", "a second name: %q", word)
	}
	if name == "" {
		return p.fail(at+len(word), "", "", "the %s has no name", kind)
	}
	c.kind, c.name, c.at = kind, name, at+strings.Index(word, "=")+1
	return nil
}

func (p *parser) operator(c *Condition) *Fault {
	p.blanks()
	at := p.at
	switch {
	case p.take('>'):
	case p.take('<'):
		c.Less = true
	default:
		return p.fail(at, ">, >=, <, <=", "", "a comparison is missing here")
	}
	if p.at < len(p.text) && p.text[p.at] == '=' {
		p.at++
		c.Or = true
	}
	return nil
}

func (p *parser) change(c *Condition) *Fault {
	word, at := p.word("")
	legal := "+10%, -5%, " + exampleOf(c.Of.Metric.Unit())
	sign := 1.0
	switch {
	case word == "":
		return p.fail(at, legal, "", "a change is missing here")
	case word[0] == '-':
		sign = -1
	case word[0] != '+':
		return p.fail(at, legal, "a condition is about the change from A to B", "a change begins with + or -")
	}
	size := word[1:]
	if text, relative := strings.CutSuffix(size, "%"); relative {
		c.Relative = true
		if c.Bound = number(strings.TrimSpace(text)); math.IsNaN(c.Bound) {
			return p.fail(at, legal, "", "%q is no percentage", word)
		}
		c.Bound = sign * c.Bound / 100
		return nil
	}
	if c.Of.Metric.Unit() != reports.UnitSeconds {
		if c.Bound = sign * number(size); math.IsNaN(c.Bound) {
			return p.fail(at, legal, "", "%q is no number", word)
		}
		return nil
	}
	d, err := time.ParseDuration(size)
	if err != nil || d < 0 {
		hint := ""
		if x := number(size); !math.IsNaN(x) {
			hint = fmt.Sprintf("a time has a unit: %sms, or %ss", word, word)
		}
		return p.fail(at, legal, hint, "%q is no time", word)
	}
	c.Bound = sign * d.Seconds()
	return nil
}

// number reads a number without a sign, NaN for anything else.
func number(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") {
		return math.NaN()
	}
	return x
}

func exampleOf(unit reports.Unit) string {
	if unit == reports.UnitSeconds {
		return "+20ms"
	}
	return "+3"
}
