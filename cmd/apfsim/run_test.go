package main

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// longScenario would run for days.
const longScenario = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: long}
duration: 100000h
replications: 4
clients:
- name: ci
  count: 1
  user: ci
  groups: [system:authenticated]
  requests: [{verb: get, resource: pods, namespace: ci, name: x}]
  arrivals: {poisson: {rate: 100}}
  duration: {constant: 1ms}
`

// newLongRun is a process that runs the long scenario on an attended terminal. Its clock
// goes fast, so that the display appears at once; begun is called when it has, and so
// some virtual time has passed.
func newLongRun(begun func(p *testProcess), args ...string) *testProcess {
	return newLong(begun, append([]string{"run", "long.yaml"}, args...)...)
}

// newLong is a process whose command runs the long scenario among others.
func newLong(begun func(p *testProcess), args ...string) *testProcess {
	p := newProcess(map[string]string{"long.yaml": longScenario, "next.yaml": strings.Replace(longScenario, "name: long", "name: next", 1)}, args...)
	p.StderrTerminal = Terminal{Attended: true, Width: 100}
	ticks := make(chan time.Time)
	var clock atomic.Int64
	p.Now = func() time.Time { return time.Unix(0, clock.Load()) }
	p.Tick = func(time.Duration) (<-chan time.Time, func()) {
		ended := make(chan struct{})
		go func() {
			told := false
			for {
				clock.Add(int64(progressDelay))
				select {
				case ticks <- p.Now():
				case <-ended:
					return
				}
				if !told && strings.Contains(p.err.String(), " left") {
					told = true
					begun(p)
				}
			}
		}()
		return ticks, func() { close(ended) }
	}
	return p
}

// TestInterrupt holds that a wish to stop gives the partial result, marked as such.
func TestInterrupt(t *testing.T) {
	p := newLongRun(func(p *testProcess) { p.signals <- struct{}{} },
		"-o", "text", "-o", "json=result.json", "--decisions", "decisions.jsonl", "-o", "audit=audit.log")
	p.want(t, exitInterrupted, "PARTIAL RESULT: interrupted at", "interrupted: ending with what there is")
	if !strings.Contains(p.err.String(), "decisions.jsonl: not written") {
		t.Errorf("stderr does not tell of the decision log: %s", p.err.String())
	}
	if !strings.Contains(p.err.String(), "audit.log: not written") || p.fs.files["audit.log"] != "" {
		t.Errorf("stderr does not tell of the audit log: %s", p.err.String())
	}
	if got, want := strings.Join(p.fs.names(), " "), "long.yaml next.yaml result.json"; got != want {
		t.Errorf("files %q, want %q", got, want)
	}
	if p.fs.pending != 0 {
		t.Errorf("%d files were left in the making", p.fs.pending)
	}
	result, err := reports.ReadJSON(strings.NewReader(p.fs.files["result.json"]))
	if err != nil {
		t.Fatal(err)
	}
	if !result.Partial || len(result.Replications) == 0 {
		t.Errorf("partial %v with %d replications", result.Partial, len(result.Replications))
	}
}

// TestInterruptedTests holds that scenarios which are not run because of a wish to stop are told as
// tests that were skipped.
func TestInterruptedTests(t *testing.T) {
	p := newLong(func(p *testProcess) { p.signals <- struct{}{} }, "test", "long.yaml", "next.yaml", "-o", "text", "-o", "junit=r.xml", "-o", "github=r.txt")
	p.want(t, exitInterrupted, "1 scenario not run", "interrupted: ending with what there is")
	for file, wants := range map[string][]string{
		"r.xml": {`<testsuites name="apfsim" tests="2" failures="0" errors="1" skipped="1" time="0">`, `<testsuite name="next" tests="1" failures="0" errors="0" skipped="1" time="0" file="next.yaml">`,
			`<skipped message="not run: interrupted"></skipped>`},
		"r.txt": {"::notice title=apfsim%3A next::not run: interrupted"},
	} {
		for _, want := range wants {
			if !strings.Contains(p.fs.files[file], want) {
				t.Errorf("%s lacks %s:\n%s", file, want, p.fs.files[file])
			}
		}
	}
}

// blockedWriter never returns until it is released.
type blockedWriter struct{ entered, release chan struct{} }

func (w blockedWriter) Write(b []byte) (int, error) {
	w.entered <- struct{}{}
	<-w.release
	return len(b), nil
}

// TestInterruptTwice holds that a second wish is obeyed at once, also while the output
// is stuck, and that no file is left.
func TestInterruptTwice(t *testing.T) {
	w := blockedWriter{make(chan struct{}), make(chan struct{})}
	defer close(w.release)
	p := newLongRun(func(p *testProcess) {
		p.signals <- struct{}{}
		go func() {
			<-w.entered
			p.signals <- struct{}{}
		}()
	}, "-o", "text", "-o", "json=result.json")
	p.Stdout = w
	p.want(t, exitInterrupted, "", "once more to quit at once")
	if got := strings.Join(p.fs.names(), " "); got != "long.yaml next.yaml" || p.fs.pending != 0 {
		t.Errorf("files %q, %d in the making", got, p.fs.pending)
	}
}

// blockedReader never returns until it is released.
type blockedReader struct{ entered, release chan struct{} }

func (r blockedReader) Read([]byte) (int, error) {
	r.entered <- struct{}{}
	<-r.release
	return 0, io.EOF
}

// TestInterruptWithoutResult holds that a verb that has nothing to give is left at once.
func TestInterruptWithoutResult(t *testing.T) {
	for _, args := range [][]string{{"shuffle", "--flows", "-"}, {"run", "-"}} {
		r := blockedReader{make(chan struct{}), make(chan struct{})}
		p := newProcess(nil, args...)
		p.Stdin = r
		go func() {
			<-r.entered
			p.signals <- struct{}{}
		}()
		p.want(t, exitInterrupted, "", "")
		close(r.release)
	}
}

// TestProgress holds that a long run shows itself on a terminal, in virtual time, and
// leaves nothing of it in the output.
func TestProgress(t *testing.T) {
	p := newLongRun(func(p *testProcess) { p.signals <- struct{}{} })
	p.want(t, exitInterrupted, "PARTIAL RESULT", "long [")
	if !strings.Contains(p.err.String(), " of 400000h0m0s of virtual time, about ") {
		t.Errorf("stderr %q", p.err.String())
	}
	if strings.Contains(p.out.String(), "left") {
		t.Error("the display is in the output")
	}
}

// TestNoProgress holds that nothing is shown where nobody looks.
func TestNoProgress(t *testing.T) {
	p := newProcess(nil, "run", "leader-election")
	p.Tick = func(time.Duration) (<-chan time.Time, func()) {
		t.Error("a display without a terminal")
		return nil, func() {}
	}
	p.want(t, exitOK, "leader-election", "")
}

func TestProgressText(t *testing.T) {
	g := &progress{total: 50 * time.Minute}
	for _, c := range []struct {
		done, elapsed time.Duration
		want          string
	}{
		{0, time.Second, "0s of 50m0s of virtual time"},
		{10 * time.Minute, 2 * time.Second, "10m0s of 50m0s of virtual time, about 8s left"},
		{50 * time.Minute, 2 * time.Second, "50m0s of 50m0s of virtual time, about 1s left"},
	} {
		if got := g.text(c.done, c.elapsed); got != c.want {
			t.Errorf("%v after %v: %q, want %q", c.done, c.elapsed, got, c.want)
		}
	}
}

// TestFullDisk holds that a file that cannot be finished fails the command, that the
// report is printed all the same, and that nothing is left in the making.
func TestFullDisk(t *testing.T) {
	p := newProcess(nil, "run", "leader-election", "-o", "text", "-o", "json=result.json", "--decisions", "d.jsonl")
	p.fs.commitFault = syscall.ENOSPC
	p.want(t, exitInput, "leader-election", "result.json: cannot write the file: no space left on device")
	if len(p.fs.names()) != 0 || p.fs.pending != 0 {
		t.Errorf("files %q, %d in the making", p.fs.names(), p.fs.pending)
	}
}

// fleetingFS is a file system from which a file goes away after it was opened once.
type fleetingFS struct {
	*memFS
	opened atomic.Bool
}

func (f *fleetingFS) Open(name string) (io.ReadCloser, error) {
	if f.opened.Swap(true) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.memFS.Open(name)
}

// TestTraceGoesAway holds that a trace that cannot be read once more is a fault of the
// input, and leaves no file.
func TestTraceGoesAway(t *testing.T) {
	p := newProcess(map[string]string{
		"s.yaml":  "apiVersion: apfsim.dev/v1alpha1\nkind: Scenario\nmetadata: {name: s}\nclients:\n- name: t\n  trace: {file: t.jsonl}\n",
		"t.jsonl": `{"arrival":"1s","duration":"1s","user":"a","verb":"get","resource":"pods"}`,
	}, "run", "s.yaml", "-o", "json=result.json")
	p.FS = &fleetingFS{memFS: p.fs}
	p.want(t, exitInput, "", "error: s.yaml: ")
	if got := strings.Join(p.fs.names(), " "); got != "s.yaml t.jsonl" || p.fs.pending != 0 {
		t.Errorf("files %q, %d in the making", got, p.fs.pending)
	}
}

// TestColour holds that escape sequences are for terminals, and not where NO_COLOR is
// set.
func TestColour(t *testing.T) {
	for _, c := range []struct {
		attended bool
		env      map[string]string
		want     bool
	}{
		{attended: true, want: true},
		{attended: false, want: false},
		{attended: true, env: map[string]string{"NO_COLOR": "1"}, want: false},
		{attended: true, env: map[string]string{"TERM": "dumb"}, want: false},
	} {
		p := newProcess(nil, "run", "leader-election")
		p.StdoutTerminal = Terminal{Attended: c.attended, Width: 120}
		p.Env = func(name string) string { return c.env[name] }
		if code := run(&p.Process); code != exitOK {
			t.Fatalf("exit code %d: %s", code, p.err.String())
		}
		if got := strings.Contains(p.out.String(), "\x1b["); got != c.want {
			t.Errorf("%+v: colour %v", c, got)
		}
	}
}

// TestReplicate holds that all numbers are run once, that the error is that of the
// smallest, and that a panic arrives with its stack.
func TestReplicate(t *testing.T) {
	for _, workers := range []int{1, 3, 100} {
		var stopped atomic.Bool
		counts := make([]int, 20)
		if err := replicate(20, workers, &stopped, func(i int) error { counts[i]++; return nil }); err != nil {
			t.Fatal(err)
		}
		for i, n := range counts {
			if n != 1 {
				t.Errorf("%d workers: number %d ran %d times", workers, i, n)
			}
		}
	}
	faults := []error{nil, errors.New("one"), errors.New("two"), nil}
	var stopped atomic.Bool
	begun := make(chan struct{})
	err := replicate(4, 4, &stopped, func(i int) error {
		if i == 1 {
			<-begun // the second fails later than the third
		} else if i == 2 {
			close(begun)
		}
		return faults[i]
	})
	if err != faults[1] {
		t.Errorf("error %v, want %v", err, faults[1])
	}
	defer func() {
		c, ok := recover().(crash)
		if !ok || c.what != "five seats of four" || !strings.Contains(string(c.stack), "TestReplicate") {
			t.Errorf("recovered %v", c.what)
		}
	}()
	var again atomic.Bool
	_ = replicate(2, 2, &again, func(int) error { panic("five seats of four") })
}
