package scenarios

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/workload"
)

// require reports a field that has to be there and is not, and tells whether it is
// there and sound. What is not in the file at all comes from a preset, which lacks
// nothing.
func (d *decoder) require(path, field, legal string) bool {
	inner := join(path, field)
	if d.has(inner) || !d.has(path) {
		return d.sound(inner)
	}
	d.refuse(inner, fault{code: CodeMissing, message: inner + " is missing", legal: legal})
	return false
}

// oneOf returns which of the fields of a struct of alternatives is set, and reports
// if it is not exactly one.
func (d *decoder) oneOf(path string, alternatives any) (string, bool) {
	v := reflect.ValueOf(alternatives).Elem()
	var set, all []string
	for _, f := range fieldsOf(v.Type()) {
		all = append(all, f.name)
		if d.has(join(path, f.name)) || !v.FieldByIndex(f.index).IsNil() {
			set = append(set, f.name)
		}
	}
	legal := strings.Join(all, ", ")
	switch len(set) {
	case 1:
		return set[0], d.sound(join(path, set[0]))
	case 0:
		if !d.strange[path] {
			d.refuse(path, fault{code: CodeExactlyOne, message: path + " needs exactly one of its fields", legal: legal})
		}
	default:
		d.refuse(path, fault{code: CodeExactlyOne, message: fmt.Sprintf("%s has %s; only one can be", path, strings.Join(set, " and ")), legal: legal})
	}
	return "", false
}

// inRange reports a whole number that is outside of a range.
func (d *decoder) inRange(path string, value, least, most int64) bool {
	if value >= least && value <= most {
		return true
	}
	d.refuse(path, fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is out of range: %d", path, value), legal: fmt.Sprintf("%d to %d", least, most)})
	return false
}

// excluded reports each of the fields that is there although it cannot be.
func (d *decoder) excluded(path, why string, fields ...string) {
	for _, f := range fields {
		if inner := join(path, f); d.has(inner) {
			d.refuse(inner, fault{code: CodeExcludes, message: fmt.Sprintf("%s cannot be set %s", inner, why)})
		}
	}
}

// workloadFault reports an error that package workload has with a value at path. It
// names the field in the words of scenario files.
func (d *decoder) workloadFault(path string, err error) {
	var fe *workload.FieldError
	if !errors.As(err, &fe) {
		panic(fmt.Sprintf("scenarios: %s: %v", path, err))
	}
	inner := join(path, fe.Field)
	if point, ok := strings.CutPrefix(fe.Field, "quantiles."); ok {
		inner = join(path, "quantiles["+point+"]")
	}
	d.refuse(inner, fault{code: CodeOutOfRange, message: fmt.Sprintf("%s: %s", inner, fe.Problem), legal: fe.Legal})
}

func (d *decoder) workloadFaults(path string, errs []error) {
	for _, err := range errs {
		d.workloadFault(path, err)
	}
}

// didYouMean returns the hint that names the candidate nearest to a word, "" if none is
// near enough to be worth a guess.
func didYouMean(word string, candidates []string) string {
	if best, ok := suggest.Nearest(word, candidates); ok {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return ""
}

// placeholders reports every {word} but {index} in a text that is expanded for each
// client.
func (d *decoder) placeholders(path, text string) {
	rest := strings.ReplaceAll(text, "{index}", "")
	if i := strings.IndexAny(rest, "{}"); i >= 0 {
		d.refuse(path, fault{code: CodeNotLegal, message: fmt.Sprintf("%s has a placeholder that does not exist: %q", path, shorten(text)),
			legal: "{index}, the number of the client from 0", hint: placeholderHint(rest[i:])})
	}
}

func placeholderHint(text string) string {
	if end := strings.IndexByte(text, '}'); end > 0 && text[0] == '{' {
		return didYouMean(text[:end+1], []string{"{index}"})
	}
	return ""
}

// value returns what a pointer points to, or the default.
func value[T any](p *T, def T) T {
	if p == nil {
		return def
	}
	return *p
}
