package scenarios

import (
	"maps"
	"slices"
	"strings"
	"time"

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
	// Objects is how many FlowSchemas and PriorityLevelConfigurations the files hold, those
	// with errors and those that the server does not keep among them.
	Objects int
	// Scenario is the name of the scenario file that was among the files, "" if none
	// was. Server is what it says about its server; nil without a scenario.
	Scenario string
	Server   *ServerSettings
	// Tune is what the scenario wants to hold.
	Tune Tuning

	c *collector
}

// Source is where an object was read. The paths that it takes are those of the object in
// v1, or as it is written in its file, which is the same but for the name of the shares
// in the oldest versions: "spec.rules[0].subjects".
type Source struct {
	// BuiltIn tells that nobody wrote the object: it comes with the release. Its places
	// lie in a file that the user does not have.
	BuiltIn bool
	// APIVersion is what the file says: "flowcontrol.apiserver.k8s.io/v1beta3".
	APIVersion string

	d *decoder
}

// At returns the place of the field at a path, or else of the nearest one around it.
func (s Source) At(path string) Place { return s.d.at(path) }

// Extent returns the places of the first and of the last value of the object.
func (s Source) Extent() (first, last Place) { return s.d.extent() }

// Has tells whether the file holds a field at a path; otherwise its value is a default.
func (s Source) Has(path string) bool { return s.d.has(path) }

// Written returns the path of a field as the file has it, for messages.
func (s Source) Written(path string) string { return s.d.written(path) }

// FlowSchema is a FlowSchema with its source, in v1, its defaults filled in. The object
// may be shared, and must not be changed.
type FlowSchema struct {
	Source
	Object *flowcontrolv1.FlowSchema
	// Dangling tells that its level does not exist, so that the server ignores it.
	Dangling bool
}

// PriorityLevel is a PriorityLevelConfiguration with its source, in v1, its defaults
// filled in. The object may be shared, and must not be changed.
type PriorityLevel struct {
	Source
	Object *flowcontrolv1.PriorityLevelConfiguration
}

// ServerSettings are what a scenario says about its server, with the defaults of
// kube-apiserver for the rest.
type ServerSettings struct {
	// MaxRequestsInflight and MaxMutatingRequestsInflight are the server's flags. Their
	// sum is the number of seats.
	MaxRequestsInflight, MaxMutatingRequestsInflight int
	RequestTimeout                                   time.Duration
	ConsistentReadsFromCache                         bool
	// Objects are stored, and Watches open, from the beginning.
	Objects []scheduler.ObjectCount
	Watches []scheduler.WatchCount
}

// ConfigurationOptions tell how manifests are to be read.
type ConfigurationOptions struct {
	// Release is that of the server. The zero value takes that of the scenario among the
	// files, or else DefaultVersion.
	Release release.Version
	// NoDefaults leaves the suggested objects of the release out; the mandatory ones are
	// always there.
	NoDefaults bool
	// Recursive reads the folders within folders too.
	Recursive bool
	// KeepSound makes a configuration in spite of errors: of the objects without one, as
	// a server has them in force that refused the others.
	KeepSound bool
	// Validate tells what becomes of unknown and repeated fields. The empty value takes
	// that of the scenario among the files, or else ValidateStrict.
	Validate Validate
	// Stored tells that the objects are in a cluster already, as when a server is
	// upgraded: it does not matter whether the release serves the version that they are
	// written in, and fields that it does not know are left out with a warning.
	Stored bool
	// Scenario stands in place of what the scenario among the files says.
	Scenario Options
}

// sound returns the objects without an error.
func (o flowObjects) sound() flowObjects {
	o.schemas = slices.DeleteFunc(slices.Clone(o.schemas), func(s flowSchema) bool { return s.faulty })
	o.levels = slices.DeleteFunc(slices.Clone(o.levels), func(l priorityLevel) bool { return l.faulty })
	return o
}

func source(d *decoder) Source {
	return Source{BuiltIn: strings.HasPrefix(d.file, builtinFolder), APIVersion: d.version, d: d}
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
// result but the release is left for the caller to fill in: the seats, the timeout and so
// on.
func (c *Configuration) Compile() scheduler.Config {
	cfg := scheduler.Config{Release: orNewest(c.Release)}
	for i := range c.Levels {
		cfg.PriorityLevels = append(cfg.PriorityLevels, compileLevel(c.Levels[i].Object))
	}
	for i := range c.Schemas {
		cfg.FlowSchemas = append(cfg.FlowSchemas, compileSchema(c.Schemas[i].Object))
	}
	return cfg
}

// orNewest returns the release as the scheduler takes it. The zero value is the newest,
// so that a configuration that says nothing about releases is the same with each of
// them that comes.
func orNewest(v release.Version) release.Version {
	if v == release.Last {
		return release.Version{}
	}
	return v
}
