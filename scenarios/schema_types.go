package scenarios

import "github.com/apfsim/apfsim/internal/jsonschema"

// The schemas of the types that read themselves.

func (duration) schema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Description: durationLegal,
		AnyOf: []*jsonschema.Schema{
			{Type: "string", Pattern: `^\+?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`},
			{Const: 0},
		},
	}
}

func (byteSize) schema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Description: byteSizeLegal,
		AnyOf: []*jsonschema.Schema{
			{Type: "string", Pattern: sizeShape.String()},
			{Type: "integer", Minimum: "0"},
		},
	}
}

// schema is of a bound of any metric; metricRules say which bounds a metric has.
func (boundSpec) schema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Description: "a duration where the metric is a time, else a number",
		AnyOf:       append(duration(0).schema().AnyOf, &jsonschema.Schema{Type: "number", Minimum: "0"}),
	}
}

func (retryAfter) schema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "integer", Minimum: "1"}, {Const: "none"}}}
}

func (admission) schema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Const: "all"},
		{Type: "array", Items: &jsonschema.Schema{Type: "string"}},
	}}
}
