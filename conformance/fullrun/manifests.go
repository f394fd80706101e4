package fullrun

import (
	"fmt"

	flowcontrol "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"sigs.k8s.io/yaml"
)

// BuiltIn returns copies of the objects that a server maintains by itself. The uid
// of each is its name: the filter tells uids in its response headers.
func BuiltIn() ([]*flowcontrol.PriorityLevelConfiguration, []*flowcontrol.FlowSchema) {
	var levels []*flowcontrol.PriorityLevelConfiguration
	for _, list := range [][]*flowcontrol.PriorityLevelConfiguration{
		bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations,
	} {
		for _, o := range list {
			o = o.DeepCopy()
			o.UID = types.UID(o.Name)
			levels = append(levels, o)
		}
	}
	var schemas []*flowcontrol.FlowSchema
	for _, list := range [][]*flowcontrol.FlowSchema{bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas} {
		for _, o := range list {
			o = o.DeepCopy()
			o.UID = types.UID(o.Name)
			schemas = append(schemas, o)
		}
	}
	return levels, schemas
}

// SetLevel adds a priority level or replaces the one of the same name.
func (sc *Scenario) SetLevel(level *flowcontrol.PriorityLevelConfiguration) {
	level.UID = types.UID(level.Name)
	for i, old := range sc.PriorityLevels {
		if old.Name == level.Name {
			sc.PriorityLevels[i] = level
			return
		}
	}
	sc.PriorityLevels = append(sc.PriorityLevels, level)
}

// SetSchema adds a flow schema or replaces the one of the same name.
func (sc *Scenario) SetSchema(schema *flowcontrol.FlowSchema) {
	schema.UID = types.UID(schema.Name)
	for i, old := range sc.FlowSchemas {
		if old.Name == schema.Name {
			sc.FlowSchemas[i] = schema
			return
		}
	}
	sc.FlowSchemas = append(sc.FlowSchemas, schema)
}

// addManifests puts the objects of a multi-document file over those that there are.
func (sc *Scenario) addManifests(name string) error {
	objects, err := readManifests(name)
	if err != nil {
		return err
	}
	for _, o := range objects {
		switch o := o.(type) {
		case *flowcontrol.FlowSchema:
			sc.SetSchema(o)
		case *flowcontrol.PriorityLevelConfiguration:
			sc.SetLevel(o)
		}
	}
	return nil
}

// readManifest reads one object and fills in its defaults.
func readManifest(document []byte) (metav1.Object, error) {
	var kind struct {
		Kind string `json:"kind"`
	}
	if err := yaml.Unmarshal(document, &kind); err != nil {
		return nil, err
	}
	switch kind.Kind {
	case schemaKind:
		var o flowcontrol.FlowSchema
		if err := yaml.UnmarshalStrict(document, &o); err != nil {
			return nil, err
		}
		defaultSchema(&o)
		return &o, nil
	case levelKind:
		var o flowcontrol.PriorityLevelConfiguration
		if err := yaml.UnmarshalStrict(document, &o); err != nil {
			return nil, err
		}
		defaultLevel(&o)
		return &o, nil
	}
	return nil, fmt.Errorf("kind %q is neither FlowSchema nor PriorityLevelConfiguration", kind.Kind)
}

// The defaults of kube-apiserver for the fields that a manifest leaves out.
const (
	defaultPrecedence       = 1000
	defaultShares           = 30
	defaultQueues           = 64
	defaultHandSize         = 8
	defaultQueueLengthLimit = 50
)

// defaultSchema fills in what kube-apiserver defaults in a FlowSchema of version v1
// (pkg/apis/flowcontrol/v1/defaults.go of k8s.io/kubernetes).
func defaultSchema(o *flowcontrol.FlowSchema) {
	if o.Spec.MatchingPrecedence == 0 {
		o.Spec.MatchingPrecedence = defaultPrecedence
	}
}

// defaultLevel does the same for a priority level.
func defaultLevel(o *flowcontrol.PriorityLevelConfiguration) {
	if e := o.Spec.Exempt; e != nil {
		e.NominalConcurrencyShares = new(or(e.NominalConcurrencyShares, 0))
		e.LendablePercent = new(or(e.LendablePercent, 0))
	}
	l := o.Spec.Limited
	if l == nil {
		return
	}
	l.NominalConcurrencyShares = new(or(l.NominalConcurrencyShares, defaultShares))
	l.LendablePercent = new(or(l.LendablePercent, 0))
	if q := l.LimitResponse.Queuing; q != nil {
		setIfZero(&q.Queues, defaultQueues)
		setIfZero(&q.HandSize, defaultHandSize)
		setIfZero(&q.QueueLengthLimit, defaultQueueLengthLimit)
	}
}

func setIfZero(p *int32, value int32) {
	if *p == 0 {
		*p = value
	}
}

// manifests returns all objects as one multi-document text.
func (sc *Scenario) manifests() (string, error) {
	var objects []metav1.Object
	for _, o := range sc.PriorityLevels {
		objects = append(objects, o)
	}
	for _, o := range sc.FlowSchemas {
		objects = append(objects, o)
	}
	return manifestText(objects)
}
