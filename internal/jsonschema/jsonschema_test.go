package jsonschema

import (
	"encoding/json"
	"testing"
)

func TestOrderAndDescriptions(t *testing.T) {
	s := &Schema{Schema: Draft, Properties: Map{
		{"z", Described(RefTo("x"), "about <z>")},
		{"a", Described(&Schema{Type: "number", Minimum: "0"}, "")},
	}, AdditionalProperties: false, Definitions: Map{{"x", &Schema{Enum: Words([]string{"b", "a"})}}}}
	got, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"$schema":"http://json-schema.org/draft-07/schema#","properties":` +
		`{"z":{"description":"about \u003cz\u003e","allOf":[{"$ref":"#/definitions/x"}]},"a":{"type":"number","minimum":0}},` +
		`"additionalProperties":false,"definitions":{"x":{"enum":["b","a"]}}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDescribedLeavesTheSchemaAlone(t *testing.T) {
	s := &Schema{Type: "string"}
	if d := Described(s, "text"); d.Description != "text" || s.Description != "" || d.Type != "string" {
		t.Errorf("got %+v of %+v", d, s)
	}
}
