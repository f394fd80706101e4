package scenarios

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// everyField calls visit for all fields below a path.
func everyField(t *testing.T, path string, visit func(*Field)) {
	t.Helper()
	f, err := ExplainField(path)
	if err != nil {
		t.Fatal(err)
	}
	visit(f)
	for _, inner := range f.Fields {
		everyField(t, inner.Path, visit)
	}
}

// TestEveryFieldHasAText holds that there is a sentence, a default and a type for every
// field of a scenario, and the official text for those of the objects of flow control.
func TestEveryFieldHasAText(t *testing.T) {
	n := 0
	everyField(t, "scenario", func(f *Field) {
		n++
		if !strings.HasSuffix(f.Text, ".") && !strings.HasSuffix(f.Text, "}.") || f.Type == "" {
			t.Errorf("%s: type %q, text %q", f.Path, f.Type, f.Text)
		}
	})
	if n < 100 {
		t.Errorf("only %d fields were found", n)
	}
	for _, root := range []string{"flowschema.spec", "prioritylevelconfiguration.spec"} {
		everyField(t, root, func(f *Field) {
			n++
			if f.Text == "" || f.Type == "" {
				t.Errorf("%s: type %q, text %q", f.Path, f.Type, f.Text)
			}
		})
	}
}

// TestNoTextWithoutAField holds that the table speaks of no field that there is not.
func TestNoTextWithoutAField(t *testing.T) {
	known := map[string]bool{}
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		if typ = structOf(typ); typ == nil {
			return
		}
		key := strings.TrimSuffix(typ.Name(), "Spec")
		known[key] = true
		for _, f := range fieldsOf(typ) {
			known[key+"."+f.name] = true
			visit(typ.FieldByIndex(f.index).Type)
		}
	}
	visit(reflect.TypeFor[scenarioSpec]())
	for _, key := range sortedKeys(fieldTexts) {
		if !known[key] {
			t.Errorf("there is no field %s", key)
		}
	}
}

// TestDefaultsOfFields holds that every field has a default, or is one of several of which
// one is set.
func TestDefaultsOfFields(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[arrivalsSpec](), reflect.TypeFor[distributionSpec]()} {
		if textOf(typ, "").legal != oneOfThem {
			t.Errorf("%s does not say that one of its fields is set", typ.Name())
		}
	}
	everyField(t, "scenario", func(f *Field) {
		for _, inner := range f.Fields {
			one := f.Type == "a mapping" && textOf(typeAt(t, f.Path), "").legal == oneOfThem
			if (inner.Default == "") != one {
				t.Errorf("%s: default %q", inner.Path, inner.Default)
			}
		}
	})
}

// TestRequiredFields holds that a field whose default is said to be required has no
// omitempty, and the other way round where the format knows.
func TestRequiredFields(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[scenarioSpec](), reflect.TypeFor[metadataSpec](), reflect.TypeFor[poissonSpec](),
		reflect.TypeFor[traceSpec](), reflect.TypeFor[gammaSpec](), reflect.TypeFor[paretoSpec](), reflect.TypeFor[stageSpec]()} {
		for _, f := range fieldsOf(typ) {
			if said := textOf(typ, f.name).preset == required; said == f.omitEmpty {
				t.Errorf("%s.%s: required %v, omitempty %v", typ.Name(), f.name, said, f.omitEmpty)
			}
		}
	}
}

// typeAt returns the struct that the value at a path is, or holds.
func typeAt(t *testing.T, path string) reflect.Type {
	t.Helper()
	typ := reflect.TypeFor[scenarioSpec]()
	for _, word := range strings.Split(path, ".")[1:] {
		f, ok := fieldNamed(typ, word)
		if !ok {
			t.Fatalf("there is no field %s", path)
		}
		typ = structOf(typ.FieldByIndex(f.index).Type)
	}
	return typ
}

func TestExplainField(t *testing.T) {
	for _, c := range []struct{ path, typ, preset, text string }{
		{"scenario.server.requestTimeout", "a duration", "60s", "--request-timeout"},
		{"Scenario.Server.RequestTimeout", "a duration", "60s", "--request-timeout"},
		{"scenario.clients.arrivals.poisson.rate", "a number", "required", "per client and second"},
		{"scenario.objects", "a mapping of names to mappings", "none", "stored objects"},
		{"scenario.objects.count", "a whole number", "required", "How many"},
		{"scenario.clients.groups", "a list of text", "none", "verbatim"},
		{"scenario.clients.requests.duration.quantiles", "a mapping of names to durations", "", "quantiles"},
		{"scenario.expect.below", "a number or a duration", "none", "less"},
		{"flowschema.spec.matchingPrecedence", "a whole number", "", "numerically lowest"},
		{"flowschemas.spec.rules.subjects.user.name", "text", "", "username"},
		{"prioritylevelconfiguration.spec.limited.limitResponse.queuing.handSize", "a whole number", "", "handSize"},
		{"flowschema.metadata.creationTimestamp", "a time", "", "timestamp"},
	} {
		f, err := ExplainField(c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if f.Type != c.typ || f.Default != c.preset || !strings.Contains(f.Text, c.text) {
			t.Errorf("%s: %+v", c.path, f)
		}
	}
	for path, want := range map[string]FieldError{
		"server":                  {Word: "server"},
		"scenario.sever":          {Within: "scenario", Word: "sever"},
		"scenario.seed.x":         {Within: "scenario.seed", Word: "x"},
		"scenario.":               {Within: "scenario", Word: ""},
		"scenario.clients.name.x": {Within: "scenario.clients.name", Word: "x"},
	} {
		_, err := ExplainField(path)
		var f *FieldError
		if !errors.As(err, &f) || f.Within != want.Within || f.Word != want.Word || (len(f.Legal) == 0) != strings.HasSuffix(path, ".x") {
			t.Errorf("%s: %#v", path, err)
		}
	}
}
