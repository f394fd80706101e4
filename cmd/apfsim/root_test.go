package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
)

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{}, exitOK, "Exit codes:", ""},
		{[]string{"--help"}, exitOK, "Exit codes:", ""},
		{[]string{"shufle"}, exitUsage, "", `"shufle" is no verb of apfsim
  hint: did you mean shuffle?`},
		{[]string{"xyzzyxyzzy"}, exitUsage, "", "hint: legal are"},
		{[]string{"help", "shuffle"}, exitOK, "Shuffle sharding deals", ""},
		{[]string{"help", "shufle"}, exitUsage, "", "did you mean shuffle?"},
		{[]string{"shuffle", "--elephnats", "1"}, exitUsage, "", `unknown flag --elephnats for apfsim shuffle
  hint: did you mean --elephants?`},
		{[]string{"shuffle", "-x"}, exitUsage, "", "unknown flag -x for apfsim shuffle"},
		{[]string{"shuffle", "--elephants", "many"}, exitUsage, "", "--elephants many: whole numbers are needed, separated by commas"},
		{[]string{"scenarios", "show", "x", "--expand=maybe"}, exitUsage, "", "--expand maybe: true or false is needed"},
		{[]string{"--version"}, exitOK, "apfsim v1.2.3\n", ""},
		{[]string{"run", ""}, exitUsage, "", "a scenario has no name"},
		{[]string{"shuffle", "--elephants"}, exitUsage, "", "flag needs an argument: --elephants"},
		{[]string{"shuffle", "now"}, exitUsage, "", `apfsim shuffle takes no arguments, got "now"`},
		{[]string{"version", "-o", "jsn"}, exitUsage, "", "did you mean json?"},
		{[]string{"version", "-o", "json=v.json"}, exitUsage, "", "takes one form here, and no file"},
		{[]string{"version"}, exitOK, "apfsim      v1.2.3\nrevision    abc\nkubernetes  1.20 to 1.37\nbuilt with  go1.26.0 for plan9/386\n", ""},
		{[]string{"version", "-o", "json"}, exitOK, `"version":"v1.2.3"`, ""},
		{[]string{"completion", "bash"}, exitOK, "__apfsim_", ""},
		{[]string{"completion", "zsh"}, exitOK, "#compdef apfsim", ""},
		{[]string{"completion", "fish"}, exitOK, "complete -c apfsim", ""},
		{[]string{"completion", "powershell"}, exitOK, "Register-ArgumentCompleter", ""},
		{[]string{"completion", "bsh"}, exitUsage, "", "did you mean bash?"},
		{[]string{"completion"}, exitUsage, "", "completion takes the name of one shell, got 0"},
	} {
		newProcess(nil, c.args...).want(t, c.code, c.stdout, c.stderr)
	}
}

// failingWriter fails with one error.
type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

func TestClosedOutput(t *testing.T) {
	p := newProcess(nil, "shuffle")
	p.Stdout = failingWriter{io.ErrClosedPipe}
	p.want(t, exitOK, "", "")
	p = newProcess(nil, "shuffle")
	p.Stdout = failingWriter{syscall.ENOSPC}
	p.want(t, exitInput, "", "cannot write to the standard output: no space left on device")
}

// TestPanic holds that a fault of the program shows its numbers and has its exit code.
func TestPanic(t *testing.T) {
	var b strings.Builder
	if code := crashed(&b, "7 seats of 5", []byte("goroutine 1")); code != exitInternal {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"internal error: 7 seats of 5", "goroutine 1", "report it"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q lacks %q", b.String(), want)
		}
	}
	b.Reset()
	if code := report(&b, errors.New("cannot happen")); code != exitInternal || b.String() != "internal error: cannot happen\n" {
		t.Errorf("exit code %d, %q", code, b.String())
	}
}

// TestHelpExamples holds that every verb explains itself, and with -everything runs every example that a help text
// shows.
func TestHelpExamples(t *testing.T) {
	var visit func(c *cobra.Command)
	var examples []string
	visit = func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			examples = append(examples, strings.TrimSpace(line))
		}
		if c.Runnable() && c.Name() != "help" && c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		if c.Long == "" || c.Short == "" {
			t.Errorf("%s does not explain itself", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	p := newProcess(nil)
	visit(newRoot(&p.Process))
	if !*everything {
		return
	}
	files := withShards(t, withPages(t, withResults(t, exampleFiles, "result.json", "monday.json", "tuesday.json")), 2)
	for _, example := range examples {
		words := shellFields(example)
		if words[0] != "apfsim" {
			t.Errorf("%q is no command line of apfsim", example)
			continue
		}
		p := newProcess(files, words[1:]...)
		code := run(&p.Process)
		if words[1] == "diff" && code == exitDifferent {
			code = exitOK
		}
		if slices.Contains(words, "--coverage-min") && code == exitExpectation {
			code = exitOK // one small file covers little
		}
		if words[1] == "calibrate" && code == exitExpectation {
			code = exitOK // what was recorded is too little to agree with anything
		}
		if code != exitOK || p.out.String() == "" && len(p.fs.names()) == len(files) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", example, code, p.out.String(), p.err.String())
		}
	}
}

// withShards adds the folders shard-0, shard-1 and so on of a sweep to files.
func withShards(t *testing.T, files map[string]string, n int) map[string]string {
	t.Helper()
	out := maps.Clone(files)
	for i := range n {
		p := newProcess(nil, "sweep", "lists-never-read", "--vary", "priorityLevel/workload-low.handSize=2,4,6", "--replications", "1",
			"--results", fmt.Sprintf("shard-%d", i), "--shard", fmt.Sprintf("%d/%d", i, n))
		if code := run(&p.Process); code != exitOK {
			t.Fatalf("exit code %d: %s", code, p.err.String())
		}
		maps.Copy(out, p.fs.files)
	}
	return out
}

// withResults adds results of a run to files, under some names.
func withResults(t *testing.T, files map[string]string, names ...string) map[string]string {
	t.Helper()
	p := newProcess(nil, "run", "lists-never-read", "-o", "json=result.json")
	if code := run(&p.Process); code != exitOK {
		t.Fatalf("exit code %d: %s", code, p.err.String())
	}
	out := maps.Clone(files)
	for _, name := range names {
		out[name] = p.fs.files["result.json"]
	}
	return out
}

// withPages adds the debug pages and a scrape of a run to files.
func withPages(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	p := newProcess(nil, "run", "elephants-and-mice", "--set", "duration=30s", "--set", "warmup=0s", "--replications", "1", "--at", "20s",
		"-o", "dump_priority_levels=levels.txt", "-o", "dump_queues=queues.txt", "-o", "dump_requests_details=requests.txt", "-o", "prometheus=metrics.txt")
	// So short a run does not meet what the scenario expects.
	if code := run(&p.Process); code != exitOK && code != exitExpectation {
		t.Fatalf("exit code %d: %s", code, p.err.String())
	}
	for _, name := range []string{"levels.txt", "queues.txt", "requests.txt", "metrics.txt"} {
		files[name] = p.fs.files[name]
	}
	return files
}

// exampleFiles are the files that examples speak of.
var exampleFiles = map[string]string{
	"flowcontrol.yaml": `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: agents}
spec: {type: Limited, limited: {nominalConcurrencyShares: 40, limitResponse: {type: Reject}}}
`,
	"apf/leader-election.yaml": `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: leader-election}
tests:
- name: leases
  request: {user: "system:kube-scheduler", verb: update, apiGroup: coordination.k8s.io, resource: leases, namespace: kube-system, name: kube-scheduler}
  expect: {flowSchema: system-leader-election, priorityLevel: leader-election, initialSeats: 1}
`,
	"before.prom": scrapeExample(100), "after.prom": scrapeExample(400), "range.json.gz": rangeExample,
	"kube-apiserver.log": httplogExample, "cp-1.log": httplogExample, "cp-2.log": httplogExample,
	"cluster.yaml": incidentExample, "recorded.jsonl": incidentTrace, "scraped.json": observedExample,
	"audit.log": auditExample, "a.log": auditExample, "b.log": auditExample,
	"flows.txt": "service-accounts system:serviceaccount:ci:bot-0\nservice-accounts system:serviceaccount:ci:bot-1\n",
}
