package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	flowcontrolv1beta3 "k8s.io/api/flowcontrol/v1beta3"

	"github.com/apfsim/apfsim/scheduler/release"
)

// flowObjects are the FlowSchemas and PriorityLevelConfigurations of some files, in
// the order of reading, defaulted and validated.
type flowObjects struct {
	schemas []flowSchema
	levels  []priorityLevel
}

// flowSchema is a FlowSchema with the places of its fields.
type flowSchema struct {
	*decoder
	api    *apiRelease
	object flowcontrolv1.FlowSchema
}

// priorityLevel is a PriorityLevelConfiguration with the places of its fields.
type priorityLevel struct {
	*decoder
	api    *apiRelease
	object flowcontrolv1.PriorityLevelConfiguration
}

const (
	flowGroup  = flowcontrolv1.GroupName
	schemaKind = "FlowSchema"
	levelKind  = "PriorityLevelConfiguration"
)

// reading tells how manifests are to be read.
type reading struct {
	// release is that of the server, and api what it makes of objects.
	release release.Version
	api     *apiRelease
	// validate tells what becomes of unknown and repeated fields.
	validate Validate
	// stored tells that the objects are in the cluster already: it does not matter
	// whether the release serves the version that they are written in.
	stored bool
}

func newReading(v release.Version, validate Validate) reading {
	return reading{release: v, api: apiOf(v), validate: validate}
}

// manifestReader reads manifests.
type manifestReader struct {
	reading
	c       *collector
	objects flowObjects
	// settings change objects before they are read, if it is not nil.
	settings *settings
	// foreign are the objects of the file that have no bearing, unserved those of
	// versions that the release does not serve.
	foreign  tally
	unserved map[string]*tally
}

// tally counts objects of some kinds.
type tally struct {
	first Place
	total int
	kinds map[string]int
}

func (t *tally) add(at Place, kind string) {
	if t.total == 0 {
		t.first, t.kinds = at, map[string]int{}
	}
	t.total++
	t.kinds[kind]++
}

// readManifest adds the objects of one file, given as text: YAML or JSON, one document
// or several, lists of objects among them.
func (r *manifestReader) readManifest(file string, text []byte) {
	r.readObjects(file, readDocuments(file, text, r.c))
}

// readObjects adds the objects of the documents of one file.
func (r *manifestReader) readObjects(file string, docs []document) {
	r.foreign, r.unserved = tally{}, map[string]*tally{}
	for _, doc := range docs {
		r.document(file, doc.root, "", "")
	}
	r.reportForeign()
	for _, version := range sortedKeys(r.unserved) {
		r.reportUnserved(version, r.unserved[version])
	}
}

// maxForeignKinds is how many kinds a warning names.
const maxForeignKinds = 4

// reportForeign warns once of all objects of a file that say nothing about flow control:
// the dump of a cluster has thousands.
func (r *manifestReader) reportForeign() {
	f := &r.foreign
	if f.total == 0 {
		return
	}
	kinds := sortedKeys(f.kinds)
	message := fmt.Sprintf("ignored: a %s says nothing about flow control", kinds[0])
	if f.total > 1 {
		slices.SortStableFunc(kinds, func(a, b string) int { return f.kinds[b] - f.kinds[a] })
		more := ""
		if len(kinds) > maxForeignKinds {
			more = fmt.Sprintf(" and %d more kinds", len(kinds)-maxForeignKinds)
			kinds = kinds[:maxForeignKinds]
		}
		for i, k := range kinds {
			kinds[i] = fmt.Sprintf("%d %s", f.kinds[k], k)
		}
		message = fmt.Sprintf("ignored: %d objects say nothing about flow control: %s%s", f.total, strings.Join(kinds, ", "), more)
	}
	r.c.warning(f.first, fault{code: CodeForeign, message: message})
}

// reportUnserved reports the objects of a file that are of a version that the release
// does not serve.
func (r *manifestReader) reportUnserved(version string, t *tally) {
	served := servedBy(version)
	what := sortedKeys(t.kinds)[0]
	if t.total > 1 {
		what = fmt.Sprintf("%d objects of this file", t.total)
	} else {
		what = "this " + what
	}
	f := fault{code: CodeNotServed, legal: r.api.servedText(),
		message: fmt.Sprintf("Kubernetes %s does not serve the version %s of %s", r.release, version, what)}
	if r.validate == ValidateWarn {
		f.message += "; read as the server reads what it has stored"
		r.c.warning(t.first, f)
		return
	}
	newest := r.api.served[len(r.api.served)-1]
	f.hint = "write " + flowGroup + "/" + newest
	if from, _ := findVersion(version); t.kinds[levelKind] > 0 {
		if to, _ := findVersion(newest); from.shares != to.shares {
			f.hint += fmt.Sprintf(", where %s is called %s", from.shares, to.shares)
		}
	}
	if served == "" {
		f.hint += "; only 1.20 serves " + version + ", and only if --runtime-config tells it to"
	} else {
		f.hint += fmt.Sprintf("; or say which release it is for: %s serve %s", served, version)
	}
	r.c.error(t.first, f)
}

// document reads one object or list of objects. In a typed list the items may lack
// what the list says already.
func (r *manifestReader) document(file string, n *node, listVersion, itemKind string) {
	at := Place{file, n.line, n.column}
	if n.kind != mappingNode {
		r.c.error(at, fault{code: CodeNotObject, message: "not a Kubernetes object: a mapping with apiVersion and kind is expected, not " + n.describe()})
		return
	}
	version, ok := r.identity(file, n, "apiVersion", listVersion)
	kind, also := r.identity(file, n, "kind", itemKind)
	if !ok || !also {
		return
	}
	group, _, _ := strings.Cut(version, "/")
	itemKind, list := strings.CutSuffix(kind, "List")
	switch {
	case version == "v1" && kind == "List":
		r.list(file, n, "", "")
	case group == flowGroup && list && (itemKind == schemaKind || itemKind == levelKind):
		r.list(file, n, version, itemKind)
	case group == flowGroup:
		r.object(file, n, version, kind)
	case kind == schemaKind || kind == levelKind:
		r.c.error(r.placeOf(file, n, "apiVersion"), fault{code: CodeVersion,
			message: fmt.Sprintf("a %s of the API group %q", kind, shorten(group)), legal: r.api.servedText(), hint: "did you mean \"" + flowGroup + "/" + r.api.served[len(r.api.served)-1] + "\"?"})
	case n.get("items").listOfMappings():
		// kubectl takes any object with items for a list, such as a PodList.
		r.list(file, n, version, itemKind)
	default:
		r.foreign.add(at, shorten(kind)+" of "+shorten(version))
	}
}

// listOfMappings tells whether a node is a list, and all of it mappings.
func (n *node) listOfMappings() bool {
	return n != nil && n.kind == sequenceNode && !slices.ContainsFunc(n.items, func(item *node) bool { return item.kind != mappingNode })
}

// identity returns the apiVersion or kind of an object.
func (r *manifestReader) identity(file string, n *node, field, inherited string) (string, bool) {
	v := n.get(field)
	if v == nil || v.null() {
		if inherited != "" {
			return inherited, true
		}
		if n.broken {
			return "", false
		}
		f := fault{code: CodeNotObject, message: "not a Kubernetes object: it has no " + field}
		if n.get("apiVersion") == nil && n.get("kind") == nil {
			f.hint = "is this a values file or a patch? Only whole objects can be read"
		}
		r.c.error(Place{file, n.line, n.column}, f)
		return "", false
	}
	if v.broken {
		return "", false
	}
	d := newDecoder(r.c, file)
	d.kubernetes = true
	d.places[field] = d.place(v)
	return d.text(v, field, "text")
}

func (r *manifestReader) placeOf(file string, n *node, field string) Place {
	if v := n.get(field); v != nil {
		return Place{file, v.line, v.column}
	}
	return Place{file, n.line, n.column}
}

func (r *manifestReader) list(file string, n *node, version, kind string) {
	items := n.get("items")
	switch {
	case items == nil || items.null():
		return
	case items.kind != sequenceNode:
		r.c.error(Place{file, items.line, items.column}, fault{code: CodeWrongType, message: "items must be a list, not " + items.describe()})
		return
	}
	for _, item := range items.items {
		r.document(file, item, version, kind)
	}
}

// object reads one FlowSchema or PriorityLevelConfiguration.
func (r *manifestReader) object(file string, n *node, version, kind string) {
	kinds := []string{schemaKind, levelKind, schemaKind + "List", levelKind + "List"}
	if !slices.Contains(kinds[:2], kind) {
		r.c.error(r.placeOf(file, n, "kind"), fault{code: CodeNotObject, message: fmt.Sprintf("there is no kind %q in %s", shorten(kind), flowGroup),
			legal: strings.Join(kinds, ", "), hint: didYouMean(kind, kinds)})
		return
	}
	v, ok := r.versionOf(file, n, version, kind)
	if !ok {
		return
	}
	d := newDecoder(r.c, file)
	before := len(r.c.list)
	defer func() {
		d.faulty = d.faulty || r.refuses(v) || r.c.list[before:].HasErrors() || r.c.list[:before].within(d)
	}()
	r.change(kind, n, v)
	d.kubernetes, d.version = true, version
	d.strictness, d.stored = r.validate, r.stored
	d.newFields = r.api.newFields()
	if v.shares != nominalShares {
		d.renamed = map[string]string{"spec.limited." + nominalShares: "spec.limited." + v.shares}
	}
	doc := document{n, Place{file, n.line, n.column}}
	if kind == schemaKind {
		s := flowSchema{decoder: d, api: r.api}
		s.fill(doc, v)
		s.validate()
		r.objects.schemas = append(r.objects.schemas, s)
		return
	}
	l := priorityLevel{decoder: d, api: r.api}
	l.fill(doc, v)
	l.validate()
	r.objects.levels = append(r.objects.levels, l)
}

// within tells whether an error lies in the text of an object. Faults of the YAML are
// found before its objects are.
func (ds Diagnostics) within(d *decoder) bool {
	first, last := d.extent()
	return slices.ContainsFunc(ds, func(e Diagnostic) bool {
		at := Place{e.File, e.Line, e.Column}
		return e.Severity == Error && e.File == d.file && !at.before(first) && !last.before(at)
	})
}

// serves tells whether objects of a version can be read as they are.
func (r *reading) serves(v *objectVersion) bool {
	return r.stored || slices.Contains(r.api.served, v.name)
}

// refuses tells whether objects of a version are an error.
func (r *reading) refuses(v *objectVersion) bool { return !r.serves(v) && !r.validate.lenient() }

// versionOf returns the version of an object, and counts it if it is not served.
func (r *manifestReader) versionOf(file string, n *node, apiVersion, kind string) (*objectVersion, bool) {
	name := strings.TrimPrefix(apiVersion, flowGroup+"/")
	v, ok := findVersion(name)
	if !ok {
		r.c.error(r.placeOf(file, n, "apiVersion"), fault{code: CodeVersion, message: fmt.Sprintf("there is no version %s of this %s", shorten(apiVersion), kind),
			legal: r.api.servedText(), hint: didYouMean(name, r.api.served)})
		return nil, false
	}
	if r.refuses(v) || r.validate == ValidateWarn && !r.serves(v) {
		t := r.unserved[name]
		if t == nil {
			t = &tally{}
			r.unserved[name] = t
		}
		t.add(r.placeOf(file, n, "apiVersion"), kind)
	}
	return v, true
}

// fill fills the schema from a document of a version.
func (s *flowSchema) fill(doc document, v *objectVersion) {
	from := v.schema()
	s.document(doc, from)
	convert(&s.object, from)
	defaultFlowSchema(&s.object)
}

// preserveZero is the annotation by which v1beta3 tells shares of 0 from absent ones.
const preserveZero = flowcontrolv1beta3.PriorityLevelPreserveZeroConcurrencySharesKey

// fill fills the level from a document of a version.
func (l *priorityLevel) fill(doc document, v *objectVersion) {
	from := v.level()
	l.document(doc, from)
	convert(&l.object, from)
	_, preserved := l.object.Annotations[preserveZero]
	preserved = preserved && v.name == "v1beta3"
	if limited := l.object.Spec.Limited; limited != nil {
		l.zeroShares(limited, preserved)
	}
	if preserved { // the conversion takes it off, whatever the shares are
		l.object.Annotations = maps.Clone(l.object.Annotations)
		delete(l.object.Annotations, preserveZero)
	}
	defaultPriorityLevel(&l.object)
}

// zeroShares makes of shares that are not there what the version and the release take
// them for. With the first versions 0 and absent are the same; preserved tells that the
// object is to keep a 0 all the same.
func (l *priorityLevel) zeroShares(limited *flowcontrolv1.LimitedPriorityLevelConfiguration, preserved bool) {
	shares := limited.NominalConcurrencyShares
	switch {
	case shares != nil && *shares == 0 && !l.api.tellsZero:
		limited.NominalConcurrencyShares = nil
	case shares == nil && preserved && l.api.tellsZero:
		limited.NominalConcurrencyShares = new(int32)
	}
}
