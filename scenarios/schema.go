package scenarios

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/internal/jsonschema"
)

// Schema returns the JSON Schema of scenario files, as YAML that was read has them. It is made of
// the types that scenarios are read into and of what ExplainField says of them, so that it
// knows what the reader knows. What a schema cannot say the reader checks: names that have to
// exist, values that depend on others.
func Schema() *jsonschema.Schema {
	m := &schemaMaker{known: map[string]bool{}}
	root := m.structSchema(reflect.TypeFor[scenarioSpec]())
	root.Schema, root.ID, root.Title = jsonschema.Draft, jsonschema.Address("scenario"), "Scenario of apfsim"
	slices.SortFunc(m.definitions, func(a, b jsonschema.Named) int { return strings.Compare(a.Name, b.Name) })
	root.Definitions = m.definitions
	return root
}

// schemaMaker gathers the definitions that a schema refers to.
type schemaMaker struct {
	definitions jsonschema.Map
	known       map[string]bool
}

// selfSchema is a type whose values a schema has to be told.
type selfSchema interface{ schema() *jsonschema.Schema }

// of makes the schema of a type.
func (m *schemaMaker) of(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer {
		return m.of(t.Elem())
	}
	if s, ok := reflect.Zero(t).Interface().(selfSchema); ok {
		return m.define(t, s.schema)
	}
	if e, ok := reflect.Zero(t).Interface().(enumeration); ok {
		return &jsonschema.Schema{Enum: jsonschema.Words(e.legal())}
	}
	switch t.Kind() {
	case reflect.Struct:
		return m.define(t, func() *jsonschema.Schema { return m.structSchema(t) })
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: m.of(t.Elem())}
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: m.of(t.Elem())}
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Uint64:
		return &jsonschema.Schema{Type: "integer", Minimum: "0"}
	}
	return &jsonschema.Schema{Type: "integer"}
}

// define refers to the definition of a type, which is made once.
func (m *schemaMaker) define(t reflect.Type, make func() *jsonschema.Schema) *jsonschema.Schema {
	name := strings.TrimSuffix(t.Name(), "Spec")
	if !m.known[name] {
		m.known[name] = true
		s := make()
		m.definitions = append(m.definitions, jsonschema.Named{Name: name, Schema: s})
	}
	return jsonschema.RefTo(name)
}

// structSchema makes the schema of a mapping with known fields.
func (m *schemaMaker) structSchema(t reflect.Type) *jsonschema.Schema {
	about := textOf(t, "")
	s := &jsonschema.Schema{Description: about.text, Type: "object", AdditionalProperties: false}
	for _, f := range fieldsOf(t) {
		text := textOf(t, f.name)
		inner := shaped(bounded(m.of(t.FieldByIndex(f.index).Type), text.legal), schemaPatterns[strings.TrimSuffix(t.Name(), "Spec")+"."+f.name])
		s.Properties = append(s.Properties, jsonschema.Named{Name: f.name, Schema: jsonschema.Described(inner, description(text))})
		if text.preset == required && t != reflect.TypeFor[clientSpec]() {
			s.Required = append(s.Required, f.name)
		}
	}
	if about.legal == oneOfThem {
		s.MinProperties, s.MaxProperties = 1, 1
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && strings.HasSuffix(f.Type.Name(), "Choice") {
			s.OneOf = eachRequired(fieldNames(f.Type))
		}
	}
	if rules := schemaRules[t]; rules != nil {
		s.AllOf = rules(m, t)
	}
	return s
}

// eachRequired is a list of schemas of which each requires one of the fields.
func eachRequired(names []string) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	for _, name := range names {
		out = append(out, &jsonschema.Schema{Required: []string{name}})
	}
	return out
}

// description tells what editors show of a field.
func description(t fieldText) string {
	text := t.text
	if t.legal != "" {
		text += "\nLegal: " + t.legal + "."
	}
	if t.preset != "" && t.preset != required {
		text += "\nDefault: " + t.preset + "."
	}
	return text
}

// The texts of what is legal that are ranges of numbers. What they say after a semicolon
// narrows nothing.
var (
	legalFromTo  = regexp.MustCompile(`^([0-9.e]+) to ([0-9.e]+)$`)
	legalOrMore  = regexp.MustCompile(`^([0-9.e]+) or more$`)
	legalAtMost  = regexp.MustCompile(`^at most ([0-9.e]+)$`)
	legalAbove   = regexp.MustCompile(`^above ([0-9.e]+)$`)
	legalAboveTo = regexp.MustCompile(`^above ([0-9.e]+), at most ([0-9.e]+)$`)
	legalEither  = regexp.MustCompile(`^([0-9]+) or ([0-9]+)$`)
	atLeastOne   = "at least one"
)

// bounded puts what a text says of a number, a constant or a list into its schema.
func bounded(s *jsonschema.Schema, legal string) *jsonschema.Schema {
	clause, _, _ := strings.Cut(legal, ";")
	out := *s
	switch {
	case s.Ref == jsonschema.RefTo("duration").Ref && (legal == "above 0" || strings.HasPrefix(legal, "above 0,")):
		// What stands beside a reference does not count.
		out = jsonschema.Schema{AllOf: []*jsonschema.Schema{s, {Type: "string", Pattern: "[1-9]"}}}
	case s.Type == "array" && clause == atLeastOne:
		out.MinItems = 1
	case s.Type == "string" && (legal == apiVersion || legal == scenarioKind):
		out = jsonschema.Schema{Const: legal}
	case s.Type != "integer" && s.Type != "number":
	default:
		limit(&out, clause)
	}
	return &out
}

// limit puts the range that a clause says, if it says one, into the schema of a number.
func limit(s *jsonschema.Schema, clause string) {
	if m := legalFromTo.FindStringSubmatch(clause); m != nil {
		s.Minimum, s.Maximum = json.Number(m[1]), json.Number(m[2])
	} else if m := legalOrMore.FindStringSubmatch(clause); m != nil {
		s.Minimum = json.Number(m[1])
	} else if m := legalAtMost.FindStringSubmatch(clause); m != nil {
		s.Minimum, s.Maximum = "0", json.Number(m[1])
	} else if m := legalAbove.FindStringSubmatch(clause); m != nil {
		s.ExclusiveMinimum = json.Number(m[1])
	} else if m := legalAboveTo.FindStringSubmatch(clause); m != nil {
		s.ExclusiveMinimum, s.Maximum = json.Number(m[1]), json.Number(m[2])
	} else if m := legalEither.FindStringSubmatch(clause); m != nil {
		s.Enum = []any{json.Number(m[1]), json.Number(m[2])}
	}
}
