package reports

import (
	"reflect"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/internal/jsonschema"
)

// Schema returns the JSON Schema of what is written of results: of one, or of a list of several.
// It is made of the types of the model and of the comments on them.
func Schema() *jsonschema.Schema {
	m := &schemaMaker{docs: modelDocs(), known: map[string]bool{}}
	one, list := m.of(reflect.TypeFor[Result]()), m.of(reflect.TypeFor[ResultList]())
	slices.SortFunc(m.definitions, func(a, b jsonschema.Named) int { return strings.Compare(a.Name, b.Name) })
	return &jsonschema.Schema{
		Schema: jsonschema.Draft, ID: jsonschema.Address("result"), Title: "Result of apfsim",
		Description: "What apfsim run -o json writes: a Result, or a ResultList for several scenarios.",
		If: &jsonschema.Schema{Required: []string{"kind"}, Properties: jsonschema.Map{
			{Name: "kind", Schema: &jsonschema.Schema{Const: ListKind}}}},
		Then: list, Else: one, Definitions: m.definitions,
	}
}

// schemaMaker gathers the definitions that a schema refers to.
type schemaMaker struct {
	docs        *docs
	definitions jsonschema.Map
	known       map[string]bool
}

// ownSchemas are those of the types that write themselves.
var ownSchemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[Duration](): {Type: "string", Pattern: `^-?([0-9]+(\.[0-9]+)?(h|m|s|ms|µs|ns))+$`},
	reflect.TypeFor[Total]():    {Type: "string", Pattern: `^[0-9]+(\.[0-9]{1,9})?s$`},
	reflect.TypeFor[Number]():   {Type: "number"},
	reflect.TypeFor[Value]():    {AnyOf: []*jsonschema.Schema{{Type: "number"}, {Const: "+Inf"}}},
}

// of makes the schema of a type.
func (m *schemaMaker) of(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer {
		return m.of(t.Elem())
	}
	if own, ok := ownSchemas[t]; ok {
		return m.define(t, func() *jsonschema.Schema { return jsonschema.Described(own, m.docs.types[t.Name()].text) })
	}
	switch t.Kind() {
	case reflect.Struct:
		return m.define(t, func() *jsonschema.Schema { return m.structSchema(t) })
	case reflect.Slice:
		items := m.of(t.Elem())
		if t.Elem().Kind() == reflect.Pointer && t.Elem().Elem().Kind() != reflect.Struct { // null where there is no data
			items = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{items, {Type: "null"}}}
		}
		return &jsonschema.Schema{Type: "array", Items: items}
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: m.of(t.Elem())}
	case reflect.String:
		if words := m.docs.words[t.Name()]; len(words) > 0 {
			return &jsonschema.Schema{Enum: jsonschema.Words(words)}
		}
		return &jsonschema.Schema{Type: "string"}
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Float32, reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &jsonschema.Schema{Type: "integer", Minimum: "0"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &jsonschema.Schema{Type: "integer"}
	}
	panic("reports: no schema for the type " + t.String())
}

// define refers to the definition of a type, which is made once.
func (m *schemaMaker) define(t reflect.Type, make func() *jsonschema.Schema) *jsonschema.Schema {
	if !m.known[t.Name()] {
		m.known[t.Name()] = true
		m.definitions = append(m.definitions, jsonschema.Named{Name: t.Name(), Schema: make()})
	}
	return jsonschema.RefTo(t.Name())
}

// structSchema makes the schema of an object. A field is required if it is always written.
func (m *schemaMaker) structSchema(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Description: m.docs.types[t.Name()].text, Type: "object", AdditionalProperties: false}
	m.fields(s, t)
	return s
}

// kinds are the kinds of the documents.
var kinds = map[reflect.Type]string{reflect.TypeFor[Result](): Kind, reflect.TypeFor[ResultList](): ListKind}

// fields adds the fields of a struct, those of embedded ones among them.
func (m *schemaMaker) fields(s *jsonschema.Schema, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			m.fields(s, f.Type)
			continue
		case name == "" || name == "-":
			continue
		}
		inner := m.of(f.Type)
		if kind := kinds[t]; kind != "" && name == "kind" {
			inner = &jsonschema.Schema{Const: kind}
		} else if kind != "" && name == "apiVersion" {
			inner = &jsonschema.Schema{Const: APIVersion}
		}
		s.Properties = append(s.Properties, jsonschema.Named{Name: name, Schema: jsonschema.Described(inner, m.docs.field(t, f))})
		if !strings.Contains(options, "omit") {
			s.Required = append(s.Required, name)
		}
	}
}
