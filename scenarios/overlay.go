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
func overlay(c *collector, api *apiRelease, user flowObjects, suggested bool) flowControl {
	state, own := ownObjects(api, suggested)
	schemas, levels := state.schemas, state.levels
	defined := map[string]Place{}
	for _, s := range user.schemas {
		old, replaces := schemas[s.object.Name]
		if first(c, defined, s.decoder, schemaKind, &s.object.ObjectMeta) && !(replaces && s.fixed(&old)) &&
			!s.deleted(api, own, schemaKind, &s.object.ObjectMeta) {
			schemas[s.object.Name] = s
		}
	}
	for _, l := range user.levels {
		old, replaces := levels[l.object.Name]
		if first(c, defined, l.decoder, levelKind, &l.object.ObjectMeta) && !(replaces && l.fixed(&old)) &&
			!l.deleted(api, own, levelKind, &l.object.ObjectMeta) {
			levels[l.object.Name] = l
		}
	}
	return inForce(c, schemas, levels)
}

// ownObjects returns the objects that a server looks after in a cluster, and the names, by
// kind and name, of all that are built into its release: without the suggested ones in the
// cluster an object by such a name is still one of the server's.
func ownObjects(api *apiRelease, suggested bool) (state flowState, builtin map[string]bool) {
	state = flowState{map[string]flowSchema{}, map[string]priorityLevel{}}
	builtin = map[string]bool{}
	objects := api.builtinObjects()
	for _, s := range objects.schemas {
		builtin[schemaKind+" "+s.object.Name] = true
		if suggested || mandatorySchema(s.object.Name) {
			state.schemas[s.object.Name] = s
		}
	}
	for _, l := range objects.levels {
		builtin[levelKind+" "+l.object.Name] = true
		if suggested || mandatoryLevel(l.object.Name) {
			state.levels[l.object.Name] = l
		}
	}
	return state, builtin
}

// inForce puts objects into the order in which the server has them.
func inForce(c *collector, schemas map[string]flowSchema, levels map[string]priorityLevel) flowControl {
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
	return s.restored(s.api, schemaKind, &s.object.ObjectMeta)
}

func (l *priorityLevel) fixed(old *priorityLevel) bool {
	mine, theirs := l.object.Spec, old.object.Spec
	if equality.Semantic.DeepEqual(mine, theirs) {
		return true
	}
	if l.object.Name == flowcontrolv1.PriorityLevelConfigurationNameExempt && l.api.freeExempt {
		unset := mine.Exempt == nil
		mine.Exempt, theirs.Exempt = nil, nil
		if equality.Semantic.DeepEqual(mine, theirs) {
			return unset // the server fills in its own
		}
	}
	if mandatoryLevel(l.object.Name) {
		f := mandatoryFault(levelKind, l.object.Name)
		if l.object.Name == flowcontrolv1.PriorityLevelConfigurationNameExempt && l.api.freeExempt {
			f.legal = "only spec.exempt of it can"
		}
		l.refuse("spec", f)
		return true
	}
	return l.restored(l.api, levelKind, &l.object.ObjectMeta)
}

func mandatoryFault(kind, name string) fault {
	return fault{code: CodeMandatory, message: fmt.Sprintf("the spec of the mandatory %s %s cannot be changed", kind, name), hint: "remove the object from the manifests"}
}

// updateKey is the annotation by which an object tells whether the server keeps its spec.
const updateKey = flowcontrolv1.AutoUpdateAnnotationKey

// restored tells whether the server puts back its own spec of a suggested object, and
// says so: within a minute it does where the annotation asks for it, and where there is
// none and nobody has ever changed the spec (shouldUpdateSpec in
// pkg/registry/flowcontrol/ensurer).
func (d *decoder) restored(api *apiRelease, kind string, m *metav1.ObjectMeta) bool {
	if !api.keepsSuggested {
		return false // made once, and left alone
	}
	at := "metadata.annotations[" + updateKey + "]"
	text, annotated := m.Annotations[updateKey]
	keep, err := strconv.ParseBool(text)
	switch {
	case err == nil && keep:
		d.c.warning(d.at(at), fault{code: CodeRestored,
			message: fmt.Sprintf("ignored: this annotation lets the server restore its own spec of the %s %s, and so it does", kind, m.Name),
			hint:    `set it to "false" to keep the spec of this file`})
		return true
	case err != nil && m.Generation == 1:
		d.c.warning(d.at("metadata.generation"), fault{code: CodeRestored,
			message: fmt.Sprintf("ignored: the server restores its own spec of the %s %s, since its generation is 1 and no annotation tells it not to", kind, m.Name),
			hint:    "annotations: {" + updateKey + `: "false"} keeps the spec of this file`})
		return true
	case !annotated && m.Generation == 0:
		d.c.warning(d.at("metadata.name"), fault{code: CodeNotKept,
			message: fmt.Sprintf("kubectl apply would leave the annotation of the built-in %s %s at \"true\", and the server would restore its own spec; here the spec of this file counts", kind, m.Name),
			hint:    "annotations: {" + updateKey + `: "false"} keeps the spec of this file`})
	}
	return false
}

// deleted tells whether the server deletes an object that is none of its own, and says
// so: it does where the annotation says that the server looks after the object. So
// leave built-in objects that a newer release does not have any more.
func (d *decoder) deleted(api *apiRelease, own map[string]bool, kind string, m *metav1.ObjectMeta) bool {
	yes, err := strconv.ParseBool(m.Annotations[updateKey])
	if !api.keepsSuggested || own[kind+" "+m.Name] || err != nil || !yes {
		return false
	}
	d.c.warning(d.at("metadata.annotations["+updateKey+"]"), fault{code: CodeDeleted,
		message: fmt.Sprintf("ignored: this annotation lets the server delete the %s %s, which is none of its built-in objects", kind, m.Name),
		hint:    `remove it, or set it to "false", to keep the object`})
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

// allSchemas are the names of all schemas.
func (f *flowControl) allSchemas() []string {
	names := make([]string, len(f.schemas))
	for i := range f.schemas {
		names[i] = f.schemas[i].object.Name
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
