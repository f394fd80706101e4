package scenarios

import (
	"fmt"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
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
	object flowcontrolv1.FlowSchema
}

// priorityLevel is a PriorityLevelConfiguration with the places of its fields.
type priorityLevel struct {
	*decoder
	object flowcontrolv1.PriorityLevelConfiguration
}

const (
	flowGroup  = flowcontrolv1.GroupName
	schemaKind = "FlowSchema"
	levelKind  = "PriorityLevelConfiguration"
)

// manifestReader reads manifests.
type manifestReader struct {
	c       *collector
	objects flowObjects
}

// readManifest adds the objects of one file, given as text: YAML or JSON, one document
// or several, lists of objects among them.
func (r *manifestReader) readManifest(file string, text []byte) {
	for _, doc := range readDocuments(file, text, r.c) {
		r.document(file, doc.root, "", "")
	}
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
			message: fmt.Sprintf("a %s of the API group %q", kind, shorten(group)), legal: readVersion, hint: "did you mean \"" + readVersion + "\"?"})
	default:
		r.c.warning(at, fault{code: CodeForeign, message: fmt.Sprintf("ignored: a %s of %s says nothing about flow control", shorten(kind), shorten(version))})
	}
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

// readVersion is the only version of the group that is read; olderVersions are those
// that releases before 1.37 served.
const readVersion = flowGroup + "/v1"

var olderVersions = []string{"v1alpha1", "v1beta1", "v1beta2", "v1beta3"}

// object reads one FlowSchema or PriorityLevelConfiguration.
func (r *manifestReader) object(file string, n *node, version, kind string) {
	kinds := []string{schemaKind, levelKind, schemaKind + "List", levelKind + "List"}
	if !slices.Contains(kinds[:2], kind) {
		r.c.error(r.placeOf(file, n, "kind"), fault{code: CodeNotObject, message: fmt.Sprintf("there is no kind %q in %s", shorten(kind), flowGroup),
			legal: strings.Join(kinds, ", "), hint: didYouMean(kind, kinds)})
		return
	}
	if version != readVersion {
		f := fault{code: CodeVersion, message: fmt.Sprintf("the version %s of this %s is not read", shorten(version), kind), legal: readVersion}
		if slices.Contains(olderVersions, strings.TrimPrefix(version, flowGroup+"/")) {
			f.hint = "Kubernetes 1.37 serves v1 only; kubectl convert, or kubectl get -o yaml from a cluster of 1.29 or later, gives it"
		}
		r.c.error(r.placeOf(file, n, "apiVersion"), f)
		return
	}
	d := newDecoder(r.c, file)
	d.kubernetes = true
	before := len(r.c.list)
	defer func() { d.faulty = r.c.list[before:].HasErrors() || r.c.list[:before].within(d) }()
	doc := document{withoutStatus(n), Place{file, n.line, n.column}}
	if kind == schemaKind {
		s := flowSchema{decoder: d}
		d.document(doc, &s.object)
		defaultFlowSchema(&s.object)
		s.validate()
		r.objects.schemas = append(r.objects.schemas, s)
		return
	}
	l := priorityLevel{decoder: d}
	d.document(doc, &l.object)
	defaultPriorityLevel(&l.object)
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

// withoutStatus leaves out what the server writes and nobody configures: the status,
// and the record of who manages which field.
func withoutStatus(n *node) *node {
	out := *n
	out.fields = nil
	for _, f := range n.fields {
		if f.name == "status" {
			continue
		}
		if f.name == "metadata" && f.value.kind == mappingNode {
			metadata := *f.value
			metadata.fields = slices.DeleteFunc(slices.Clone(metadata.fields), func(m field) bool { return m.name == "managedFields" })
			f.value = &metadata
		}
		out.fields = append(out.fields, f)
	}
	return &out
}
