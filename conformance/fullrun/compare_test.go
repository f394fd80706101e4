package fullrun

import (
	"reflect"
	"strings"
	"testing"
)

// TestCompareSeesEveryField changes one field after the other: a comparison that
// overlooks a field would let any difference in it pass.
func TestCompareSeesEveryField(t *testing.T) {
	decision := Decision{
		ID: 7, Arrival: "1s", FlowSchema: "schema", PriorityLevel: "level", Flow: new("flow"), Queue: new(3),
		InitialSeats: 1, FinalSeats: 2, AdditionalLatency: "5ms", Outcome: "rejected", Reason: "time-out",
		Dispatched: "2s", Finished: "3s", RetryAfter: "4",
	}
	if d := CompareDecisions([]Decision{decision}, []Decision{decision}); d != "" {
		t.Fatalf("a decision differs from itself: %s", d)
	}
	for i := range reflect.TypeFor[Decision]().NumField() {
		other := decision
		field := reflect.ValueOf(&other).Elem().Field(i)
		if field.Kind() == reflect.Pointer {
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		switch field.Kind() {
		case reflect.String:
			field.SetString("other")
		default:
			field.SetInt(99)
		}
		name, _, _ := strings.Cut(reflect.TypeFor[Decision]().Field(i).Tag.Get("json"), ",")
		d := CompareDecisions([]Decision{decision}, []Decision{other})
		if !strings.Contains(d, "request 7: "+name+" ") {
			t.Errorf("field %s changed, reported %q", name, d)
		}
	}
}

func TestCompareSeesMissingDecisions(t *testing.T) {
	if d := CompareDecisions(make([]Decision, 2), make([]Decision, 1)); !strings.Contains(d, "1 decisions, want 2") {
		t.Errorf("reported %q", d)
	}
}
