package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// update rewrites what tests expect by what they get. Commit only what you can explain.
var update = flag.Bool("update", false, "rewrite the expected outputs and fingerprints")

// TestMain lets scripts call apfsim as a program of its own: the test binary under
// another name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"apfsim": func() { os.Exit(run(osProcess())) },
	})
}

// TestScripts runs the command lines in testdata/script, each in a folder of its own.
func TestScripts(t *testing.T) {
	runScripts(t, "testdata/script")
}

// TestSearches runs the scripts of verbs that make many runs.
func TestSearches(t *testing.T) {
	if !*everything {
		return
	}
	runScripts(t, "testdata/searches")
}

// runScripts runs the scripts of a folder.
func runScripts(t *testing.T, folder string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir:                folder,
		RequireUniqueNames: true,
		UpdateScripts:      *update,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"gzip": gzipScript,
			"code": codeScript,
			"only": onlyScript,
		},
	})
}

// gzipScript compresses a file: gzip FROM TO [KEEP]. With KEEP, only that many percent
// of the result are written, as by a copy that was cut short.
func gzipScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: gzip FROM TO [KEEP]")
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(w.Close())
	out := b.Bytes()
	if len(args) == 3 {
		percent, err := strconv.Atoi(args[2])
		ts.Check(err)
		out = out[:len(out)*percent/100]
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out, 0o600))
}

// codeScript runs a command that has to end with a code: code N COMMAND...
func codeScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		coded, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = coded.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// onlyScript checks which files a folder holds: only DIR NAME... Hidden files, such as
// those in the making, count.
func onlyScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: only DIR NAME...")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}
