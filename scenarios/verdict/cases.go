package verdict

import (
	"fmt"
	"slices"
	"strings"
)

// Case is an object for a server of one release.
type Case struct {
	// Minor is the release: 37 is 1.37.
	Minor int
	// Text is the object in YAML, as a user has it in a file.
	Text string
	// Lenient leaves out the fields that do not exist, as kubectl apply --validate=ignore
	// lets the server do.
	Lenient bool
}

// Minors are the releases whose code is asked: at least one of each run of releases that
// validate alike (docs/validation.md).
var Minors = []int{20, 22, 25, 26, 28, 29, 31, 33, 36, 37}

// alike are the releases in between, each with the one of Minors whose files that read and
// judge objects are the same but for wording.
var alike = map[int]int{21: 20, 23: 25, 24: 25, 27: 26, 30: 31, 32: 33, 34: 33, 35: 33}

// newestVersion is the newest version that a release serves.
func newestVersion(minor int) string {
	switch {
	case minor < 23:
		return "v1beta1"
	case minor < 26:
		return "v1beta2"
	case minor < 29:
		return "v1beta3"
	}
	return "v1"
}

// template is a small valid object. The fields that a case gives take the place of
// those at the mark, which are one a line.
type template struct {
	before []string
	fields []string
}

const (
	subjects  = `subjects: [{kind: User, user: {name: alice}}]`
	resources = `resourceRules: [{verbs: [get], apiGroups: [""], resources: [pods], namespaces: [default]}]`
	reject    = `limitResponse: {type: Reject}`
)

var (
	schemaSpec = []string{"matchingPrecedence: 500", "priorityLevelConfiguration: {name: workload-low}", "distinguisherMethod: {type: ByUser}",
		"rules: [{" + subjects + ", " + resources + "}]"}
	toRules = []string{"spec:", "  priorityLevelConfiguration: {name: workload-low}", "  rules:", "  -"}
	toLimit = []string{"spec:", "  type: Limited", "  limited:"}
)

// templates are the commands of testdata: what the input of each replaces.
var templates = map[string]template{
	"schema":    {[]string{"spec:"}, schemaSpec},
	"rule":      {toRules, []string{subjects, resources}},
	"subject":   {append(slices.Clone(toRules), "    "+resources, "    subjects:", "    -"), []string{"kind: User", "user: {name: alice}"}},
	"resources": {append(slices.Clone(toRules), "    "+subjects, "    resourceRules:", "    -"), []string{"verbs: [get]", `apiGroups: [""]`, "resources: [pods]", "namespaces: [default]"}},
	"paths":     {append(slices.Clone(toRules), "    "+subjects, "    nonResourceRules:", "    -"), []string{"verbs: [get]", "nonResourceURLs: [/healthz]"}},
	"level":     {[]string{"spec:"}, []string{"type: Limited", "limited: {SHARES: 10, " + reject + "}"}},
	"limited":   {toLimit, []string{"SHARES: 10", reject}},
	"queuing":   {append(slices.Clone(toLimit), "    SHARES: 10", "    limitResponse:", "      type: Queue", "      queuing:"), []string{"queues: 64", "handSize: 8", "queueLengthLimit: 50"}},
	"metadata":  {[]string{"metadata:"}, []string{"name: NAME"}},
	"object":    {},
}

// Expand makes the cases of one command of testdata, one for each release: the input in
// the place of the fields of a valid object. SHARES in a text is the name that the
// shares of a level have in the version. The version is the newest that the release
// serves, unless one is given; the name of the object is example, unless one is given.
func Expand(command, version, name, input string) ([]Case, error) {
	t, ok := templates[command]
	if !ok {
		return nil, fmt.Errorf("there is no command %q", command)
	}
	if name == "" {
		name = "example"
	}
	var cases []Case
	for _, minor := range Minors {
		v := version
		if v == "" {
			v = newestVersion(minor)
		}
		shares := "nominalConcurrencyShares"
		if v == "v1alpha1" || v == "v1beta1" || v == "v1beta2" {
			shares = "assuredConcurrencyShares"
		}
		text := t.text(command, input)
		cases = append(cases, Case{Minor: minor, Text: strings.NewReplacer("VERSION", v, "SHARES", shares, "NAME", name).Replace(text)})
	}
	return cases, nil
}

func (t template) text(command, input string) string {
	if command == "object" {
		return input + "\n"
	}
	kind := "FlowSchema"
	if command == "level" || command == "limited" || command == "queuing" {
		kind = "PriorityLevelConfiguration"
	}
	lines := []string{"apiVersion: flowcontrol.apiserver.k8s.io/VERSION", "kind: " + kind}
	switch command {
	case "metadata":
		lines = append(lines, "spec: {priorityLevelConfiguration: {name: workload-low}}")
	default:
		lines = append(lines, "metadata: {name: NAME}")
	}
	lines = append(lines, t.before...)
	last := lines[len(lines)-1]
	indent := strings.Repeat(" ", len(last)-len(strings.TrimLeft(last, " "))+2)
	for _, line := range t.merged(input) {
		lines = append(lines, indent+line)
	}
	return strings.Join(lines, "\n") + "\n"
}

// merged are the lines of the input and those of the template's fields that it does not
// give. An input line "-field" removes a field.
func (t template) merged(input string) []string {
	var lines []string
	given := map[string]bool{}
	for line := range strings.SplitSeq(input, "\n") {
		if name, removed := strings.CutPrefix(line, "-"); removed && !strings.HasPrefix(name, " ") {
			given[name] = true
			continue
		}
		name, _, _ := strings.Cut(line, ":")
		given[name] = true
		if line != "" {
			lines = append(lines, line)
		}
	}
	for _, field := range t.fields {
		if name, _, _ := strings.Cut(field, ":"); !given[name] {
			lines = append(lines, field)
		}
	}
	return lines
}
