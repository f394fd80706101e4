package fullrun

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	flowcontrol "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxDrawnChanges bounds the changes of a case. The controller puts off the seventh write
// of a schema's condition within a minute, for a time that is random.
const maxDrawnChanges = 4

// ownLevel and ownSchema begin the names of what is not built in, and can be deleted.
const ownLevel, ownSchema = "level-", "schema-"

// changeDrawer draws changes one after the other, each on top of the others.
type changeDrawer struct {
	*rand.Rand
	sc *Scenario // the objects that there are by now
	// touched are the objects that the change has written or deleted so far.
	touched map[string]bool
}

// newChangeDrawer begins with the objects of a scenario, which stay as they are.
func newChangeDrawer(r *rand.Rand, sc *Scenario) changeDrawer {
	return changeDrawer{Rand: r, sc: &Scenario{
		PriorityLevels: slices.Clone(sc.PriorityLevels), FlowSchemas: slices.Clone(sc.FlowSchemas),
	}}
}

// drawChanges draws changes of the configuration while the trace is sent: levels and
// schemas that come, change, go and come back, one at a time or several.
func (sc *Scenario) drawChanges(r *rand.Rand, length time.Duration) {
	d := newChangeDrawer(r, sc)
	var times []time.Duration
	for range 1 + r.IntN(maxDrawnChanges) {
		times = append(times, time.Millisecond+time.Duration(r.Int64N(int64(length))))
	}
	slices.Sort(times)
	if oneIn(r, 2) {
		sc.Changes = d.busy(times[0], length)
		times = nil
	}
	for _, at := range slices.Compact(times) {
		if c := d.change(at, func(c *Change) {
			for range pick(r, 1, 1, 2, 5) {
				d.draw(c)
			}
		}); len(c.Write)+len(c.Delete) > 0 {
			sc.Changes = append(sc.Changes, c)
		}
	}
}

// change makes one change of what draw adds to it.
func (d *changeDrawer) change(at time.Duration, draw func(*Change)) Change {
	c := Change{At: at}
	d.touched = map[string]bool{}
	draw(&c)
	return c
}

// busy draws changes that concern a level which is in use: it takes over most of the
// traffic, is deleted, and comes back soon after, or later, or never.
func (d *changeDrawer) busy(at, length time.Duration) []Change {
	pause := func() time.Duration {
		at += 1 + pick(d.Rand, time.Duration(d.Int64N(int64(length)/3)), time.Duration(d.Int64N(int64(2*time.Second))))
		return at
	}
	name := ownLevel + "0"
	all := []Change{d.change(at, func(c *Change) { d.setLevel(c, name); d.writeSchema(c, ownSchema+"0", true) })}
	all = append(all, d.change(pause(), func(c *Change) {
		d.removeLevel(c, name)
		if oneIn(d.Rand, 3) {
			d.deleteSchema(c)
		}
	}))
	if !oneIn(d.Rand, 4) {
		all = append(all, d.change(pause(), func(c *Change) { d.setLevel(c, name) }))
	}
	return append(all, d.change(pause(), func(c *Change) { d.setLevel(c, name) }))
}

// draw adds one object to a change.
func (d *changeDrawer) draw(c *Change) {
	switch d.IntN(8) {
	case 0, 1:
		d.setLevel(c, fmt.Sprintf("%s%d", ownLevel, d.IntN(5)))
	case 2:
		d.changeBuiltIn(c)
	case 3, 4, 5:
		d.writeSchema(c, fmt.Sprintf("%s%d", ownSchema, d.IntN(6)), oneIn(d.Rand, 2))
	case 6:
		d.deleteLevel(c)
	default:
		d.deleteSchema(c)
	}
}

// touch tells whether an object can be part of the change, in which it can be but once.
func (d *changeDrawer) touch(kind, name string) bool {
	key := kind + "/" + name
	if d.touched[key] {
		return false
	}
	d.touched[key] = true
	return true
}

// setLevel writes a level that is not built in, be it new, there, or back.
func (d *changeDrawer) setLevel(c *Change, name string) {
	if d.touch(levelKind, name) {
		o := &flowcontrol.PriorityLevelConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: limited(d.Rand)}
		d.sc.SetLevel(o)
		c.Write = append(c.Write, o)
	}
}

// changeBuiltIn changes a suggested level, or what can be changed of the exempt one, or
// where a suggested schema leads to.
func (d *changeDrawer) changeBuiltIn(c *Change) {
	keep := map[string]string{flowcontrol.AutoUpdateAnnotationKey: "false"}
	if oneIn(d.Rand, 3) {
		old := pick(d.Rand, d.sc.FlowSchemas...)
		if own(old.Name, ownSchema) || old.Name == flowcontrol.FlowSchemaNameExempt || old.Name == flowcontrol.FlowSchemaNameCatchAll || !d.touch(schemaKind, old.Name) {
			return
		}
		o := old.DeepCopy()
		o.Annotations = keep
		o.Spec.PriorityLevelConfiguration.Name = pick(d.Rand, d.sc.PriorityLevels...).Name
		d.sc.SetSchema(o)
		c.Write = append(c.Write, o)
		return
	}
	old := pick(d.Rand, d.sc.PriorityLevels...)
	if own(old.Name, ownLevel) || old.Name == flowcontrol.PriorityLevelConfigurationNameCatchAll || !d.touch(levelKind, old.Name) {
		return
	}
	o := old.DeepCopy()
	if o.Spec.Exempt != nil {
		o.Spec.Exempt.NominalConcurrencyShares = new(int32(d.IntN(100)))
		o.Spec.Exempt.LendablePercent = new(percent(d.Rand))
	} else {
		o.Annotations, o.Spec = keep, limited(d.Rand)
	}
	d.sc.SetLevel(o)
	c.Write = append(c.Write, o)
}

// writeSchema writes a schema that is not built in. A broad one takes a part of the traffic
// whatever it is about, so that the level that it leads to is in use.
func (d *changeDrawer) writeSchema(c *Change, name string, broad bool) {
	if !d.touch(schemaKind, name) {
		return
	}
	o := drawSchema(d.Rand, name, d.sc.PriorityLevels)
	if broad {
		o.Spec.MatchingPrecedence = int32(2 + d.IntN(600))
		star := []string{"*"}
		o.Spec.Rules[0].Subjects = []flowcontrol.Subject{{Kind: flowcontrol.SubjectKindGroup, Group: &flowcontrol.GroupSubject{
			Name: pick(d.Rand, "system:serviceaccounts", "system:nodes", "team", "system:authenticated")}}}
		o.Spec.Rules[0].ResourceRules = []flowcontrol.ResourcePolicyRule{{Verbs: star, APIGroups: star, Resources: star, Namespaces: star, ClusterScope: true}}
		if levels := d.names(levelKind); len(levels) > 0 {
			o.Spec.PriorityLevelConfiguration.Name = pick(d.Rand, levels...)
		}
	}
	d.sc.SetSchema(o)
	c.Write = append(c.Write, o)
}

func (d *changeDrawer) deleteLevel(c *Change) {
	names := d.names(levelKind)
	if len(names) == 0 {
		return
	}
	d.removeLevel(c, pick(d.Rand, names...))
}

func (d *changeDrawer) removeLevel(c *Change, name string) {
	if d.touch(levelKind, name) {
		d.sc.PriorityLevels = slices.DeleteFunc(slices.Clone(d.sc.PriorityLevels), func(o *flowcontrol.PriorityLevelConfiguration) bool { return o.Name == name })
		c.Delete = append(c.Delete, &flowcontrol.PriorityLevelConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
}

func (d *changeDrawer) deleteSchema(c *Change) {
	names := d.names(schemaKind)
	if len(names) == 0 {
		return
	}
	name := pick(d.Rand, names...)
	if d.touch(schemaKind, name) {
		d.sc.FlowSchemas = slices.DeleteFunc(slices.Clone(d.sc.FlowSchemas), func(o *flowcontrol.FlowSchema) bool { return o.Name == name })
		c.Delete = append(c.Delete, &flowcontrol.FlowSchema{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
}

// names returns the names of the objects that are not built in.
func (d *changeDrawer) names(kind string) []string {
	var names []string
	if kind == schemaKind {
		for _, o := range d.sc.FlowSchemas {
			if own(o.Name, ownSchema) {
				names = append(names, o.Name)
			}
		}
		return names
	}
	for _, o := range d.sc.PriorityLevels {
		if own(o.Name, ownLevel) {
			names = append(names, o.Name)
		}
	}
	return names
}

func own(name, prefix string) bool { return strings.HasPrefix(name, prefix) }
