package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
)

// Names in rules that no request has.

// checkResourceRule gives advice on a resource rule of a schema.
func (c *checker) checkResourceRule(s *schema, path string, rule int, r *scheduler.ResourceRule) {
	if !all(r.APIGroups) {
		for i, g := range r.APIGroups {
			c.checkGroup(s, fmt.Sprintf("%s.apiGroups[%d]", path, i), g)
		}
	}
	if !all(r.Resources) {
		for i, name := range r.Resources {
			c.checkResource(s, fmt.Sprintf("%s.resources[%d]", path, i), r, name)
		}
	}
	if proxied(r) {
		c.say(s.Source, path+".verbs[0]", advice{code: "APF010",
			message: `no request that flow control sees has the verb "proxy": proxied requests are long-running and pass it by`,
			hint:    "remove the rule"})
	}
	if len(r.Verbs) == 1 && r.Verbs[0] == "watch" && c.profile.WatchesBypass {
		c.say(s.Source, path+".verbs[0]", advice{code: "APF011",
			message: fmt.Sprintf("watches pass flow control by in Kubernetes %s, so this matches none", c.cfg.Release),
			hint:    "remove the rule, or keep it for an upgrade to 1.22"})
	}
	c.checkScope(s, path, rule, r)
	c.checkSubresources(s, path, rule, r)
}

// proxied tells whether a rule has the verb proxy alone.
func proxied(r *scheduler.ResourceRule) bool { return len(r.Verbs) == 1 && r.Verbs[0] == "proxy" }

// apiVersion matches a version of an API.
var apiVersion = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// checkGroup looks at one of the apiGroups of a rule.
func (c *checker) checkGroup(s *schema, path, group string) {
	a := advice{code: "APF007"}
	before, after, slash := strings.Cut(group, "/")
	switch best, near := suggest.Nearest(group, knownGroups()); {
	case group == "" || knownGroup(group):
		return
	case strings.Contains(group, wildcard):
		c.literal(s, path, group, "an API group")
		return
	case slash && apiVersion.MatchString(after):
		a.message = fmt.Sprintf("no request has the API group %q: %s is a version, which rules do not look at", group, after)
		a.hint = fmt.Sprintf("write %q", before)
	case slash:
		a.message = fmt.Sprintf("no request has the API group %q: a group has no slash", group)
		a.hint = fmt.Sprintf("write %q", before)
	case group == "core" || apiVersion.MatchString(group):
		a.message = fmt.Sprintf("no request has the API group %q", group)
		a.hint = `the group of pods, nodes and events is ""`
	case !strings.Contains(group, "."):
		a.message = fmt.Sprintf("no request has the API group %q: only groups of Kubernetes itself have no dot", group)
		a.hint = "legal without a dot are apps, autoscaling, batch, policy and \"\""
		if near {
			a.hint = fmt.Sprintf("did you mean %q?", best)
		}
	case near && suggest.Distance([]rune(group), []rune(best)) <= 2:
		a.message = fmt.Sprintf("the API group %q is no group of Kubernetes, and nearly the name of one", group)
		a.hint = fmt.Sprintf("did you mean %q?", best)
	default:
		return
	}
	c.say(s.Source, path, a)
}

// literal gives the advice on a name with a wildcard in it.
func (c *checker) literal(s *schema, path, name, what string) {
	hint := "list the names, or write \"*\" alone for all of them"
	switch {
	case strings.HasPrefix(name, nodePrefix):
		hint = "all nodes are the group " + groupNodes
	case strings.HasPrefix(name, groupAccounts), strings.HasPrefix(name, accountPrefix):
		hint = "all service accounts are the group " + groupAccounts + ", those of a namespace " + groupAccounts + ":NAMESPACE"
	}
	c.say(s.Source, path, advice{code: "APF006",
		message: fmt.Sprintf("the * in %q is an ordinary character, and %s with it in its name does not exist", name, what), hint: hint})
}

// checkResource looks at one of the resources of a rule.
func (c *checker) checkResource(s *schema, path string, r *scheduler.ResourceRule, name string) {
	base, sub, slash := strings.Cut(name, "/")
	real, abbreviated := meant(base)
	plural := len(named(base, nil)) > 0
	a := advice{code: "APF008"}
	switch {
	case strings.Contains(name, wildcard):
		c.literal(s, path, name, "a resource")
		return
	case slash && (base == "" || sub == "" || strings.Contains(sub, "/")):
		a.message = fmt.Sprintf("no request has the resource %q", name)
		a.hint = "write resource, or resource/subresource"
	case strings.Contains(base, "."):
		a.message = fmt.Sprintf("no request has the resource %q: the API group is no part of the name", name)
		a.hint = fmt.Sprintf("write %q, and the group in apiGroups", base[:strings.Index(base, ".")])
	case !plural && abbreviated && (all(r.APIGroups) || slices.Contains(r.APIGroups, real.group)):
		a.message = fmt.Sprintf("no request has the resource %q: rules name resources as URLs do", name)
		a.hint = fmt.Sprintf("write %q", strings.TrimSuffix(real.name+"/"+sub, "/"))
	case base != strings.ToLower(base):
		a.message = fmt.Sprintf("no request has the resource %q: names of resources are in lower case", name)
		a.hint = fmt.Sprintf("write the plural as in a URL, such as %q", strings.ToLower(name))
	case classify.LongRunning(scheduler.Target{Verb: "get", Resource: base, Subresource: sub}):
		a.code = "APF011"
		a.message = fmt.Sprintf("requests for %s are long-running and pass flow control by, so this matches none", name)
		a.hint = "remove it"
	default:
		c.checkHome(s, path, r, base, sub)
		return
	}
	c.say(s.Source, path, a)
}

// checkHome looks for a resource that is in none of the groups of its rule, or that serves
// none of its verbs. Only of the API server's own groups it is known what is in them.
func (c *checker) checkHome(s *schema, path string, r *scheduler.ResourceRule, base, sub string) {
	if all(r.APIGroups) || slices.ContainsFunc(r.APIGroups, func(g string) bool { return !knownGroup(g) }) {
		return
	}
	homes := named(base, nil)
	if slices.ContainsFunc(homes, func(h resource) bool { return slices.Contains(r.APIGroups, h.group) }) {
		c.checkServed(s, path, r, base, sub)
		return
	}
	a := advice{code: "APF009", message: fmt.Sprintf("there is no resource %q in %s", base, groupList(r.APIGroups))}
	var names []string
	for _, h := range resources() {
		if slices.Contains(r.APIGroups, h.group) {
			names = append(names, h.name)
		}
	}
	best, near := suggest.Nearest(base, names)
	switch {
	case len(homes) > 0:
		a.hint = fmt.Sprintf("it is in %s", groupList([]string{homes[0].group}))
	case near:
		a.hint = fmt.Sprintf("did you mean %q?", best)
	}
	c.say(s.Source, path, a)
}

// checkServed looks for a resource that serves none of the verbs of its rule.
func (c *checker) checkServed(s *schema, path string, r *scheduler.ResourceRule, base, sub string) {
	if all(r.Verbs) || proxied(r) {
		return
	}
	var served []string
	for _, known := range named(base, r.APIGroups) {
		verbs := known.verbs
		if sub != "" {
			found, _ := known.sub(sub)
			verbs = found.verbs
		}
		served = append(served, verbs...)
	}
	name := strings.TrimSuffix(base+"/"+sub, "/")
	switch {
	case len(served) == 0:
		c.say(s.Source, path, advice{code: "APF009", message: fmt.Sprintf("%s has no subresource %q", base, sub)})
	case !meet(served, r.Verbs):
		c.say(s.Source, path, advice{code: "APF010",
			message: fmt.Sprintf("the API server does not serve %s of %s", quotedOr(r.Verbs), name),
			hint:    "it serves " + strings.Join(served, ", ")})
	}
}

// groupList names API groups in a sentence.
func groupList(groups []string) string {
	quoted := make([]string, len(groups))
	for i, g := range groups {
		quoted[i] = fmt.Sprintf("%q", g)
	}
	if len(groups) == 1 && groups[0] == "" {
		return `the core API group ""`
	}
	if len(groups) == 1 {
		return "the API group " + quoted[0]
	}
	return "the API groups " + strings.Join(quoted, ", ")
}
