package lint

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// sarifFacts are what the schema of SARIF 2.1.0 says of the objects that are written
// here: each field of them, with a star if it is required. There may be no other field.
var sarifFacts = map[string]string{
	"":                     "$schema version* runs*",
	"runs":                 "tool* columnKind results",
	"runs.tool":            "driver*",
	"runs.tool.driver":     "name* version informationUri rules",
	"runs.results":         "ruleId ruleIndex level message* locations partialFingerprints",
	"runs.results.message": "text markdown",
	"runs.results.locations.physicalLocation.artifactLocation": "uri",
	"runs.results.locations.physicalLocation.region.snippet":   "text",
	"runs.results.locations.physicalLocation.region":           "startLine startColumn endColumn snippet",
	"runs.results.locations.physicalLocation":                  "artifactLocation region",
	"runs.results.locations":                                   "physicalLocation",
	"runs.results.partialFingerprints":                         fingerprintName,
	"runs.tool.driver.rules":                                   "id* shortDescription fullDescription help defaultConfiguration",
	"runs.tool.driver.rules.shortDescription":                  "text*",
	"runs.tool.driver.rules.fullDescription":                   "text*",
	"runs.tool.driver.rules.help":                              "text* markdown",
	"runs.tool.driver.rules.defaultConfiguration":              "level",
}

// sarifValue says what is wrong with a value, by the schema.
func sarifValue(path string, v any) string {
	switch field := path[strings.LastIndex(path, ".")+1:]; field {
	case "level":
		if !slices.Contains([]string{"none", "note", "warning", "error"}, v.(string)) {
			return fmt.Sprintf("the level %v", v)
		}
	case "startLine", "startColumn", "endColumn":
		if v.(float64) < 1 {
			return fmt.Sprintf("%s %v", field, v)
		}
	case "ruleIndex":
		if v.(float64) < 0 {
			return "a rule that is not in the list"
		}
	case "version":
		if path == "version" && v != "2.1.0" {
			return fmt.Sprintf("the version %v", v)
		}
	case "columnKind":
		if v != "utf16CodeUnits" && v != "unicodeCodePoints" {
			return fmt.Sprintf("columns in %v", v)
		}
	case "informationUri", "$schema":
		if u, err := url.Parse(v.(string)); err != nil || !u.IsAbs() {
			return fmt.Sprintf("%v is no URI", v)
		}
	case "uri":
		if u, err := url.Parse(v.(string)); err != nil || u.String() != v {
			return fmt.Sprintf("%v is no reference to a URI", v)
		}
	}
	return ""
}

// sarifFaults lists what is wrong with a value and all within it.
func sarifFaults(path string, v any) (out []string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			out = append(out, sarifFaults(path, item)...)
		}
	case map[string]any:
		facts := strings.Fields(sarifFacts[path])
		for _, f := range facts {
			if name, required := strings.CutSuffix(f, "*"); required && v[name] == nil {
				out = append(out, fmt.Sprintf("%s lacks %s", path, name))
			}
		}
		for name, inner := range v {
			if !slices.Contains(facts, name) && !slices.Contains(facts, name+"*") {
				out = append(out, fmt.Sprintf("%s has the field %s", path, name))
			}
			out = append(out, sarifFaults(strings.TrimPrefix(path+"."+name, "."), inner)...)
		}
	default:
		if fault := sarifValue(path, v); fault != "" {
			out = append(out, path+": "+fault)
		}
	}
	return out
}

// The log of every bad example, of a file that cannot be read and of one without a finding
// has the form that the schema wants.
func TestSARIF(t *testing.T) {
	texts := []string{"a: [", "", faulty, Catalogue()[0].Good}
	for _, r := range Catalogue() {
		texts = append(texts, r.Bad)
	}
	for _, text := range texts {
		var b strings.Builder
		if err := WriteSARIF(&b, resultOf("a folder/é.yaml", text), "v1.2.3"); err != nil {
			t.Fatal(err)
		}
		var log any
		if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
			t.Fatal(err)
		}
		if faults := sarifFaults("", log); len(faults) > 0 {
			slices.Sort(faults)
			t.Errorf("%s\n%s", text, strings.Join(faults, "\n"))
		}
		for _, empty := range []string{"null", `"text": ""`} {
			if strings.Contains(b.String(), empty) {
				t.Errorf("the log has %s:\n%s", empty, b.String())
			}
		}
	}
}

// The check above finds what the schema refuses.
func TestSARIFFaultsAreFound(t *testing.T) {
	run := map[string]any{"tool": map[string]any{"driver": map[string]any{"name": "x"}}}
	for _, c := range []struct {
		log  any
		want []string
	}{
		{map[string]any{"version": "2.1.0", "runs": []any{run}}, nil},
		{map[string]any{"version": "2", "runs": []any{run}}, []string{"version: the version 2"}},
		{map[string]any{"version": "2.1.0"}, []string{" lacks runs"}},
		{map[string]any{"version": "2.1.0", "runs": []any{map[string]any{"tool": run["tool"], "rules": 1.0}}}, []string{"runs has the field rules"}},
		{map[string]any{"version": "2.1.0", "runs": []any{map[string]any{"tool": run["tool"], "results": []any{
			map[string]any{"message": map[string]any{"text": "x"}, "level": "advice"}}}}}, []string{"runs.results.level: the level advice"}},
	} {
		if got := sarifFaults("", c.log); !reflect.DeepEqual(got, c.want) {
			t.Errorf("want %q, got %q", c.want, got)
		}
	}
}
