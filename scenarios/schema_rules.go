package scenarios

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/jsonschema"
	"github.com/apfsim/apfsim/scheduler/release"
)

// The patterns of texts that are no words of a fixed set.
const (
	namePattern     = `^[a-z0-9.-]{1,63}$`
	resourcePattern = `^[a-z0-9-]+$`
	groupPattern    = `^[a-z0-9.-]*$`
)

// versionPattern is of the releases that are known.
var versionPattern = func() string {
	var minors []string
	for minor := release.First.Minor; minor <= release.Last.Minor; minor++ {
		minors = append(minors, strconv.Itoa(minor))
	}
	return `^v?1\.(` + strings.Join(minors, "|") + `)(\.[0-9]{1,4}([-+].*)?)?$`
}()

// schemaPatterns are the patterns of texts, of the items of lists, and of the keys of mappings,
// by the names that fieldTexts has. They are of what the reader takes, or of more.
var schemaPatterns = map[string]string{
	"metadata.name":                    namePattern,
	"client.name":                      namePattern,
	"request.resource":                 resourcePattern,
	"watch.resource":                   resourcePattern,
	"namespaceObjects.resource":        resourcePattern,
	"request.apiGroup":                 groupPattern,
	"watch.apiGroup":                   groupPattern,
	"namespaceObjects.apiGroup":        groupPattern,
	"request.path":                     `^/[^? \t\n]*$`,
	"scenario.objects":                 `^[a-z0-9-]+(\.[a-z0-9.-]+)?$`,
	"distribution.quantiles":           `^p(100(\.0*)?|[0-9]{1,2}(\.[0-9]*)?)$`,
	"change.delete":                    `^(` + schemaKind + `|` + levelKind + `)/.+$`,
	"change.manifests":                 `^.`,
	"flowControl.manifests":            `^.`,
	"trace.file":                       `^.`,
	"expect.priorityLevel":             `^.`,
	"expect.flowSchema":                `^.`,
	"expect.client":                    `^.`,
	"expect.holder":                    `^.`,
	"tune.goals":                       `[<>=]\s*\S`,
	"tune.knobs":                       `\S.*=\s*\S`,
	"tune.minimize":                    `\S`,
	"test.name":                        `^[^\n\r]*[^\s][^\n\r]*$`,
	"operation.kubernetesVersion":      versionPattern,
	"rollingUpgrade.kubernetesVersion": versionPattern,
	"test.kubernetesVersions":          versionPattern,
	"scenario.kubernetesVersion":       versionPattern,
	"testRequest.user":                 `^.`,
	"testRequest.resource":             resourcePattern,
	"testRequest.apiGroup":             groupPattern,
	"testRequest.path":                 `^/[^? \t\n]*$`,
}

// shaped puts a pattern into the schema of a text, of a list of texts, or of a mapping.
func shaped(s *jsonschema.Schema, pattern string) *jsonschema.Schema {
	if pattern == "" {
		return s
	}
	out, text := *s, &jsonschema.Schema{Type: "string", Pattern: pattern}
	switch s.Type {
	case "array":
		out.Items = text
	case "object":
		out.PropertyNames = &jsonschema.Schema{Pattern: pattern}
	default:
		out.Pattern = pattern
	}
	return &out
}

// schemaRules are what fields of a mapping demand of each other, as schemas that all must hold.
var schemaRules map[reflect.Type]func(*schemaMaker, reflect.Type) []*jsonschema.Schema

func init() {
	schemaRules = map[reflect.Type]func(*schemaMaker, reflect.Type) []*jsonschema.Schema{
		reflect.TypeFor[expectSpec]():      expectRules,
		reflect.TypeFor[clientSpec]():      clientRules,
		reflect.TypeFor[requestSpec]():     requestRules,
		reflect.TypeFor[testRequestSpec](): requestRules,
		reflect.TypeFor[testSpec]():        testRules,
		reflect.TypeFor[testExpectSpec]():  testExpectRules,
		reflect.TypeFor[tuneSpec]():        tuneRules,
		reflect.TypeFor[retrySpec]():       retryRules,
		reflect.TypeFor[changeSpec](): func(*schemaMaker, reflect.Type) []*jsonschema.Schema {
			return []*jsonschema.Schema{{AnyOf: eachRequired([]string{"manifests", "delete"})}}
		},
	}
}

// clientRules: a population has a user, requests and arrivals of its own, unless it has a preset
// or is a trace.
func clientRules(_ *schemaMaker, t reflect.Type) []*jsonschema.Schema {
	var own []string
	for _, f := range fieldsOf(t) {
		if textOf(t, f.name).preset == required && f.name != "name" {
			own = append(own, f.name)
		}
	}
	return []*jsonschema.Schema{
		{Required: []string{"name"}},
		{If: &jsonschema.Schema{AnyOf: eachRequired([]string{"preset", "trace"})}, Then: &jsonschema.Schema{}, Else: &jsonschema.Schema{Required: own}},
		{If: anyOf([]string{"trace"}), Then: &jsonschema.Schema{Not: anyOf(slices.Concat(toldByTraces, notOfTraces))}},
	}
}

// requestRules: a request for a path has other verbs than one for a resource and none of its
// options, and some options are of some verbs alone.
func requestRules(*schemaMaker, reflect.Type) []*jsonschema.Schema {
	verbs := func(legal []string) jsonschema.Map {
		return jsonschema.Map{{Name: "verb", Schema: &jsonschema.Schema{Enum: jsonschema.Words(legal)}}}
	}
	others := func(verbs ...string) []string {
		return slices.DeleteFunc(slices.Clone(resourceVerbs), func(v string) bool { return slices.Contains(verbs, v) })
	}
	without := func(of []string, fields ...string) *jsonschema.Schema {
		return &jsonschema.Schema{If: isOneOf("verb", of...), Then: &jsonschema.Schema{Not: anyOf(fields)}}
	}
	return []*jsonschema.Schema{
		{
			If:   &jsonschema.Schema{Required: []string{"path"}},
			Then: &jsonschema.Schema{Properties: verbs(pathVerbs), Not: anyOf(notOfPaths)},
			Else: &jsonschema.Schema{Properties: verbs(resourceVerbs), Required: []string{"resource"}, AllOf: []*jsonschema.Schema{
				without(others("list", "watch", "deletecollection"), ofLists...),
				without(others("list", "watch", "deletecollection", "get"), "resourceVersion"),
				without(others("watch"), "sendInitialEvents"),
			}},
		},
	}
}

// retryRules: what the texts say is required with one policy.
func retryRules(_ *schemaMaker, t reflect.Type) []*jsonschema.Schema {
	var rules []*jsonschema.Schema
	for _, f := range fieldsOf(t) {
		if policy, ok := strings.CutPrefix(textOf(t, f.name).preset, "required with the policy "); ok {
			rules = append(rules, &jsonschema.Schema{If: isOneOf("policy", policy), Then: &jsonschema.Schema{Required: []string{f.name}}})
		}
	}
	return rules
}

// isOneOf is the condition that a field is one of some words.
func isOneOf(field string, words ...string) *jsonschema.Schema {
	return &jsonschema.Schema{Required: []string{field}, Properties: jsonschema.Map{
		{Name: field, Schema: &jsonschema.Schema{Enum: jsonschema.Words(words)}}}}
}
