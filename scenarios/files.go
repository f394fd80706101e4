package scenarios

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Files is where scenarios, manifests and traces are read from. Errors are those of
// package os; their texts reach the user.
type Files interface {
	// ReadFile returns the whole of a file.
	ReadFile(name string) ([]byte, error)
	// ReadDir returns the entries of a folder. It fails for anything else.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Open opens a file for reading from its beginning.
	Open(name string) (io.ReadCloser, error)
}

// resolve returns the path of a file that a scenario names, relative to the scenario.
func resolve(scenario, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(scenario), filepath.FromSlash(name))
}

// manifestSuffixes are the names that a folder's manifests end with.
var manifestSuffixes = []string{".yaml", ".yml", ".json"}

// expandManifest returns the files that a name stands for: a file itself, a folder the
// manifests directly in it, or with recursive also those in the folders within, in
// order of their names.
func expandManifest(files Files, name string, recursive bool) (list []string, folder bool) {
	entries, err := files.ReadDir(name)
	if err != nil {
		return []string{name}, false // a file, or missing: reading it will tell
	}
	for _, e := range entries {
		inner := filepath.Join(name, e.Name())
		suffix := slices.ContainsFunc(manifestSuffixes, func(s string) bool { return strings.HasSuffix(e.Name(), s) })
		switch {
		case e.IsDir() && recursive:
			within, _ := expandManifest(files, inner, true)
			list = append(list, within...)
		case suffix && !e.IsDir():
			list = append(list, inner)
		}
	}
	slices.Sort(list)
	return list, true
}

// unreadable says why a file cannot be read, and which one may have been meant.
func unreadable(files Files, name string, err error) fault {
	f := fault{code: CodeUnreadable, message: fmt.Sprintf("cannot read %s: %s", name, reason(err))}
	if !errors.Is(err, fs.ErrNotExist) {
		return f
	}
	folder := filepath.Dir(name)
	entries, err := files.ReadDir(folder)
	if err != nil {
		return f
	}
	var names []string
	for _, e := range entries {
		names = append(names, filepath.Join(folder, e.Name()))
	}
	slices.Sort(names)
	f.hint = didYouMean(name, names)
	return f
}

// reason returns the text of an error without the operation and the path, which the
// message around it has.
func reason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}

// SourceText is a text that a scenario was made of.
type SourceText struct {
	Name string
	Text []byte
}

// recorder keeps what is read. Traces are opened and not read, and so not kept.
type recorder struct {
	Files
	sources []SourceText
}

// ReadFile reads a file, and keeps it.
func (r *recorder) ReadFile(name string) ([]byte, error) {
	text, err := r.Files.ReadFile(name)
	if err == nil && !slices.ContainsFunc(r.sources, func(s SourceText) bool { return s.Name == name }) {
		r.sources = append(r.sources, SourceText{name, text})
	}
	return text, err
}
