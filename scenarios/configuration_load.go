package scenarios

import (
	"fmt"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
)

// LoadConfiguration reads manifests, files or folders, and puts them over the built-in
// objects of a release. A scenario may be among them, also by its name in the library:
// then its manifests and what it says about the server count too, and the options where
// they tell otherwise. It returns all faults that it finds, and the configuration unless
// one of them is an Error and KeepSound is not set.
func LoadConfiguration(names []string, files Files, o ConfigurationOptions) (*Configuration, Diagnostics) {
	c := newCollector()
	inputs := readInputs(c, names, files, o)
	out := &Configuration{Release: o.Release, c: c}
	var l *loader
	for _, in := range inputs {
		for _, doc := range in.docs {
			switch {
			case !isScenario(doc.root):
			case l != nil:
				c.error(doc.place, fault{code: CodeSeveral, message: fmt.Sprintf("a second scenario; the first is %s", l.file), hint: "give one of them"})
			default:
				l = &loader{decoder: newDecoder(c, in.file), files: in.files, options: o.Scenario}
				l.settings(doc, out, &o)
			}
		}
	}
	if out.Release == (release.Version{}) {
		out.Release = release.Last
	}
	r := &manifestReader{reading: newReading(out.Release, o.Validate), c: c}
	r.stored = o.Stored
	if l != nil {
		l.objectsOfFiles(r, &l.spec.FlowControl, !o.NoDefaults)
	}
	for _, in := range inputs {
		r.readObjects(in.file, withoutScenarios(in.docs))
	}
	out.Objects = len(r.objects.schemas) + len(r.objects.levels)
	f := overlay(c, r.api, r.objects, !o.NoDefaults)
	found := c.list.sorted()
	if c.errors() {
		if !o.KeepSound {
			return nil, found
		}
		// What the objects that are left lack now, such as a level that was refused, is no
		// fault of theirs: what there is to say of them has been said.
		f = overlay(newCollector(), r.api, r.objects.sound(), !o.NoDefaults)
	}
	f.export(out)
	return out, found
}

// input is one file that was given, and where the files that it names are.
type input struct {
	file  string
	docs  []document
	files Files
}

// readInputs reads the documents of all files that names stand for.
func readInputs(c *collector, names []string, files Files, o ConfigurationOptions) []input {
	var out []input
	for _, name := range names {
		if text, ok := LibraryFile(name); ok && !strings.Contains(name, "/") {
			file := name + librarySuffix
			out = append(out, input{file, readDocuments(file, text, c), libraryFS{}})
			continue
		}
		list, folder := expandManifest(files, name, o.Recursive)
		if folder && len(list) == 0 {
			f := emptyFolder(name)
			if !o.Recursive {
				f.hint = "-R reads the folders within too"
			}
			c.warning(Place{name, 1, 1}, f)
		}
		for _, file := range list {
			c.rank(file)
			text, err := files.ReadFile(file)
			if err != nil {
				c.error(Place{file, 1, 1}, unreadable(files, file, err))
				continue
			}
			out = append(out, input{file, readDocuments(file, text, c), files})
		}
	}
	return out
}

// isScenario tells whether a document is a scenario, and no Kubernetes object.
func isScenario(n *node) bool {
	version, kind := n.get("apiVersion"), n.get("kind")
	return version != nil && strings.HasPrefix(version.text, scenarioGroup) || kind != nil && version == nil && kind.text == scenarioKind
}

func withoutScenarios(docs []document) []document {
	var out []document
	for _, doc := range docs {
		if !isScenario(doc.root) {
			out = append(out, doc)
		}
	}
	return out
}

// settings reads a scenario for what it says about flow control and the server. Its
// clients, traces and expectations are looked at for unknown fields alone.
func (l *loader) settings(doc document, out *Configuration, o *ConfigurationOptions) {
	l.set = newSettings(l.c, l.options.Settings)
	l.set.apply(doc.root)
	l.identity(doc)
	l.document(doc, &l.spec)
	l.metadata(&l.spec.Metadata)
	v := l.version(l.spec.KubernetesVersion)
	if out.Release == (release.Version{}) {
		out.Release = v
	}
	cfg := l.server(&l.spec.Server)
	s := &l.spec.Server
	out.Scenario, out.Tune = l.file, l.tuning(l.spec.Tune)
	out.Server = &ServerSettings{
		MaxRequestsInflight:         value(s.MaxRequestsInflight, defaultMaxInflight),
		MaxMutatingRequestsInflight: value(s.MaxMutatingRequestsInflight, defaultMaxMutatingInflight),
		RequestTimeout:              time.Duration(cfg.RequestTimeout),
		ConsistentReadsFromCache:    cfg.ConsistentReadsFromCache,
		Objects:                     l.objects(l.spec.Objects),
		Watches:                     l.watches(l.spec.Watches),
	}
	if o.Validate == "" {
		o.Validate = l.spec.FlowControl.Validate
	}
	o.NoDefaults = o.NoDefaults || !value(l.spec.FlowControl.Defaults, true)
}

// export makes the exported form.
func (f *flowControl) export(out *Configuration) {
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
}
