package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The size of the sweep that is run by many processes. The defaults take seconds; larger ones are for
// one's own machine: -shards.duration 10m -shards.points 400.
var (
	shardsDuration = flag.Duration("shards.duration", time.Second, "virtual `duration` of each run of the sweep in shards")
	shardsPoints   = flag.Int("shards.points", 96, "`number` of points of the sweep in shards")
	shardsSeed     = flag.Uint64("shards.seed", 1, "`number` from which the moments derive at which processes are killed")
)

// shardsScenario is what is swept.
const shardsScenario = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: shards}
duration: %s
replications: 2
server: {maxRequestsInflight: 20, maxMutatingRequestsInflight: 10}
clients:
- name: ci
  count: 20
  user: system:serviceaccount:ci:bot-{index}
  groups: [system:serviceaccounts, system:authenticated]
  requests:
  - {verb: get, resource: pods, namespace: ci, name: x}
  arrivals: {poisson: {rate: 40}}
  duration: {exponential: {mean: 30ms}}
`

// shardBench is a folder in which processes run.
type shardBench struct {
	t   *testing.T
	dir string
	// program is the binary of this test, which is apfsim under that name.
	program string
	sweep   []string
}

func newShardBench(t *testing.T) *shardBench {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := &shardBench{t: t, dir: t.TempDir(), program: program}
	text := fmt.Sprintf(shardsScenario, *shardsDuration)
	if err := os.WriteFile(filepath.Join(b.dir, "shards.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.sweep = []string{"sweep", "shards.yaml", "--vary", fmt.Sprintf("priorityLevel/workload-low.shares=1..%d", *shardsPoints), "--workers", "1"}
	return b
}

// start begins a process.
func (b *shardBench) start(args ...string) (*exec.Cmd, *bytes.Buffer) {
	b.t.Helper()
	c := exec.Command(b.program)
	c.Args, c.Dir = append([]string{"apfsim"}, args...), b.dir
	said := &bytes.Buffer{}
	c.Stdout, c.Stderr = said, said
	if err := c.Start(); err != nil {
		b.t.Fatal(err)
	}
	return c, said
}

// run runs a process to its end, which has to be fine, and returns how much processor time it took.
func (b *shardBench) run(args ...string) time.Duration {
	b.t.Helper()
	c, said := b.start(args...)
	if err := c.Wait(); err != nil {
		b.t.Errorf("apfsim %q: %v\n%s", args, err, said)
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

// swept is the sweep with more arguments.
func (b *shardBench) swept(more ...string) []string {
	return append(b.sweep[:len(b.sweep):len(b.sweep)], more...)
}

// forms are outputs under a name.
func forms(name string) []string {
	return []string{"-o", "text=" + name + ".txt", "-o", "csv=" + name + ".csv", "-o", "json=" + name + ".json"}
}

// files are the names and texts of a folder, but for what was never finished.
func (b *shardBench) files(folder string) map[string]string {
	b.t.Helper()
	out := map[string]string{}
	root := os.DirFS(filepath.Join(b.dir, folder))
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		text, err := fs.ReadFile(root, name)
		out[name] = string(text)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// same holds that two sweeps have the same folders and outputs.
func (b *shardBench) same(one, other string) {
	b.t.Helper()
	a, z := b.files(one), b.files(other)
	if len(a) < *shardsPoints {
		b.t.Errorf("%s has %d files only", one, len(a))
	}
	if len(a) != len(z) {
		b.t.Errorf("%s has %d files, and %s has %d", one, len(a), other, len(z))
	}
	// Any order: each file is looked at by itself.
	for name, text := range a {
		if z[name] != text {
			b.t.Errorf("%s differs in %s and %s", name, one, other)
		}
	}
	for _, suffix := range []string{".txt", ".csv", ".json"} {
		x, err := os.ReadFile(filepath.Join(b.dir, one+suffix))
		y, err2 := os.ReadFile(filepath.Join(b.dir, other+suffix))
		if err := errors.Join(err, err2); err != nil {
			b.t.Fatal(err)
		}
		if !bytes.Equal(x, y) {
			b.t.Errorf("%s%s and %s%s differ", one, suffix, other, suffix)
		}
	}
}

// killed runs a process that is killed with a signal after a while, and tells whether that came before its end.
func (b *shardBench) killed(signal os.Signal, after time.Duration, args ...string) bool {
	b.t.Helper()
	c, said := b.start(args...)
	ctx, cancel := context.WithTimeout(context.Background(), after)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			b.t.Errorf("apfsim %q: %v\n%s", args, err, said)
		}
		return false
	case <-ctx.Done():
	}
	if err := c.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		b.t.Fatal(err)
	}
	return <-ended != nil
}

// after is done after a while. Processes of their own know no virtual time.
func after(d time.Duration) <-chan struct{} {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	context.AfterFunc(ctx, cancel)
	return ctx.Done()
}

// killedAtRandom kills a process at a random moment after it has written so many files. One that ends before that is
// quicker than whoever looks: its files go, and it is started again.
func (b *shardBench) killedAtRandom(random *rand.Rand, files int, folder string, args ...string) {
	b.t.Helper()
	const attempts = 50
	before := b.filesIfAny(folder)
	for range attempts {
		if b.killedAfter(files, time.Duration(random.Int64N(int64(20*time.Millisecond))), folder, args...) {
			b.t.Logf("%s: killed with %d files of its own", folder, len(b.filesIfAny(folder))-len(before))
			return
		}
		// Any order: each file goes by itself.
		for name := range b.filesIfAny(folder) {
			if _, was := before[name]; was {
				continue
			}
			if err := os.Remove(filepath.Join(b.dir, folder, name)); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	b.t.Fatalf("%s: %d processes ended before they were killed", folder, attempts)
}

// killedAfter kills a process some time after it has written so many files, and tells whether that came before its end.
func (b *shardBench) killedAfter(files int, later time.Duration, folder string, args ...string) bool {
	b.t.Helper()
	begun := len(b.filesIfAny(folder))
	c, said := b.start(args...)
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	fine := func(err error) bool {
		if err != nil {
			b.t.Fatalf("%s: %v\n%s", folder, err, said)
		}
		return false
	}
	for len(b.filesIfAny(folder)) < begun+files {
		select {
		case err := <-ended:
			return fine(err)
		case <-after(time.Millisecond):
		}
	}
	select {
	case err := <-ended:
		return fine(err)
	case <-after(later):
	}
	if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		b.t.Fatal(err)
	}
	return <-ended != nil
}

// filesIfAny are the files of a folder that may not be there.
func (b *shardBench) filesIfAny(folder string) map[string]string {
	if _, err := os.Stat(filepath.Join(b.dir, folder)); err != nil {
		return nil
	}
	return b.files(folder)
}

// shards is how many processes share the work.
const shards = 16

// TestSixteenShards holds that sixteen processes, of which two are killed at random moments and run
// again, make what one process makes, to the byte: in folders of their own, and in one for all.
func TestSixteenShards(t *testing.T) {
	t.Parallel()
	if !*everything {
		return
	}
	for _, shared := range []bool{false, true} {
		t.Run(fmt.Sprintf("shared=%t", shared), func(t *testing.T) {
			b := newShardBench(t)
			b.run(b.swept(append(forms("one"), "--results", "one")...)...)
			folderOf := func(i int) string {
				if shared {
					return "all"
				}
				return fmt.Sprintf("shard-%d", i)
			}
			argsOf := func(i int) []string {
				return b.swept("--results", folderOf(i), "--shard", fmt.Sprintf("%d/%d", i, shards))
			}
			random := rand.New(rand.NewPCG(*shardsSeed, 0))
			first, second := random.IntN(shards/2), shards/2+random.IntN(shards/2)
			for _, i := range []int{first, second} {
				b.killedAtRandom(random, 1+random.IntN(*shardsPoints/shards), folderOf(i), argsOf(i)...)
			}
			var wait sync.WaitGroup
			for _, i := range random.Perm(shards) {
				wait.Go(func() { b.run(argsOf(i)...) })
			}
			wait.Wait()
			merge := append([]string{"merge", "--results", "merged"}, forms("merged")...)
			for _, i := range random.Perm(shards) {
				merge = append(merge, folderOf(i))
			}
			b.run(merge...)
			b.same("one", "merged")
		})
	}
}

// TestStoppedSweeps holds that a sweep that was interrupted, or killed, again and again, and goes on each
// time, makes what it would have made at once.
func TestStoppedSweeps(t *testing.T) {
	t.Parallel()
	b := newShardBench(t)
	span := b.run(b.swept(append(forms("one"), "--results", "one")...)...)
	random := rand.New(rand.NewPCG(*shardsSeed, 1))
	stops := 0
	for i := range 6 {
		signal := []os.Signal{os.Interrupt, syscall.SIGKILL}[i%2]
		if b.killed(signal, span/8+time.Duration(random.Int64N(int64(span/4))), b.swept("--results", "stopped")...) {
			stops++
		}
	}
	if stops == 0 {
		t.Error("no process was stopped before its end")
	}
	b.run(b.swept(append(forms("stopped"), "--results", "stopped")...)...)
	b.same("one", "stopped")
}
