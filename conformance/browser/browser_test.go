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

// run runs the tests with a folder for the command.
func run(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "apfsim-browser"); err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(folder)
	return m.Run()
}

// open starts the browser for a test.
func open(t *testing.T) context.Context {
	t.Helper()
	ctx, end, err := Open(browserPath)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
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

// write makes the page of some scenarios. That an expectation fails is no fault of the page.
func write(t *testing.T, apfsim, file string, arguments ...string) {
	t.Helper()
	do(t, apfsim, append([]string{"run", "--report", file}, arguments...)...)
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
	for _, v := range Views {
		faults, err := Check(ctx, file, v, *pictures)
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		for _, fault := range faults {
			t.Errorf("%s: %s", v.Name, fault)
		}
	}
}

// TestLibrary looks at the page of each scenario of the library.
func TestLibrary(t *testing.T) {
	ctx, command, folder := open(t), apfsim(t), t.TempDir()
	for _, name := range names(t, command) {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(folder, name+".html")
			write(t, command, file, name)
			look(t, ctx, file)
		})
	}
}

// TestSeveral looks at pages of several scenarios.
func TestSeveral(t *testing.T) {
	ctx, command, folder := open(t), apfsim(t), t.TempDir()
	all := names(t, command)
	for _, n := range []int{2, len(all)} {
		file := filepath.Join(folder, "several.html")
		write(t, command, file, all[:min(n, len(all))]...)
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

// TestConfiguration looks at the page of tests without traffic.
func TestConfiguration(t *testing.T) {
	ctx, command, folder := open(t), apfsim(t), t.TempDir()
	scenario, file := filepath.Join(folder, "tests-alone.yaml"), filepath.Join(folder, "tests-alone.html")
	if err := os.WriteFile(scenario, []byte(configuration), 0o644); err != nil {
		t.Fatal(err)
	}
	do(t, command, "test", scenario, "-o", "html="+file)
	look(t, ctx, file)
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

// TestPrint holds that a page can be printed. With a folder for pictures the PDF is left there.
func TestPrint(t *testing.T) {
	ctx, command, file := open(t), apfsim(t), filepath.Join(t.TempDir(), "printed.html")
	write(t, command, file, "elephants-and-mice")
	pdf, err := Print(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Errorf("what is printed begins with %.20q", pdf)
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
		faults, err := Check(ctx, file, Views[0], "")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(faults, "\n"), c.want) {
			t.Errorf("%s: want %q, got %q", c.name, c.want, faults)
		}
	}
}
