package tuning

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/marked"
	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// The figures that are known without a run.
const (
	// Seats is the number of seats of all servers.
	Seats = "seats"
	// Objects is how many flow-control objects the knobs change.
	Objects = "objects"
	// Distance is how far a point is from today's: by which part each knob differs, added up.
	Distance = "distance"
	// Crushing is the exact chance that the hand of a flow is covered by those of so many others.
	Crushing = "crushing"
	// Queued is how many requests the queues of a level hold.
	Queued = "queued"
	// LongestWait is how long a request may wait in a level, unless it asks for less.
	LongestWait = "longestWait"
)

// analytics lists them.
var analytics = []string{Seats, Objects, Distance, Crushing, Queued, LongestWait}

// maxElephants bounds the size of the rational numbers.
const maxElephants = 10_000

// Analytic is a figure that is known without a run.
//
//	ANALYTIC = "seats" | "objects" | "distance"
//	         | "crushing" "{" LEVEL "," "elephants" "=" NUMBER "}"
//	         | ( "queued" | "longestWait" ) "{" LEVEL "}"
//
// seats with a selector, even an empty one, is the metric of that name and no Analytic.
type Analytic struct {
	// Text is as it was written, without blanks.
	Text string
	// Name is what it is, Level and Elephants what of.
	Name, Level string
	Elephants   int

	whole   string
	levelAt int
}

// AnalyticGoal is what an Analytic has to be.
type AnalyticGoal struct {
	Analytic
	Op    string
	Value float64
}

// IsAnalytic tells whether a text is about a figure that is known without a run.
func IsAnalytic(text string) bool {
	word, rest := firstWord(text)
	return slices.Contains(analytics, word) && (word != Seats || !strings.HasPrefix(rest, "{"))
}

// firstWord is the word that a text begins with, and what follows after blanks.
func firstWord(text string) (word, rest string) {
	text = strings.TrimLeft(text, " \t")
	end := strings.IndexFunc(text, func(c rune) bool { return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') })
	if end < 0 {
		end = len(text)
	}
	return text[:end], strings.TrimLeft(text[end:], " \t")
}

// Analytics lists the names, for those who look for one.
func Analytics() []string { return slices.Clone(analytics) }

// ParseAnalytic reads a figure. The error is a *marked.Fault.
func ParseAnalytic(text string) (*Analytic, error) {
	a, rest, fault := parseAnalytic(text)
	if fault == nil && rest != "" {
		fault = &marked.Fault{Text: text, At: len(text) - len(rest), Message: fmt.Sprintf("%q is left over", rest)}
	}
	if fault != nil {
		return nil, fault
	}
	return a, nil
}

// parseAnalytic reads a figure that a text begins with.
func parseAnalytic(text string) (a *Analytic, rest string, fault *marked.Fault) {
	word, rest := firstWord(text)
	a = &Analytic{Name: word, Text: word, whole: text}
	at := func(rest string) int { return len(text) - len(rest) }
	if !slices.Contains(analytics, word) {
		return nil, "", &marked.Fault{Text: text, At: at(strings.TrimLeft(text, " \t")), Message: fmt.Sprintf("there is no figure %q", word),
			Legal: strings.Join(analytics, ", ")}
	}
	if word == Seats || word == Objects || word == Distance {
		return a, rest, nil
	}
	inner, after, closed := strings.Cut(rest, "}")
	if !strings.HasPrefix(rest, "{") || !closed {
		return nil, "", &marked.Fault{Text: text, At: at(rest), Message: word + " is of a priority level", Legal: exampleOf(word)}
	}
	for i, part := range strings.Split(inner[1:], ",") {
		place := at(rest) + 1 + strings.Index(inner[1:], part)
		part = strings.TrimSpace(part)
		number, elephants := strings.CutPrefix(strings.ReplaceAll(part, " ", ""), "elephants=")
		switch n, err := strconv.Atoi(number); {
		case part == "":
			return nil, "", &marked.Fault{Text: text, At: place, Message: "something is missing here", Legal: exampleOf(word)}
		case elephants && word != Crushing:
			return nil, "", &marked.Fault{Text: text, At: place, Message: word + " is of no elephants", Legal: exampleOf(word)}
		case elephants && (err != nil || n < 1 || n > maxElephants):
			return nil, "", &marked.Fault{Text: text, At: place, Message: fmt.Sprintf("%q is no number of elephants", number), Legal: fmt.Sprintf("1 to %d", maxElephants)}
		case elephants:
			a.Elephants = n
		case i > 0 && a.Level != "":
			return nil, "", &marked.Fault{Text: text, At: place, Message: fmt.Sprintf("a second name: %q", part), Legal: exampleOf(word)}
		default:
			a.Level, a.levelAt = strings.TrimPrefix(part, "priorityLevel="), place
		}
	}
	if a.Level == "" || word == Crushing && a.Elephants == 0 {
		return nil, "", &marked.Fault{Text: text, At: at(rest), Message: "the level or the number of elephants is missing", Legal: exampleOf(word)}
	}
	a.Text += "{" + a.Level
	if word == Crushing {
		a.Text += ",elephants=" + strconv.Itoa(a.Elephants)
	}
	a.Text += "}"
	return a, strings.TrimLeft(after, " \t"), nil
}

func exampleOf(name string) string {
	if name == Crushing {
		return "crushing{workload-low,elephants=4}"
	}
	return name + "{workload-low}"
}

// ParseAnalyticGoal reads ANALYTIC OP VALUE. The error is a *marked.Fault.
func ParseAnalyticGoal(text string) (*AnalyticGoal, error) {
	a, rest, fault := parseAnalytic(text)
	if fault != nil {
		return nil, fault
	}
	g := &AnalyticGoal{Analytic: *a}
	var err error
	if g.Op, g.Value, err = compare.ParseBound(text, len(text)-len(rest), a.unit()); err != nil {
		return nil, err
	}
	return g, nil
}

// unit is that of the figure.
func (a *Analytic) unit() reports.Unit {
	switch a.Name {
	case LongestWait:
		return reports.UnitSeconds
	case Crushing:
		return reports.UnitShare
	}
	return reports.UnitCount
}

// Bound is the comparison as text.
func (g *AnalyticGoal) Bound() string {
	if g.Name == LongestWait {
		return g.Op + " " + reports.Value(g.Value).Duration().String()
	}
	return g.Op + " " + strconv.FormatFloat(g.Value, 'g', -1, 64)
}

// String is the goal in a form that is the same however it was written.
func (g *AnalyticGoal) String() string { return g.Text + " " + g.Bound() }

// Holds tells whether a value is what the goal wants.
func (g *AnalyticGoal) Holds(x float64) bool { return compare.Holds(x, g.Op, g.Value) }

// Facts are what is known of a point without a run.
type Facts struct {
	Seats    int64
	Levels   []scheduler.PriorityLevel
	Objects  int
	Distance float64
	// LongestWait is in seconds; without end where nothing bounds it.
	LongestWait float64
}

// Resolve looks the level up. The error is a *marked.Fault.
func (a *Analytic) Resolve(levels []scheduler.PriorityLevel) error {
	if a.Level == "" {
		return nil
	}
	var names []string
	for i := range levels {
		if levels[i].Name == a.Level {
			return nil
		}
		names = append(names, levels[i].Name)
	}
	slices.Sort(names)
	fault := &marked.Fault{Text: a.whole, At: a.levelAt, Message: fmt.Sprintf("there is no priority level %q", a.Level), Legal: strings.Join(names, ", ")}
	if best, ok := suggest.Nearest(a.Level, names); ok {
		fault.Hint = "did you mean " + best + "?"
	}
	return fault
}

// Of is the value of the figure. A level without queues holds none and crushes everybody.
func (a *Analytic) Of(f *Facts) float64 {
	switch a.Name {
	case Seats:
		return float64(f.Seats)
	case Objects:
		return float64(f.Objects)
	case Distance:
		return f.Distance
	case LongestWait:
		return f.LongestWait
	}
	for i := range f.Levels {
		q := f.Levels[i].Queuing
		switch {
		case f.Levels[i].Name != a.Level:
		case q == nil && a.Name == Crushing:
			return 1
		case q == nil:
			return 0
		case a.Name == Queued:
			return float64(q.Queues) * float64(q.QueueLengthLimit)
		default:
			x, _ := shuffle.Covered(int(q.Queues), int(q.HandSize), a.Elephants).Float64()
			return x
		}
	}
	return 0
}

// Rounded is a value as proposals have it: whole numbers as they are, others to six significant digits, and
// none without end.
func (a *Analytic) Rounded(x float64) float64 {
	if x == math.Trunc(x) || math.IsInf(x, 0) {
		return math.Min(x, math.MaxInt64)
	}
	return float64(reports.NewNumber(x))
}
