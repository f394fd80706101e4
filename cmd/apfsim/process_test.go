package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// memFS is a file system in memory. Files under a folder called "locked" can be neither
// read nor written.
type memFS struct {
	mu    sync.Mutex
	files map[string]string
	// pending counts the files that are neither committed nor discarded.
	pending int
	// commitFault makes every Commit fail.
	commitFault error
}

var _ FS = (*memFS)(nil)

// mapFS is the current content for reading.
func (m *memFS) mapFS() fstest.MapFS {
	m.mu.Lock()
	defer m.mu.Unlock()
	files := fstest.MapFS{}
	for name, text := range m.files {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func locked(name string) bool { return strings.HasPrefix(name, "locked/") }

func (m *memFS) Open(name string) (io.ReadCloser, error) {
	if locked(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return m.mapFS().Open(name)
}

func (m *memFS) ReadFile(name string) ([]byte, error) {
	f, err := m.Open(name)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(f)
}

// ReadDir and Stat take a slash at the end of a name as an operating system does.
func (m *memFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return m.mapFS().ReadDir(path.Clean(name))
}
func (m *memFS) Stat(name string) (fs.FileInfo, error) { return m.mapFS().Stat(path.Clean(name)) }

// MkdirAll has nothing to make: a folder is there as long as a file is in it.
func (m *memFS) MkdirAll(name string) error {
	if locked(name + "/") {
		return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrPermission}
	}
	return nil
}

// Scratch is in memory, too.
func (m *memFS) Scratch() (recording.Scratch, error) { return &memScratch{}, nil }

// memScratch is a scratch file in memory.
type memScratch struct{ text []byte }

func (s *memScratch) Write(b []byte) (int, error) {
	s.text = append(s.text, b...)
	return len(b), nil
}

func (s *memScratch) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(s.text).ReadAt(b, at)
}

func (*memScratch) Close() error { return nil }

func (m *memFS) Create(name string) (PendingFile, error) {
	if locked(name) {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrPermission}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pending++
	return &memFile{fs: m, name: name}, nil
}

// names lists the files.
func (m *memFS) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.files))
}

// memFile is a file in the making.
type memFile struct {
	bytes.Buffer
	fs    *memFS
	name  string
	ended bool
}

func (f *memFile) end() error {
	if f.ended {
		return errors.New(f.name + " was ended twice")
	}
	f.ended = true
	f.fs.pending--
	return nil
}

func (f *memFile) Commit() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.end(); err != nil {
		return err
	}
	if f.fs.commitFault != nil {
		return f.fs.commitFault
	}
	f.fs.files[f.name] = f.String()
	return nil
}

func (f *memFile) Discard() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	return f.end()
}

// buffer is a bytes.Buffer that two goroutines may write.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(text)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// testProcess is a process in memory and what came out of it.
type testProcess struct {
	Process
	out, err buffer
	fs       *memFS
	signals  chan struct{}
}

// newProcess makes a process with some files, given as names and texts in turn.
func newProcess(files map[string]string, args ...string) *testProcess {
	t := &testProcess{fs: &memFS{files: map[string]string{}}, signals: make(chan struct{}, 2)}
	maps.Copy(t.fs.files, files)
	t.Process = Process{
		Args:    args,
		Env:     func(string) string { return "" },
		Stdin:   strings.NewReader(""),
		Stdout:  &t.out,
		Stderr:  &t.err,
		FS:      t.fs,
		Now:     func() time.Time { return time.Time{} },
		Tick:    func(time.Duration) (<-chan time.Time, func()) { return nil, func() {} },
		Signals: t.signals,
		NumCPU:  2,
		Build:   Build{Version: "v1.2.3", Revision: "abc", Go: "go1.26.0", Platform: "plan9/386"},
	}
	return t
}

// want runs the process and compares the exit code and parts of what it printed.
func (p *testProcess) want(t *testing.T, code int, stdout, stderr string) {
	t.Helper()
	got := run(&p.Process)
	if got != code {
		t.Errorf("apfsim %q: exit code %d, want %d\nstderr: %s", p.Args, got, code, p.err.String())
	}
	if !strings.Contains(p.out.String(), stdout) || stdout == "" && p.out.String() != "" {
		t.Errorf("apfsim %q: stdout %q, want %q", p.Args, p.out.String(), stdout)
	}
	if !strings.Contains(p.err.String(), stderr) || stderr == "" && p.err.String() != "" {
		t.Errorf("apfsim %q: stderr %q, want %q", p.Args, p.err.String(), stderr)
	}
}
