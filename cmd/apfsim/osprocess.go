package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/apfsim/apfsim/workload/recording"
)

// osProcess is the real process as a value. It is the only function of the repository
// that reaches for the machine; a test holds that.
func osProcess() *Process {
	// A reader that has gone away (`apfsim ... | head`) shows as an error of the write,
	// so that the files of the same command still appear whole.
	signal.Ignore(syscall.SIGPIPE)
	return &Process{
		Args:   append([]string{}, os.Args[1:]...),
		Env:    os.Getenv,
		Stdin:  os.Stdin,
		Stdout: osOutput{os.Stdout},
		Stderr: os.Stderr,
		FS:     osFS{},

		StdoutTerminal: osTerminal(os.Stdout),
		StderrTerminal: osTerminal(os.Stderr),

		Now:     time.Now,
		Tick:    osTick,
		Signals: osSignals(),
		NumCPU:  runtime.GOMAXPROCS(0),
		Build:   osBuild(),
	}
}

// osOutput is a stream whose reader may go away: it then fails as an io.Pipe does.
type osOutput struct{ *os.File }

// Write writes all of b.
func (o osOutput) Write(b []byte) (int, error) {
	n, err := o.File.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		err = io.ErrClosedPipe
	}
	return n, err
}

// osTick is a ticker of the real clock.
func osTick(period time.Duration) (<-chan time.Time, func()) {
	t := time.NewTicker(period)
	return t.C, t.Stop
}

// osSignals turns SIGINT and SIGTERM into wishes to stop.
func osSignals() <-chan struct{} {
	raw := make(chan os.Signal, 2)
	signal.Notify(raw, os.Interrupt, syscall.SIGTERM)
	wishes := make(chan struct{})
	go func() {
		for range raw {
			wishes <- struct{}{}
		}
	}()
	return wishes
}

// osTerminal looks at a stream.
func osTerminal(f *os.File) Terminal {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return Terminal{}
	}
	width, _, err := term.GetSize(fd)
	if err != nil {
		width = 0 // a terminal that does not tell its size, as in some editors
	}
	return Terminal{Attended: true, Width: width}
}

// version and revision are set by a build that has no repository around it, such as that of the
// container image: -ldflags "-X main.version=v1.2.3 -X main.revision=0123abc".
var version, revision string

// osBuild reads what the toolchain wrote into the program, unless the build said it.
func osBuild() Build {
	b := recordedBuild()
	b.Version, b.Revision = cmp.Or(version, b.Version), cmp.Or(revision, b.Revision)
	return b
}

// recordedBuild reads what the toolchain wrote into the program.
func recordedBuild() Build {
	b := Build{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.Revision = s.Value
		}
	}
	return b
}

// osFS is the real file system.
type osFS struct{}

var _ FS = osFS{}

func (osFS) Open(name string) (io.ReadCloser, error)    { return os.Open(name) }
func (osFS) ReadFile(name string) ([]byte, error)       { return os.ReadFile(name) }
func (osFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osFS) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (osFS) MkdirAll(name string) error                 { return os.MkdirAll(name, 0o777) }

// Create makes a temporary file beside the target, which Commit renames: a rename
// within one folder replaces the target in one step. What is not a regular file, such
// as a pipe or /dev/null, is written directly, since a rename would replace it.
func (osFS) Create(name string) (PendingFile, error) {
	target := name
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		target = resolved
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "create", Path: name, Err: syscall.EISDIR}
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return directFile{f}, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	f, err := createTemp(target)
	if err != nil {
		return nil, &fs.PathError{Op: "create", Path: name, Err: cause(err)}
	}
	if info != nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	return &renamedFile{File: f, target: target}, nil
}

// Scratch makes a file in the folder for temporary files and removes its name at once, so that
// nothing stays behind however the process ends. Where the system does not let go of the name of
// an open file, closing removes it.
func (osFS) Scratch() (recording.Scratch, error) {
	f, err := os.CreateTemp("", "apfsim-*")
	if err != nil {
		return nil, err
	}
	if os.Remove(f.Name()) == nil {
		return f, nil
	}
	return namedScratch{f}, nil
}

// namedScratch is a scratch file whose name is removed when it is closed.
type namedScratch struct{ *os.File }

// Close closes the file and removes it.
func (s namedScratch) Close() error {
	return errors.Join(s.File.Close(), os.Remove(s.Name()))
}

// createTemp opens a new file in the folder of the target, with the rights that the
// user's umask gives to new files.
func createTemp(target string) (*os.File, error) {
	folder, base := filepath.Split(target)
	for i := 0; ; i++ {
		name := filepath.Join(folder, fmt.Sprintf(".%s.%d-%d.tmp", base, os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// cause strips the name of the temporary file, which means nothing to the user.
func cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// renamedFile is a temporary file that takes its name at the end.
type renamedFile struct {
	*os.File
	target string
}

var _ PendingFile = (*renamedFile)(nil)

// Commit syncs before the rename, so that not even a crash of the machine leaves the
// name with half of the file.
func (f *renamedFile) Commit() error {
	err := errors.Join(f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), f.target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func (f *renamedFile) Discard() error {
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// directFile is a pipe or a device: what is written is gone.
type directFile struct{ *os.File }

var _ PendingFile = directFile{}

func (f directFile) Commit() error  { return f.Close() }
func (f directFile) Discard() error { return f.Close() }
