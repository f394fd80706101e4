package main

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"strings"
	"testing"
)

// emittedScenario has manifests above its folder and a trace beside it.
const emittedScenario = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: emitted}
duration: 5s
replications: 2
server: {maxRequestsInflight: 4, maxMutatingRequestsInflight: 2}
flowControl: {manifests: [%s]}
clients:
- name: ci
  user: ci
  groups: [system:authenticated]
  requests:
  - {verb: get, resource: pods, namespace: ci, name: x}
  arrivals: {poisson: {rate: 40}}
  duration: {exponential: {mean: 50ms}}
- name: recorded
  trace: {file: trace.jsonl}
`

const emittedManifest = `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: ours}
spec: {type: Limited, limited: {nominalConcurrencyShares: 20, limitResponse: {type: Reject}}}
`

const emittedTrace = `{"arrival":"1s","duration":"5ms","user":"u","groups":["system:authenticated"],"verb":"get","resource":"pods","namespace":"a","name":"b"}
`

// emittedSources reads scenarios as the sweep does.
func emittedSources(t *testing.T, p *testProcess, args ...string) []*studied {
	t.Helper()
	p.stopper = &stopper{}
	sources, err := (&studyFlags{given: func(string) bool { return false }}).sources(&p.Process, args, &variationFlags{})
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

// inPod runs an argument list in each Pod of a Job, whose files lie below a folder, and returns the
// results.
func inPod(t *testing.T, in *jobInputs, shards int, args []string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, f := range in.files() {
		if strings.Contains(f.Path, "..") || path.IsAbs(f.Path) {
			t.Errorf("the path %s is not one of a volume", f.Path)
		}
		files[f.Path] = string(f.Text)
	}
	for i := range shards {
		p := newProcess(files, append(args, "--results", "results", "--shard", fmt.Sprintf("auto/%d", shards))...)
		p.FS = below{p.fs, in.folder()}
		p.Env = func(name string) string { return map[string]string{completionIndex: fmt.Sprint(i)}[name] }
		if code := run(&p.Process); code != exitOK {
			t.Fatalf("%q: exit code %d: %s", p.Args, code, p.err.String())
		}
		maps.Copy(files, p.fs.files)
	}
	return files
}

// below is a file system as it is seen from a folder.
type below struct {
	*memFS
	folder string
}

func (b below) ReadFile(name string) ([]byte, error) {
	return b.memFS.ReadFile(path.Join(b.folder, name))
}
func (b below) Open(name string) (io.ReadCloser, error) {
	return b.memFS.Open(path.Join(b.folder, name))
}
func (b below) ReadDir(name string) ([]fs.DirEntry, error) {
	return b.memFS.ReadDir(path.Join(b.folder, name))
}
func (b below) Stat(name string) (fs.FileInfo, error) { return b.memFS.Stat(path.Join(b.folder, name)) }
func (b below) Create(name string) (PendingFile, error) {
	return b.memFS.Create(path.Join(b.folder, name))
}

// TestPodsSeeTheSame holds that the shards of a Job run what is run here, wherever its files lie.
func TestPodsSeeTheSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ scenario, manifests string }{
		{"a.yaml", "apf/"}, {"one/two/a.yaml", "../../apf/"}, {"one/a.yaml", "more/apf/m.yaml"},
	} {
		folder := path.Dir(c.scenario)
		manifest := path.Join(folder, c.manifests)
		if path.Ext(manifest) == "" {
			manifest += "/m.yaml"
		}
		files := map[string]string{
			path.Clean(c.scenario): fmt.Sprintf(emittedScenario, c.manifests), manifest: emittedManifest,
			path.Join(folder, "trace.jsonl"): emittedTrace, "plan.csv": "server.maxRequestsInflight\n3\n5\n",
		}
		here := newProcess(files, "sweep", c.scenario, "--plan", "plan.csv", "-o", "csv")
		here.want(t, exitOK, "emitted,1,5,run,7,", "")

		p := newProcess(files)
		sources := emittedSources(t, p, c.scenario)
		in, err := jobInputsOf(&p.Process, sources, "plan.csv")
		if err != nil {
			t.Fatal(err)
		}
		found := inPod(t, in, 2, []string{"sweep", in.inside(c.scenario), "--plan", in.inside("plan.csv")})
		results := map[string]string{}
		for name, text := range found {
			if rest, ok := strings.CutPrefix(name, path.Join(in.folder(), "results")+"/"); ok {
				results["results/"+rest] = text
			}
		}
		merged := newProcess(results, "merge", "results", "-o", "csv")
		merged.want(t, exitOK, here.out.String(), "")
	}
}

// TestInside holds which names files have in a Pod.
func TestInside(t *testing.T) {
	in := &jobInputs{texts: map[string][]byte{}}
	for _, name := range []string{"./a.yaml", "../../x/b.yaml", "/etc/c.yaml"} {
		in.add(name, nil)
	}
	if got, want := in.folder(), "files/above/above"; got != want {
		t.Errorf("the folder is %s, want %s", got, want)
	}
	for i, want := range []string{"files/above/above/a.yaml", "files/x/b.yaml", "files/root/etc/c.yaml"} {
		if got := in.files()[i].Path; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got, want := in.inside("/etc/c.yaml"), "../../root/etc/c.yaml"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestEmitJobRefuses holds what cannot be run on a cluster, and that it is said.
func TestEmitJobRefuses(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.yaml": fmt.Sprintf(emittedScenario, "m.yaml"), "m.yaml": emittedManifest, "trace.jsonl": emittedTrace,
		"big/a.yaml": fmt.Sprintf(emittedScenario, "m.yaml"), "big/m.yaml": emittedManifest, "big/trace.jsonl": strings.Repeat(emittedTrace, 12_000),
	}
	vary := []string{"--vary", "server.maxRequestsInflight=3,5"}
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{exitUsage, "a.yaml --emit-job", "--emit-job needs --image"},
		{exitUsage, "a.yaml --emit-job= --image x", "--emit-job: the file has no name"},
		{exitUsage, "a.yaml --image x", "--image has no meaning without --emit-job"},
		{exitUsage, "a.yaml --emit-job --image x --shard 0/2 --results r", "--shard has no meaning with --emit-job"},
		{exitUsage, "a.yaml --emit-job --image x -o csv", "--output has no meaning with --emit-job"},
		{exitUsage, "a.yaml --emit-job --image x --shards 0", "--shards 0: legal are 1 to 10000"},
		{exitUsage, "a.yaml --emit-job --image x --parallelism 17", "--parallelism 17: legal are 1 to 16"},
		{exitUsage, "a.yaml --emit-job --image x --job-name A", `--job-name "A": legal are`},
		{exitUsage, "a.yaml --emit-job --image x --cpu 0m", `--cpu "0m": legal are`},
		{exitUsage, "a.yaml --emit-job --image x --cpu 1G", `--cpu "1G": legal are`},
		{exitUsage, "a.yaml --emit-job --image x --memory 0.0Gi", `--memory "0.0Gi": legal are`},
		{exitUsage, "a.yaml --emit-job --image x --access-mode ReadWriteMani", "did you mean ReadWriteMany?"},
		{exitInput, "big/a.yaml --emit-job --image x", "of which big/trace.jsonl has 1644000, and a ConfigMap holds 1048576\n  hint: put the files on a volume, and name its claim: --files-claim NAME"},
	} {
		newProcess(files, append(append([]string{"sweep"}, strings.Fields(c.args)...), vary...)...).want(t, c.code, "", c.want)
	}
	p := newProcess(files, append(strings.Fields("sweep big/a.yaml --emit-job --image x --files-claim traces"), vary...)...)
	p.want(t, exitOK, "these files have to be on the volume of traces:\n#\n#   files/big/a.yaml\n#   files/big/m.yaml\n#   files/big/trace.jsonl\n", "")
	p = newProcess(map[string]string{"/here/a.yaml": fmt.Sprintf(emittedScenario, "/here/m.yaml"), "/here/m.yaml": emittedManifest, "/here/trace.jsonl": emittedTrace},
		append(strings.Fields("sweep /here/a.yaml --emit-job --image x"), vary...)...)
	p.FS = rooted{p.fs}
	p.want(t, exitInput, "", "hint: name files relative to the scenario")
}

// rooted is a file system that takes absolute names.
type rooted struct{ *memFS }

func (r rooted) ReadFile(name string) ([]byte, error) {
	if text, ok := r.files[name]; ok {
		return []byte(text), nil
	}
	return r.memFS.ReadFile(name)
}

func (r rooted) Open(name string) (io.ReadCloser, error) {
	text, err := r.ReadFile(name)
	return io.NopCloser(strings.NewReader(string(text))), err
}
