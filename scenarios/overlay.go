package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// flowControl is the configuration in force: schemas in the order in which they are
// tried, levels by name.
type flowControl struct {
	schemas []flowSchema
	levels  []priorityLevel
}

// overlay puts the user's objects over the built-in ones, by name, as a cluster does.
// Without suggested objects only the mandatory ones are there from the beginning; those
// no server lacks.
func overlay(c *collector, user flowObjects, suggested bool) flowControl {
	schemas, levels := map[string]flowSchema{}, map[string]priorityLevel{}
	for _, s := range builtin().schemas {
		if suggested || mandatorySchema(s.object.Name) {
			schemas[s.object.Name] = s
		}
	}
	for _, l := range builtin().levels {
		if suggested || mandatoryLevel(l.object.Name) {
			levels[l.object.Name] = l
		}
	}
	defined := map[string]Place{}
	for _, s := range user.schemas {
		old, replaces := schemas[s.object.Name]
		if first(c, defined, s.decoder, schemaKind, &s.object.ObjectMeta) && !(replaces && s.fixed(&old)) {
			schemas[s.object.Name] = s
		}
	}
	for _, l := range user.levels {
		old, replaces := levels[l.object.Name]
		if first(c, defined, l.decoder, levelKind, &l.object.ObjectMeta) && !(replaces && l.fixed(&old)) {
			levels[l.object.Name] = l
		}
	}
	var out flowControl
	for _, name := range sortedKeys(levels) {
		out.levels = append(out.levels, levels[name])
	}
	for _, name := range sortedKeys(schemas) {
		out.schemas = append(out.schemas, schemas[name])
	}
	slices.SortStableFunc(out.schemas, func(a, b flowSchema) int {
		return cmp.Compare(a.object.Spec.MatchingPrecedence, b.object.Spec.MatchingPrecedence)
	})
	out.dangling(c)
	return out
}

// first tells whether an object is the first of its name in the user's manifests, and
// reports it if it is not.
func first(c *collector, defined map[string]Place, d *decoder, kind string, m *metav1.ObjectMeta) bool {
	if m.Name == "" {
		return false // reported
	}
	key := kind + " " + m.Name
	at := d.at("metadata.name")
	if prior, twice := defined[key]; twice {
		c.error(at, fault{code: CodeSameObject, message: fmt.Sprintf("the %s is defined twice, first at %s", key, prior), hint: "remove one of them"})
		return false
	}
	defined[key] = at
	return true
}

// fixed tells whether the server keeps its own spec of the schema, and reports it where
// that is another one.
func (s *flowSchema) fixed(old *flowSchema) bool {
	if equality.Semantic.DeepEqual(s.object.Spec, old.object.Spec) {
		return true
	}
	if mandatorySchema(s.object.Name) {
		s.refuse("spec", mandatoryFault(schemaKind, s.object.Name))
		return true
	}
	return s.restored(schemaKind, &s.object.ObjectMeta)
}

func (l *priorityLevel) fixed(old *priorityLevel) bool {
	mine, theirs := l.object.Spec, old.object.Spec
	if equality.Semantic.DeepEqual(mine, theirs) {
		return true
	}
	if l.object.Name == flowcontrolv1.PriorityLevelConfigurationNameExempt {
		mine.Exempt, theirs.Exempt = nil, nil
		if equality.Semantic.DeepEqual(mine, theirs) {
			return false
		}
	}
	if mandatoryLevel(l.object.Name) {
		l.refuse("spec", mandatoryFault(levelKind, l.object.Name))
		return true
	}
	return l.restored(levelKind, &l.object.ObjectMeta)
}

func mandatoryFault(kind, name string) fault {
	f := fault{code: CodeMandatory, message: fmt.Sprintf("the spec of the mandatory %s %s cannot be changed", kind, name), hint: "remove the object from the manifests"}
	if kind == levelKind && name == flowcontrolv1.PriorityLevelConfigurationNameExempt {
		f.legal = "only spec.exempt of it can"
	}
	return f
}

// restored tells whether the server puts back its own spec of a suggested object, and
// says so: it does within a minute where the annotation asks for it.
func (d *decoder) restored(kind string, m *metav1.ObjectMeta) bool {
	text := m.Annotations[flowcontrolv1.AutoUpdateAnnotationKey]
	if keep, err := strconv.ParseBool(text); err != nil || !keep {
		return false
	}
	d.c.warning(d.at("metadata.annotations["+flowcontrolv1.AutoUpdateAnnotationKey+"]"), fault{code: CodeRestored,
		message: fmt.Sprintf("ignored: this annotation lets the server restore its own spec of the %s %s, and so it does", kind, m.Name),
		hint:    `set it to "false" to keep the spec of this file`})
	return true
}

// dangling warns of the schemas whose level does not exist. The server ignores them.
func (f *flowControl) dangling(c *collector) {
	names := f.levelNames()
	for i := range f.schemas {
		s := &f.schemas[i]
		level := s.object.Spec.PriorityLevelConfiguration.Name
		if level == "" || slices.Contains(names, level) {
			continue
		}
		c.warning(s.at("spec.priorityLevelConfiguration.name"), fault{code: CodeDangling,
			message: fmt.Sprintf("ignored: the FlowSchema %s is dangling, since there is no PriorityLevelConfiguration %q", s.object.Name, shorten(level)),
			legal:   strings.Join(names, ", "), hint: didYouMean(level, names)})
	}
}

func (f *flowControl) levelNames() []string {
	names := make([]string, len(f.levels))
	for i := range f.levels {
		names[i] = f.levels[i].object.Name
	}
	return names
}

// schemaNames are the names of the schemas that the server does not ignore.
func (f *flowControl) schemaNames() []string {
	var names []string
	levels := f.levelNames()
	for i := range f.schemas {
		if slices.Contains(levels, f.schemas[i].object.Spec.PriorityLevelConfiguration.Name) {
			names = append(names, f.schemas[i].object.Name)
		}
	}
	return names
}
