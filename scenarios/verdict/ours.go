package verdict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler/release"
)

// file is a file system of one file.
type file string

var _ scenarios.Files = file("")

const fileName = "object.yaml"

func (f file) ReadFile(string) ([]byte, error) { return []byte(f), nil }

func (f file) ReadDir(name string) ([]fs.DirEntry, error) {
	return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
}

func (f file) Open(string) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader([]byte(f))), nil
}

// Ours returns the verdict of package scenarios on the object of a case.
func Ours(c Case) Verdict {
	o := scenarios.ConfigurationOptions{Release: release.Version{Minor: c.Minor, Patch: release.Newest}, NoDefaults: true}
	if c.Lenient {
		o.Validate = scenarios.ValidateIgnore
	}
	cfg, ds := scenarios.LoadConfiguration([]string{fileName}, file(c.Text), o)
	if ds.HasErrors() {
		return worst(ds)
	}
	v := New(Accepted)
	kind, name := identity(c.Text)
	for _, s := range cfg.Schemas {
		if kind == "FlowSchema" && s.Object.Name == name {
			v.Spec = spec(s.Object.Spec)
		}
	}
	for _, l := range cfg.Levels {
		if kind == "PriorityLevelConfiguration" && l.Object.Name == name {
			v.Spec = spec(l.Object.Spec)
		}
	}
	return v
}

// identity returns the kind and the name of an object that can be read.
func identity(text string) (kind, name string) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		panic(fmt.Sprintf("verdict: the object was read before, and now: %v", err))
	}
	root := doc.Content[0]
	return member(root, "kind").Value, member(member(root, "metadata"), "name").Value
}

// member returns the value of a key, of the last one if it appears twice.
func member(n *yaml.Node, key string) *yaml.Node {
	for i := len(n.Content) - 2; i >= 0; i -= 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return &yaml.Node{}
}

func spec(s any) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("verdict: encode %T: %v", s, err))
	}
	return string(text)
}

// outcomeOf says at which stage a server would find what a diagnostic reports.
func outcomeOf(d scenarios.Diagnostic) Outcome {
	switch d.Code {
	case scenarios.CodeVersion, scenarios.CodeNotServed:
		return NotServed
	case scenarios.CodeUnknownField, scenarios.CodeNewField, scenarios.CodeRenamedField, scenarios.CodeDuplicateKey:
		return Strict
	case scenarios.CodeInvalid, scenarios.CodeMandatory:
		return Refused
	}
	return Unreadable
}

// worst joins the errors of one object. A server stops at the first stage that finds any.
func worst(ds scenarios.Diagnostics) Verdict {
	fields := map[Outcome][]string{}
	for _, d := range ds {
		if d.Severity == scenarios.Error {
			o := outcomeOf(d)
			fields[o] = append(fields[o], d.Field)
		}
	}
	stages := []Outcome{NotServed, Unreadable, Strict, Refused}
	i := slices.IndexFunc(stages, func(o Outcome) bool { return len(fields[o]) > 0 })
	switch stages[i] {
	case Strict, Refused:
		return New(stages[i], fields[stages[i]]...)
	}
	return New(stages[i])
}

// InForce returns the objects that scenarios has in force of manifests over the built-in
// objects of a release, one a line in order: kind, name and spec. Objects with a fault are
// left out, as a server does not have them.
func InForce(minor int, text string) []string {
	cfg, _ := scenarios.LoadConfiguration([]string{fileName}, file(text), scenarios.ConfigurationOptions{
		Release: release.Version{Minor: minor, Patch: release.Newest}, KeepSound: true})
	var lines []string
	for _, s := range cfg.Schemas {
		lines = append(lines, fmt.Sprintf("FlowSchema %s %s", s.Object.Name, spec(s.Object.Spec)))
	}
	for _, l := range cfg.Levels {
		lines = append(lines, fmt.Sprintf("PriorityLevelConfiguration %s %s", l.Object.Name, spec(l.Object.Spec)))
	}
	slices.Sort(lines)
	return lines
}
