package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
)

// TestScripts runs the scripts in testdata/scripts. They are made to be read; run with -rewrite
// to write what comes out, and read the difference before you commit it.
//
//	file NAME        gives a file that later commands can read, until reset
//	load             loads the input as the scenario test.yaml
//	patch            loads a small legal scenario in which the input replaces the fields
//	                 that it begins with
//	changes          is patch, and tells what differs after each change from what was before
//	operations       is patch, and tells what is done to the servers, and what the objects
//	                 of another release change
//	manifest         loads a small legal scenario with the input as its manifest
//	set              applies each line as a setting to base.yaml, or to the small legal
//	                 scenario, and prints what that changes
//	expand           prints the input expanded
//	builtin          prints the built-in objects, with a second release what changes
//	configuration    loads files as a configuration, and prints what differs from the
//	                 built-in objects; an input is the file apf.yaml
//
// With the argument raw, escapes such as \t in the input stand for their bytes. The last
// three commands take release=1.28.4, and the last two of them validate=warn, stored,
// recursive, nodefaults and sound.
func TestScripts(t *testing.T) {
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
				return ""
			case "file":
				files[d.CmdArgs[0].Key] = input
				return ""
			case "load":
				return loadScript(files, input)
			case "patch":
				return loadScript(files, patched(input))
			case "changes":
				return changesScript(files, input)
			case "operations":
				return operationsScript(files, input)
			case "manifest":
				files["apf.yaml"] = input
				return manifestScript(files)
			case "set":
				return setScript(t, files, input)
			case "expand":
				return expandScript(t, files, input)
			case "builtin":
				return builtinScript(d)
			case "configuration":
				return configurationScript(files, d, input)
			}
			return "unknown command " + d.Cmd
		})
	})
}

func loadScript(files memoryFiles, text string) string {
	files["test.yaml"] = text
	s, ds := Load("test.yaml", files)
	out := ds.String()
	if s != nil {
		out += "ok\n"
	}
	return out
}

// minimal is a legal scenario, one top-level field a paragraph.
const minimal = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: test}
duration: 1m
clients: [{name: a, user: alice, groups: ["system:authenticated"], requests: [{verb: get, resource: pods}], arrivals: {poisson: {rate: 1}}, duration: {constant: 1ms}}]
`

// patched puts fields in the place of those of the minimal scenario. They come first, so
// that their lines are those of the script.
func patched(fields string) string {
	out := fields + "\n"
	for _, line := range strings.SplitAfter(minimal, "\n") {
		name, _, _ := strings.Cut(line, ":")
		if !strings.HasPrefix(fields, name+":") && !strings.Contains(fields, "\n"+name+":") {
			out += line
		}
	}
	return out
}

func manifestScript(files memoryFiles) string {
	files["test.yaml"] = patched("flowControl: {manifests: [apf.yaml]}")
	s, ds := Load("test.yaml", files)
	out := ds.String()
	if s != nil {
		out += describeFlowControl(&s.Config.Scheduler)
	}
	return out
}

// releaseArg returns the release that an argument names, the newest without one.
func releaseArg(d *datadriven.TestData, name string) release.Version {
	text := DefaultVersion
	d.MaybeScanArgs(&testing.T{}, name, &text)
	v, err := release.Parse(text)
	if err != nil {
		panic(err)
	}
	return v
}

func builtinConfig(v release.Version) scheduler.Config {
	c, ds := LoadConfiguration(nil, memoryFiles{}, ConfigurationOptions{Release: v})
	if len(ds) > 0 {
		panic(ds.String())
	}
	return c.Compile()
}

func builtinScript(d *datadriven.TestData) string {
	cfg := builtinConfig(releaseArg(d, "release"))
	if !d.HasArg("after") {
		return strings.Join(flowLines(&cfg), "")
	}
	before := builtinConfig(releaseArg(d, "after"))
	return difference(&before, &cfg)
}

// difference prints the lines of one configuration that the other lacks.
func difference(from, to *scheduler.Config) string {
	before, after := flowLines(from), flowLines(to)
	var out strings.Builder
	for _, line := range before {
		if !slices.Contains(after, line) {
			out.WriteString("- " + line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			out.WriteString("+ " + line)
		}
	}
	if out.Len() == 0 {
		return "no difference\n"
	}
	return out.String()
}

func configurationScript(files memoryFiles, d *datadriven.TestData, input string) string {
	var names []string
	o := ConfigurationOptions{}
	for _, arg := range d.CmdArgs {
		switch arg.Key {
		case "release":
			o.Release = releaseArg(d, "release")
		case "validate":
			o.Validate = Validate(arg.Vals[0])
		case "stored":
			o.Stored = true
		case "recursive":
			o.Recursive = true
		case "nodefaults":
			o.NoDefaults = true
		case "sound":
			o.KeepSound = true
		case "raw":
		default:
			names = append(names, arg.Key)
		}
	}
	if input != "" {
		files["apf.yaml"] = input
		names = append(names, "apf.yaml")
	}
	c, ds := LoadConfiguration(names, files, o)
	out := ds.String()
	if c == nil {
		return out
	}
	if c.Scenario != "" {
		out += fmt.Sprintf("scenario %s, Kubernetes %s, server %+v\n", c.Scenario, c.Release, *c.Server)
	}
	builtin, cfg := builtinConfig(c.Release), c.Compile()
	return out + difference(&builtin, &cfg)
}

// changesScript tells what each change of a scenario adds, and what it takes away.
func changesScript(files memoryFiles, input string) string {
	out := loadScript(files, patched(input))
	s, _ := Load("test.yaml", files)
	if s == nil {
		return out
	}
	before := &s.Config.Scheduler
	for _, c := range s.Config.Changes {
		after := &scheduler.Config{PriorityLevels: c.PriorityLevels, FlowSchemas: c.FlowSchemas}
		out += fmt.Sprintf("at %v\n", c.At) + difference(before, after)
		before = after
	}
	return out
}

// operationsScript tells what a scenario does to its servers, one line each.
func operationsScript(files memoryFiles, input string) string {
	out := loadScript(files, patched(input))
	s, _ := Load("test.yaml", files)
	if s == nil {
		return out
	}
	for _, o := range s.Config.Operations {
		out += fmt.Sprintf("%v %v server %d", o.At, o.Kind, o.Server)
		if o.Release != (release.Version{}) {
			out += " as " + o.Release.String()
		}
		out += "\n"
	}
	if n := len(s.Config.Changes); n > 0 {
		last := s.Config.Changes[n-1]
		after := &scheduler.Config{PriorityLevels: last.PriorityLevels, FlowSchemas: last.FlowSchemas}
		out += fmt.Sprintf("objects from %v to %v\n", s.Config.Changes[0].At, last.At) + difference(&s.Config.Scheduler, after)
	}
	return out
}

// describeFlowControl prints what differs from the built-in objects, one line each.
func describeFlowControl(cfg *scheduler.Config) string {
	builtin := builtinConfig(release.Last)
	known := map[string]bool{}
	for _, line := range flowLines(&builtin) {
		known[line] = true
	}
	var out strings.Builder
	for _, line := range flowLines(cfg) {
		if !known[line] {
			out.WriteString(line)
		}
	}
	if out.Len() == 0 {
		return "ok, only built-in objects\n"
	}
	return out.String()
}

func flowLines(cfg *scheduler.Config) []string {
	var out []string
	for _, l := range cfg.PriorityLevels {
		line := fmt.Sprintf("level %s: shares %d, lendable %d%%, borrowing %d%%", l.Name, l.Shares, l.LendablePercent, l.BorrowingLimitPercent)
		switch {
		case l.Exempt:
			line += ", exempt"
		case l.Queuing == nil:
			line += ", reject"
		default:
			line += fmt.Sprintf(", queues %d, hand %d, length %d", l.Queuing.Queues, l.Queuing.HandSize, l.Queuing.QueueLengthLimit)
		}
		out = append(out, line+"\n")
	}
	for _, s := range cfg.FlowSchemas {
		line := fmt.Sprintf("schema %s: precedence %d, level %s, distinguisher %q\n", s.Name, s.Precedence, s.PriorityLevel, s.Distinguisher)
		for _, r := range s.Rules {
			for _, u := range r.Subjects {
				line += fmt.Sprintf("  %s %s/%s\n", u.Kind, u.Namespace, u.Name)
			}
			for _, rr := range r.Resources {
				line += fmt.Sprintf("  resources %q %q %q namespaces %q cluster %t\n", rr.Verbs, rr.APIGroups, rr.Resources, rr.Namespaces, rr.ClusterScope)
			}
			for _, nr := range r.NonResources {
				line += fmt.Sprintf("  paths %q %q\n", nr.Verbs, nr.URLs)
			}
		}
		out = append(out, line)
	}
	return out
}

func expandScript(t *testing.T, files memoryFiles, text string) string {
	files["test.yaml"] = text
	s, ds := Load("test.yaml", files)
	if s == nil {
		return ds.String()
	}
	out, err := s.Expanded()
	if err != nil {
		t.Fatal(err)
	}
	sameRun(t, s, files, out)
	return ds.String() + string(out)
}
