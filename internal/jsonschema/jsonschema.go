// Package jsonschema has the part of JSON Schema, draft-07, that the published schemas use.
// Draft-07 is what editors read.
package jsonschema

import (
	"bytes"
	"encoding/json"
)

// Draft names the draft, for Schema.Schema.
const Draft = "http://json-schema.org/draft-07/schema#"

// Schema is a schema or a part of one. Its fields are written in their order; what is not set
// is left out. A schema with a Ref has no other field: draft-07 ignores what stands beside it.
type Schema struct {
	Schema      string `json:"$schema,omitempty"`
	ID          string `json:"$id,omitempty"`
	Ref         string `json:"$ref,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`

	Type             string      `json:"type,omitempty"`
	Const            any         `json:"const,omitempty"`
	Enum             []any       `json:"enum,omitempty"`
	Pattern          string      `json:"pattern,omitempty"`
	Minimum          json.Number `json:"minimum,omitempty"`
	ExclusiveMinimum json.Number `json:"exclusiveMinimum,omitempty"`
	Maximum          json.Number `json:"maximum,omitempty"`

	Items       *Schema `json:"items,omitempty"`
	MinItems    int     `json:"minItems,omitempty"`
	UniqueItems bool    `json:"uniqueItems,omitempty"`

	Properties    Map      `json:"properties,omitempty"`
	Required      []string `json:"required,omitempty"`
	PropertyNames *Schema  `json:"propertyNames,omitempty"`
	MinProperties int      `json:"minProperties,omitempty"`
	MaxProperties int      `json:"maxProperties,omitempty"`
	// AdditionalProperties is false or a *Schema.
	AdditionalProperties any `json:"additionalProperties,omitempty"`

	AllOf []*Schema `json:"allOf,omitempty"`
	AnyOf []*Schema `json:"anyOf,omitempty"`
	OneOf []*Schema `json:"oneOf,omitempty"`
	Not   *Schema   `json:"not,omitempty"`
	If    *Schema   `json:"if,omitempty"`
	Then  *Schema   `json:"then,omitempty"`
	Else  *Schema   `json:"else,omitempty"`

	Definitions Map `json:"definitions,omitempty"`
}

// Map is schemas by name, in an order.
type Map []Named

// Named is a schema with its name.
type Named struct {
	Name   string
	Schema *Schema
}

// MarshalJSON writes an object whose members are in the order of the map.
func (m Map) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, n := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		for _, part := range []any{n.Name, n.Schema} {
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			if err := e.Encode(part); err != nil {
				return nil, err
			}
			if part == any(n.Name) {
				b.WriteByte(':')
			}
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// RefTo refers to a definition.
func RefTo(name string) *Schema { return &Schema{Ref: "#/definitions/" + name} }

// Words makes an enumeration of words.
func Words(words []string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}

// Described returns a schema with a description: a reference is put into an AllOf, where
// draft-07 heeds what stands beside it.
func Described(s *Schema, description string) *Schema {
	if description == "" {
		return s
	}
	if s.Ref != "" {
		return &Schema{Description: description, AllOf: []*Schema{s}}
	}
	out := *s
	out.Description = description
	return &out
}

// Address is where the schema of a name is published, which is also what it is called.
func Address(name string) string {
	return "https://raw.githubusercontent.com/apfsim/apfsim/main/docs/schema/" + name + ".json"
}
