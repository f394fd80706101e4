package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

var (
	chromium  = flag.String("chromium", "", "program of the browser (default: the first that is in the path)")
	require   = flag.Bool("require", false, "fail where there is no browser")
	pictures  = flag.String("screenshots", "", "folder for pictures of the pages")
	scenarios = flag.String("scenarios", "", "names of the scenarios to look at, with commas between them (default: the whole library)")
)

// maxSize is what no page may exceed, in bytes.
const maxSize = 2 << 20

// browserPath is the program of the browser.
var browserPath string

// TestMain finds the browser, and runs no test where there is none.
func TestMain(m *testing.M) {
	flag.Parse()
	if *pictures != "" {
		if err := os.MkdirAll(*pictures, 0o755); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	for _, name := range []string{*chromium, "chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			browserPath = path
			os.Exit(run(m))
		}
	}
	fmt.Println("NO PAGE WAS OPENED: there is no Chromium in the path, and none is named by -chromium")
	if *require {
		os.Exit(1)
	}
}

// run runs the tests with a folder for the command and the pages, and one browser for all of them:
// each start of one takes seconds.
func run(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "apfsim-browser"); err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(folder)
	end := func() {}
	opened = sync.OnceValues(func() (ctx context.Context, err error) {
		ctx, end, err = Open(browserPath)
		return ctx, err
	})
	defer func() { end() }()
	return m.Run()
}

// opened starts the browser, once.
var opened func() (context.Context, error)

// open returns the browser.
func open(t *testing.T) context.Context {
	t.Helper()
	ctx, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

// folder is where the tests leave what they need together.
var folder string

// built builds the command, once.
var built = sync.OnceValues(func() (string, error) {
	file := filepath.Join(folder, "apfsim")
	build := exec.Command("go", "build", "-o", file, "./cmd/apfsim")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return file, nil
})

// apfsim is the command.
func apfsim(t *testing.T) string {
	t.Helper()
	file, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// names are the scenarios to look at.
func names(t *testing.T, apfsim string) []string {
	t.Helper()
	if *scenarios != "" {
		return strings.Split(*scenarios, ",")
	}
	out, err := exec.Command(apfsim, "scenarios", "list", "-o", "name").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// written makes the page of a scenario, once, and returns its file.
func written(t *testing.T, apfsim, name string) string {
	t.Helper()
	file := filepath.Join(folder, name+".html")
	if _, err := os.Stat(file); err != nil {
		do(t, apfsim, "run", name, "--report", file)
	}
	return file
}

// do runs the command. That something is not as expected is no fault here.
func do(t *testing.T, apfsim string, arguments ...string) {
	t.Helper()
	run := exec.Command(apfsim, arguments...)
	var errors bytes.Buffer
	run.Stderr = &errors
	if err := run.Run(); err != nil && run.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v: %v\n%s", run.Args, err, errors.Bytes())
	}
}

// look opens a page in all views.
func look(t *testing.T, ctx context.Context, file string) {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() >= maxSize {
		t.Errorf("the page has %d bytes, fewer than %d are allowed", info.Size(), maxSize)
	}
	faults, err := Check(ctx, file, Views, *pictures)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}

// TestLibrary looks at the page of each scenario of the library.
func TestLibrary(t *testing.T) {
	ctx, command := open(t), apfsim(t)
	for _, name := range names(t, command) {
		t.Run(name, func(t *testing.T) { look(t, ctx, written(t, command, name)) })
	}
}

// TestSeveral looks at pages of several scenarios, of which one replication has all there is to see.
func TestSeveral(t *testing.T) {
	ctx, command, folder := open(t), apfsim(t), t.TempDir()
	all := names(t, command)
	for _, n := range []int{2, len(all)} {
		file := filepath.Join(folder, fmt.Sprintf("several-%d.html", n))
		do(t, command, append([]string{"run", "--replications", "1", "--report", file}, all[:min(n, len(all))]...)...)
		look(t, ctx, file)
	}
}

// configuration is a scenario that tests a configuration and asks for no traffic; one test fails.
const configuration = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: tests-alone}
tests:
- name: pods
  request: {user: jane, groups: [system:authenticated], verb: list, resource: pods, namespace: default}
  expect: {flowSchema: global-default}
- name: leases
  request: {user: jane, groups: [system:authenticated], verb: update, resource: leases, namespace: kube-system, name: scheduler}
  expect: {priorityLevel: leader-election}
`

// TestConfiguration looks at the page of tests without traffic, with and without their coverage.
func TestConfiguration(t *testing.T) {
	ctx, command, folder := open(t), apfsim(t), t.TempDir()
	scenario := filepath.Join(folder, "tests-alone.yaml")
	if err := os.WriteFile(scenario, []byte(configuration), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, flags := range map[string][]string{"tests-alone": nil, "tests-coverage": {"--coverage"}} {
		file := filepath.Join(folder, name+".html")
		do(t, command, append([]string{"test", scenario, "-o", "html=" + file}, flags...)...)
		look(t, ctx, file)
		has(t, file, `id="coverage"`, flags != nil)
	}
}

// TestCoverage looks at the page of a scenario with its traffic and its coverage.
func TestCoverage(t *testing.T) {
	ctx, command, folder := open(t), apfsim(t), t.TempDir()
	file := filepath.Join(folder, "coverage.html")
	do(t, command, "test", "../../scenarios/library/one-user-floods-global-default-cured.yaml", "--coverage", "-o", "html="+file)
	look(t, ctx, file)
	has(t, file, `id="coverage"`, true)
}

// TestServed looks at pages with what servers tell Prometheus and show on their debug pages: one
// server at one moment, and several servers at two.
func TestServed(t *testing.T) {
	ctx, command, folder := open(t), apfsim(t), t.TempDir()
	for scenario, moments := range map[string][]string{
		"elephants-and-mice": {"--at", "1m"}, "three-servers-one-hot": {"--at", "1m", "--at", "90s"},
	} {
		file := filepath.Join(folder, "served-"+scenario+".html")
		arguments := append([]string{"run", scenario, "--replications", "1", "--report", file}, moments...)
		for _, form := range []string{"prometheus", "dump_priority_levels", "dump_queues", "dump_requests"} {
			arguments = append(arguments, "-o", form+"="+filepath.Join(folder, form+"-{at}"))
		}
		do(t, command, arguments...)
		look(t, ctx, file)
		has(t, file, `id="metrics"`, true)
		has(t, file, "dump_requests", true)
	}
}

// swept is a small scenario for sweeps.
const swept = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: %s}
duration: 8s
warmup: 2s
server: {maxRequestsInflight: 40, maxMutatingRequestsInflight: 20}
clients:
- name: builders
  count: 20
  user: system:serviceaccount:ci:builder-{index}
  groups: [system:serviceaccounts, system:authenticated]
  requests: [{verb: get, resource: pods, namespace: ci}]
  arrivals: {poisson: {rate: 15}}
  duration: {exponential: {mean: 120ms}}
expect:
- {metric: wait, client: builders, quantile: 0.99, below: 3s}
- {metric: rejected, client: builders, below: 100}
`

// TestSweep looks at pages of sweeps: of one factor, of three with points that cannot be run, and of two
// scenarios with a sample of many points.
func TestSweep(t *testing.T) {
	ctx, command, folder := open(t), apfsim(t), t.TempDir()
	var files []string
	for _, name := range []string{"builders", "more-builders"} {
		file := filepath.Join(folder, name+".yaml")
		if err := os.WriteFile(file, fmt.Appendf(nil, swept, name), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	hand, queues, seats := "priorityLevel/workload-low.handSize=2,4,8", "priorityLevel/workload-low.queues=4..64:*4", "server.maxRequestsInflight=30,60"
	for name, arguments := range map[string][]string{
		"sweep-one":   {files[0], "--vary", queues},
		"sweep-three": {files[0], "--vary", hand, "--vary", queues, "--vary", seats, "--replications", "2"},
		"sweep-two":   {files[0], files[1], "--vary", "server.maxRequestsInflight=20..200:2", "--vary", queues, "--sample", "60"},
	} {
		file := filepath.Join(folder, name+".html")
		do(t, command, append(append([]string{"sweep"}, arguments...), "-o", "html="+file)...)
		look(t, ctx, file)
		has(t, file, `class="sortable"`, true)
		has(t, file, "apfsim-chart", true)
	}
}

// TestCalibration looks at pages of calibrations: of a replay that differs from its record, and of a
// fitted scenario with several replications.
func TestCalibration(t *testing.T) {
	ctx, command, folder := open(t), apfsim(t), t.TempDir()
	trace, replay, fit := filepath.Join(folder, "trace.jsonl.gz"), filepath.Join(folder, "replay.yaml"), filepath.Join(folder, "fit.yaml")
	do(t, command, "import", "audit", "../../docs/examples/incident/audit.log.gz", "-o", "trace="+trace, "-o", "replay="+replay, "-o", "scenario="+fit)
	for name, scenario := range map[string]string{"calibration-replay": replay, "calibration-fit": fit} {
		file := filepath.Join(folder, name+".html")
		do(t, command, "calibrate", scenario, "--observed", trace, "-o", "html="+file)
		look(t, ctx, file)
		has(t, file, "apfsim-chart", true)
	}
}

// has holds whether a page has a text.
func has(t *testing.T, file, text string, want bool) {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(page, []byte(text)) != want {
		t.Errorf("%s: has %s: %v, want %v", filepath.Base(file), text, !want, want)
	}
}

// hostile is a name that does harm where a page takes it for something else than a name.
const hostile = "<script>console.log(1)</script>\"><img src=http://apfsim.invalid/x onerror=console.log(1)>'</title></style></svg>" +
	"{{.}}javascript:alert(1)\u202egnp.exe"

// chosen are the fields of a result that users can put anything into.
var chosen = map[string]bool{
	"name": true, "population": true, "flowSchema": true, "priorityLevel": true, "client": true, "text": true, "command": true,
	"subjects": true, "requests": true, "verdict": true, "file": true,
}

// rename puts what is hostile before the texts below a field.
func rename(field string, tree any) any {
	switch x := tree.(type) {
	case map[string]any:
		for key, value := range x {
			x[key] = rename(key, value)
		}
	case []any:
		for i := range x {
			x[i] = rename(field, x[i])
		}
	case string:
		if chosen[field] {
			return hostile + x
		}
	}
	return tree
}

// TestHostileNames looks at a page on which all names would do harm.
func TestHostileNames(t *testing.T) {
	ctx, command, folder := open(t), apfsim(t), t.TempDir()
	result, file := filepath.Join(folder, "result.json"), filepath.Join(folder, "hostile.html")
	do(t, command, "run", "elephants-and-mice", "--replications", "1", "-o", "json="+result)
	text, err := os.ReadFile(result)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	numbers := json.NewDecoder(bytes.NewReader(text))
	numbers.UseNumber()
	if err := numbers.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(rename("", tree)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(result, text, 0o644); err != nil {
		t.Fatal(err)
	}
	do(t, command, "report", result, "-o", "html="+file)
	look(t, ctx, file)
}

// mostPrinted is how many sheets of paper a page of one scenario may need.
const mostPrinted = 12

// sheet is how each sheet of a PDF is written by Chromium.
var sheet = regexp.MustCompile(`/Type\s*/Page\b`)

// TestPrint holds that a page can be printed, on few sheets. With a folder for pictures the PDF is
// left there.
func TestPrint(t *testing.T) {
	ctx, command := open(t), apfsim(t)
	pdf, err := Print(ctx, written(t, command, "elephants-and-mice"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Errorf("what is printed begins with %.20q", pdf)
	}
	if n := len(sheet.FindAll(pdf, -1)); n == 0 || n > mostPrinted {
		t.Errorf("the page needs %d sheets of paper, want 1 to %d", n, mostPrinted)
	}
	if *pictures != "" {
		if err := os.WriteFile(filepath.Join(*pictures, "printed.pdf"), pdf, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestChecksFind holds that the checks find what is wrong with a page that is wrong.
func TestChecksFind(t *testing.T) {
	ctx := open(t)
	for _, c := range []struct{ name, body, want string }{
		{"wide", `<div style="width:3000px">wide</div>`, "the page is 3008 wide"},
		{"link", `<p><a href="#nowhere">a</a></p>`, "a link leads nowhere: #nowhere"},
		{"outside", `<p><a href="https://example.com/">a</a></p>`, "a link leaves the page"},
		{"twice", `<p id="x">a</p><p id="x">b</p>`, "the id x is there twice"},
		{"headings", `<h1>a</h1><h3>b</h3>`, "a heading of level 3 after one of level 1"},
		{"contrast", `<p style="color:#999;background:#fff">a</p>`, "contrast 2.85"},
		{"chart", `<figure id="c"><svg role="img"><title>t</title></svg></figure>`, "a chart without a table: c"},
		{"request", `<img src="http://apfsim.invalid/x.png" alt="">`, "a request: http://apfsim.invalid/x.png"},
		{"console", `<script>console.log(1)</script>`, "the console says: log"},
		{"exception", `<script>nothing()</script>`, "an exception"},
		{"focus", `<style>a{outline:none!important}</style><p><a href="#x" id="x">long enough</a></p>`, "focus is not seen"},
	} {
		file := filepath.Join(t.TempDir(), c.name+".html")
		text := `<!DOCTYPE html><html lang="en"><head><title>t</title></head><body><header></header><nav aria-label="n"></nav><main>` + c.body + `</main><footer></footer></body></html>`
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		faults, err := Check(ctx, file, Views[:1], "")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(faults, "\n"), c.want) {
			t.Errorf("%s: want %q, got %q", c.name, c.want, faults)
		}
	}
}
