package lint

import (
	"fmt"

	"github.com/apfsim/apfsim/scheduler"
)

// How schemas split their requests into flows.

// checkFlows looks for a schema whose requests are all one flow, in a level that could
// keep several apart.
func (c *checker) checkFlows(s *schema) {
	l := c.byName[s.spec.PriorityLevel]
	if l == nil || l.spec.Queuing == nil || l.spec.Queuing.Queues == 1 || s.dead {
		return
	}
	switch s.spec.Distinguisher {
	case scheduler.ByNamespace:
		if len(s.spec.Rules) > 0 && !s.seesNamespaces() {
			c.say(s.Source, "spec.distinguisherMethod.type", advice{code: "APF019",
				message: "ByNamespace makes one flow of all requests here: none of them is in a namespace",
				hint:    "say ByUser to keep users apart"})
		}
	case scheduler.ByUser:
	default:
		if s.severalUsers() {
			c.say(s.Source, "spec", advice{code: "APF018",
				message: fmt.Sprintf("all requests of the FlowSchema %s are one flow, so that one user can fill all of its %d queues", s.name(), l.spec.Queuing.HandSize),
				hint:    "say distinguisherMethod: {type: ByUser}, or ByNamespace"})
		}
	}
}

// seesNamespaces tells whether a schema can match a request in a namespace.
func (s *schema) seesNamespaces() bool {
	for _, r := range s.spec.Rules {
		for i := range r.Resources {
			if _, cluster := scopes(&r.Resources[i]); len(r.Resources[i].Namespaces) > 0 && !cluster {
				return true
			}
		}
	}
	return false
}

// severalUsers tells whether the requests of a schema can come from more than one user.
func (s *schema) severalUsers() bool {
	var only scheduler.SubjectRule
	for i, r := range s.spec.Rules {
		for j, subject := range r.Subjects {
			subject = canonical(subject)
			if subject.Kind == scheduler.Group || subject.Name == wildcard {
				return true
			}
			if i == 0 && j == 0 {
				only = subject
			}
			if subject != only {
				return true
			}
		}
	}
	return false
}
