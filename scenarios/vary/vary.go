// Package vary tells what is tried when the settings of a scenario are searched: factors, the
// values that each takes, and the points at which a scenario is run.
//
// A factor is a path as in scenarios.Setting and a list of values:
//
//	FACTOR = PATH "=" VALUES
//	VALUES = VALUE { "," VALUE }
//	VALUE  = RANGE | a value in YAML: 300, 1s, {poisson: {rate: 300}}, [a, b]
//	RANGE  = NUMBER ".." NUMBER [ ":" STEP ]
//	STEP   = NUMBER | "*" NUMBER
//
// The numbers of a range are whole numbers, decimal numbers or durations; it goes in steps of 1
// between whole numbers, unless a step is said: 200..800:100, 0.1..0.5:0.1, 1s..10s:500ms,
// or a factor, as in 16..512:*2. The arithmetic is that of decimal numbers, and exact.
package vary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/internal/marked"
	"github.com/apfsim/apfsim/scenarios"
)

// Fault is what is wrong with a factor.
type Fault = marked.Fault

// MaxValues is how many values a factor may take, and MaxPoints how many points there may be.
const (
	MaxValues = 10_000
	MaxPoints = 1_000_000
)

// Factor is one thing that is varied.
type Factor struct {
	// Path is as in scenarios.Setting.
	Path string `json:"path"`
	// Values are what it takes, each in YAML, in the order in which they were given.
	Values []string `json:"values"`
}

// Parse reads a factor. The error is a *Fault.
func Parse(text string) (Factor, error) {
	path, rest, ok := strings.Cut(text, "=")
	if !ok || strings.TrimSpace(path) == "" {
		return Factor{}, &Fault{Text: text, At: 0, Message: "a path and its values are needed",
			Legal: "PATH=VALUE,VALUE or PATH=FROM..TO:STEP, such as priorityLevel/workload-low.queues=32,64,128"}
	}
	f := Factor{Path: path}
	for _, p := range split(rest) {
		at := len(path) + 1 + p.at
		values, err := expand(p.text)
		if err != nil {
			err.Text, err.At = text, err.At+at
			return Factor{}, err
		}
		for _, v := range values {
			if slices.Contains(f.Values, v) {
				return Factor{}, &Fault{Text: text, At: at, Message: fmt.Sprintf("the value %s is there twice", v)}
			}
			f.Values = append(f.Values, v)
		}
		if len(f.Values) > MaxValues {
			return Factor{}, &Fault{Text: text, At: at, Message: fmt.Sprintf("these are more than %d values", MaxValues), Hint: "a range may have a step, as in 200..800:100"}
		}
	}
	return f, nil
}

// Setting is the setting of one value of the factor.
func (f *Factor) Setting(flag string, value int) scenarios.Setting {
	return scenarios.Setting{Flag: flag, Text: f.Path + "=" + f.Values[value]}
}

// piece is a part of the values and where it begins.
type piece struct {
	text string
	at   int
}

// split cuts at the commas that are in no brackets and in no quotes.
func split(text string) []piece {
	var out []piece
	depth, begin := 0, 0
	quote := rune(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			out = append(out, trimmed(text, begin, i))
			begin = i + 1
		}
	}
	return append(out, trimmed(text, begin, len(text)))
}

// trimmed is a part of a text without the blanks around it.
func trimmed(text string, from, to int) piece {
	part := text[from:to]
	return piece{strings.TrimSpace(part), from + len(part) - len(strings.TrimLeft(part, " \t"))}
}

// Point is what each factor has at one point, as numbers of its values.
type Point []int

// Design is what is tried.
type Design struct {
	Factors []Factor `json:"factors"`
	Points  []Point  `json:"points"`
}

// Settings are the settings of a point, in the order of the factors.
func (d *Design) Settings(flag string, p Point) []scenarios.Setting {
	out := make([]scenarios.Setting, len(p))
	for i := range p {
		out[i] = d.Factors[i].Setting(flag, p[i])
	}
	return out
}

// Size is how many points the grid of some factors has; ok is false beyond MaxPoints.
func Size(factors []Factor) (n int, ok bool) {
	n = 1
	for i := range factors {
		n *= len(factors[i].Values)
		if n > MaxPoints {
			return n, false
		}
	}
	return n, true
}

// Grid returns every combination, the last factor changing fastest. It panics beyond MaxPoints.
func Grid(factors []Factor) *Design {
	n, ok := Size(factors)
	if !ok {
		panic(fmt.Sprintf("vary: a grid of more than %d points", MaxPoints))
	}
	d := &Design{Factors: factors, Points: make([]Point, n)}
	for i := range d.Points {
		p, rest := make(Point, len(factors)), i
		for f := len(factors) - 1; f >= 0; f-- {
			p[f] = rest % len(factors[f].Values)
			rest /= len(factors[f].Values)
		}
		d.Points[i] = p
	}
	return d
}
