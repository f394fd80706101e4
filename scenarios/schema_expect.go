package scenarios

import (
	"reflect"
	"slices"

	"github.com/apfsim/apfsim/internal/jsonschema"
)

// expectRules say what an expectation needs by its metric, and what it cannot have: durations as
// bounds where it is a time and numbers elsewhere, a quantile where it is a distribution, and
// what it is of.
func expectRules(m *schemaMaker, t reflect.Type) []*jsonschema.Schema {
	rules := boundRules(m, t)
	for _, r := range []struct {
		metrics         []string
		needs, excludes []string
	}{
		{metricsWith(func(i int) bool { return metricTraits[i].quantile }), []string{"quantile"}, nil},
		{metricsWith(func(i int) bool { return !metricTraits[i].quantile }), nil, []string{"quantile"}},
		{metricsWith(of(ofAnything)), nil, []string{"server", "holder"}},
		{metricsWith(of(ofLevel)), []string{"priorityLevel"}, []string{"flowSchema", "client", "flow", "server", "holder"}},
		{metricsWith(of(ofWaiting)), []string{"holder"}, []string{"flowSchema", "flow", "server"}},
		{metricsWith(of(ofBacklog)), nil, []string{"flowSchema", "flow", "server", "holder"}},
		{metricsWith(of(ofClients)), nil, []string{"priorityLevel", "flowSchema", "flow", "server", "holder"}},
		{metricsWith(of(ofServers)), nil, []string{"priorityLevel", "flowSchema", "flow", "client", "holder"}},
		{metricsWith(of(ofRun)), nil, []string{"priorityLevel", "flowSchema", "flow", "client", "server", "holder"}},
		{[]string{string(MetricLimit)}, []string{"at"}, []string{"from", "until"}},
		{[]string{string(MetricDrained)}, nil, []string{"from", "until"}},
		{[]string{string(MetricServerShare)}, []string{"server"}, nil},
		{metricsWith(func(i int) bool { m := metricTraits[i].metric; return m != MetricLimit && m != MetricSeatsPeak }), nil, []string{"at"}},
	} {
		rules = append(rules, &jsonschema.Schema{If: isOneOf("metric", r.metrics...), Then: &jsonschema.Schema{Required: r.needs, Not: anyOf(r.excludes)}})
	}
	return append(rules, scopeRules()...)
}

// of is the trait of metrics that they are of a subject.
func of(s subject) func(int) bool { return func(i int) bool { return metricTraits[i].subject == s } }

// anyOf is that any of the fields is there; nil without fields.
func anyOf(fields []string) *jsonschema.Schema {
	if len(fields) == 0 {
		return nil
	}
	return &jsonschema.Schema{AnyOf: eachRequired(fields)}
}

// boundRules: there is a bound, which is a time or a number by the metric, and equals stands
// alone.
func boundRules(m *schemaMaker, t reflect.Type) []*jsonschema.Schema {
	var bounds []string
	for _, f := range fieldsOf(t) {
		if t.FieldByIndex(f.index).Type == reflect.TypeFor[*boundSpec]() {
			bounds = append(bounds, f.name)
		}
	}
	each := func(inner func(name string) *jsonschema.Schema) *jsonschema.Schema {
		s := &jsonschema.Schema{}
		for _, name := range bounds {
			s.Properties = append(s.Properties, jsonschema.Named{Name: name, Schema: inner(name)})
		}
		return s
	}
	time := m.of(reflect.TypeFor[duration]())
	number := func(name string) *jsonschema.Schema {
		if name == "below" {
			return &jsonschema.Schema{Type: "number", ExclusiveMinimum: "0"}
		}
		return &jsonschema.Schema{Type: "number", Minimum: "0"}
	}
	return []*jsonschema.Schema{
		{AnyOf: eachRequired(bounds)},
		{
			If:   isOneOf("metric", metricsWith(func(i int) bool { return metricTraits[i].time })...),
			Then: each(func(string) *jsonschema.Schema { return time }),
			Else: each(number),
		},
		{
			If:   isOneOf("metric", metricsWith(func(i int) bool { return metricTraits[i].metric.isShare() })...),
			Then: each(func(string) *jsonschema.Schema { return &jsonschema.Schema{Maximum: "1"} }),
		},
		{If: anyOf([]string{"equals"}), Then: &jsonschema.Schema{Not: anyOf([]string{"below", "above"})}},
	}
}

// scopeRules: what the fields that say what is looked at demand of each other.
func scopeRules() []*jsonschema.Schema {
	extremes := isOneOf("metric", string(MetricSeatsPeak), string(MetricWaitingPeak), string(MetricNotReady), string(MetricDrained))
	longest := &jsonschema.Schema{Required: []string{"quantile"}, Properties: jsonschema.Map{{Name: "quantile", Schema: &jsonschema.Schema{Const: 1}}}}
	return []*jsonschema.Schema{
		{If: isOneOf("metric", metricsWith(of(ofBacklog))...), Then: &jsonschema.Schema{OneOf: eachRequired([]string{"priorityLevel", "client"})}},
		{If: anyOf([]string{"flow"}), Then: &jsonschema.Schema{Required: []string{"flowSchema"}, Not: anyOf([]string{"client"})}},
		{If: anyOf([]string{"from", "until"}), Then: &jsonschema.Schema{Not: anyOf([]string{"at"})}},
		{
			If:   &jsonschema.Schema{AnyOf: []*jsonschema.Schema{extremes, longest}},
			Then: &jsonschema.Schema{Properties: jsonschema.Map{{Name: "confident", Schema: &jsonschema.Schema{Const: false}}}},
		},
	}
}

// tuneRules: something is said, and nothing twice.
func tuneRules(_ *schemaMaker, t reflect.Type) []*jsonschema.Schema {
	once := &jsonschema.Schema{MinProperties: 1}
	for _, name := range fieldNames(t) {
		once.Properties = append(once.Properties, jsonschema.Named{Name: name, Schema: &jsonschema.Schema{UniqueItems: true}})
	}
	return []*jsonschema.Schema{once}
}

// testRules: a test is made under at least one release, and once under each.
func testRules(*schemaMaker, reflect.Type) []*jsonschema.Schema {
	return []*jsonschema.Schema{{Properties: jsonschema.Map{
		{Name: "kubernetesVersions", Schema: &jsonschema.Schema{MinItems: 1, UniqueItems: true}},
	}}}
}

// testExpectRules: what is said of a request that APF is not concerned with stands alone, and
// something is said.
func testExpectRules(*schemaMaker, reflect.Type) []*jsonschema.Schema {
	others := slices.DeleteFunc(testExpectations(), func(name string) bool { return name == "longRunning" })
	passes := &jsonschema.Schema{Required: []string{"longRunning"}, Properties: jsonschema.Map{{Name: "longRunning", Schema: &jsonschema.Schema{Const: true}}}}
	return []*jsonschema.Schema{
		{MinProperties: 1},
		{If: passes, Then: &jsonschema.Schema{Not: anyOf(others)}},
	}
}

// metricsWith lists the metrics that have a trait.
func metricsWith(trait func(int) bool) []string {
	var names []string
	for i := range metricTraits {
		if trait(i) {
			names = append(names, string(metricTraits[i].metric))
		}
	}
	return names
}
