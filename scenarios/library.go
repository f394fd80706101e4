package scenarios

import (
	"cmp"
	"embed"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// libraryFiles are the scenarios that come with the program. Each begins with a comment
// that tells the story and what to look at. The manifests of one that has some are in a
// folder of its name.
//
//go:embed library/*.yaml library/*/*.yaml
var libraryFiles embed.FS

const librarySuffix = ".yaml"

// LibraryEntry is one scenario of the library.
type LibraryEntry struct {
	Name, Description string
}

// library lists the scenarios of the library.
var library = sync.OnceValue(func() []LibraryEntry {
	entries, err := libraryFiles.ReadDir("library")
	if err != nil {
		panic("scenarios: " + err.Error())
	}
	var out []LibraryEntry
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		s, ds := Load(e.Name(), libraryFS{})
		if s == nil || len(ds) > 0 {
			panic("scenarios: faulty scenario in the library:\n" + ds.String())
		}
		out = append(out, LibraryEntry{s.Name, s.Description})
	}
	slices.SortFunc(out, func(a, b LibraryEntry) int { return cmp.Compare(a.Name, b.Name) })
	return out
})

// Library returns the scenarios of the library, in order of their names.
func Library() []LibraryEntry { return append([]LibraryEntry(nil), library()...) }

// LibraryFile returns the text of a scenario of the library, comments included, or of a
// manifest of one, which is named like new-level-under-load/agents, and false if there is
// none of that name.
func LibraryFile(name string) ([]byte, bool) {
	text, err := libraryFiles.ReadFile("library/" + name + librarySuffix)
	return text, err == nil && name != ""
}

// LoadLibrary loads a scenario of the library, and returns false if there is none of that
// name. It needs no files.
func LoadLibrary(name string) (*Scenario, bool) {
	s, ds, ok := LoadLibraryWith(name, Options{})
	if ok && s == nil {
		panic("scenarios: faulty scenario in the library:\n" + ds.String())
	}
	return s, ok
}

// LoadLibraryWith loads a scenario of the library with options in place of what it says, which
// may be faulty. Ok is false if there is none of that name.
func LoadLibraryWith(name string, o Options) (s *Scenario, found Diagnostics, ok bool) {
	if _, ok := LibraryFile(name); !ok || strings.Contains(name, "/") {
		return nil, nil, false
	}
	s, found = LoadWith(name+librarySuffix, libraryFS{}, o)
	if s != nil {
		s.InLibrary = true
	}
	return s, found, true
}

// libraryFS gives Load the files of the library.
type libraryFS struct{}

var _ Files = libraryFS{}

func (libraryFS) file(name string) string { return path.Join("library", name) }

// ReadFile is part of Files.
func (f libraryFS) ReadFile(name string) ([]byte, error) { return libraryFiles.ReadFile(f.file(name)) }

// ReadDir is part of Files.
func (f libraryFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return libraryFiles.ReadDir(f.file(name))
}

// Open is part of Files.
func (f libraryFS) Open(name string) (io.ReadCloser, error) { return libraryFiles.Open(f.file(name)) }
