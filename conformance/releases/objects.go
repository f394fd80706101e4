package releases

import (
	"encoding/json"
	"fmt"
	"strings"

	flowcontrol "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/apfsim/apfsim/scheduler/release"
)

const (
	nominalShares = "nominalConcurrencyShares"
	assuredShares = "assuredConcurrencyShares"
)

// since tells whether the release is of a minor version or of a later one.
func (o *oracle) since(minor int) bool { return !o.version.Less(release.Version{Minor: minor}) }

// builtIn returns the built-in objects in v1. What the release has no field for has the
// value that the field would have: an exempt level of before 1.28 has no shares.
func (o *oracle) builtIn() ([]*flowcontrol.PriorityLevelConfiguration, []*flowcontrol.FlowSchema, error) {
	var levels []*flowcontrol.PriorityLevelConfiguration
	var schemas []*flowcontrol.FlowSchema
	for _, text := range o.bootstrap {
		text = []byte(strings.ReplaceAll(string(text), assuredShares, nominalShares))
		var kind metav1.TypeMeta
		if err := json.Unmarshal(text, &kind); err != nil {
			return nil, nil, err
		}
		var err error
		if kind.Kind == "FlowSchema" {
			s := new(flowcontrol.FlowSchema)
			err = json.Unmarshal(text, s)
			schemas = append(schemas, s)
		} else {
			l := new(flowcontrol.PriorityLevelConfiguration)
			err = json.Unmarshal(text, l)
			if l.Spec.Type == flowcontrol.PriorityLevelEnablementExempt && l.Spec.Exempt == nil {
				l.Spec.Exempt = &flowcontrol.ExemptPriorityLevelConfiguration{
					NominalConcurrencyShares: new(int32), LendablePercent: new(int32),
				}
			}
			levels = append(levels, l)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return levels, schemas, nil
}

// write returns an object of v1 in the version that the release's controller reads, as
// the API server would hand it over: without the fields that the release does not have.
func (o *oracle) write(object metav1.Object) (json.RawMessage, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	delete(fields, "status")
	delete(fields["metadata"].(map[string]any), "uid")
	fields["apiVersion"] = o.apiVersion
	switch object.(type) {
	case *flowcontrol.FlowSchema:
		fields["kind"] = "FlowSchema"
	case *flowcontrol.PriorityLevelConfiguration:
		fields["kind"] = "PriorityLevelConfiguration"
		o.fitLevel(fields["spec"].(map[string]any))
	default:
		return nil, fmt.Errorf("%T is no object of flow control", object)
	}
	return json.Marshal(fields)
}

// fitLevel changes the specification of a priority level from v1 to the release's version.
func (o *oracle) fitLevel(spec map[string]any) {
	if !o.since(28) {
		delete(spec, "exempt")
	}
	limited, ok := spec["limited"].(map[string]any)
	if !ok {
		return
	}
	if !o.since(26) {
		delete(limited, "lendablePercent")
		delete(limited, "borrowingLimitPercent")
	}
	if limited[nominalShares] == float64(0) && !o.since(30) {
		limited[nominalShares] = 1 // no shares at all is not allowed yet
	}
	if !o.since(26) {
		limited[assuredShares] = limited[nominalShares]
		delete(limited, nominalShares)
	}
}
