package reports

import (
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/internal/jsonschema"
)

// Schema returns the JSON Schema of what is written of results: of one, or of a list of several.
// It is made of the types of the model and of the comments on them.
func Schema() *jsonschema.Schema {
	m := newSchemaMaker(modelDocs())
	m.kinds[reflect.TypeFor[Result]()], m.kinds[reflect.TypeFor[ResultList]()] = documentKind{APIVersion, Kind}, documentKind{APIVersion, ListKind}
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

// DocumentType is another kind of document, which a package below this one writes.
type DocumentType struct {
	// Name is that of its schema, Title and Text say what it is.
	Name, Title, Text string
	// APIVersion and Kind are what it begins with.
	APIVersion, Kind string
	// Type is what it is written from, and Inner are documents within it.
	Type  reflect.Type
	Inner []DocumentType
	// Sources are the files of packages, by their names, whose comments say what the types and fields mean.
	Sources map[string]fs.FS
}

// DocumentSchema returns the JSON Schema of a kind of document, made likewise.
func DocumentSchema(d *DocumentType) *jsonschema.Schema {
	comments := modelDocs()
	for _, name := range slices.Sorted(maps.Keys(d.Sources)) {
		comments.read(name, d.Sources[name])
	}
	m := newSchemaMaker(comments)
	for _, of := range append([]DocumentType{*d}, d.Inner...) {
		m.kinds[of.Type] = documentKind{of.APIVersion, of.Kind}
	}
	whole := m.of(d.Type)
	slices.SortFunc(m.definitions, func(a, b jsonschema.Named) int { return strings.Compare(a.Name, b.Name) })
	return &jsonschema.Schema{
		Schema: jsonschema.Draft, ID: jsonschema.Address(d.Name), Title: d.Title, Description: d.Text,
		AllOf: []*jsonschema.Schema{whole}, Definitions: m.definitions,
	}
}

// documentKind is what a document begins with.
type documentKind struct{ version, kind string }

// schemaMaker gathers the definitions that a schema refers to.
type schemaMaker struct {
	docs        *docs
	definitions jsonschema.Map
	known       map[string]reflect.Type
	// kinds are those of the types that are documents.
	kinds map[reflect.Type]documentKind
}

func newSchemaMaker(d *docs) *schemaMaker {
	return &schemaMaker{docs: d, known: map[string]reflect.Type{}, kinds: map[reflect.Type]documentKind{}}
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
		return m.define(t, func() *jsonschema.Schema { return jsonschema.Described(own, m.docs.types[docName(t)].text) })
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
		if words := m.docs.words[docName(t)]; len(words) > 0 {
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
	switch known := m.known[t.Name()]; {
	case known == nil:
		m.known[t.Name()] = t
		m.definitions = append(m.definitions, jsonschema.Named{Name: t.Name(), Schema: make()})
	case known != t:
		panic("reports: two types of a schema are called " + t.Name())
	}
	return jsonschema.RefTo(t.Name())
}

// structSchema makes the schema of an object. A field is required if it is always written.
func (m *schemaMaker) structSchema(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Description: m.docs.types[docName(t)].text, Type: "object", AdditionalProperties: false}
	m.fields(s, t)
	return s
}

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
		if is, ok := m.kinds[t]; ok && name == "kind" {
			inner = &jsonschema.Schema{Const: is.kind}
		} else if ok && name == "apiVersion" {
			inner = &jsonschema.Schema{Const: is.version}
		}
		s.Properties = append(s.Properties, jsonschema.Named{Name: name, Schema: jsonschema.Described(inner, m.docs.field(t, f))})
		if !strings.Contains(options, "omit") {
			s.Required = append(s.Required, name)
		}
	}
}
