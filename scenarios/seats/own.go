package seats

import (
	"fmt"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
)

// ownRequests makes requests that the FlowSchemas of these names were written for: for
// each rule one of each subject, and one of each thing that it speaks of. Typical requests
// alone would not show where those of an overlay's own controllers go. The names are in
// order.
func ownRequests(names []string, sides ...*scenarios.Configuration) []Request {
	var list []Request
	for _, c := range sides {
		for i := range c.Schemas {
			s := c.Schemas[i].Object
			if _, there := slices.BinarySearch(names, s.Name); !there {
				continue
			}
			for j := range s.Spec.Rules {
				list = append(list, ruleRequests(&s.Spec.Rules[j])...)
			}
		}
	}
	return list
}

// ruleRequests makes the requests of a rule.
func ruleRequests(rule *flowcontrolv1.PolicyRulesWithSubjects) []Request {
	var list []Request
	var asked []scheduler.Target
	for _, r := range rule.ResourceRules {
		asked = append(asked, targetOf(&r))
	}
	for _, r := range rule.NonResourceRules {
		asked = append(asked, scheduler.Target{Verb: pick(r.Verbs, "get"), Path: pathOf(r.NonResourceURLs)})
	}
	for i := range rule.Subjects {
		for j, t := range asked {
			if i > 0 && j > 0 {
				continue // each subject once is enough, and each thing once
			}
			list = append(list, requestOf(senderOf(&rule.Subjects[i]), t))
		}
	}
	return list
}

// distinct leaves out requests that are there already.
func distinct(list []Request) []Request {
	type identity struct {
		user, groups string
		target       scheduler.Target
	}
	known := map[identity]bool{}
	return slices.DeleteFunc(list, func(r Request) bool {
		id := identity{r.User, strings.Join(r.Groups, "\x00"), r.target()}
		there := known[id]
		known[id] = true
		return there
	})
}

// requestOf describes a request by what is asked for.
func requestOf(w who, t scheduler.Target) Request {
	return Request{
		What: Describe(w.user, t), Count: 1, User: w.user, Groups: w.groups,
		Verb: t.Verb, APIGroup: t.APIGroup, Resource: t.Resource, Subresource: t.Subresource, Namespace: t.Namespace, Path: t.Path,
	}
}

// Describe says in words who asks for what.
func Describe(user string, t scheduler.Target) string {
	what := t.Path
	if what == "" {
		what = t.Resource
		if t.APIGroup != "" {
			what += "." + t.APIGroup
		}
		if t.Subresource != "" {
			what += "/" + t.Subresource
		}
	}
	text := fmt.Sprintf("%s: %s %s", user, t.Verb, what)
	if t.Namespace != "" {
		text += " in " + t.Namespace
	}
	return text
}

// everything is the wildcard of a list in a rule.
const everything = "*"

// pick chooses a value that a list of a rule accepts.
func pick(list []string, ifAll string) string {
	if len(list) == 0 || len(list) == 1 && list[0] == everything {
		return ifAll
	}
	return list[0]
}

// targetOf chooses what a rule about resources accepts.
func targetOf(r *flowcontrolv1.ResourcePolicyRule) scheduler.Target {
	resource, subresource, _ := strings.Cut(pick(r.Resources, "configmaps"), "/")
	t := scheduler.Target{Verb: pick(r.Verbs, "get"), APIGroup: pick(r.APIGroups, ""), Resource: resource, Subresource: subresource}
	if len(r.Namespaces) > 0 {
		t.Namespace = pick(r.Namespaces, "default")
	}
	return t
}

// pathOf chooses a path that a rule accepts.
func pathOf(urls []string) string { return strings.TrimSuffix(pick(urls, "/version"), everything) }

// senderOf chooses who is a subject, with the groups that authentication gives to such a
// one.
func senderOf(s *flowcontrolv1.Subject) who {
	switch s.Kind {
	case flowcontrolv1.SubjectKindServiceAccount:
		return account(s.ServiceAccount.Namespace, pick([]string{s.ServiceAccount.Name}, "default"))
	case flowcontrolv1.SubjectKindUser:
		return userOf(pick([]string{s.User.Name}, "somebody"))
	}
	switch name := pick([]string{s.Group.Name}, authenticated); name {
	case "system:unauthenticated":
		return anonymous
	case authenticated:
		return who{"somebody", []string{authenticated}}
	default:
		return who{"a-member-of-" + name, []string{name, authenticated}}
	}
}

// userOf is a user by its name. That of a node and that of a service account tell their
// groups.
func userOf(name string) who {
	if rest, ok := strings.CutPrefix(name, "system:serviceaccount:"); ok {
		if namespace, sa, ok := strings.Cut(rest, ":"); ok {
			return account(namespace, sa)
		}
	}
	if strings.HasPrefix(name, "system:node:") {
		return who{name, kubelet.groups}
	}
	return who{name, []string{authenticated}}
}
