package kubernetes

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/scenarios/verdict"
)

// scalars are values as people write them, and as versions of YAML differ about them.
var scalars = []string{
	"yes", "no", "on", "off", "y", "n", "Y", "YES", "Off", "true", "True", "TRUE", "tRUE", "false",
	"null", "Null", "NULL", "~", "", "nil",
	"0", "-0", "+5", "5", "05", "010", "08", "0o10", "0x10", "0X10", "0b101", "1_000", "1__0", "_1", "1e3", "1E3", "1e+3", "1.5e1", "5.0", "5.", ".5", "5.5", "-.5e1",
	".inf", "-.INF", ".nan", "1:30", "190:20:30", "12e03", "1e400",
	"2147483647", "2147483648", "-2147483649", "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551616",
	"2023-01-01", "2023-01-01T00:00:00Z", "2023-01-01 00:00:00", "12:00",
	`"5"`, "'5'", `"yes"`, `'null'`, `"~"`, "!!str 5", "!!str yes", "!!int \"5\"", "!!float 5", "!!bool yes", "!!null x", "!local 5",
	"a b", "a: b", "a #b", "a#b", "- a", "[5]", "{a: 5}", "[]", "{}", "[a, b,]", "[a, , b]", "{a, b: c}", "*", "'*'", "&a 5", "*a", "@a", "`a`", "%a", "!a", "|", ">", "a'b", `a"b`, `"a\tb"`, `"a\qb"`, "'it''s'",
	"|\n        five", ">-\n        five\n        six", "\"two\n        lines\"", "two\n        words",
	"=", "<<", "<", "#a", ",", "a,b", "\u00e9", "\u2028", `"\u0000"`, `"\ud800"`, `"\x41"`,
}

// slots are fields of each type that objects have.
var slots = []struct{ name, text string }{
	{"int32", "spec:\n  priorityLevelConfiguration: {name: a}\n  matchingPrecedence: "},
	{"string", "spec:\n  priorityLevelConfiguration:\n    name: "},
	{"free string", "spec:\n  priorityLevelConfiguration: {name: a}\n  rules:\n  - resourceRules: [{verbs: [get], apiGroups: [a], resources: [b], clusterScope: true}]\n    subjects:\n    - kind: User\n      user:\n        name: "},
	{"item", "spec:\n  priorityLevelConfiguration: {name: a}\n  rules:\n  - subjects: [{kind: User, user: {name: a}}]\n    resourceRules:\n    - verbs: [get]\n      apiGroups: [a]\n      clusterScope: true\n      resources:\n      - "},
	{"bool", "spec:\n  priorityLevelConfiguration: {name: a}\n  rules:\n  - subjects: [{kind: User, user: {name: a}}]\n    resourceRules:\n    - verbs: [get]\n      apiGroups: [a]\n      resources: [b]\n      namespaces: [c]\n      clusterScope: "},
	{"annotation", "spec:\n  priorityLevelConfiguration: {name: a}\nmetadata:\n  name: example\n  annotations:\n    a: "},
	{"key", "spec:\n  priorityLevelConfiguration: {name: a}\nmetadata:\n  name: example\n  annotations:\n    ? "},
	{"struct", "spec:\n  priorityLevelConfiguration: {name: a}\n  distinguisherMethod: "},
	{"list", "spec:\n  priorityLevelConfiguration: {name: a}\n  rules: "},
}

func inSlot(slot, scalar string) string {
	text := "apiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: FlowSchema\n"
	if !strings.Contains(slot, "metadata:") {
		text += "metadata: {name: example}\n"
	}
	return text + slot + scalar + "\n"
}

// shapes are whole documents that YAML readers stumble over.
var shapes = map[string]string{
	"anchor":            "spec:\n  priorityLevelConfiguration: &l {name: a}\n  rules: []\n",
	"alias":             "spec:\n  priorityLevelConfiguration: {name: &n a}\n  distinguisherMethod: {type: &t ByUser}\n  rules:\n  - subjects: [{kind: User, user: {name: *n}}]\n    resourceRules: [{verbs: [get], apiGroups: [*n], resources: [*n], namespaces: [*n]}]\n",
	"merge":             "spec:\n  priorityLevelConfiguration: {name: a}\n  rules:\n  - subjects: [{kind: User, user: {name: a}}]\n    resourceRules:\n    - &r {verbs: [get], apiGroups: [a], resources: [b], namespaces: [c]}\n    - <<: *r\n      verbs: [list]\n",
	"merge of a list":   "spec:\n  priorityLevelConfiguration: {name: a}\n  rules:\n  - subjects: [{kind: User, user: {name: a}}]\n    resourceRules:\n    - &r {verbs: [get], apiGroups: [a], resources: [b], namespaces: [c]}\n    - <<: [*r, {verbs: [post]}]\n",
	"unknown alias":     "spec:\n  priorityLevelConfiguration: {name: *n}\n",
	"tab as indent":     "spec:\n\tpriorityLevelConfiguration: {name: a}\n",
	"tab in flow":       "spec: {priorityLevelConfiguration:\t{name: a},\t\"matchingPrecedence\":\t5}\n",
	"comments":          "# one\nspec: # two\n  # three\n  priorityLevelConfiguration: {name: a} # four\n",
	"flow keys":         "spec: {priorityLevelConfiguration: {name: a}, matchingPrecedence: 5,}\n",
	"json":              "\"spec\": {\"priorityLevelConfiguration\": {\"name\": \"a\"}, \"matchingPrecedence\": 5}\n",
	"document end":      "spec:\n  priorityLevelConfiguration: {name: a}\n...\n",
	"carriage returns":  "spec:\r\n  priorityLevelConfiguration: {name: a}\r\n  matchingPrecedence: 5\r\n",
	"bad indent":        "spec:\n  priorityLevelConfiguration: {name: a}\n matchingPrecedence: 5\n",
	"unclosed":          "spec: {priorityLevelConfiguration: {name: a}\n",
	"quoted keys":       "'spec':\n  \"priorityLevelConfiguration\": {'name': a}\n",
	"number as key":     "spec:\n  priorityLevelConfiguration: {name: a}\n  5: a\n",
	"bool as key":       "spec:\n  priorityLevelConfiguration: {name: a}\n  yes: a\n",
	"list as key":       "spec:\n  priorityLevelConfiguration: {name: a}\n  [a]: b\n",
	"null as key":       "spec:\n  priorityLevelConfiguration: {name: a}\n  ~: b\n",
	"complex key":       "spec:\n  ? priorityLevelConfiguration\n  : {name: a}\n",
	"less indented seq": "spec:\n  priorityLevelConfiguration: {name: a}\n  rules:\n  - subjects:\n    - kind: User\n      user: {name: a}\n    resourceRules:\n    - verbs:\n      - get\n      apiGroups:\n      - ''\n      resources:\n      - a\n      clusterScope: true\n",
	"duplicate key":     "spec:\n  priorityLevelConfiguration: {name: a}\n  matchingPrecedence: 5\n  matchingPrecedence: 6\n",
	"duplicate section": "spec:\n  priorityLevelConfiguration: {name: a}\nspec:\n  priorityLevelConfiguration: {name: b}\n",
	"merge and double":  "spec:\n  priorityLevelConfiguration: {<<: {name: a}, name: b}\n",
}

// otherwise are the texts that scenarios reads in another way than kubectl, and why that
// is meant.
var otherwise = []struct {
	names *regexp.Regexp
	why   string
}{
	{regexp.MustCompile(`^duplicate `), "kubectl takes the last of several values for a key without a word; a person would like to know"},
	{regexp.MustCompile(`: !(a|local 5)$`), "kubectl drops a tag that it does not know; scenarios says that it has no meaning"},
	{regexp.MustCompile(`: !!null x$`), "kubectl cannot make null of x; scenarios takes the tag at its word"},
	{regexp.MustCompile(`^bool: !!bool yes$`), "kubectl cannot make a boolean of yes if it is told to; scenarios reads it as it does without the tag"},
	{regexp.MustCompile(`^(bool as key|key: [-+.0-9]+(e\+3)?)$`), "kubectl writes a key that is a number or a boolean anew, as in true for yes; scenarios keeps it as it is written"},
	{regexp.MustCompile(`^(null as key|key: (|~|#a|null|Null|NULL|\x{2028}))$`), "kubectl takes no null as a key; scenarios reads it as text"},
}

func meantOtherwise(name string) string {
	for _, o := range otherwise {
		if o.names.MatchString(name) {
			return o.why
		}
	}
	return ""
}

// TestYAML compares the verdicts on texts whose YAML is the question: kubectl's path to
// JSON and the server's reading of that, against ours. What differs on purpose is listed.
func TestYAML(t *testing.T) {
	texts := map[string]string{}
	for _, slot := range slots {
		for _, scalar := range scalars {
			texts[fmt.Sprintf("%s: %s", slot.name, scalar)] = inSlot(slot.text, scalar)
		}
	}
	for name, text := range shapes {
		texts[name] = inSlot(text, "")
	}
	s, used := server{minor: inProcess}, map[string]bool{}
	for name, text := range texts {
		c := verdict.Case{Minor: inProcess, Text: text}
		wants, err := askAll(s, []verdict.Case{c})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := verdict.Ours(c)
		same, why := got.Line(true) == wants[0].Line(true), meantOtherwise(name)
		if !same && why != "" {
			used[why] = true
		}
		if !same && why == "" {
			t.Errorf("%q:\n  scenarios says  %s\n  kubernetes says %s\n  of\n%s", name, got.Line(true), wants[0].Line(true), text)
		}
	}
	for _, o := range otherwise {
		if !used[o.why] {
			t.Errorf("nothing differs because %s", o.why)
		}
	}
}
