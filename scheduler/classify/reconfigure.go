package classify

import (
	"cmp"
	"slices"
	"strings"
)

// Reconfigure replaces the schemas, as New takes them. All that was interned keeps its
// ids and is classified by the new schemas from now on. Its cost is that of interning
// all subjects and targets again.
func (c *Classifier) Reconfigure(schemas []FlowSchema) {
	c.install(schemas)
	c.subjectBits, c.targetBits = c.subjectBits[:0], c.targetBits[:0]
	var bits []uint64
	for i := range c.subjects {
		c.subjectBits, bits = c.grow(c.subjectBits)
		c.index.setSubject(bits, c.subjects[i].user, c.subjects[i].groups)
	}
	for i := range c.targets {
		c.targetBits, bits = c.grow(c.targetBits)
		c.index.setTarget(bits, &c.targets[i])
	}
}

// install sorts a copy of the schemas and numbers their rules.
func (c *Classifier) install(schemas []FlowSchema) {
	c.schemas, c.rules, c.owner = slices.Clone(schemas), nil, nil
	slices.SortStableFunc(c.schemas, func(a, b FlowSchema) int {
		return cmp.Or(cmp.Compare(a.Precedence, b.Precedence), strings.Compare(a.Name, b.Name))
	})
	for i := range c.schemas {
		for _, rule := range c.schemas[i].Rules {
			c.rules = append(c.rules, rule)
			c.owner = append(c.owner, int32(i))
		}
	}
	c.words = wordsFor(len(c.rules))
	c.index = newRuleIndex(c.rules, c.words)
	c.once = make([]uint64, 2*c.words)
}
