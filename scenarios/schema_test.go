package scenarios

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

// compiled is the schema of scenarios as a validator has it.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(Schema())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scenario.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scenario.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plainYAML reads YAML as an editor does: values of JSON, in which a time is text.
func plainYAML(text string) (any, error) {
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		return nil, err
	}
	return plainValue(v), nil
}

func plainValue(v any) any {
	switch v := v.(type) {
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case []any:
		for i := range v {
			v[i] = plainValue(v[i])
		}
	case map[string]any:
		for name := range v { // Any order: each value is by itself.
			v[name] = plainValue(v[name])
		}
	}
	return v
}

func TestLibraryIsValid(t *testing.T) {
	s := compiled(t)
	n := 0
	for _, ref := range Library() {
		text, _ := LibraryFile(ref.Name)
		v, err := plainYAML(string(text))
		if err != nil {
			t.Fatal(err)
		}
		n++
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v", ref.Name, err)
		}
	}
	if n < 30 {
		t.Errorf("only %d scenarios", n)
	}
}

// TestPagesAreValid holds that every whole scenario that a page shows is valid, unless the page
// shows its faults.
func TestPagesAreValid(t *testing.T) {
	s := compiled(t)
	root := os.DirFS("..")
	pages, err := fs.Glob(root, "docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	block := regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```")
	for _, name := range append(pages, "README.md") {
		page, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range block.FindAllStringSubmatch(string(page), -1) {
			begin := strings.Index(m[1], "apiVersion: "+apiVersion)
			if begin < 0 || !strings.Contains(m[1], "\nkind: "+scenarioKind) || strings.Contains(m[1], "\n...") {
				continue
			}
			text, _, _ := strings.Cut(m[1][begin:], "\n$ ")
			v, err := plainYAML(text)
			if err != nil {
				t.Errorf("%s: %v in\n%s", name, err, text)
				continue
			}
			n++
			if err := s.Validate(v); (err != nil) != strings.Contains(m[1], "[SC0") {
				t.Errorf("%s: %v in\n%s", name, err, m[1])
			}
		}
	}
	if n < 3 {
		t.Errorf("only %d scenarios in the pages", n)
	}
}

// shapeCodes are the faults of shape: those that a schema can see, if anything can.
var shapeCodes = []Code{CodeUnknownField, CodeWrongType, CodeMissing, CodeNotLegal, CodeExactlyOne}

// judged tells that a field is of an expectation or of a test, of which the schema has to see all
// faults.
func judged(field string) bool {
	return strings.HasPrefix(field, "expect[") || strings.HasPrefix(field, "tests[")
}

// TestScriptsAgree holds the schema against the reader on all scenarios of the scripts: it takes
// what the reader takes, and refuses at the same places what has faults of shape, but for those
// that no schema can see. Of expectations and tests it sees all faults with the same exceptions.
func TestScriptsAgree(t *testing.T) {
	s := compiled(t)
	good, refused := 0, 0
	var unseen []string
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		files := memoryFiles{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			input := d.Input
			if d.HasArg("raw") {
				input = unescaped(input)
			}
			switch d.Cmd {
			case "reset":
				clear(files)
			case "file":
				files[d.CmdArgs[0].Key] = input
			case "patch", "changes", "operations":
				input = patched(input)
				fallthrough
			case "load", "expand":
				files["test.yaml"] = input
				v, err := plainYAML(input)
				if err != nil {
					break
				}
				loaded, ds := Load("test.yaml", files)
				fault := s.Validate(v)
				if loaded != nil && fault != nil {
					t.Errorf("%s: the reader takes it, and the schema says %v\n%s", d.Pos, fault, input)
				}
				if loaded != nil {
					good++
					expandedIsValid(t, s, loaded)
				}
				seen := places(fault)
				for _, f := range ds {
					switch {
					case f.File != "test.yaml" || f.Severity != Error || !slices.Contains(shapeCodes, f.Code) && !judged(f.Field):
					case slices.ContainsFunc(seen, func(at string) bool { return covers(at, f.Field) }):
						refused++
					default:
						unseen = append(unseen, f.String())
					}
				}
			}
			return d.Expected
		})
	})
	if good < 40 || refused < 150 {
		t.Errorf("only %d scenarios that are good and %d faults that are refused", good, refused)
	}
	for _, u := range unseen {
		if !slices.ContainsFunc(beyondSchemas, func(b string) bool { return strings.Contains(u, b) }) {
			t.Errorf("the schema does not see\n%s", u)
		}
	}
}

// expandedIsValid holds that what a scenario stands for is valid as well.
func expandedIsValid(t *testing.T, s *jsonschema.Schema, loaded *Scenario) {
	t.Helper()
	text, err := loaded.Expanded()
	if err != nil {
		t.Fatal(err)
	}
	v, err := plainYAML(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("expanded: %v\n%s", err, text)
	}
}

// beyondSchemas are the faults of shape that no schema can see: they are gone once YAML has been
// read, or follow from values elsewhere.
var beyondSchemas = []string{
	".flowSchema is missing", // beside a flow alone
	"without quotes is a boolean in YAML 1.1",
	"which the versions of YAML read differently",
	"server.count must be a whole number, not the number 2.0",
	"placeholder",                       // {index} is legal, other words are not
	`apiGroup is no API group: "v1"`,    // a name like others
	"clients[0].user is missing",        // it is there, and empty
	`metadata.name is no name: ""`,      // of a document without anything, which is no mapping
	"averageBytes is missing",           // unless there are none of them, or stale
	"duration is missing",               // unless there are traces alone, or a backend
	"flowSchema is missing",             // where another field needs it
	"test.yaml:1:1: clients is missing", // unless there is something else to do
	"expect[9].client is missing",       // or a level

	// In expectations and tests, what depends on values elsewhere.
	`there is no priorityLevel "`, `there is no flowSchema "`, `there is no client "`, // a name of something
	"does not lead to the priorityLevel", "has no distinguisherMethod", // what the objects are
	"nothing is above 5 and below 5",    // two numbers
	"when the run is over",              // the duration of the run
	"and nothing is left after",         // two durations, or that of the warm-up
	"expect[14].server is out of range", // the number of servers
	"and one replication has none",      // the number of replications
	"two tests have the name",           // another test
}

// places are where a schema finds faults: paths without brackets; of a key that is not legal its
// end alone.
func places(err error) []string {
	var fault *jsonschema.ValidationError
	if !errors.As(err, &fault) {
		return nil
	}
	if key, ok := fault.ErrorKind.(*kind.PropertyNames); ok {
		return []string{"*." + key.Property}
	}
	if len(fault.Causes) == 0 {
		return []string{strings.Join(fault.InstanceLocation, ".")}
	}
	var all []string
	for _, c := range fault.Causes {
		all = append(all, places(c)...)
	}
	return all
}

// covers tells whether a fault at a place is about a field: the place is that of the field or of
// the mapping that has it.
func covers(place, field string) bool {
	outer, _ := parent(field)
	plain := strings.NewReplacer("[", ".", "]", "")
	if key, ok := strings.CutPrefix(place, "*"); ok {
		return strings.HasSuffix(plain.Replace(field), key)
	}
	return place == plain.Replace(field) || place == plain.Replace(outer)
}

// TestDurationPattern holds the pattern of durations against the reader.
func TestDurationPattern(t *testing.T) {
	pattern := regexp.MustCompile(duration(0).schema().AnyOf[0].Pattern)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringOf(rapid.SampledFrom([]rune("012.+-mnsuµμh e"))),
			rapid.StringMatching(`\+?([0-9]{1,3}(\.[0-9]{0,3})?(ns|us|µs|ms|s|m|h)){1,3}`),
		).Draw(t, "text")
		d, err := time.ParseDuration(text)
		legal := err == nil && d >= 0 && !strings.HasPrefix(text, "-")
		if tooLong := err != nil && strings.Count(text, "")-1 > 12; !tooLong && pattern.MatchString(text) != legal {
			t.Fatalf("%q: the pattern says %v, the reader %v (%v)", text, !legal, legal, err)
		}
	})
}
