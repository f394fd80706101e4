package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// Change is what has changed in the configuration at one time.
type Change struct {
	Time           Duration       `json:"time"`
	PriorityLevels []ObjectChange `json:"priorityLevels,omitempty"`
	FlowSchemas    []ObjectChange `json:"flowSchemas,omitempty"`
}

// ObjectChange is what became of a priority level: it was added, changed, deleted with
// requests in it (quiescing), configured again before it had gone (revived), or it is gone;
// or of a flow schema: it was added to those in force, changed, deleted, or it is out of
// force because its level was deleted (dangling).
type ObjectChange struct {
	Name   string `json:"name"`
	Change string `json:"change"`
}

// changes renders the changes of the first replication. That a level is gone may happen at
// other times in others.
func (m *merger) changes() []Change {
	var out []Change
	for _, c := range m.first.changes {
		change := Change{Time: Duration(c.time)}
		for _, one := range outcomes(c.list) {
			if one.Kind.OfLevel() {
				change.PriorityLevels = append(change.PriorityLevels, ObjectChange{m.first.levels[one.Number].info.Name, one.Kind.String()})
			} else {
				change.FlowSchemas = append(change.FlowSchemas, ObjectChange{m.first.schemas[one.Number], one.Kind.String()})
			}
		}
		out = append(out, change)
	}
	return out
}

// outcomes leaves one change of each object: the last one, but of what is new that it is.
func outcomes(list []scheduler.Change) []scheduler.Change {
	var out []scheduler.Change
	for _, c := range list {
		i := slices.IndexFunc(out, func(o scheduler.Change) bool {
			return o.Number == c.Number && o.Kind.OfLevel() == c.Kind.OfLevel()
		})
		switch {
		case i < 0:
			out = append(out, c)
		case c.Kind != scheduler.LevelChanged && c.Kind != scheduler.SchemaChanged:
			out[i].Kind = c.Kind
		}
	}
	return out
}

// maxChanges is how many times of change the text tells of.
const maxChanges = 12

// changes tells when the configuration changed, and what of it.
func (t *text) changes() {
	name := "changes"
	for i := range t.result.Changes {
		if i == maxChanges && len(t.result.Changes) > maxChanges+1 {
			t.field("", fmt.Sprintf("and %s times more", seats(len(t.result.Changes)-i)))
			return
		}
		c := &t.result.Changes[i]
		t.field(name, formatMoment(time.Duration(c.Time))+": "+c.words())
		name = ""
	}
}

// words lists the objects by what became of them.
func (c *Change) words() string {
	var words []string
	words = append(words, grouped("level", c.PriorityLevels)...)
	words = append(words, grouped("flow schema", c.FlowSchemas)...)
	return strings.Join(words, ", ")
}

// grouped joins the names of the objects of which the same became.
func grouped(kind string, list []ObjectChange) []string {
	names := map[string][]string{}
	var order []string
	for _, c := range list {
		if names[c.Change] == nil {
			order = append(order, c.Change)
		}
		names[c.Change] = append(names[c.Change], c.Name)
	}
	var words []string
	for _, change := range order {
		plural := ""
		if len(names[change]) > 1 {
			plural = "s"
		}
		words = append(words, fmt.Sprintf("%s%s %s %s", kind, plural, inSeries(names[change]), change))
	}
	return words
}

// inSeries joins names as a sentence does.
func inSeries(names []string) string {
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return names[0]
}
