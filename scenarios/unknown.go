package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/internal/suggest"
)

// renamedFields are fields that had another name in other versions of the API.
var renamedFields = map[string]string{
	assuredShares: nominalShares,
	nominalShares: assuredShares,
}

// fields lists the fields of the struct at a path, without those that the release does
// not know.
func (d *decoder) fields(path string, t reflect.Type) []fieldInfo {
	all := fieldsOf(t)
	if len(d.newFields) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(f fieldInfo) bool { return d.newFields[join(path, f.name)] != "" })
}

func (d *decoder) fieldNames(path string, t reflect.Type) []string {
	return namesOf(d.fields(path, t))
}

// fieldsOnce returns the fields of a mapping, each once: of two the first, after a
// fault, or under a lenient mode the last, as kubectl's reader takes it.
func (d *decoder) fieldsOnce(n *node, path string) []field {
	if len(n.repeated) == 0 {
		return n.fields
	}
	out := slices.Clone(n.fields)
	for _, r := range n.repeated {
		f := fault{code: CodeDuplicateKey, field: join(path, r.name), message: fmt.Sprintf("the key %q appears twice in this mapping, first on line %d", r.name, r.first)}
		if !d.strictness.lenient() {
			d.c.error(Place{d.file, r.line, r.column}, f)
			continue
		}
		i := slices.IndexFunc(out, func(o field) bool { return o.name == r.name })
		f.message = fmt.Sprintf("the key %q appears again on line %d, and the last one counts", r.name, r.line)
		d.strictness.dropped(d.c, Place{d.file, out[i].line, out[i].column}, f)
		out[i] = r.field
	}
	return out
}

// unknownField reports a field that the struct at a path cannot have.
func (d *decoder) unknownField(f field, path string, t reflect.Type) {
	at := d.keyPlace(f)
	where := ""
	if path != "" {
		where = " in " + path
	}
	names := d.fieldNames(path, t)
	out := fault{code: CodeUnknownField, message: fmt.Sprintf("unknown field %q%s", f.name, where), legal: strings.Join(names, ", ")}
	meant := ""
	if first, ok := d.newFields[join(path, f.name)]; ok {
		out.code, out.hint = CodeNewField, fmt.Sprintf("it came with Kubernetes %s", first)
	} else if now, ok := renamedFields[f.name]; ok && slices.Contains(names, now) {
		meant = join(path, now)
		out.code, out.hint = CodeRenamedField, fmt.Sprintf("up to v1beta2 it was %q, since v1beta3 it is %q", assuredShares, nominalShares)
	} else if home, ok := d.home(f.name, path, t); ok {
		meant = join(home, f.name)
		out.hint = fmt.Sprintf("%q belongs in %s", f.name, orTop(home))
	} else if name, ok := meantField(f.name, names); ok {
		meant = join(path, name)
		out.hint = fmt.Sprintf("did you mean %q?", name)
		if !d.strictness.lenient() {
			d.spoiled[meant] = true
		}
	}
	out.field = join(path, f.name)
	if !d.strictness.lenient() && !(d.stored && out.code == CodeNewField) {
		d.strange[path] = true
		d.c.error(at, out)
		return
	}
	d.left = append(d.left, leftField{at, out, meant})
}

// leftField is an unknown field that is left out.
type leftField struct {
	at Place
	fault
	// meant is the path of the field that may have been meant, "" if there is none.
	meant string
}

// reportLeft reports what was left out of a document, once all of it is read: what then
// is not there has its default.
func (d *decoder) reportLeft() {
	for _, f := range d.left {
		if def, ok := objectDefaults[f.meant]; ok && !d.has(f.meant) {
			f.message += fmt.Sprintf("; %s has its default, %s", f.meant, def)
		}
		d.strictness.dropped(d.c, f.at, f.fault)
	}
}

func orTop(path string) string {
	if path == "" {
		return "the top level"
	}
	return path
}

// meantField returns the field that was probably meant: the nearest one, or one that
// the name ends with, as in leaseDuration for duration.
func meantField(field string, names []string) (string, bool) {
	if best, ok := suggest.Nearest(field, names); ok {
		return best, true
	}
	for _, n := range names {
		if strings.HasSuffix(strings.ToLower(field), strings.ToLower(n)) {
			return n, true
		}
	}
	return "", false
}

// home finds where a field that stands at the wrong place belongs, "" for the top level:
// in a struct around this one, the nearest first, or in one inside it.
func (d *decoder) home(field, path string, t reflect.Type) (string, bool) {
	for i := len(d.outer) - 2; i >= 0; i-- {
		if slices.Contains(d.fieldNames(d.outer[i].path, d.outer[i].typ), field) {
			return d.outer[i].path, true
		}
	}
	level := []frame{{path, t}}
	for depth := 0; depth < 3; depth++ {
		var next []frame
		for _, l := range level {
			for _, f := range d.fields(l.path, l.typ) {
				inner, suffix := l.typ.FieldByIndex(f.index).Type, ""
				for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
					if inner.Kind() == reflect.Slice {
						suffix = "[]"
					}
					inner = inner.Elem()
				}
				if inner.Kind() == reflect.Struct {
					next = append(next, frame{join(l.path, f.name) + suffix, inner})
				}
			}
		}
		for _, n := range next {
			if slices.Contains(d.fieldNames(n.path, n.typ), field) {
				return n.path, true
			}
		}
		level = next
	}
	return "", false
}
