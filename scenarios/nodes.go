package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"gopkg.in/yaml.v3"
)

// This is the only file that knows the YAML library. The rest of the package sees
// the node below: no aliases, no merge keys, no anchors, every value with a place.

type nodeKind uint8

const (
	scalarNode nodeKind = iota
	mappingNode
	sequenceNode
)

// node is one value of a document.
type node struct {
	kind         nodeKind
	line, column int
	// file is where the value was given if that is not the file of the document.
	file string
	// text is the value of a scalar. tag is its type: "!!str", "!!int", "!!float",
	// "!!bool", "!!null" or "!!timestamp". quoted tells that it was written in quotes,
	// as a block, or with an explicit !!str, so that it is text whatever it looks like.
	text, tag string
	quoted    bool
	fields    []field
	items     []*node
	// repeated are the fields of a mapping whose names it had before.
	repeated []repeatedField
	// inline is flow style: {a: 1}.
	inline bool
	// broken tells that a fault in the value has been reported, and that it says
	// nothing more.
	broken bool
}

// field is one entry of a mapping.
type field struct {
	name         string
	line, column int
	value        *node
	// file is as in node.
	file string
}

// repeatedField is a field whose name the mapping has on an earlier line too.
type repeatedField struct {
	field
	first int
}

func (n *node) null() bool { return n.kind == scalarNode && n.tag == "!!null" }

// get returns the value of a field, nil if there is none.
func (n *node) get(name string) *node {
	for _, f := range n.fields {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// Bounds on what a document may hold. They are far above any real file, and keep a
// hostile one ("billion laughs") from taking all memory.
const (
	maxDepth      = 100
	maxAliasNodes = 50_000
)

// parseYAML reads the documents of one chunk of a file. Lines are counted from
// firstLine. Faults of meaning (duplicate keys, aliases, tags, depth) go to report; a
// syntax error is returned, and the documents before it with it.
func parseYAML(text []byte, firstLine int, report func(line, column int, f fault)) (roots []*node, err error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	for {
		doc, err := decodeNext(dec)
		if errors.Is(err, io.EOF) {
			return roots, nil
		}
		if err != nil {
			return roots, err
		}
		c := converter{offset: firstLine - 1, report: report, open: map[*yaml.Node]bool{}}
		if len(doc.Content) == 1 {
			roots = append(roots, c.convert(doc.Content[0], 0))
		}
	}
}

// probeYAML returns the problem that the YAML library has with the text, "" if it
// has none, and how many bytes it had asked for by then: it reads just as far as
// it needs to, so that is where the problem is, but for the few characters and at
// most one token that it looks ahead. The line numbers of its messages are worse:
// they tell where the enclosing block began.
func probeYAML(text []byte) (problem string, consumed int) {
	r := &byteReader{text: text}
	dec := yaml.NewDecoder(r)
	for {
		_, err := decodeNext(dec)
		if errors.Is(err, io.EOF) {
			return "", r.next
		}
		if err != nil {
			return err.Error(), r.next
		}
	}
}

// byteReader hands out one byte at a time.
type byteReader struct {
	text []byte
	next int
}

func (r *byteReader) Read(p []byte) (int, error) {
	if r.next >= len(r.text) {
		return 0, io.EOF
	}
	p[0] = r.text[r.next]
	r.next++
	return 1, nil
}

// decodeNext reads one document. The library reports some broken inputs by a panic
// of its own; to the user those are syntax errors like all others.
func decodeNext(dec *yaml.Decoder) (doc *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			doc, err = nil, fmt.Errorf("yaml: %v", p)
		}
	}()
	doc = new(yaml.Node)
	if err := dec.Decode(doc); err != nil {
		return nil, err
	}
	return doc, nil
}

// converter turns the library's nodes of one document into ours.
type converter struct {
	offset  int
	report  func(line, column int, f fault)
	open    map[*yaml.Node]bool // anchored nodes that are being converted
	aliased int                 // nodes made while inside an alias
	inAlias int
	full    bool
}

func (c *converter) fault(y *yaml.Node, f fault) {
	c.report(y.Line+c.offset, max(y.Column, 1), f)
}

func (c *converter) nothing(y *yaml.Node) *node {
	return &node{line: y.Line + c.offset, column: max(y.Column, 1), tag: "!!null", broken: true}
}

func (c *converter) convert(y *yaml.Node, depth int) *node {
	if depth > maxDepth {
		c.fault(y, fault{code: CodeNesting, message: fmt.Sprintf("nested more than %d levels deep", maxDepth)})
		return c.nothing(y)
	}
	if y.Kind == yaml.AliasNode {
		return c.alias(y, depth)
	}
	if c.inAlias > 0 {
		c.aliased++
		if c.aliased > maxAliasNodes {
			if !c.full {
				c.full = true
				c.fault(y, fault{code: CodeAlias, message: fmt.Sprintf("the aliases of this document expand to more than %d values", maxAliasNodes)})
			}
			return c.nothing(y)
		}
	}
	n := &node{line: y.Line + c.offset, column: max(y.Column, 1)}
	c.checkTag(y)
	c.open[y] = true
	defer delete(c.open, y)
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = mappingNode
		n.inline = y.Style&yaml.FlowStyle != 0
		c.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.kind = sequenceNode
		n.inline = y.Style&yaml.FlowStyle != 0
		for _, item := range y.Content {
			n.items = append(n.items, c.convert(item, depth+1))
		}
	default:
		n.text, n.tag = y.Value, y.ShortTag()
		if n.tag == "!!merge" { // "<<" as a value is just text
			n.tag = "!!str"
		}
		n.quoted = n.tag == "!!str" && y.Style&^yaml.FlowStyle != 0
	}
	return n
}

func (c *converter) alias(y *yaml.Node, depth int) *node {
	if c.open[y.Alias] {
		c.fault(y, fault{code: CodeAlias, message: fmt.Sprintf("the alias *%s lies within the value that it names", y.Value)})
		return c.nothing(y)
	}
	c.inAlias++
	defer func() { c.inAlias-- }()
	return c.convert(y.Alias, depth)
}

// knownTags are the types that a value may be marked with.
var knownTags = map[yaml.Kind][]string{
	yaml.MappingNode:  {"!!map"},
	yaml.SequenceNode: {"!!seq"},
	yaml.ScalarNode:   {"!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!merge"},
}

func (c *converter) checkTag(y *yaml.Node) {
	if !slices.Contains(knownTags[y.Kind], y.ShortTag()) {
		c.fault(y, fault{code: CodeAlias, message: fmt.Sprintf("the tag %s is not supported here", y.ShortTag()), hint: "remove the tag"})
	}
}

func (c *converter) mapping(n *node, y *yaml.Node, depth int) {
	var merges []*yaml.Node
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		k, v := y.Content[i], y.Content[i+1]
		if k.Kind == yaml.ScalarNode && k.ShortTag() == "!!merge" {
			merges = append(merges, v)
			continue
		}
		name, ok := c.key(y, k)
		if !ok {
			n.broken = true
			continue
		}
		entry := field{name: name, line: k.Line + c.offset, column: max(k.Column, 1), value: c.convert(v, depth+1)}
		if prior, twice := first[name]; twice {
			n.repeated = append(n.repeated, repeatedField{entry, prior.Line + c.offset})
			continue
		}
		first[name] = k
		n.fields = append(n.fields, entry)
	}
	for _, m := range merges {
		c.merge(n, m, first, depth)
	}
}

func (c *converter) key(y, k *yaml.Node) (string, bool) {
	if k.Kind == yaml.AliasNode {
		k = k.Alias
	}
	if k.Kind == yaml.ScalarNode {
		return k.Value, true
	}
	if k.Kind == yaml.MappingNode && k.Line == y.Line && k.Column == y.Column+1 {
		c.fault(y, templateFault("the value")) // {{ .Values.name }} is legal YAML
	} else {
		c.fault(k, fault{code: CodeWrongType, message: "a key must be text, not a list or a mapping"})
	}
	return "", false
}

// merge adds the fields of a mapping, or of each mapping in a list, that are not
// present yet. Earlier ones win.
func (c *converter) merge(n *node, y *yaml.Node, present map[string]*yaml.Node, depth int) {
	m := c.convert(y, depth+1)
	sources := []*node{m}
	if m.kind == sequenceNode {
		sources = m.items
	}
	for _, s := range sources {
		if s.kind != mappingNode {
			c.fault(y, fault{code: CodeAlias, message: "the merge key << needs a mapping or a list of mappings"})
			return
		}
		for _, f := range s.fields {
			if _, has := present[f.name]; !has {
				present[f.name] = y
				n.fields = append(n.fields, f)
			}
		}
	}
}

// encodeYAML writes a node as a YAML document.
func encodeYAML(n *node) ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(toYAML(n)); err != nil {
		return nil, fmt.Errorf("encode YAML: %w", err)
	}
	if err := enc.Close(); err != nil {
		return nil, fmt.Errorf("encode YAML: %w", err)
	}
	return b.Bytes(), nil
}

func toYAML(n *node) *yaml.Node {
	y := &yaml.Node{}
	if n.inline {
		y.Style = yaml.FlowStyle
	}
	switch n.kind {
	case mappingNode:
		y.Kind = yaml.MappingNode
		for _, f := range n.fields {
			key := &yaml.Node{}
			key.SetString(f.name)
			y.Content = append(y.Content, key, toYAML(f.value))
		}
	case sequenceNode:
		y.Kind = yaml.SequenceNode
		for _, item := range n.items {
			y.Content = append(y.Content, toYAML(item))
		}
	case scalarNode:
		y.Kind, y.Tag, y.Value = yaml.ScalarNode, n.tag, n.text
		if n.quoted {
			y.Style = yaml.DoubleQuotedStyle
		}
	}
	return y
}
