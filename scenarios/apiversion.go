package scenarios

import (
	"fmt"
	"reflect"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	flowcontrolv1beta1 "k8s.io/api/flowcontrol/v1beta1"
	flowcontrolv1beta2 "k8s.io/api/flowcontrol/v1beta2"
	flowcontrolv1beta3 "k8s.io/api/flowcontrol/v1beta3"
)

// objectVersion is one version of flowcontrol.apiserver.k8s.io.
type objectVersion struct {
	name string
	// schema and level make an empty object of the official type.
	schema, level func() any
	// shares is what the version calls the shares of a level.
	shares string
}

// The names of the shares of a level.
const (
	assuredShares = "assuredConcurrencyShares"
	nominalShares = "nominalConcurrencyShares"
)

// objectVersions are all versions that there have been, oldest first. The types of
// v1alpha1 left k8s.io/api with release 1.29; they had the fields of v1beta1, and are
// read as those.
var objectVersions = []objectVersion{
	{"v1alpha1", newOf[flowcontrolv1beta1.FlowSchema], newOf[flowcontrolv1beta1.PriorityLevelConfiguration], assuredShares},
	{"v1beta1", newOf[flowcontrolv1beta1.FlowSchema], newOf[flowcontrolv1beta1.PriorityLevelConfiguration], assuredShares},
	{"v1beta2", newOf[flowcontrolv1beta2.FlowSchema], newOf[flowcontrolv1beta2.PriorityLevelConfiguration], assuredShares},
	{"v1beta3", newOf[flowcontrolv1beta3.FlowSchema], newOf[flowcontrolv1beta3.PriorityLevelConfiguration], nominalShares},
	{"v1", newOf[flowcontrolv1.FlowSchema], newOf[flowcontrolv1.PriorityLevelConfiguration], nominalShares},
}

func newOf[T any]() any { return new(T) }

// findVersion returns the version of a name.
func findVersion(name string) (*objectVersion, bool) {
	for i := range objectVersions {
		if objectVersions[i].name == name {
			return &objectVersions[i], true
		}
	}
	return nil, false
}

// convert fills an object of v1 from one of any version. The versions differ in the
// name of the shares, and in that v1 alone tells shares of 0 from absent ones: a 0 of
// the others becomes an absence, which the caller undoes where it was told to.
func convert(to, from any) {
	convertValue(reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem())
}

func convertValue(to, from reflect.Value) {
	switch {
	case to.Type() == from.Type():
		to.Set(from)
	case to.Kind() == reflect.Pointer && from.Kind() != reflect.Pointer:
		if !from.IsZero() {
			to.Set(reflect.New(to.Type().Elem()))
			convertValue(to.Elem(), from)
		}
	case to.Kind() == reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
			convertValue(to.Elem(), from.Elem())
		}
	case to.Kind() == reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				convertValue(to.Index(i), from.Index(i))
			}
		}
	case to.Kind() == reflect.Struct:
		convertStruct(to, from)
	default:
		to.Set(from.Convert(to.Type()))
	}
}

// convertStruct copies the fields by their names.
func convertStruct(to, from reflect.Value) {
	for i := range from.NumField() {
		name := from.Type().Field(i).Name
		if name == "AssuredConcurrencyShares" {
			name = "NominalConcurrencyShares"
		}
		field := to.FieldByName(name)
		if !field.IsValid() {
			panic(fmt.Sprintf("scenarios: %s has no field for %s of %s", to.Type(), name, from.Type()))
		}
		convertValue(field, from.Field(i))
	}
}
