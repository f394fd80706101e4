package scenarios

import (
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
)

// upgrade is the first start of a server of a release: it brings the built-in objects of
// that release into the cluster, for all servers.
type upgrade struct {
	at      time.Duration
	release release.Version
}

// upgrades returns when the built-in objects of another release come. Two releases that are
// there side by side would put theirs back in turn; here those count that came last.
func (l *loader) upgrades(operations []sim.ServerOperation, begin release.Version) []upgrade {
	var out []upgrade
	for i := range operations {
		o := &operations[i]
		if o.Kind == sim.Start && o.Release != (release.Version{}) && o.Release != begin {
			begin = o.Release
			out = append(out, upgrade{o.At, begin})
		}
	}
	return out
}

// upgradeUntil carries out the upgrades up to a time, and returns those that remain.
func (c *changer) upgradeUntil(list []upgrade, at time.Duration) []upgrade {
	for len(list) > 0 && list[0].at <= at {
		c.upgrade(list[0])
		list = list[1:]
	}
	return list
}

// upgrade does what a server of a new release does when it starts
// (pkg/registry/flowcontrol/ensurer): it makes the built-in objects that are missing, gives
// those that nobody has changed their new spec, and deletes those that the release does not
// have any more. Objects with a spec of the user's own stay as they are, but for mandatory
// ones. Later manifests are read as this release reads them.
func (c *changer) upgrade(u upgrade) {
	before, deletes := c.own, c.api.keepsSuggested
	c.reading = newReading(u.release, c.validate)
	c.own, c.ownNames = ownObjects(c.api, c.suggested)
	for _, name := range sortedKeys(c.own.schemas) {
		is, exists := c.state.schemas[name]
		untouched := c.api.keepsSuggested && is.decoder == before.schemas[name].decoder
		if s := c.own.schemas[name]; !exists || untouched || mandatorySchema(name) {
			c.setSchema(u.at, &s)
		}
	}
	for _, name := range sortedKeys(c.own.levels) {
		is, exists := c.state.levels[name]
		untouched := c.api.keepsSuggested && is.decoder == before.levels[name].decoder
		free := name == flowcontrolv1.PriorityLevelConfigurationNameExempt && c.api.freeExempt
		if l := c.own.levels[name]; !exists || untouched || mandatoryLevel(name) && !free {
			c.setLevel(u.at, &l)
		}
	}
	if deletes && c.api.keepsSuggested { // only what has an annotation is deleted
		c.forgetOld(u.at, before)
	}
	c.noteNames()
}

// forgetOld deletes the built-in objects of another release that nobody has changed and that
// this one does not have.
func (c *changer) forgetOld(at time.Duration, old flowState) {
	for _, name := range sortedKeys(old.schemas) {
		if !c.ownNames[schemaKind+" "+name] && c.state.schemas[name].decoder == old.schemas[name].decoder {
			c.forget(at, schemaKind, name)
		}
	}
	for _, name := range sortedKeys(old.levels) {
		if !c.ownNames[levelKind+" "+name] && c.state.levels[name].decoder == old.levels[name].decoder {
			c.forget(at, levelKind, name)
		}
	}
}
