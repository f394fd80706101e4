package releases

import (
	"reflect"
	"slices"
	"testing"

	flowcontrol "k8s.io/api/flowcontrol/v1"

	"github.com/apfsim/apfsim/scenarios"
)

// TestBuiltInObjects compares the objects that a release makes by itself with those that
// the simulator has for it: their names, specs and annotations.
func TestBuiltInObjects(t *testing.T) {
	for _, o := range selected(t) {
		t.Run(o.name, func(t *testing.T) {
			o.start(t)
			levels, schemas, err := o.builtIn()
			if err != nil {
				t.Fatal(err)
			}
			ours, diagnostics := scenarios.LoadConfiguration(nil, nil, scenarios.ConfigurationOptions{Release: o.version})
			if ours == nil || len(diagnostics) > 0 {
				t.Fatal(diagnostics)
			}
			if len(ours.Levels) != len(levels) || len(ours.Schemas) != len(schemas) {
				t.Errorf("%d levels and %d schemas, want %d and %d", len(ours.Levels), len(ours.Schemas), len(levels), len(schemas))
			}
			for _, want := range levels {
				i := slices.IndexFunc(ours.Levels, func(l scenarios.PriorityLevel) bool { return l.Object.Name == want.Name })
				if i < 0 {
					t.Errorf("no level %s", want.Name)
					continue
				}
				got := ours.Levels[i].Object.DeepCopy()
				fill(want)
				fill(got)
				if !reflect.DeepEqual(got.Spec, want.Spec) || !reflect.DeepEqual(got.Annotations, want.Annotations) {
					t.Errorf("level %s:\n     %+v\nwant %+v", want.Name, got, want)
				}
			}
			for _, want := range schemas {
				i := slices.IndexFunc(ours.Schemas, func(s scenarios.FlowSchema) bool { return s.Object.Name == want.Name })
				if i < 0 {
					t.Errorf("no schema %s", want.Name)
					continue
				}
				got := ours.Schemas[i].Object
				if !reflect.DeepEqual(got.Spec, want.Spec) || !reflect.DeepEqual(got.Annotations, want.Annotations) {
					t.Errorf("schema %s:\n     %+v\nwant %+v", want.Name, got, want)
				}
			}
		})
	}
}

// fill gives a level what releases that do not know the field leave out: nothing lent,
// and no shares of the exempt level.
func fill(l *flowcontrol.PriorityLevelConfiguration) {
	if limited := l.Spec.Limited; limited != nil && limited.LendablePercent == nil {
		limited.LendablePercent = new(int32)
	}
	if l.Spec.Type == flowcontrol.PriorityLevelEnablementExempt && l.Spec.Exempt == nil {
		l.Spec.Exempt = &flowcontrol.ExemptPriorityLevelConfiguration{NominalConcurrencyShares: new(int32), LendablePercent: new(int32)}
	}
}
