package reports

import (
	"reflect"
	"slices"
	"testing"

	"github.com/apfsim/apfsim/internal/jsonschema"
)

// TestSchemaTellsOfEveryField holds that every field of the model has a description.
func TestSchemaTellsOfEveryField(t *testing.T) {
	n := 0
	for _, d := range Schema().Definitions {
		if d.Schema.Description == "" {
			t.Errorf("there is no comment on the type %s in the files of modelFiles", d.Name)
		}
		for _, f := range d.Schema.Properties {
			n++
			if f.Schema.Description == "" {
				t.Errorf("%s.%s has no comment, nor an entry in plainFields", d.Name, f.Name)
			}
		}
	}
	if n < 300 {
		t.Errorf("only %d fields", n)
	}
}

// TestSchemaDocs holds how comments become descriptions.
func TestSchemaDocs(t *testing.T) {
	d := modelDocs()
	field := func(of reflect.Type, name string) string {
		f, ok := of.FieldByName(name)
		if !ok {
			t.Fatalf("%s has no %s", of, name)
		}
		return d.field(of, f)
	}
	if got := field(reflect.TypeFor[Interval](), "HalfWidth"); got != "halfWidth is left out for a single replication, which tells nothing about it." {
		t.Errorf("got %q", got)
	}
	if a, b := field(reflect.TypeFor[Wait](), "Mean"), field(reflect.TypeFor[Wait](), "Max"); a != "sum, mean and max are exact." || a != b {
		t.Errorf("got %q and %q", a, b)
	}
	if words := d.words["reports.Outcome"]; !slices.Contains(words, string(NoData)) || !slices.Contains(words, string(Passed)) {
		t.Errorf("outcomes %q", words)
	}
	if words := d.words["reports.Metric"]; !slices.Contains(words, string(MetricDrained)) || !slices.Contains(words, string(MetricLimit)) {
		t.Errorf("metrics %q", words)
	}
}

// TestSchemaOfAList holds that the schema tells one result from a list of them.
func TestSchemaOfAList(t *testing.T) {
	s := Schema()
	if s.Then.Ref != jsonschema.RefTo("ResultList").Ref || s.Else.Ref != jsonschema.RefTo("Result").Ref || s.If.Properties[0].Schema.Const != ListKind {
		t.Errorf("%+v", s)
	}
}
