package scenarios

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// decoder fills Go values from nodes, strictly, by the json tags of their types. It
// reads the types of format.go and the official types of k8s.io/api alike, so that
// unknown fields, wrong types, positions and hints work the same for both.
type decoder struct {
	c    *collector
	file string
	// kubernetes selects kubectl's reading of values: YAML 1.1, where yes and on are
	// booleans and 010 is 8, and null is an absent field. A scenario refuses what the
	// versions of YAML read differently.
	kubernetes bool
	// places holds where each value was found, by its path: "spec.rules[0].subjects".
	places map[string]Place
	// spoiled holds the paths of values that a fault has been reported for, and of fields
	// that a misspelt one was meant to be. What else is wrong with them follows from that.
	spoiled map[string]bool
	// strange holds the paths of structs with an unknown field.
	strange map[string]bool
	// faulty tells that an error was reported while the object was read.
	faulty bool
	// outer are the structs around the one that is being read, for the hints.
	outer []frame
	// strictness tells what becomes of unknown and repeated fields.
	strictness Validate
	// newFields are the fields, by their paths, that the release does not know, and the
	// first release that does. In an object that is stored they are left out.
	newFields map[string]string
	stored    bool
	// left are the unknown fields that were left out.
	left []leftField
	// renamed tells what the file calls a field, by its path in v1.
	renamed map[string]string
	// version is the apiVersion of the object.
	version string
}

type frame struct {
	path string
	typ  reflect.Type
}

// nodeReader is a type that reads a node by itself.
type nodeReader interface {
	readNode(d *decoder, n *node, path string)
}

// enumeration is a string type with a fixed set of values.
type enumeration interface {
	legal() []string
}

// shapeHinter is a struct type that knows what may have been meant by a node that is
// no mapping.
type shapeHinter interface {
	shapeHint(n *node) string
}

func newDecoder(c *collector, file string) *decoder {
	return &decoder{c: c, file: file, places: map[string]Place{}, spoiled: map[string]bool{}, strange: map[string]bool{}}
}

// written returns the path of a field as the file has it, whose version may call it
// otherwise than v1 does.
func (d *decoder) written(path string) string {
	if w, ok := d.renamed[path]; ok {
		return w
	}
	return path
}

// fail reports a fault in the value at a path.
func (d *decoder) fail(path string, at Place, f fault) {
	d.spoiled[d.written(path)] = true
	f.field = d.written(path)
	d.c.error(at, f)
}

// sound tells whether no fault has been reported for the value at a path or for one
// that it lies in.
func (d *decoder) sound(path string) bool {
	path = d.written(path)
	for {
		if d.spoiled[path] {
			return false
		}
		outer, ok := parent(path)
		if !ok {
			return true
		}
		path = outer
	}
}

// faultWithin tells whether a fault has been reported for a value in the one at a path.
func (d *decoder) faultWithin(path string) bool {
	// Any order: whether there is one does not depend on it.
	for spoiled := range d.spoiled {
		if rest, in := strings.CutPrefix(spoiled, path); in && rest != "" && (rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// refuse reports what is wrong with the value at a path that was read without fault.
func (d *decoder) refuse(path string, f fault) {
	if d.sound(path) {
		d.fail(path, d.at(path), f)
	}
}

func (d *decoder) place(n *node) Place { return Place{cmp.Or(n.file, d.file), n.line, n.column} }

// keyPlace is where the name of a field stands.
func (d *decoder) keyPlace(f field) Place { return Place{cmp.Or(f.file, d.file), f.line, f.column} }

// at returns the place of the value at a path, or of the nearest value around it.
func (d *decoder) at(path string) Place {
	path = d.written(path)
	for {
		if p, ok := d.places[path]; ok {
			return p
		}
		outer, ok := parent(path)
		if !ok {
			return d.places[""]
		}
		path = outer
	}
}

// extent returns the places of the first and of the last value. A value that an alias
// stands for counts where it is written if that is after the first one.
func (d *decoder) extent() (first, last Place) {
	first = d.places[""]
	last = first
	// Any order: a maximum does not depend on it.
	for _, p := range d.places {
		if last.before(p) {
			last = p
		}
	}
	return first, last
}

// has tells whether the file holds a value at the path.
func (d *decoder) has(path string) bool {
	_, ok := d.places[d.written(path)]
	return ok
}

// document reads a whole document into v, a pointer.
func (d *decoder) document(doc document, v any) {
	d.places[""] = doc.place
	d.read(doc.root, "", reflect.ValueOf(v).Elem())
	d.reportLeft()
}

// read fills v from n. Faults are reported, and leave v as it is.
func (d *decoder) read(n *node, path string, v reflect.Value) {
	if _, ok := d.places[path]; !ok {
		d.places[path] = d.place(n)
	}
	switch {
	case n.broken:
		d.spoiled[path], d.faulty = true, true
		d.fieldsOnce(n, path) // what else is wrong with it
		return
	case n.null() && d.kubernetes:
		if !strings.HasSuffix(path, "]") { // a field is absent then; an item is still there
			delete(d.places, path)
		}
		return
	case n.null():
		d.fail(path, d.at(path), fault{code: CodeMissing, message: name(path) + " has no value", hint: "give it one, or remove the line"})
		return
	}
	if r, ok := v.Addr().Interface().(nodeReader); ok {
		r.readNode(d, n, path)
		return
	}
	if u, ok := v.Addr().Interface().(json.Unmarshaler); ok {
		d.readJSON(n, path, u)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		d.read(n, path, p.Elem())
		v.Set(p)
	case reflect.Struct:
		d.readStruct(n, path, v)
	case reflect.Slice:
		d.readSlice(n, path, v)
	case reflect.Map:
		d.readMap(n, path, v)
	default:
		d.readScalar(n, path, v)
	}
}

func (d *decoder) readStruct(n *node, path string, v reflect.Value) {
	if n.kind != mappingNode {
		hint := ""
		if h, ok := v.Addr().Interface().(shapeHinter); ok {
			hint = h.shapeHint(n)
		}
		d.wrongShape(n, path, "a mapping", strings.Join(d.fieldNames(path, v.Type()), ", "), hint)
		return
	}
	d.outer = append(d.outer, frame{path, v.Type()})
	defer func() { d.outer = d.outer[:len(d.outer)-1] }()
	known := d.fields(path, v.Type())
	for _, f := range d.fieldsOnce(n, path) {
		i := slices.IndexFunc(known, func(k fieldInfo) bool { return k.name == f.name })
		if i < 0 {
			d.unknownField(f, path, v.Type())
			continue
		}
		inner := join(path, f.name)
		d.places[inner] = d.fieldPlace(f)
		d.read(f.value, inner, v.FieldByIndex(known[i].index))
	}
}

// fieldPlace is where a fault in a field is shown: at a scalar or a value in flow
// style itself, and at the key of a block, which begins on a later line.
func (d *decoder) fieldPlace(f field) Place {
	if f.value.kind == scalarNode && !f.value.null() || f.value.inline {
		return d.place(f.value)
	}
	return d.keyPlace(f)
}

func (d *decoder) readSlice(n *node, path string, v reflect.Value) {
	if n.kind != sequenceNode {
		hint := ""
		if n.kind == scalarNode && v.Type().Elem().Kind() == reflect.String {
			hint = fmt.Sprintf("write [%s]", n.source())
		}
		d.wrongType(n, path, "a list", hint)
		return
	}
	s := reflect.MakeSlice(v.Type(), len(n.items), len(n.items))
	for i, item := range n.items {
		d.read(item, fmt.Sprintf("%s[%d]", path, i), s.Index(i))
	}
	v.Set(s)
}

func (d *decoder) readMap(n *node, path string, v reflect.Value) {
	if n.kind != mappingNode {
		d.wrongType(n, path, "a mapping", "")
		return
	}
	m := reflect.MakeMap(v.Type())
	for _, f := range d.fieldsOnce(n, path) {
		inner := path + "[" + f.name + "]"
		d.places[inner] = d.keyPlace(f)
		value := reflect.New(v.Type().Elem()).Elem()
		d.read(f.value, inner, value)
		m.SetMapIndex(reflect.ValueOf(f.name), value)
	}
	v.Set(m)
}

// fieldInfo is one field of a struct as JSON has it.
type fieldInfo struct {
	name      string
	index     []int
	omitEmpty bool
}

// fieldsOf lists the fields of a struct by their json names, in order, embedded
// structs flattened. Types that read themselves have none.
func fieldsOf(t reflect.Type) []fieldInfo {
	if t.Kind() != reflect.Struct || reads(t) {
		return nil
	}
	var out []fieldInfo
	for i := range t.NumField() {
		f := t.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && tag == "":
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				out = append(out, inner)
			}
		case tag != "" && tag != "-":
			out = append(out, fieldInfo{tag, []int{i}, strings.Contains(options, "omitempty")})
		}
	}
	return out
}

func reads(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[nodeReader]()) || p.Implements(reflect.TypeFor[json.Unmarshaler]())
}

func fieldNames(t reflect.Type) []string { return namesOf(fieldsOf(t)) }

func namesOf(fields []fieldInfo) []string {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	return names
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// parent returns the path of the value around the one at a path, false at the top.
func parent(path string) (string, bool) {
	if i := strings.LastIndexAny(path, ".["); i >= 0 {
		return path[:i], true
	}
	return "", path != ""
}

// name is how a message calls the value at a path.
func name(path string) string {
	if path == "" {
		return "the document"
	}
	return path
}

// index appends a list index to a path.
func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
