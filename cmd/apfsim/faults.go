package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/scenarios"
)

// fault is an error with the exit code that it stands for, and what the user can do.
type fault struct {
	code    int
	message string
	// hint is one line of advice, "" for none.
	hint string
}

func (f *fault) Error() string { return f.message }

// usagef makes a fault of the command line.
func usagef(hint, format string, args ...any) error {
	return &fault{code: exitUsage, message: fmt.Sprintf(format, args...), hint: hint}
}

// inputf makes a fault of a file.
func inputf(hint, format string, args ...any) error {
	return &fault{code: exitInput, message: fmt.Sprintf(format, args...), hint: hint}
}

// verdict ends a command with a code after everything there is to say has been said.
type verdict int

func (v verdict) Error() string { return fmt.Sprintf("exit code %d", int(v)) }

// badInput is what a file holds against the rules: all of its faults.
type badInput struct{ faults scenarios.Diagnostics }

func (b badInput) Error() string { return b.faults.String() }

// report prints an error and returns its exit code. Errors without a code of their own
// are faults of apfsim.
func report(stderr io.Writer, err error) int {
	var v verdict
	var f *fault
	var bad badInput
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &v):
		return int(v)
	case errors.As(err, &bad):
		fmt.Fprint(stderr, bad.faults)
		return exitInput
	case errors.As(err, &f):
		fmt.Fprintf(stderr, "error: %s\n", f.message)
		if f.hint != "" {
			fmt.Fprintf(stderr, "  hint: %s\n", f.hint)
		}
		return f.code
	default:
		fmt.Fprintf(stderr, "internal error: %v\n", err)
		return exitInternal
	}
}

// fileReason says why a file could not be used, without the name of the system call and
// of the file.
func fileReason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}

// readerGone tells whether a write failed because nobody reads any more.
func readerGone(err error) bool { return errors.Is(err, io.ErrClosedPipe) }

// didYouMean makes a hint of the legal word that is nearest to a wrong one, or of all
// of them if none is near.
func didYouMean(word string, legal []string) string {
	if best, ok := suggest.Nearest(word, legal); ok {
		return fmt.Sprintf("did you mean %s?", best)
	}
	return "legal are " + strings.Join(legal, ", ")
}
