package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
)

// What becomes of the requests that the cluster itself depends on.

// request is a typical request of the system.
type request struct {
	name   string
	user   string
	groups []string
	target scheduler.Target
}

func (r request) String() string {
	t := r.target
	what := t.Resource
	if t.Subresource != "" {
		what += "/" + t.Subresource
	}
	return fmt.Sprintf("%s (%s %s by %s)", r.name, t.Verb, what, r.user)
}

// account returns a request of a service account of kube-system.
func account(name, account string, t scheduler.Target) request {
	return request{name, accountPrefix + "kube-system:" + account,
		[]string{groupAccounts, groupAccounts + ":kube-system", groupAuthenticated}, t}
}

// systemRequests are requests without which a cluster soon falls apart.
func systemRequests() []request {
	node := []string{groupNodes, groupAuthenticated}
	user := []string{groupAuthenticated}
	lease := func(verb, namespace string) scheduler.Target {
		return scheduler.Target{Verb: verb, APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: namespace}
	}
	manager, planner := "system:kube-controller-manager", "system:kube-scheduler"
	return []request{
		{"the heartbeat of a node", nodePrefix + "node-1", node, lease("update", "kube-node-lease")},
		{"the status of a node", nodePrefix + "node-1", node, scheduler.Target{Verb: "patch", Resource: "nodes", Subresource: "status"}},
		{"the status of a pod", nodePrefix + "node-1", node, scheduler.Target{Verb: "patch", Resource: "pods", Subresource: "status", Namespace: "default"}},
		{"the pods of a node", nodePrefix + "node-1", node, scheduler.Target{Verb: "list", Resource: "pods"}},
		{"the lease of kube-controller-manager", manager, user, lease("update", "kube-system")},
		{"the lease of kube-scheduler", planner, user, lease("update", "kube-system")},
		account("the lease of a controller of kube-system", "leader", lease("update", "kube-system")),
		{"the binding of a pod", planner, user, scheduler.Target{Verb: "create", Resource: "pods", Subresource: "binding", Namespace: "default"}},
		{"the cache of kube-scheduler", planner, user, scheduler.Target{Verb: "list", Resource: "pods"}},
		{"the cache of kube-controller-manager", manager, user, scheduler.Target{Verb: "list", APIGroup: "apps", Resource: "replicasets"}},
		account("the pods of a ReplicaSet", "replicaset-controller", scheduler.Target{Verb: "create", Resource: "pods", Namespace: "default"}),
		account("the endpoints of a Service", "endpointslice-controller", scheduler.Target{Verb: "update", APIGroup: "discovery.k8s.io", Resource: "endpointslices", Namespace: "default"}),
		account("the cache of cluster DNS", "coredns", scheduler.Target{Verb: "list", APIGroup: "discovery.k8s.io", Resource: "endpointslices"}),
	}
}

// first returns the first schema in force that matches a request. One always does.
func first(schemas []*schema, r request) *schema {
	i := slices.IndexFunc(schemas, func(s *schema) bool {
		return !s.Dangling && classify.Matches(&s.spec, r.user, r.groups, &r.target)
	})
	return schemas[i]
}

// systemRequest is a request of the system, and where it goes.
type systemRequest struct {
	request
	// native takes it in a server without objects of the user, and now takes it here.
	native *scheduler.FlowSchema
	now    *schema
}

// followSystem finds out where the requests of the system go.
func (c *checker) followSystem() []systemRequest {
	var out []systemRequest
	for _, r := range systemRequests() {
		out = append(out, systemRequest{r, c.native.first(r), first(c.schemas, r)})
	}
	return out
}

// checkDemotion looks for a schema that takes requests of the system from where they
// belong into a level with less, or one that is open to others.
func (c *checker) checkDemotion(s *schema) {
	if s.Dangling || s.dead {
		return
	}
	var demoted []string
	var from *level
	to := c.byName[s.spec.PriorityLevel]
	for _, r := range c.system {
		if r.now != s {
			continue
		}
		before := c.byName[r.native.PriorityLevel]
		if before == nil || before == to || !c.demotes(before, to) || s.aims(r.request) {
			continue
		}
		if from == nil {
			from = before
		}
		demoted = append(demoted, r.String())
	}
	if len(demoted) == 0 {
		return
	}
	others := ""
	if len(demoted) > 1 {
		others = fmt.Sprintf(" and %d more of the requests that a cluster lives on", len(demoted)-1)
	}
	c.say(s.Source, "spec.matchingPrecedence", advice{code: "APF029",
		message: fmt.Sprintf("the FlowSchema %s takes %s%s from the level %s into %s, %s", s.name(), demoted[0], others, from.name(), to.name(), c.lack(from, to)),
		hint:    "give it a matchingPrecedence above those of the built-in schemas for the system, such as 1000, or narrower rules"})
}

// checkAbandoned looks for a schema that takes the place of a built-in one, and leaves
// requests of the system to a schema after it, and to a level with less.
func (c *checker) checkAbandoned(s *schema) {
	for _, r := range c.system {
		native, now := r.native, r.now
		before, to := c.byName[native.PriorityLevel], c.byName[now.spec.PriorityLevel]
		if native.Name != s.name() || now == s || before == nil || before == to || !c.demotes(before, to) {
			continue
		}
		c.say(s.Source, "spec.rules", advice{code: "APF029",
			message: fmt.Sprintf("unlike the built-in FlowSchema %s this one does not match %s: %s takes it from the level %s into %s, %s",
				s.name(), r.request, now.name(), before.name(), to.name(), c.lack(before, to)),
			hint: "keep the rules of the built-in one"})
		return
	}
}

// first returns the built-in schema that takes a request.
func (o objects) first(r request) *scheduler.FlowSchema {
	i := slices.IndexFunc(o.compiled.FlowSchemas, func(s scheduler.FlowSchema) bool {
		return classify.Matches(&s, r.user, r.groups, &r.target)
	})
	return &o.compiled.FlowSchemas[i]
}

// worse tells whether a level serves its requests worse than another one.
func worse(from, to *level) bool {
	if from.spec.Exempt || to.spec.Exempt {
		return !to.spec.Exempt
	}
	return to.Nominal < from.Nominal || to.spec.Queuing == nil && from.spec.Queuing != nil
}

// demotes tells whether requests are served worse in another level: it has less, or it is open to
// many kinds of clients, and the own one is not. However many seats a level has, one client that
// asks for all of them takes them from the others.
func (c *checker) demotes(from, to *level) bool {
	return worse(from, to) || !from.spec.Exempt && !to.spec.Exempt && c.opens(to) != "" && c.opens(from) == ""
}

// opens returns who may send anything into a level, "" if its requests are of narrower kinds.
func (c *checker) opens(l *level) string {
	for _, s := range c.schemas {
		if s.Dangling || c.byName[s.spec.PriorityLevel] != l {
			continue
		}
		for _, r := range s.spec.Rules {
			if !slices.ContainsFunc(r.Resources, func(rr scheduler.ResourceRule) bool { return all(rr.Resources) }) {
				continue
			}
			if i := slices.IndexFunc(r.Subjects, broad); i >= 0 {
				return subjectName(r.Subjects[i])
			}
		}
	}
	return ""
}

// lack says what a level has less than another one.
func (c *checker) lack(from, to *level) string {
	if !worse(from, to) {
		return fmt.Sprintf("where they compete with whatever %s sends", c.opens(to))
	}
	if to.spec.Queuing == nil && !to.spec.Exempt {
		return fmt.Sprintf("which has %s and no queues", count(to.Nominal, "seat"))
	}
	return fmt.Sprintf("which has %s instead of %d", count(to.Nominal, "seat"), from.Nominal)
}

// aims tells whether a schema means a request: one of its rules that match it names
// both who makes it and what it is for.
func (s *schema) aims(r request) bool {
	for _, rule := range s.spec.Rules {
		narrow := scheduler.FlowSchema{Rules: []scheduler.Rule{{Resources: slices.Clone(rule.Resources)}}}
		for _, subject := range rule.Subjects {
			if !broad(subject) {
				narrow.Rules[0].Subjects = append(narrow.Rules[0].Subjects, subject)
			}
		}
		narrow.Rules[0].Resources = slices.DeleteFunc(narrow.Rules[0].Resources, func(rr scheduler.ResourceRule) bool { return all(rr.Resources) })
		if classify.Matches(&narrow, r.user, r.groups, &r.target) {
			return true
		}
	}
	return false
}

// broad tells whether a subject accepts far more than one kind of client.
func broad(s scheduler.SubjectRule) bool {
	return everyone(s) || s.Kind == scheduler.Group && (s.Name == groupAuthenticated || s.Name == groupUnauthenticated || s.Name == groupAccounts)
}

// probePaths are what load balancers and monitors ask for, which the built-in schemas
// exempt too.
var probePaths = []string{"/healthz", "/livez", "/readyz"}

// probesOnly tells whether a schema matches nothing but probes.
func (s *schema) probesOnly() bool {
	for _, r := range s.spec.Rules {
		if len(r.Resources) > 0 {
			return false
		}
		for _, n := range r.NonResources {
			for _, url := range n.URLs {
				if !slices.ContainsFunc(probePaths, func(p string) bool { return holdsPath(p, url) || url == p+"/*" }) {
					return false
				}
			}
		}
	}
	return true
}

// checkExempt says who is exempt by a schema of the user.
func (c *checker) checkExempt(s *schema) {
	if l := c.byName[s.spec.PriorityLevel]; l == nil || !l.spec.Exempt || s.dead || s.probesOnly() {
		return
	}
	var who []string
	narrow := true
	for _, r := range s.spec.Rules {
		for _, subject := range r.Subjects {
			if name := subjectName(subject); !slices.Contains(who, name) {
				who = append(who, name)
			}
			if broad(subject) && (len(r.Resources) > 0 || slices.ContainsFunc(r.NonResources, func(n scheduler.NonResourceRule) bool { return slices.Contains(n.URLs, wildcard) })) {
				narrow = false
			}
		}
	}
	c.say(s.Source, "spec.priorityLevelConfiguration.name", advice{code: "APF028", less: narrow,
		message: fmt.Sprintf("the requests of %s that %s matches are exempt: they are never queued or rejected, however many there are", strings.Join(who, ", "), s.name()),
		hint:    "a level of its own with many shares protects them as well, and the server from them"})
}

// subjectName calls a subject by its name.
func subjectName(s scheduler.SubjectRule) string {
	switch {
	case everyone(s):
		return "everyone"
	case s.Kind == scheduler.ServiceAccount && s.Name == wildcard:
		return "the service accounts of " + s.Namespace
	case s.Kind == scheduler.ServiceAccount:
		return "the service account " + s.Namespace + "/" + s.Name
	case s.Kind == scheduler.Group:
		return "the group " + s.Name
	}
	return "the user " + s.Name
}
