package kubernetes

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/apfsim/apfsim/conformance/kubernetes/oracle/judge"
	"github.com/apfsim/apfsim/scenarios/verdict"
)

// sent returns what kubectl sends to a server of an object in YAML: it decodes the text to
// JSON, and that to a tree which it encodes again. Numbers are normalised by it: 3.0
// becomes 3.
func sent(text string) (json.RawMessage, error) {
	var raw runtime.RawExtension
	if err := yaml.Unmarshal([]byte(text), &raw); err != nil {
		return nil, fmt.Errorf("decode YAML: %w", err)
	}
	tree, _, err := unstructured.UnstructuredJSONScheme.Decode(raw.Raw, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("decode JSON: %w", err)
	}
	out, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("encode JSON: %w", err)
	}
	return out, nil
}

var (
	unregistered = regexp.MustCompile(`^no kind .* is registered for version`)
	quoted       = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
)

// theirs puts the answer of a server into the words of package verdict. A lenient client
// does not ask for strict decoding. To it scenarios shows versions that the release does
// not serve, too, and must read them as the code that is still there does.
func theirs(minor int, v judge.Verdict, lenient bool) (verdict.Verdict, error) {
	switch {
	case v.Unserved && !lenient, unregistered.MatchString(v.Decode):
		return verdict.New(verdict.NotServed), nil
	case v.Decode != "":
		return verdict.New(verdict.Unreadable), nil
	case len(v.Strict) > 0 && !lenient:
		var fields []string
		for _, fault := range v.Strict {
			field, err := strconv.Unquote(quoted.FindString(fault))
			if err != nil {
				return verdict.Verdict{}, fmt.Errorf("a strict error without a field: %s", fault)
			}
			fields = append(fields, field)
		}
		return verdict.New(verdict.Strict, fields...), nil
	case len(v.Errors) > 0:
		var fields []string
		for _, e := range v.Errors {
			fields = append(fields, e.Field)
		}
		return verdict.New(verdict.Refused, fields...), nil
	}
	out := verdict.New(verdict.Accepted)
	spec, err := specV1(minor, v.Object)
	if out.Spec = spec; spec == `{"type":"Exempt"}` && minor >= 28 {
		// What is in force is what the ensurer makes of it, each minute.
		out.Spec = `{"type":"Exempt","exempt":{"nominalConcurrencyShares":0,"lendablePercent":0}}`
	}
	return out, err
}

var oldShares = regexp.MustCompile(`"assuredConcurrencyShares":`)

// specV1 returns the spec of an object of a release in version v1. All versions have the
// same fields in JSON, but for the name of the shares. Before 1.26 no level lends, which
// scenarios puts as a lendablePercent of 0.
func specV1(minor int, object []byte) (string, error) {
	var o struct {
		Kind string
		Spec json.RawMessage
	}
	if err := json.Unmarshal(object, &o); err != nil {
		return "", fmt.Errorf("decode %s: %w", object, err)
	}
	renamed := oldShares.ReplaceAll(o.Spec, []byte(`"nominalConcurrencyShares":`))
	var spec any = &flowcontrolv1.FlowSchemaSpec{}
	var level flowcontrolv1.PriorityLevelConfigurationSpec
	if o.Kind == "PriorityLevelConfiguration" {
		spec = &level
	}
	if err := json.Unmarshal(renamed, spec); err != nil {
		return "", fmt.Errorf("decode the spec %s: %w", renamed, err)
	}
	if level.Limited != nil && minor < 26 {
		level.Limited.LendablePercent = new(int32)
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return "", fmt.Errorf("encode the spec: %w", err)
	}
	return string(text), nil
}

// askAll returns the verdicts of a server on cases, in their order. A text that kubectl
// cannot make JSON of is never sent.
func askAll(s server, cases []verdict.Case) ([]verdict.Verdict, error) {
	var questions []judge.Question
	var at []int
	verdicts := make([]verdict.Verdict, len(cases))
	for i, c := range cases {
		object, err := sent(c.Text)
		if err != nil {
			verdicts[i] = verdict.New(verdict.Unreadable)
			continue
		}
		questions, at = append(questions, judge.Question{Object: object}), append(at, i)
	}
	replies, err := s.ask(questions)
	if err != nil {
		return nil, err
	}
	for i, r := range replies {
		if verdicts[at[i]], err = theirs(s.minor, *r.Verdict, cases[at[i]].Lenient); err != nil {
			return nil, fmt.Errorf("%w, of %s", err, questions[i].Object)
		}
	}
	return verdicts, nil
}
