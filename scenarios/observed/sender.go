package observed

import (
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
)

// sender is somebody and something that a flow schema matches. {index} stands for the number of
// a client, as in scenarios.
type sender struct {
	user   string
	groups []string
	// verbs are those that the schema matches, with the ones first that say least; target is the rest.
	verbs  []string
	target scheduler.Target
	// many tells that different clients are different flows.
	many bool
}

// The groups that the authenticators put users into.
const (
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
	accounts        = "system:serviceaccounts"
	nodes           = "system:nodes"
	accountPrefix   = "system:serviceaccount:"
	nodePrefix      = "system:node:"
	wildcard        = "*"
	index           = "{index}"
)

// senders finds who is matched by each schema of a configuration and by none before it.
type senders struct {
	schemas    []scheduler.FlowSchema
	classifier *classify.Classifier
}

func newSenders(schemas []scheduler.FlowSchema) *senders {
	return &senders{schemas, classify.New(schemas)}
}

// find returns a sender for a schema, the first one of which clients are different flows if
// there is one. false if there is no such schema, or others take all that is tried.
func (s *senders) find(name string) (best sender, found bool) {
	at := slices.IndexFunc(s.classifier.Schemas(), func(f scheduler.FlowSchema) bool { return f.Name == name })
	if at < 0 {
		return best, false
	}
	schema := &s.classifier.Schemas()[at]
	for _, candidate := range candidates(schema) {
		verbs := slices.DeleteFunc(slices.Clone(candidate.verbs), func(verb string) bool { return !s.takes(int32(at), &candidate, verb) })
		if len(verbs) == 0 {
			continue
		}
		candidate.verbs = verbs
		candidate.many = distinct(schema.Distinguisher, &candidate)
		if candidate.many || schema.Distinguisher == classify.None {
			return candidate, true
		}
		if !found {
			best, found = candidate, true
		}
	}
	return best, found
}

// takes tells whether a request is the schema's.
func (s *senders) takes(schema int32, c *sender, verb string) bool {
	t := c.target
	t.Verb = verb
	t.Namespace = strings.ReplaceAll(t.Namespace, index, "0")
	if t.Path == "" && classify.LongRunning(t) {
		return false
	}
	groups := make([]string, len(c.groups))
	for i := range groups {
		groups[i] = strings.ReplaceAll(c.groups[i], index, "0")
	}
	got := s.classifier.Find(strings.ReplaceAll(c.user, index, "0"), groups, &t)
	return got == schema || got < 0 && s.classifier.Schemas()[schema].Name == scheduler.CatchAll
}

// distinct tells whether clients are different flows.
func distinct(d classify.Distinguisher, c *sender) bool {
	switch d {
	case classify.ByUser:
		return strings.Contains(c.user, index)
	case classify.ByNamespace:
		return strings.Contains(c.target.Namespace, index)
	}
	return false
}

// candidates lists senders that a schema may match, by its rules: each subject with each line.
func candidates(schema *scheduler.FlowSchema) []sender {
	var out []sender
	for i := range schema.Rules {
		r := &schema.Rules[i]
		var lines []sender
		for j := range r.Resources {
			lines = append(lines, resourceLines(&r.Resources[j], schema.Distinguisher == classify.ByNamespace)...)
		}
		for j := range r.NonResources {
			lines = append(lines, pathLines(&r.NonResources[j])...)
		}
		for _, subject := range r.Subjects {
			for _, who := range users(subject) {
				for _, line := range lines {
					line.user, line.groups = who.user, who.groups
					out = append(out, line)
				}
			}
		}
	}
	if schema.Name == scheduler.CatchAll { // it has whoever no schema matches
		for _, line := range resourceLines(&everything, false) {
			line.user = "nobody-" + index
			out = append(out, line)
		}
	}
	return out
}

var everything = scheduler.ResourceRule{
	Verbs: []string{wildcard}, APIGroups: []string{wildcard}, Resources: []string{wildcard}, Namespaces: []string{wildcard}, ClusterScope: true,
}

// users lists who a subject may be, as the authenticators name them.
func users(s scheduler.SubjectRule) []sender {
	switch s.Kind {
	case scheduler.ServiceAccount:
		return []sender{account(s.Namespace, orIndex(s.Name, "account-"))}
	case scheduler.Group:
		return members(s.Name)
	}
	if s.Name == wildcard {
		return members(authenticated)
	}
	if namespace, name, ok := strings.Cut(strings.TrimPrefix(s.Name, accountPrefix), ":"); ok && strings.HasPrefix(s.Name, accountPrefix) {
		return []sender{account(namespace, name)}
	}
	groups := []string{authenticated}
	if strings.HasPrefix(s.Name, nodePrefix) {
		groups = []string{nodes, authenticated}
	}
	return []sender{{user: s.Name, groups: groups}}
}

func orIndex(name, before string) string {
	if name == wildcard {
		return before + index
	}
	return name
}

// account is a service account. The groups of all clients of a population are the same, so the group
// of a namespace is left out where each has its own.
func account(namespace, name string) sender {
	if strings.Contains(namespace, index) {
		return sender{user: accountPrefix + namespace + ":" + name, groups: []string{accounts, authenticated}}
	}
	return sender{user: accountPrefix + namespace + ":" + name, groups: []string{accounts, accounts + ":" + namespace, authenticated}}
}

// members lists who may be in a group.
func members(group string) []sender {
	switch group {
	case accounts:
		return []sender{account("tenant-"+index, "default")}
	case nodes:
		return []sender{{user: nodePrefix + "node-" + index, groups: []string{nodes, authenticated}}}
	case authenticated, wildcard:
		return []sender{{user: "user-" + index, groups: []string{authenticated}}}
	case unauthenticated:
		return []sender{{user: "system:anonymous", groups: []string{unauthenticated}}}
	}
	if namespace, ok := strings.CutPrefix(group, accounts+":"); ok {
		return []sender{account(namespace, "account-"+index)}
	}
	return []sender{{user: "member-" + index, groups: []string{group, authenticated}}}
}

// The verbs of resources, those first that are narrow whatever is stored.
var resourceVerbs = []string{"get", "update", "patch", "create", "delete", "list", "watch", "deletecollection"}

// resourceLines lists requests that a resource rule matches.
func resourceLines(r *scheduler.ResourceRule, byNamespace bool) []sender {
	var out []sender
	for _, resource := range instead(r.Resources, "pods", "configmaps", "leases", "nodes", "events") {
		for _, group := range instead(r.APIGroups, groupOf(resource)) {
			for _, namespace := range namespaces(r, byNamespace) {
				name, subresource, _ := strings.Cut(resource, "/")
				out = append(out, sender{
					verbs:  instead(r.Verbs, resourceVerbs...),
					target: scheduler.Target{APIGroup: group, Resource: name, Subresource: subresource, Namespace: namespace},
				})
			}
		}
	}
	return out
}

// instead puts names in the place of the wildcard.
func instead(list []string, names ...string) []string {
	if len(list) == 1 && list[0] == wildcard {
		return names
	}
	return list
}

// groupOf is the API group of a well-known resource.
func groupOf(resource string) string {
	if resource == "leases" {
		return "coordination.k8s.io"
	}
	return ""
}

func namespaces(r *scheduler.ResourceRule, byNamespace bool) []string {
	every := "default"
	if byNamespace {
		every = "team-" + index
	}
	out := instead(r.Namespaces, every)
	if r.ClusterScope {
		out = append(slices.Clone(out), "")
	}
	return out
}

// pathLines lists requests that a non-resource rule matches.
func pathLines(r *scheduler.NonResourceRule) []sender {
	var out []sender
	for _, url := range instead(r.URLs, "/version") {
		path := strings.TrimSuffix(url, wildcard)
		out = append(out, sender{verbs: instead(r.Verbs, "get", "post"), target: scheduler.Target{Path: path}})
	}
	return out
}
