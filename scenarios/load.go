package scenarios

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// Scenario is a scenario file, read and compiled.
type Scenario struct {
	// File is the name that Load was given. Name and Description are the file's own.
	File, Name, Description string
	// KubernetesVersion is the release whose behaviour and built-in objects are used:
	// "1.28", or "1.28.4" where the scenario tells the patch.
	KubernetesVersion string
	// Release is the same.
	Release release.Version
	// Replications is how many independent runs to make, at least 1.
	Replications int
	// Config is the run: its caller may change the seed, the duration and the warm-up.
	Config sim.Config
	// Expect is what to judge at the end.
	Expect []Expectation
	// Tune is what should hold, and what may be changed for that.
	Tune Tuning
	// Tests are those of the configuration.
	Tests []Test
	// Sources are the texts that the scenario was made of: its own first, then those of the
	// manifests. Traces are not among them.
	Sources []SourceText
	// InLibrary tells that it is one of the library's.
	InLibrary bool

	spec  scenarioSpec
	files Files
	// options stand in place of what the files say.
	options Options
}

// Load reads a scenario with the manifests and traces that it names. It returns all
// faults that it finds, and the scenario unless one of them is an Error.
func Load(name string, files Files) (*Scenario, Diagnostics) {
	return LoadWith(name, files, Options{})
}

// LoadWith reads a scenario likewise, with options in place of what it says. A fault of a
// setting has the place of the setting.
func LoadWith(name string, files Files, o Options) (*Scenario, Diagnostics) {
	c := newCollector()
	c.rank(name)
	read := &recorder{Files: files}
	text, err := read.ReadFile(name)
	if err != nil {
		c.error(Place{name, 1, 1}, unreadable(files, name, err))
		return nil, c.list.sorted()
	}
	l := &loader{decoder: newDecoder(c, name), files: read, options: o}
	s := l.load(text)
	if c.errors() {
		return nil, c.list.sorted()
	}
	s.Sources, s.files, s.options = append(read.sources, l.replaced...), files, l.options
	return s, c.list.sorted()
}

// loader reads one scenario.
type loader struct {
	*decoder
	files Files
	spec  scenarioSpec
	// options stand in place of what the scenario says, settings among them.
	options Options
	set     *settings
	flowControl
	// later follows the objects through the changes of the run.
	later *changer
	names []string // of the clients
	// release is that of the server.
	release release.Version
	// lastArrival is the latest of all traces; live tells that there are other clients.
	lastArrival time.Duration
	live        bool
	// outages are the times without a server, dark those without any.
	outages []outage
	// replaced are the texts of the manifests that stand in place of the scenario's.
	replaced []SourceText
	dark     []darkness
	// hashes are the hashes of flows that traces tell.
	hashes []scheduler.FlowHash
}

// load reads the text of a scenario file. The result means something only if no error
// was reported.
func (l *loader) load(text []byte) *Scenario {
	doc, ok := l.single(text)
	if !ok {
		return nil
	}
	s := &Scenario{File: l.file}
	l.set = newSettings(l.c, l.options.Settings)
	l.set.apply(doc.root)
	l.identity(doc)
	l.document(doc, &l.spec)
	spec := &l.spec
	for i := range spec.Clients {
		spec.Clients[i].expandPreset(spec.Backend == nil)
		l.names = append(l.names, spec.Clients[i].Name)
		l.live = l.live || spec.Clients[i].Trace == nil
	}
	if spec.Start != nil {
		l.names = append(l.names, PresentName)
	}
	l.metadata(&spec.Metadata)
	s.Name, s.Description = spec.Metadata.Name, spec.Metadata.Description
	s.Release = l.version(spec.KubernetesVersion)
	s.KubernetesVersion, l.release = s.Release.String(), s.Release
	s.Config.Scheduler = l.server(&spec.Server)
	s.Config.Scheduler.Release = orNewest(s.Release)
	s.Config.Scheduler.Objects = l.objects(spec.Objects)
	s.Config.Scheduler.Watches = l.watches(spec.Watches)
	s.Config.Backend = l.backend(spec.Backend, s.Release)
	how := newReading(s.Release, spec.FlowControl.Validate)
	l.manifests(&spec.FlowControl, how)
	s.Config.Populations = l.clients(spec.Clients)
	s.Config.Scheduler.FlowHashes = l.hashes
	l.checkCalls(s.Config.Populations)
	l.uncounted(s.Config.Populations, s.Config.Scheduler.Objects)
	l.times(spec, s)
	l.fleet(spec, &s.Config)
	l.routing(spec, &s.Config)
	l.later = newChanger(l, how, value(spec.FlowControl.Defaults, true))
	l.later.changes(spec.Changes, s.Config.Duration, l.upgrades(s.Config.Operations, s.Release))
	if !l.c.errors() {
		l.set.unused(withLater(l.levelNames(), l.later.laterLevels), withLater(l.allSchemas(), l.later.laterSchemas))
	}
	s.Expect = l.expectations(spec.Expect, s)
	s.Tune = l.tuning(spec.Tune)
	s.Tests = l.tests(spec.Tests, s.Release)
	if !l.c.errors() {
		l.compile(&s.Config.Scheduler)
		l.begin(spec.Start, &s.Config)
		s.Config.Changes = l.later.compile(&s.Config.Scheduler)
		l.checkMemory(&s.Config)
	}
	complete(s.Config.Populations)
	s.spec = l.spec
	return s
}

// single returns the only document of a scenario file.
func (l *loader) single(text []byte) (document, bool) {
	docs := readDocuments(l.file, text, l.c)
	switch {
	case len(docs) == 0 && !l.c.errors():
		l.c.error(Place{l.file, 1, 1}, fault{code: CodeEmpty, message: "the file is empty", legal: "a scenario: apiVersion: " + apiVersion + ", kind: " + scenarioKind})
	case len(docs) > 1:
		l.c.error(docs[1].place, fault{code: CodeSeveral, message: "a second document; a file holds one scenario", hint: "put it in a file of its own"})
	}
	if len(docs) == 0 {
		return document{}, false
	}
	if docs[0].root.kind != mappingNode {
		l.c.error(docs[0].place, fault{code: CodeNotScenario, message: "not a scenario: a mapping is expected, not " + docs[0].root.describe()})
		return document{}, false
	}
	return docs[0], true
}

// identity checks that the document is a scenario of the version that is read.
func (l *loader) identity(doc document) {
	for _, f := range []struct{ field, want string }{{"apiVersion", apiVersion}, {"kind", scenarioKind}} {
		n := doc.root.get(f.field)
		switch {
		case n == nil:
			l.fail(f.field, doc.place, fault{code: CodeMissing, message: f.field + " is missing", legal: f.want})
		case n.kind == scalarNode && !n.null() && n.text != f.want:
			l.fail(f.field, l.place(n), fault{code: CodeNotScenario, message: fmt.Sprintf("the %s is %q", f.field, shorten(n.text)), legal: f.want, hint: identityHint(n.text, f.want)})
		}
	}
}

func identityHint(text, want string) string {
	if strings.Contains(text, flowGroup) || text == schemaKind || text == levelKind {
		return "manifests are named by a scenario, under flowControl.manifests"
	}
	return didYouMean(text, []string{want})
}

func (l *loader) metadata(m *metadataSpec) {
	if !l.require("metadata", "name", clientNameLegal) {
		return
	}
	if m.Name == "" || len(m.Name) > 63 || !plainName(strings.ReplaceAll(m.Name, ".", "")) {
		l.refuse("metadata.name", fault{code: CodeNotLegal, message: fmt.Sprintf("metadata.name is no name: %q", shorten(m.Name)), legal: clientNameLegal})
	}
}

// maxReplications keeps a slip of the pen from asking for a run that never ends.
const maxReplications = 10_000

// times checks the times of the run, and sets its seed and replications.
func (l *loader) times(spec *scenarioSpec, s *Scenario) {
	s.Config.Duration, s.Config.Warmup = time.Duration(value(spec.Duration, 0)), time.Duration(value(spec.Warmup, 0))
	s.Config.Seed = value(spec.Seed, 1)
	s.Replications = value(spec.Replications, 1)
	l.inRange("replications", int64(s.Replications), 1, maxReplications)
	if s.Config.Resolution = time.Duration(spec.Resolution); s.Config.Resolution > sim.MaxResolution {
		l.refuse("resolution", fault{code: CodeOutOfRange, message: fmt.Sprintf("resolution is %s", durationText(s.Config.Resolution)),
			legal: "at most " + sim.MaxResolution.String()})
	}
	end, what := s.Config.Duration, "the duration"
	switch {
	case spec.Duration != nil && s.Config.Duration == 0:
		l.refuse("duration", fault{code: CodeOutOfRange, message: "duration is 0", legal: "a duration above 0"})
		return
	case spec.Duration == nil && l.live:
		l.refuse("duration", fault{code: CodeMissing, message: "duration is missing", legal: durationLegal, hint: "only a scenario of traces alone ends by itself"})
		return
	case spec.Duration == nil:
		end, what = l.lastArrival, "the last arrival"
	}
	if s.Config.Warmup > 0 && s.Config.Warmup >= end && l.sound("duration") && l.sound("clients") {
		l.refuse("warmup", fault{code: CodeOutOfRange, message: fmt.Sprintf("warmup is %s, so that nothing is left of the run", durationText(s.Config.Warmup)),
			legal: fmt.Sprintf("a duration below %s, which is %s", what, durationText(end))})
	}
}

// manifests reads the manifests, and puts them over the built-in objects.
func (l *loader) manifests(s *flowControlSpec, how reading) {
	r := &manifestReader{reading: how, c: l.c}
	suggested := value(s.Defaults, true)
	l.objectsOfFiles(r, s, suggested)
	l.flowControl = overlay(l.c, how.api, r.objects, suggested)
}

// objectsOfFiles reads the objects of the manifests, and applies the settings to them and to those
// that come with the release.
func (l *loader) objectsOfFiles(r *manifestReader, s *flowControlSpec, suggested bool) {
	_, l.set.builtIn = ownObjects(r.api, true)
	r.settings = l.set
	if l.options.Manifests != nil {
		l.replaceManifests(r)
	} else {
		l.readManifests("flowControl.manifests", s.Manifests, r)
	}
	l.set.builtIns(r, suggested)
}

// replaceManifests reads the manifests that stand in place of those of the scenario.
func (l *loader) replaceManifests(r *manifestReader) {
	files := &recorder{Files: l.options.ManifestFiles}
	defer func() { l.replaced = files.sources }()
	for _, entry := range l.options.Manifests {
		names, folder := expandManifest(files, entry, false)
		if folder && len(names) == 0 {
			l.c.warning(Place{entry, 1, 1}, emptyFolder(entry))
		}
		for _, file := range names {
			l.c.rank(file)
			text, err := files.ReadFile(file)
			if err != nil {
				l.c.error(Place{file, 1, 1}, unreadable(files, file, err))
				continue
			}
			r.readManifest(file, text)
		}
	}
}

// readManifests reads the manifests that a scenario names in the list at a path.
func (l *loader) readManifests(list string, entries []string, r *manifestReader) {
	for i, entry := range entries {
		path := index(list, i)
		if entry == "" {
			l.refuse(path, fault{code: CodeMissing, message: path + " is empty", legal: "a file, or a folder"})
			continue
		}
		names, folder := expandManifest(l.files, resolve(l.file, entry), false)
		if folder && len(names) == 0 {
			l.c.warning(l.at(path), emptyFolder(entry))
		}
		for _, file := range names {
			text, err := l.files.ReadFile(file)
			if err != nil {
				l.fail(path, l.at(path), unreadable(l.files, file, err))
				continue
			}
			r.readManifest(file, text)
		}
	}
}

func emptyFolder(name string) fault {
	return fault{code: CodeEmptyFolder, message: fmt.Sprintf("the folder %s holds no manifest", name), legal: "files that end with " + strings.Join(manifestSuffixes, ", ")}
}

// openTrace opens and checks the trace that is named at a path.
func (l *loader) openTrace(path, entry string) *workload.Trace {
	if entry == "" {
		l.refuse(path, fault{code: CodeMissing, message: path + " is empty", legal: "the name of a trace"})
	}
	if !l.sound(path) {
		return nil
	}
	file := resolve(l.file, entry)
	if known := l.options.Traces[file]; known != nil {
		l.traced(path, known)
		return known
	}
	if _, err := l.files.ReadDir(file); err == nil {
		l.refuse(path, fault{code: CodeUnreadable, message: fmt.Sprintf("%s is a folder", filepath.ToSlash(file)), legal: "a trace, JSON Lines, plain or gzip"})
		return nil
	}
	var missing error
	open := func() (io.ReadCloser, error) {
		r, err := l.files.Open(file)
		missing = err
		return r, err
	}
	trace, faults := workload.OpenTrace(file, open)
	if missing != nil {
		l.fail(path, l.at(path), unreadable(l.files, file, missing))
		return nil
	}
	for _, f := range faults {
		d := fault{code: CodeTrace, message: f.Problem, legal: f.Legal, hint: f.Hint}
		at := Place{file, int(f.Line), f.Column}
		if f.Line < 1 || f.Column < 1 {
			at, d.message = l.at(path), file+": "+f.Problem
		}
		l.fail(path, at, d)
	}
	if trace != nil {
		l.traced(path, trace)
	}
	return trace
}

// traced takes over what a trace says about the run.
func (l *loader) traced(path string, trace *workload.Trace) {
	l.lastArrival = max(l.lastArrival, trace.LastArrival())
	l.tracedServers(path, trace)
}

// tracedServers checks that the servers of a trace are there.
func (l *loader) tracedServers(path string, trace *workload.Trace) {
	count := value(l.spec.Server.Count, 1)
	if !l.sound("server.count") || int(trace.Servers()) <= count {
		return
	}
	l.refuse(path, fault{code: CodeTrace, message: fmt.Sprintf("%s has requests for server %d, and server.count is %d", trace.Name(), trace.Servers()-1, count),
		legal: fmt.Sprintf("server.count of %d or more, or a trace without server", trace.Servers())})
}

func (l *loader) clientNames() []string { return l.names }
