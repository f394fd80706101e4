package main

import (
	"io"
	"io/fs"
	"strconv"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// Process is everything that a command can see of the machine it runs on. Commands get
// nothing else, so that tests run whole commands in memory.
type Process struct {
	// Args are the arguments without the name of the program.
	Args []string
	// Env looks an environment variable up, "" if it is not set.
	Env func(name string) string
	// Stdin, Stdout and Stderr are the three streams. Data goes to Stdout, everything
	// else to Stderr.
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	// FS reads and writes files by the names that the user gave.
	FS FS
	// StdoutTerminal and StderrTerminal tell what the two streams are.
	StdoutTerminal, StderrTerminal Terminal
	// Now is the real clock, and Tick sends its time again and again until stopped. They
	// serve the progress display alone: no result holds the real time.
	Now  func() time.Time
	Tick func(period time.Duration) (ticks <-chan time.Time, stop func())
	// Signals delivers the wish to stop, once for each Ctrl-C.
	Signals <-chan struct{}
	// NumCPU is how many replications may run side by side.
	NumCPU int
	// Build says which program this is.
	Build Build

	// stopper is set by run.
	stopper *stopper
}

// Terminal describes an output stream.
type Terminal struct {
	// Attended is whether somebody looks at it: it is a terminal.
	Attended bool
	// Width is the number of columns, 0 if it is not known.
	Width int
}

// columns returns how many columns there are for a text on a stream: as many as the terminal has,
// or else as COLUMNS says, which is how the caller of a pipe passes on what it has. 0 is
// unknown, and so is what is no number of columns.
func (p *Process) columns(t Terminal) int {
	if t.Width > 0 {
		return t.Width
	}
	n, err := strconv.ParseUint(p.Env("COLUMNS"), 10, 16)
	if err != nil {
		return 0
	}
	return int(n)
}

// Build is what the Go toolchain recorded about the program.
type Build struct {
	// Version is the module's version, "(devel)" for one built from a working tree.
	Version string
	// Revision is the commit, "" if it was not recorded.
	Revision string
	// Go and Platform are the toolchain and what it built for, as in "linux/amd64".
	Go, Platform string
}

// FS is the part of a file system that commands use.
type FS interface {
	// Open opens a file for reading.
	Open(name string) (io.ReadCloser, error)
	// ReadFile reads a whole file.
	ReadFile(name string) ([]byte, error)
	// ReadDir lists a folder in the order of the names.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Stat tells what a name stands for.
	Stat(name string) (fs.FileInfo, error)
	// Create begins a file that nobody sees under its name until it is committed.
	Create(name string) (PendingFile, error)
	// MkdirAll makes a folder, and those that it lies in, unless they are there.
	MkdirAll(name string) error
	// Scratch opens an empty file without a name, which is gone once it is closed.
	Scratch() (recording.Scratch, error)
}

// PendingFile is a file in the making. Exactly one of Commit and Discard ends it.
type PendingFile interface {
	io.Writer
	// Commit makes the file appear under its name, whole, in place of an older one.
	Commit() error
	// Discard leaves no trace of it.
	Discard() error
}
