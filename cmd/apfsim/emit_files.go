package main

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/cmd/apfsim/indexedjob"
	"github.com/apfsim/apfsim/scenarios"
)

// The folders of files in a Pod: those that are read are below filesRoot, since the top of a ConfigMap's volume
// holds more than files; one for each .. that a name here begins with; and one for absolute names.
const (
	filesRoot    = "files"
	folderAbove  = "above"
	absoluteRoot = "root"
)

// jobInputs are the files that a study reads.
type jobInputs struct {
	process *Process
	names   []string
	texts   map[string][]byte
}

// jobInputsOf gathers the files of scenarios, and others beside.
func jobInputsOf(p *Process, sources []*studied, others ...string) (*jobInputs, error) {
	in := &jobInputs{process: p, texts: map[string][]byte{}}
	for _, s := range sources {
		if s.arg == "-" {
			return nil, usagef("write it to a file", "--%s: a Pod has no standard input to read the scenario from", emitJobFlag)
		}
		texts := s.base.Sources
		if s.base.InLibrary {
			texts = texts[1:] // it is in the program
		}
		for _, source := range texts {
			in.add(source.Name, source.Text)
		}
		for i := range s.base.Config.Populations {
			if t := s.base.Config.Populations[i].Trace; t != nil {
				others = append(others, t.Name())
			}
		}
	}
	for _, name := range others {
		text, err := p.FS.ReadFile(name)
		if err != nil {
			return nil, inputf("", "%s: cannot read the file: %s", name, fileReason(err))
		}
		in.add(name, text)
	}
	return in, nil
}

func (in *jobInputs) add(name string, text []byte) {
	name = filepath.Clean(name)
	if _, known := in.texts[name]; !known {
		in.names = append(in.names, name)
	}
	in.texts[name] = text
}

// ups is how many folders above the one here the files lie.
func (in *jobInputs) ups() int {
	n := 0
	for _, name := range in.names {
		n = max(n, strings.Count(filepath.ToSlash(name), "../"))
	}
	return n
}

// folder is the one among the inputs from which the names are seen, as they are here.
func (in *jobInputs) folder() string {
	return path.Join(filesRoot, strings.Repeat(folderAbove+"/", in.ups()))
}

// inside is the name that a file or folder has in a Pod.
func (in *jobInputs) inside(name string) string {
	if !filepath.IsAbs(name) {
		return filepath.ToSlash(filepath.Clean(name))
	}
	return strings.Repeat("../", in.ups()) + absoluteRoot + filepath.ToSlash(filepath.Clean(name))
}

// files are what the Pods read.
func (in *jobInputs) files() []indexedjob.File {
	var out []indexedjob.File
	for _, name := range in.names {
		out = append(out, indexedjob.File{Path: path.Join(in.folder(), in.inside(name)), Text: in.texts[name]})
	}
	return out
}

// check refuses what does not fit into a ConfigMap, unless a volume has it.
func (in *jobInputs) check(volume string) error {
	size, largest := 0, ""
	for _, name := range in.names {
		size += len(in.texts[name])
		if len(in.texts[name]) > len(in.texts[largest]) {
			largest = name
		}
	}
	if size <= indexedjob.MaxFiles || volume != "" {
		return nil
	}
	return inputf("put the files on a volume, and name its claim: --files-claim NAME",
		"the files of the scenario are %d bytes, of which %s has %d, and a ConfigMap holds %d", size, largest, len(in.texts[largest]), indexedjob.MaxFiles)
}

// same holds that the Pods will see the scenarios that were read here.
func (in *jobInputs) same(sources []*studied, options scenarios.Options) error {
	p := *in.process
	p.FS = podFiles{in: in, texts: map[string][]byte{}}
	for _, f := range in.files() {
		p.FS.(podFiles).texts[f.Path] = f.Text
	}
	options.ManifestFiles, options.Manifests = p.FS, slices.Clone(options.Manifests)
	for i, name := range options.Manifests {
		options.Manifests[i] = in.inside(name)
	}
	for _, s := range sources {
		arg := s.arg
		if !s.base.InLibrary {
			arg = in.inside(arg)
		}
		found, faults := loadOne(&p, arg, options)
		if found == nil || faults.HasErrors() {
			return inputf("name files relative to the scenario", "%s: the scenario cannot be read in a Pod:\n%s", s.arg, strings.TrimSpace(faults.String()))
		}
		there := &studied{process: &p, arg: arg, options: options, base: found}
		digest, err := there.digest()
		if err != nil {
			return err
		}
		if digest != s.id.Digest {
			return inputf("name files relative to the scenario", "%s: the scenario would be another one in a Pod", s.arg)
		}
	}
	return nil
}

// podFiles are the files as a Pod sees them.
type podFiles struct {
	FS
	in    *jobInputs
	texts map[string][]byte
}

func (f podFiles) at(name string) string { return path.Join(f.in.folder(), filepath.ToSlash(name)) }

// ReadFile returns the whole of a file.
func (f podFiles) ReadFile(name string) ([]byte, error) {
	text, ok := f.texts[f.at(name)]
	if !ok || filepath.IsAbs(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return text, nil
}

// Open opens a file.
func (f podFiles) Open(name string) (io.ReadCloser, error) {
	text, err := f.ReadFile(name)
	return io.NopCloser(bytes.NewReader(text)), err
}

// Stat tells whether there is a file.
func (f podFiles) Stat(name string) (fs.FileInfo, error) {
	text, err := f.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return podEntry{name: path.Base(name), size: len(text)}, nil
}

// ReadDir lists a folder.
func (f podFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	found := map[string]podEntry{}
	// Any order: the entries are sorted below.
	for file := range f.texts {
		if rest, ok := strings.CutPrefix(file, f.at(name)+"/"); ok && !filepath.IsAbs(name) {
			first, _, folder := strings.Cut(rest, "/")
			found[first] = podEntry{name: first, folder: folder}
		}
	}
	if len(found) == 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	var out []fs.DirEntry
	// Any order: likewise.
	for _, entry := range found {
		out = append(out, fs.FileInfoToDirEntry(entry))
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return out, nil
}

// podEntry is one entry of a folder.
type podEntry struct {
	fs.FileInfo
	name   string
	size   int
	folder bool
}

// Name is the last part of the path.
func (e podEntry) Name() string { return e.name }

// Size is in bytes.
func (e podEntry) Size() int64 { return int64(e.size) }

// IsDir tells whether it is a folder.
func (e podEntry) IsDir() bool { return e.folder }

// Mode tells the same.
func (e podEntry) Mode() fs.FileMode {
	if e.folder {
		return fs.ModeDir
	}
	return 0
}
