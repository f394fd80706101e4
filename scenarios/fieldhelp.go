package scenarios

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Field describes a field of a scenario file, or of one of the objects of flow control.
type Field struct {
	// Path names the field from the top: scenario.server.requestTimeout.
	Path string `json:"path"`
	// Type is what its value is: text, a whole number, a list of text and so on.
	Type string `json:"type"`
	// Default is what is taken if the field is absent; "required" if it must not be.
	Default string `json:"default,omitempty"`
	// Legal tells which values are legal, where that is more than its type.
	Legal string `json:"legal,omitempty"`
	// Text says what the field means.
	Text string `json:"text"`
	// Fields are those of a mapping, or of the mappings that a list holds, without their
	// own fields.
	Fields []Field `json:"fields,omitempty"`
}

// fieldText is what no type tells of a field.
type fieldText struct{ preset, legal, text string }

// fieldRoot is where paths begin.
type fieldRoot struct {
	name string
	// also are other names of it, as kubectl has them.
	also []string
	typ  reflect.Type
}

var fieldRoots = []fieldRoot{
	{"scenario", []string{"scenarios"}, reflect.TypeFor[scenarioSpec]()},
	{"flowschema", []string{"flowschemas"}, reflect.TypeFor[flowcontrolv1.FlowSchema]()},
	{"prioritylevelconfiguration", []string{"prioritylevelconfigurations"}, reflect.TypeFor[flowcontrolv1.PriorityLevelConfiguration]()},
}

// FieldRoots returns the words that the path of a field begins with.
func FieldRoots() []string {
	var names []string
	for _, r := range fieldRoots {
		names = append(names, r.name)
	}
	return names
}

// fieldRootOf finds the beginning of a path, in any case.
func fieldRootOf(word string) (fieldRoot, bool) {
	for _, r := range fieldRoots {
		for _, name := range append([]string{r.name}, r.also...) {
			if strings.EqualFold(word, name) {
				return r, true
			}
		}
	}
	return fieldRoot{}, false
}

// IsFieldPath tells whether a text begins as the path of a field does.
func IsFieldPath(text string) bool {
	word, _, _ := strings.Cut(text, ".")
	_, ok := fieldRootOf(word)
	return ok
}

// ExplainField describes the field at a path such as scenario.clients.arrivals.poisson,
// in which indexes of lists are left out. A FieldError says which of its words is no
// field, and which are.
func ExplainField(path string) (*Field, error) {
	words := strings.Split(path, ".")
	root, ok := fieldRootOf(words[0])
	if !ok {
		return nil, &FieldError{Word: words[0], Legal: FieldRoots()}
	}
	at := Field{Path: root.name, Type: "a mapping", Text: textOf(root.typ, "").text}
	typ := root.typ
	for _, word := range words[1:] {
		parent := structOf(typ)
		if parent == nil {
			return nil, &FieldError{Within: at.Path, Word: word}
		}
		f, found := fieldNamed(parent, word)
		if !found {
			return nil, &FieldError{Within: at.Path, Word: word, Legal: fieldNames(parent)}
		}
		typ = parent.FieldByIndex(f.index).Type
		at = describeField(at.Path, parent, f)
	}
	if s := structOf(typ); s != nil {
		for _, f := range fieldsOf(s) {
			at.Fields = append(at.Fields, describeField(at.Path, s, f))
		}
	}
	return &at, nil
}

// FieldError tells that a path has a word that is no field.
type FieldError struct {
	// Within is the path before the word, "" if the word is the first.
	Within, Word string
	// Legal are the words that may stand there, none if the value there has no fields.
	Legal []string
}

// Error says which word it is.
func (e *FieldError) Error() string {
	switch {
	case e.Within == "":
		return fmt.Sprintf("%q begins no path of a field", e.Word)
	case len(e.Legal) == 0:
		return fmt.Sprintf("%s has no fields, and so no %q", e.Within, e.Word)
	}
	return fmt.Sprintf("%s has no field %q", e.Within, e.Word)
}

// fieldNamed finds a field by its name, in any case.
func fieldNamed(t reflect.Type, name string) (fieldInfo, bool) {
	for _, f := range fieldsOf(t) {
		if strings.EqualFold(f.name, name) {
			return f, true
		}
	}
	return fieldInfo{}, false
}

// describeField describes a field of a struct, without its own fields.
func describeField(path string, parent reflect.Type, f fieldInfo) Field {
	typ := parent.FieldByIndex(f.index).Type
	text := textOf(parent, f.name)
	if text.legal == "" {
		text.legal = legalOf(typ)
	}
	if s := structOf(typ); s != nil && text.legal == "" && strings.HasPrefix(typeText(typ), "a mapping") {
		text.legal = textOf(s, "").legal
	}
	return Field{Path: join(path, f.name), Type: typeText(typ), Default: text.preset, Legal: text.legal, Text: text.text}
}

// structOf returns the struct that a field's value is, or that its list or map holds, nil
// if there is none.
func structOf(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if len(fieldsOf(t)) == 0 {
		return nil
	}
	return t
}

// textOf returns what is said of a field, or with an empty name of a struct: the table of
// this package, or the documentation that the official types carry.
func textOf(t reflect.Type, field string) fieldText {
	if official, ok := reflect.Zero(t).Interface().(interface{ SwaggerDoc() map[string]string }); ok {
		return fieldText{text: official.SwaggerDoc()[field]}
	}
	key := strings.TrimSuffix(t.Name(), "Spec")
	if field != "" {
		key += "." + field
	}
	return fieldTexts[key]
}

// typeText names a type as a file has it.
func typeText(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[duration]():
		return "a duration"
	case t == reflect.TypeFor[byteSize]():
		return "a number of bytes"
	case t == reflect.TypeFor[boundSpec]():
		return "a number or a duration"
	case t == reflect.TypeFor[metav1.Time]():
		return "a time"
	case t.Implements(reflect.TypeFor[json.Unmarshaler]()):
		return "any value"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeText(t.Elem())
	case reflect.Slice:
		return "a list of " + plural(typeText(t.Elem()))
	case reflect.Map:
		return "a mapping of names to " + plural(typeText(t.Elem()))
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Struct:
		return "a mapping"
	}
	return "a whole number"
}

// plural makes the plural of the name of a type.
func plural(text string) string {
	if bare, ok := strings.CutPrefix(text, "a "); ok {
		return bare + "s"
	}
	return text
}

// legalOf lists the values of a type that has a fixed set of them.
func legalOf(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if e, ok := reflect.Zero(t).Interface().(enumeration); ok {
		return strings.Join(e.legal(), ", ")
	}
	if t == reflect.TypeFor[duration]() {
		return durationLegal
	}
	if t == reflect.TypeFor[byteSize]() {
		return byteSizeLegal
	}
	return ""
}
