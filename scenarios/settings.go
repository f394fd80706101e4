package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apfsim/apfsim/workload"
)

// Setting is one value in place of what a scenario or one of its flow-control objects says.
//
// The grammar of its text:
//
//	SETTING = PATH "=" VALUE
//	PATH    = [ OBJECT "." ] PART { "." PART | "/" PART | "[" PART "]" }
//	OBJECT  = ( "priorityLevel" | "flowSchema" ) ( "/" NAME | "[" NAME "]" )
//	VALUE   = a value in YAML: 300, 1s, true, {poisson: {rate: 300}}, [a, b]
//
// A PART is a field as scenario files have it, the key of a mapping, or an entry of a list by
// its name or by its number from 0: server.maxRequestsInflight, objects/pods.count,
// clients/elephants.arrivals.poisson.rate, clients[0].count. Of names that hold a dot the
// longest counts that the scenario has; an object whose name holds one needs brackets.
//
// The fields of an OBJECT need not tell the way to them: priorityLevel/workload-low.queues is
// spec.limited.limitResponse.queuing.queues, which is a path too. The object is the user's
// own in each manifest that has it, those of later changes among them, or else the built-in
// one. Of a suggested object the server would restore its own spec, so a setting tells it not to.
type Setting struct {
	// Flag is how the user gave it, such as --set: positions of faults begin with it.
	Flag string
	// Text is PATH=VALUE.
	Text string
}

// Options are what stands in place of what a scenario says.
type Options struct {
	// Settings are applied in their order; of two with one path the last counts.
	Settings []Setting
	// Manifests, unless nil, are files and folders in place of flowControl.manifests. They are
	// read from ManifestFiles, and their names are relative to nothing but that.
	Manifests     []string
	ManifestFiles Files
	// Traces are some that have been opened before, by the names of their files: they are not read
	// again.
	Traces map[string]*workload.Trace
}

// split returns path and value; ok is false without an equals sign or a path.
func (s Setting) split() (path, value string, ok bool) {
	path, value, ok = strings.Cut(s.Text, "=")
	return path, value, ok && path != ""
}

// settings are the settings of one load.
type settings struct {
	c    *collector
	list []*setting
	// builtIn holds the kind and name of each built-in object of the release.
	builtIn map[string]bool
}

// setting is one of them while it is applied.
type setting struct {
	c    *collector
	flag string
	line int
	path string
	// value is what the text has after the equals sign; nil after a fault.
	value *node
	// kind and name are the object that it is about, rest where the path within that begins.
	kind, name string
	rest       int
	// used tells that there is such an object.
	used bool
}

// newSettings reads settings. What is wrong with their form is reported.
func newSettings(c *collector, list []Setting) *settings {
	out := &settings{c: c}
	texts := map[string][]string{}
	for _, s := range list {
		texts[s.Flag] = append(texts[s.Flag], s.Text)
		c.source(s.Flag, []byte(strings.Join(texts[s.Flag], "\n")))
		out.list = append(out.list, &setting{c: c, flag: s.Flag, line: len(texts[s.Flag])})
	}
	for i, s := range out.list {
		path, value, ok := list[i].split()
		if !ok {
			c.error(Place{s.flag, s.line, 1}, fault{code: CodeSyntax, message: "a setting needs a path and a value", legal: "PATH=VALUE, such as server.maxRequestsInflight=800"})
			continue
		}
		s.path = path
		s.object()
		s.value = s.parse(value)
	}
	return out
}

// place is where an offset of the path is.
func (s *setting) place(offset int) Place {
	return Place{s.flag, s.line, utf8.RuneCountInString(s.path[:offset]) + 1}
}

// fail reports a fault at an offset of the path, once a setting.
func (s *setting) fail(offset int, f fault) {
	f.field = s.path
	s.c.error(s.place(offset), f)
	s.value, s.used = nil, true
}

// parse reads the value.
func (s *setting) parse(text string) *node {
	column := utf8.RuneCountInString(s.path) + 1
	sound := true
	report := func(_, at int, f fault) {
		sound = false
		s.c.error(Place{s.flag, s.line, column + at}, f)
	}
	roots, err := parseYAML([]byte(text), 1, report)
	switch {
	case err != nil:
		problem, _ := locate([]byte(text))
		s.c.error(Place{s.flag, s.line, column + 1}, fault{code: CodeSyntax, message: "the value is not valid YAML: " + problem,
			hint: `text with special characters needs quotes, as in user="a: b"`})
		return nil
	case len(roots) > 1:
		s.fail(len(s.path), fault{code: CodeSeveral, message: "a setting has one value"})
		return nil
	case !sound:
		return nil
	case len(roots) == 0:
		roots = []*node{{tag: "!!null", column: 1}}
	}
	roots[0].each(func(line, at *int, file *string) { *line, *at, *file = s.line, column+*at, s.flag })
	return roots[0]
}

// each calls a function with the place of every value and field of a node.
func (n *node) each(f func(line, column *int, file *string)) {
	f(&n.line, &n.column, &n.file)
	for i := range n.fields {
		f(&n.fields[i].line, &n.fields[i].column, &n.fields[i].file)
		n.fields[i].value.each(f)
	}
	for _, item := range n.items {
		item.each(f)
	}
}

// stamp puts a node as a whole to one place.
func (n *node) stamp(p Place) {
	n.each(func(line, column *int, file *string) { *line, *column, *file = p.Line, p.Column, p.File })
}

// apply puts the settings that are not about objects of flow control into a scenario.
func (ss *settings) apply(root *node) {
	for _, s := range ss.list {
		if s.kind == "" && s.value != nil {
			s.put(root, root, 0)
		}
	}
}

// part is one part of a path: its name, where that begins, and where what follows does.
type part struct {
	name    string
	at, end int
}

// marks end the name of a part.
const marks = "./["

// next reads the part of the path that begins at an offset, of what a node has.
func (s *setting) next(n *node, offset int) (part, bool) {
	at, mark := offset, byte('.')
	if offset > 0 {
		mark, at = s.path[offset], offset+1
	}
	rest := s.path[at:]
	p := part{at: at}
	if mark == '[' {
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			s.fail(offset, fault{code: CodeSyntax, message: "the [ is not closed", hint: "write ]"})
			return p, false
		}
		p.name, p.end = rest[:end], at+end+1
		if p.end < len(s.path) && !strings.ContainsRune(marks, rune(s.path[p.end])) {
			s.fail(p.end, fault{code: CodeSyntax, message: "a path goes on after ] with a dot"})
			return p, false
		}
	} else {
		p.name = longest(rest, n.names())
		p.end = at + len(p.name)
	}
	if p.name == "" {
		s.fail(at, fault{code: CodeSyntax, message: "a name is missing here", legal: strings.Join(n.names(), ", ")})
		return p, false
	}
	return p, true
}

// longest returns the longest of the names that a path begins with, or else what stands
// before the next mark.
func longest(rest string, names []string) string {
	best := ""
	for _, name := range names {
		after, begins := strings.CutPrefix(rest, name)
		if begins && len(name) > len(best) && (after == "" || strings.Contains(marks, after[:1])) {
			best = name
		}
	}
	if best != "" {
		return best
	}
	if end := strings.IndexAny(rest, marks); end >= 0 {
		return rest[:end]
	}
	return rest
}

// names lists what the parts of a value are called: its fields, or the names of its items.
func (n *node) names() []string {
	var out []string
	for _, f := range n.fields {
		out = append(out, f.name)
	}
	for _, item := range n.items {
		if name := item.get("name"); name != nil {
			out = append(out, name.text)
		}
	}
	return out
}

// put sets the value at the path that goes on at an offset, of a node within a root. What is
// not there on the way is made: whether there can be such a thing, the reader will tell.
func (s *setting) put(root, n *node, offset int) {
	p, ok := s.next(n, offset)
	if !ok {
		return
	}
	var inner **node
	switch n.kind {
	case sequenceNode:
		inner = s.item(n, p)
	case mappingNode:
		inner = s.field(root, n, p)
	default:
		what := s.path[:offset]
		s.fail(offset, fault{code: CodeUnknownField, message: fmt.Sprintf("%s is %s, and has no parts", what, n.describe())})
	}
	switch {
	case inner == nil:
	case p.end == len(s.path):
		*inner = s.value.clone()
	default:
		if (*inner).null() && !(*inner).broken {
			*inner = s.mapping(p.at)
		}
		s.put(root, *inner, p.end)
	}
}

// mapping makes an empty mapping at an offset of the path.
func (s *setting) mapping(at int) *node {
	n := &node{kind: mappingNode}
	n.stamp(s.place(at))
	return n
}

// field finds or makes a field of a mapping.
func (s *setting) field(root, n *node, p part) **node {
	place := s.place(p.at)
	i := slices.IndexFunc(n.fields, func(f field) bool { return f.name == p.name })
	if i < 0 {
		value := s.mapping(p.at)
		if p.end < len(s.path) {
			value = cmp.Or(presetField(root, n, p.name), value)
		}
		n.fields = append(n.fields, field{name: p.name, line: place.Line, column: place.Column, file: place.File, value: value})
		return &n.fields[len(n.fields)-1].value
	}
	f := &n.fields[i]
	if p.end == len(s.path) {
		f.line, f.column, f.file = place.Line, place.Column, place.File
	}
	return &f.value
}

// item finds an item of a list by its name or number.
func (s *setting) item(n *node, p part) **node {
	for i, item := range n.items {
		if name := item.get("name"); name != nil && name.text == p.name {
			return &n.items[i]
		}
	}
	var number int
	if _, err := fmt.Sscanf(p.name+"\n", "%d\n", &number); err == nil && number >= 0 && number < len(n.items) {
		return &n.items[number]
	}
	f := fault{code: CodeReference, message: fmt.Sprintf("there is no %q in %s", shorten(p.name), strings.TrimRight(s.path[:max(p.at-1, 0)], marks))}
	names := n.names()
	switch {
	case len(n.items) == 0:
		f.message += ", which is empty"
	case len(names) > 0:
		f.legal, f.hint = strings.Join(names, ", "), didYouMean(p.name, names)
	default:
		f.legal = fmt.Sprintf("0 to %d", len(n.items)-1)
	}
	s.fail(p.at, f)
	return nil
}

// presetField returns what the preset of a population says of a field, nil if it says nothing
// or if the mapping is no population with a preset.
func presetField(root, n *node, name string) *node {
	preset := n.get("preset")
	clients := root.get("clients")
	if preset == nil || clients == nil || !slices.Contains(clients.items, n) || !slices.Contains(presetName("").legal(), preset.text) {
		return nil
	}
	spec := clientSpec{Preset: presetName(preset.text)}
	spec.expandPreset(root.get("backend") == nil)
	value := encodeField(&spec, name)
	if value != nil {
		value.stamp(Place{preset.file, preset.line, preset.column})
	}
	return value
}
