package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
)

// Configuration is flow control as a server has it in force: the objects of some
// manifests over the built-in ones of a release.
type Configuration struct {
	// Release is the release of the server.
	Release release.Version
	// Schemas are in the order of matching, dangling ones among them. Levels are in the
	// order of their names.
	Schemas []FlowSchema
	Levels  []PriorityLevel

	c *collector
}

// Source is where an object was read. The paths that it takes are those of the object as
// it is written in its file: "spec.rules[0].subjects".
type Source struct {
	// BuiltIn tells that nobody wrote the object: it comes with the release. Its places
	// lie in a file that the user does not have.
	BuiltIn bool

	d *decoder
}

// At returns the place of the field at a path, or else of the nearest one around it.
func (s Source) At(path string) Place { return s.d.at(path) }

// Extent returns the places of the first and of the last value of the object.
func (s Source) Extent() (first, last Place) { return s.d.extent() }

// Has tells whether the file holds a field at a path; otherwise its value is a default.
func (s Source) Has(path string) bool { return s.d.has(path) }

// FlowSchema is a FlowSchema with its source, its defaults filled in.
type FlowSchema struct {
	Source
	Object *flowcontrolv1.FlowSchema
	// Dangling tells that its level does not exist, so that the server ignores it.
	Dangling bool
}

// PriorityLevel is a PriorityLevelConfiguration with its source, its defaults filled in.
type PriorityLevel struct {
	Source
	Object *flowcontrolv1.PriorityLevelConfiguration
}

// ConfigurationOptions tell how manifests are to be read.
type ConfigurationOptions struct {
	// Release is that of the server.
	Release release.Version
	// NoDefaults leaves the suggested objects of the release out; the mandatory ones are
	// always there.
	NoDefaults bool
	// Recursive reads the folders within folders too.
	Recursive bool
	// KeepSound makes a configuration in spite of errors: of the objects without one, as
	// a server has them in force that refused the others.
	KeepSound bool
}

// LoadConfiguration reads manifests, files or folders, and puts them over the built-in
// objects of a release. It returns all faults that it finds, and the configuration
// unless one of them is an Error and KeepSound is not set.
func LoadConfiguration(names []string, files Files, o ConfigurationOptions) (*Configuration, Diagnostics) {
	c := newCollector()
	r := &manifestReader{c: c}
	for _, name := range names {
		list, folder := expandManifest(files, name)
		if folder && len(list) == 0 {
			c.warning(Place{name, 1, 1}, fault{code: CodeEmptyFolder, message: fmt.Sprintf("the folder %s holds no manifest", name),
				legal: "files that end with " + strings.Join(manifestSuffixes, ", ")})
		}
		for _, file := range list {
			text, err := files.ReadFile(file)
			if err != nil {
				c.error(Place{file, 1, 1}, unreadable(files, file, err))
				continue
			}
			r.readManifest(file, text)
		}
	}
	f := overlay(c, r.objects, !o.NoDefaults)
	if !c.errors() {
		return f.configuration(c, o.Release), c.list.sorted()
	}
	if !o.KeepSound {
		return nil, c.list.sorted()
	}
	// What the objects that are left lack now, such as a level that was refused, is no
	// fault of theirs: what there is to say of them has been said.
	found := c.list.sorted()
	f = overlay(newCollector(), r.objects.sound(), !o.NoDefaults)
	return f.configuration(c, o.Release), found
}

// sound returns the objects without an error.
func (o flowObjects) sound() flowObjects {
	o.schemas = slices.DeleteFunc(slices.Clone(o.schemas), func(s flowSchema) bool { return s.faulty })
	o.levels = slices.DeleteFunc(slices.Clone(o.levels), func(l priorityLevel) bool { return l.faulty })
	return o
}

// configuration makes the exported form.
func (f *flowControl) configuration(c *collector, v release.Version) *Configuration {
	out := &Configuration{Release: v, c: c}
	levels := map[string]bool{}
	for i := range f.levels {
		l := &f.levels[i]
		levels[l.object.Name] = true
		out.Levels = append(out.Levels, PriorityLevel{source(l.decoder), &l.object})
	}
	for i := range f.schemas {
		s := &f.schemas[i]
		out.Schemas = append(out.Schemas, FlowSchema{source(s.decoder), &s.object, !levels[s.object.Spec.PriorityLevelConfiguration.Name]})
	}
	return out
}

func source(d *decoder) Source {
	return Source{BuiltIn: strings.HasPrefix(d.file, "builtin/"), d: d}
}

// Diagnose makes a diagnostic about a place in one of the files of the configuration.
// The severity, code and texts are the caller's; the line of the file is added.
func (c *Configuration) Diagnose(at Place, d Diagnostic) Diagnostic {
	d.File, d.Line, d.Column = at.File, at.Line, at.Column
	d.Snippet, d.rank = c.c.snippet(at), c.c.rank(at.File)
	return d
}

// Files lists the files that were read, in the order of reading.
func (c *Configuration) Files() []string {
	names := slices.Collect(maps.Keys(c.c.ranks))
	slices.SortFunc(names, func(a, b string) int { return c.c.ranks[a] - c.c.ranks[b] })
	return names
}

// Lines returns the text of a file that was read, line by line, nil for another one.
func (c *Configuration) Lines(file string) []string { return c.c.lines[file] }

// Compile puts the configuration into the scheduler's terms. Everything else in the
// result is left for the caller to fill in: the seats, the timeout and so on.
func (c *Configuration) Compile() scheduler.Config {
	var cfg scheduler.Config
	for i := range c.Levels {
		cfg.PriorityLevels = append(cfg.PriorityLevels, compileLevel(c.Levels[i].Object))
	}
	for i := range c.Schemas {
		cfg.FlowSchemas = append(cfg.FlowSchemas, compileSchema(c.Schemas[i].Object))
	}
	return cfg
}
