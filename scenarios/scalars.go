package scenarios

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// readScalar fills a string, boolean or number.
func (d *decoder) readScalar(n *node, path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if text, ok := d.text(n, path, "text"); ok {
			d.readString(n, path, text, v)
		}
	case reflect.Bool:
		if b, ok := d.boolean(n, path); ok {
			v.SetBool(b)
		}
	case reflect.Int, reflect.Int32, reflect.Int64:
		if i, ok := d.integer(n, path, v.Type()); ok {
			v.SetInt(i)
		}
	case reflect.Uint64:
		if u, ok := d.unsigned(n, path); ok {
			v.SetUint(u)
		}
	case reflect.Float64:
		if f, ok := d.float(n, path); ok {
			v.SetFloat(f)
		}
	default:
		panic(fmt.Sprintf("scenarios: no reader for the type %s at %q", v.Type(), path))
	}
}

// readJSON fills a type that reads JSON by itself: in the metadata of objects those are
// times, and the fields that a manager owns.
func (d *decoder) readJSON(n *node, path string, u json.Unmarshaler) {
	text, err := json.Marshal(n.plain())
	if err != nil {
		panic(fmt.Sprintf("scenarios: %s as JSON: %v", name(path), err))
	}
	if err := u.UnmarshalJSON(text); err != nil {
		d.wrongType(n, path, "a time such as 2026-01-31T23:59:59Z", "")
	}
}

// plain returns the value of a node as package json has it.
func (n *node) plain() any {
	switch n.kind {
	case mappingNode:
		out := map[string]any{}
		for _, f := range n.fields {
			out[f.name] = f.value.plain()
		}
		return out
	case sequenceNode:
		out := make([]any, len(n.items))
		for i, item := range n.items {
			out[i] = item.plain()
		}
		return out
	}
	switch {
	case n.null():
		return nil
	case !n.quoted && n.tag == "!!bool":
		return strings.EqualFold(n.text, "true")
	case !n.quoted && (n.tag == "!!int" || n.tag == "!!float") && json.Valid([]byte(n.text)):
		return json.Number(n.text)
	}
	return n.text
}

func (d *decoder) readString(n *node, path, text string, v reflect.Value) {
	if e, ok := v.Interface().(enumeration); ok && !slices.Contains(e.legal(), text) {
		d.fail(path, d.place(n), fault{code: CodeNotLegal,
			message: fmt.Sprintf("%s cannot be %q", name(path), text),
			legal:   strings.Join(e.legal(), ", "), hint: didYouMean(text, e.legal())})
		return
	}
	v.SetString(text)
}

// freeText tells whether the text at a path is for people, so that it may hold anything:
// also what looks like a template.
func freeText(path string) bool {
	return path == "metadata.description" || strings.Contains(path, "annotations[") || strings.HasPrefix(path, "status.")
}

// oldBooleans are booleans in YAML 1.1, which kubectl reads, and text in YAML 1.2.
var oldBooleans = map[string]bool{
	"y": true, "Y": true, "yes": true, "Yes": true, "YES": true, "on": true, "On": true, "ON": true,
	"n": false, "N": false, "no": false, "No": false, "NO": false, "off": false, "Off": false, "OFF": false,
}

// text returns a scalar that is text beyond doubt.
func (d *decoder) text(n *node, path, want string) (string, bool) {
	if n.kind != scalarNode {
		d.wrongType(n, path, want, "")
		return "", false
	}
	if templateText.MatchString(n.text) && !freeText(path) {
		d.fail(path, d.place(n), templateFault("the value of "+name(path)))
		return "", false
	}
	_, old := oldBooleans[n.text]
	if !n.quoted && old {
		d.fail(path, d.place(n), fault{code: CodeWrongType,
			message: fmt.Sprintf("%s must be %s, and %s without quotes is a boolean in YAML 1.1", name(path), want, n.text),
			hint:    fmt.Sprintf("write %q", n.text)})
		return "", false
	}
	given := n.file != "" && !n.null() // with a flag, where everything is text
	if given || n.quoted || n.tag == "!!str" || n.tag == "!!timestamp" {
		return n.text, true
	}
	d.wrongType(n, path, want, fmt.Sprintf("put it in quotes: %q", n.text))
	return "", false
}

func (d *decoder) boolean(n *node, path string) (bool, bool) {
	if n.kind == scalarNode && !n.quoted {
		if n.tag == "!!bool" {
			return strings.EqualFold(n.text, "true"), true
		}
		if b, old := oldBooleans[n.text]; old {
			if !d.kubernetes {
				d.wrongType(n, path, "true or false", fmt.Sprintf("did you mean %t? Only YAML 1.1 reads %s as a boolean", b, n.text))
			}
			return b, d.kubernetes
		}
	}
	hint := ""
	if n.quoted && (n.text == "true" || n.text == "false") {
		hint = "remove the quotes"
	}
	d.wrongType(n, path, "true or false", hint)
	return false, false
}

var (
	decimalInteger = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	decimalNumber  = regexp.MustCompile(`^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)
)

// digits returns a scalar as text that strconv can read in base 10, after the fault
// for everything that is no number, or not the same number in all versions of YAML.
func (d *decoder) digits(n *node, path, want string, shape *regexp.Regexp) (string, bool) {
	if n.kind != scalarNode || n.quoted || n.tag != "!!int" && n.tag != "!!float" {
		hint := ""
		if n.kind == scalarNode && shape.MatchString(n.text) {
			hint = "remove the quotes"
		}
		d.wrongType(n, path, want, hint)
		return "", false
	}
	if shape.MatchString(n.text) {
		return n.text, true
	}
	value, err := strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 0, 64)
	switch {
	case err == nil && d.kubernetes:
		return strconv.FormatInt(value, 10), true
	case err == nil:
		d.fail(path, d.place(n), fault{code: CodeWrongType,
			message: fmt.Sprintf("%s is written as %s, which the versions of YAML read differently", name(path), n.text),
			legal:   want + " in decimal digits", hint: fmt.Sprintf("write %d, if that is what it should be", value)})
		return "", false
	case d.kubernetes && shape == decimalInteger:
		// JSON has one kind of number: 3.0 and 1e2 are whole.
		if f, err := strconv.ParseFloat(n.text, 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return strconv.FormatFloat(f, 'f', 0, 64), true
		}
	}
	d.wrongType(n, path, want, "")
	return "", false
}

func (d *decoder) integer(n *node, path string, t reflect.Type) (int64, bool) {
	text, ok := d.digits(n, path, "a whole number", decimalInteger)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(text, 10, t.Bits())
	if err != nil {
		f := fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is too large a number: %s", name(path), n.text)}
		if t.Bits() < 64 {
			f.legal = fmt.Sprintf("%d to %d", -1<<(t.Bits()-1), 1<<(t.Bits()-1)-1)
		}
		d.fail(path, d.place(n), f)
		return 0, false
	}
	return i, true
}

func (d *decoder) unsigned(n *node, path string) (uint64, bool) {
	text, ok := d.digits(n, path, "a whole number", decimalInteger)
	if !ok {
		return 0, false
	}
	u, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), 10, 64)
	if err != nil {
		d.fail(path, d.place(n), fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is out of range: %s", name(path), n.text),
			legal: fmt.Sprintf("0 to %d", uint64(math.MaxUint64))})
		return 0, false
	}
	return u, true
}

func (d *decoder) float(n *node, path string) (float64, bool) {
	text, ok := d.digits(n, path, "a number", decimalNumber)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		d.fail(path, d.place(n), fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is too large a number: %s", name(path), n.text)})
		return 0, false
	}
	return f, true
}

func (d *decoder) wrongType(n *node, path, want, hint string) {
	d.wrongShape(n, path, want, "", hint)
}

func (d *decoder) wrongShape(n *node, path, want, legal, hint string) {
	at := d.at(path)
	if n.kind == scalarNode {
		at = d.place(n)
		if templateText.MatchString(n.text) {
			d.fail(path, at, templateFault("the value of "+name(path)))
			return
		}
	}
	d.fail(path, at, fault{code: CodeWrongType, message: fmt.Sprintf("%s must be %s, not %s", name(path), want, n.describe()), legal: legal, hint: hint})
}

// describe says what a node is, for a message.
func (n *node) describe() string {
	switch {
	case n.kind == mappingNode:
		return "a mapping"
	case n.kind == sequenceNode:
		return "a list"
	case n.null():
		return "nothing"
	case n.quoted, n.tag == "!!str", n.tag == "!!timestamp":
		return fmt.Sprintf("the text %q", shorten(n.text))
	case n.tag == "!!bool":
		return "the boolean " + n.text
	}
	return "the number " + n.text
}

// source returns a scalar about as it was written.
func (n *node) source() string {
	if n.quoted {
		return strconv.Quote(shorten(n.text))
	}
	return shorten(n.text)
}

func shorten(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return text
}
