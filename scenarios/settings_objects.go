package scenarios

import (
	"fmt"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// The kinds of objects as the paths of settings call them.
var settingKinds = map[string]string{"priorityLevel": levelKind, "flowSchema": schemaKind}

// levelPaths and schemaPaths tell where the fields of objects are, by the names by which a
// path may begin. The last part is the field.
var (
	levelPaths = map[string]string{
		"metadata": "metadata", "spec": "spec", "type": "spec.type", "limited": "spec.limited", "exempt": "spec.exempt",
		"shares": "spec.limited." + nominalShares, nominalShares: "spec.limited." + nominalShares, assuredShares: "spec.limited." + assuredShares,
		"lendablePercent": "spec.limited.lendablePercent", "borrowingLimitPercent": "spec.limited.borrowingLimitPercent",
		"limitResponse": "spec.limited.limitResponse", "queuing": "spec.limited.limitResponse.queuing",
		"queues": "spec.limited.limitResponse.queuing.queues", "handSize": "spec.limited.limitResponse.queuing.handSize",
		"queueLengthLimit": "spec.limited.limitResponse.queuing.queueLengthLimit",
	}
	schemaPaths = map[string]string{
		"metadata": "metadata", "spec": "spec", "matchingPrecedence": "spec.matchingPrecedence",
		"priorityLevel":              "spec.priorityLevelConfiguration.name",
		"priorityLevelConfiguration": "spec.priorityLevelConfiguration",
		"distinguisherMethod":        "spec.distinguisherMethod", "rules": "spec.rules",
	}
)

// fieldPaths returns the table of a kind.
func fieldPaths(kind string) map[string]string {
	if kind == levelKind {
		return levelPaths
	}
	return schemaPaths
}

// object finds out whether the path is that of an object, and of which.
func (s *setting) object() {
	first := longest(s.path, nil)
	kind, ok := settingKinds[first]
	if !ok {
		return
	}
	s.kind = kind
	p, ok := s.afterKind(len(first))
	if !ok {
		return
	}
	s.name, s.rest = p.name, p.end
	if mandatory(kind, s.name) {
		f := mandatoryFault(kind, s.name)
		f.hint = ""
		s.fail(p.at, f)
	}
}

// afterKind reads the name of the object, after which a field has to come.
func (s *setting) afterKind(offset int) (part, bool) {
	legal := s.path[:offset] + "/NAME.FIELD"
	if offset == len(s.path) {
		s.fail(offset, fault{code: CodeSyntax, message: "the path names no object", legal: legal})
		return part{}, false
	}
	p, ok := s.next(&node{}, offset)
	if ok && p.end == len(s.path) {
		s.fail(p.end, fault{code: CodeSyntax, message: fmt.Sprintf("the path names no field of the %s %s", s.kind, p.name), legal: legal,
			hint: "for example " + s.path[:p.end] + "." + fieldExamples[s.kind]})
		return p, false
	}
	return p, ok
}

var fieldExamples = map[string]string{levelKind: "queues", schemaKind: "matchingPrecedence"}

// mandatory tells whether nothing of an object can be changed.
func mandatory(kind, name string) bool {
	if kind == schemaKind {
		return mandatorySchema(name)
	}
	return mandatoryLevel(name) && name != flowcontrolv1.PriorityLevelConfigurationNameExempt
}

// of lists the settings of an object that are sound so far.
func (ss *settings) of(kind, name string) []*setting {
	if ss == nil {
		return nil
	}
	var out []*setting
	for _, s := range ss.list {
		if s.kind == kind && s.name == name && s.value != nil {
			out = append(out, s)
		}
	}
	return out
}

// change applies the settings of an object to it before it is read.
func (r *manifestReader) change(kind string, n *node, v *objectVersion) {
	meta := n.get("metadata")
	if meta == nil || meta.get("name") == nil {
		return
	}
	name := meta.get("name")
	list := r.settings.of(kind, name.text)
	for _, s := range list {
		s.used = true
		s.change(n, v)
	}
	if len(list) > 0 && r.settings.builtIn[kind+" "+name.text] && !mandatory(kind, name.text) {
		keep := &node{text: "false", tag: "!!str", quoted: true}
		list[0].within(n, 0, "metadata", "annotations").set(updateKey, list[0].place(0), keep)
	}
}

// change applies one setting to an object of a version.
func (s *setting) change(n *node, v *objectVersion) {
	p, ok := s.next(&node{}, s.rest)
	if !ok {
		return
	}
	table := fieldPaths(s.kind)
	way, known := table[p.name]
	if !known {
		names := sortedKeys(table)
		s.fail(p.at, fault{code: CodeUnknownField, message: fmt.Sprintf("a %s has no field %q", s.kind, shorten(p.name)),
			legal: strings.Join(names, ", "), hint: didYouMean(p.name, names)})
		return
	}
	parts := strings.Split(way, ".")
	last := len(parts) - 1
	if strings.HasSuffix(parts[last], "ConcurrencyShares") {
		parts[last] = v.shares
	}
	if last > 0 && parts[1] == "limited" && exemptSpec(n) {
		parts[1] = "exempt"
		if strings.HasSuffix(parts[last], "ConcurrencyShares") {
			parts[last] = nominalShares
		}
	}
	outer := s.within(n, p.at, parts[:last]...)
	if outer.kind != mappingNode {
		return // the reader says what is wrong with it
	}
	if p.end == len(s.path) {
		outer.set(parts[last], s.place(p.at), s.value.clone())
		return
	}
	s.put(n, s.within(outer, p.at, parts[last]), p.end)
}

// exemptSpec tells whether an object is an exempt level.
func exemptSpec(n *node) bool {
	spec := n.get("spec")
	return spec != nil && spec.get("type") != nil && spec.get("type").text == "Exempt"
}

// within finds or makes the mapping at the end of a way of fields. A value on the way that is
// no mapping ends it.
func (s *setting) within(n *node, at int, way ...string) *node {
	for _, name := range way {
		if n.kind != mappingNode {
			return n
		}
		if v := n.get(name); v == nil || v.null() && !v.broken {
			n.set(name, s.place(at), s.mapping(at))
		}
		n = n.get(name)
	}
	return n
}

// set puts a value into the field of a mapping, which says from where it is.
func (n *node) set(name string, p Place, value *node) {
	if value.line == 0 {
		value.stamp(p)
	}
	if n.kind != mappingNode {
		return
	}
	f := field{name: name, line: p.Line, column: p.Column, file: p.File, value: value}
	if i := slices.IndexFunc(n.fields, func(f field) bool { return f.name == name }); i >= 0 {
		n.fields[i] = f
		return
	}
	n.fields = append(n.fields, f)
}

// clone copies a node with all that is in it.
func (n *node) clone() *node {
	out := *n
	out.fields, out.items = slices.Clone(n.fields), slices.Clone(n.items)
	for i := range out.fields {
		out.fields[i].value = out.fields[i].value.clone()
	}
	for i := range out.items {
		out.items[i] = out.items[i].clone()
	}
	return &out
}

// builtIns reads the built-in objects that settings are about and that no manifest replaces,
// with what the settings change.
func (ss *settings) builtIns(r *manifestReader, suggested bool) {
	if ss == nil {
		return
	}
	state, _ := ownObjects(r.api, suggested)
	for _, s := range ss.list {
		if s.value == nil || s.kind == "" || s.used || r.has(s.kind, s.name) {
			continue
		}
		_, schema := state.schemas[s.name]
		_, level := state.levels[s.name]
		if s.kind == schemaKind && !schema || s.kind == levelKind && !level {
			continue
		}
		n := r.api.builtinNode(s.kind, s.name)
		n.stamp(s.place(0))
		if version := n.get("apiVersion"); !r.servesText(version.text) {
			version.text = flowGroup + "/" + r.api.served[len(r.api.served)-1]
		}
		r.object(s.flag, n, n.get("apiVersion").text, s.kind)
	}
}

// servesText tells whether the release serves an apiVersion.
func (r *reading) servesText(apiVersion string) bool {
	return slices.Contains(r.api.served, strings.TrimPrefix(apiVersion, flowGroup+"/"))
}

// has tells whether an object has been read.
func (r *manifestReader) has(kind, name string) bool {
	if kind == schemaKind {
		return slices.ContainsFunc(r.objects.schemas, func(s flowSchema) bool { return s.object.Name == name })
	}
	return slices.ContainsFunc(r.objects.levels, func(l priorityLevel) bool { return l.object.Name == name })
}

// builtinNode returns the text of a built-in object that the release has.
func (a *apiRelease) builtinNode(kind, name string) *node {
	file := builtinFolder + a.builtin + ".yaml"
	text, err := builtinFiles.ReadFile(file)
	if err != nil {
		panic("scenarios: " + err.Error())
	}
	for _, doc := range readDocuments(file, text, newCollector()) {
		if doc.root.get("kind").text == kind && doc.root.get("metadata").get("name").text == name {
			return doc.root
		}
	}
	panic(fmt.Sprintf("scenarios: there is no built-in %s %s in %s", kind, name, file))
}

// unused reports the settings about objects that no manifest has and that are not built in.
func (ss *settings) unused(levels, schemas []string) {
	for _, s := range ss.list {
		if s.kind == "" || s.used || s.value == nil {
			continue
		}
		names := levels
		if s.kind == schemaKind {
			names = schemas
		}
		s.fail(len(longest(s.path, nil))+1, fault{code: CodeReference, message: fmt.Sprintf("there is no %s %q", s.kind, shorten(s.name)),
			legal: strings.Join(names, ", "), hint: didYouMean(s.name, names)})
	}
}
