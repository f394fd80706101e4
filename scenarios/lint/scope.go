package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scheduler"
)

// Whether rules match the requests in namespaces, across them and outside of them, and
// those for subresources.

// collective are the verbs of requests for many objects, which can be made across all
// namespaces; single are the others.
var (
	collective = []string{"list", "watch", "deletecollection"}
	single     = []string{"get", "create", "update", "patch", "delete"}
)

// scopes tells what is known of the resources of a rule: whether all are in namespaces,
// and whether none is. Of the resource namespaces both is false: requests for one of
// them count as requests in it, and those for all of them do not.
func scopes(r *scheduler.ResourceRule) (namespaced, cluster bool) {
	if all(r.Resources) {
		return false, false
	}
	namespaced, cluster = true, true
	for _, name := range r.Resources {
		base, _, _ := strings.Cut(name, "/")
		known := named(base, r.APIGroups)
		if base == "namespaces" || len(known) == 0 || !all(r.APIGroups) && slices.ContainsFunc(r.APIGroups, func(g string) bool { return !knownGroup(g) }) {
			return false, false
		}
		for _, k := range known {
			namespaced = namespaced && k.namespaced
			cluster = cluster && !k.namespaced
		}
	}
	return namespaced, cluster
}

// leasesOnly tells whether a rule is about leases alone. Their owners get and update
// them by name, so that nothing is missing where lists of all of them are left out.
func leasesOnly(r *scheduler.ResourceRule) bool {
	return len(r.Resources) == 1 && r.Resources[0] == "leases"
}

// checkScope looks for scopes that do not fit the resources of a rule.
func (c *checker) checkScope(s *schema, path string, rule int, r *scheduler.ResourceRule) {
	namespaced, cluster := scopes(r)
	several := slices.ContainsFunc(r.Verbs, func(v string) bool { return slices.Contains(collective, v) }) || all(r.Verbs)
	switch {
	case cluster && !r.ClusterScope:
		c.say(s.Source, path+".namespaces", advice{code: "APF013",
			message: fmt.Sprintf("this rule matches no request: %s are in no namespace, and clusterScope is not true", strings.Join(r.Resources, ", ")),
			hint:    "say clusterScope: true"})
	case namespaced && len(r.Namespaces) == 0 && !several:
		c.say(s.Source, path+".clusterScope", advice{code: "APF013",
			message: fmt.Sprintf("this rule matches no request: to %s objects in namespaces, requests name one, and no namespaces are listed", strings.Join(r.Verbs, ", ")),
			hint:    `say namespaces: ["*"]`})
	case namespaced && len(r.Namespaces) == 0 && all(r.Verbs):
		c.say(s.Source, path+".clusterScope", advice{code: "APF013",
			message: "this rule matches requests across all namespaces alone, as no namespaces are listed: nothing that is done to one object, and no list of one namespace",
			hint:    `say namespaces: ["*"] too`})
	case all(r.Namespaces) && !r.ClusterScope && several && !cluster && !(all(r.Verbs) && leasesOnly(r)):
		c.checkAcross(s, path, rule, r)
	}
}

// checkAcross gives the advice that a rule for all namespaces misses lists across them,
// unless another rule for the same subjects matches those.
func (c *checker) checkAcross(s *schema, path string, rule int, r *scheduler.ResourceRule) {
	missing := scheduler.ResourceRule{APIGroups: r.APIGroups, Resources: r.Resources, ClusterScope: true}
	for _, v := range collective {
		if all(r.Verbs) || slices.Contains(r.Verbs, v) {
			missing.Verbs = append(missing.Verbs, v)
		}
	}
	if all(r.Verbs) {
		missing.Verbs = []string{wildcard}
	}
	for _, subject := range s.spec.Rules[rule].Subjects {
		if _, ok := coverers(part{subject: subject, resource: &missing}, newTried(s)); ok {
			return
		}
	}
	verbs := missing.Verbs
	if all(verbs) {
		verbs = collective[:2]
	}
	c.say(s.Source, path+".namespaces", advice{code: "APF012",
		message: fmt.Sprintf(`namespaces ["*"] does not match a %s across all namespaces, which names none`, strings.Join(upper(verbs), " or ")),
		hint:    "say clusterScope: true too"})
}

// upper writes verbs as the texts about them do.
func upper(verbs []string) []string {
	out := make([]string, len(verbs))
	for i, v := range verbs {
		out[i] = strings.ToUpper(v)
	}
	return out
}

// checkSubresources looks for rules that are about writes alone, or about those of nodes,
// and leave out the status, which most of these writes are about.
func (c *checker) checkSubresources(s *schema, path string, rule int, r *scheduler.ResourceRule) {
	writes := slices.Contains(r.Verbs, "update") || slices.Contains(r.Verbs, "patch")
	only := !slices.ContainsFunc(r.Verbs, func(v string) bool { return v != "update" && v != "patch" })
	nodes := slices.ContainsFunc(s.spec.Rules[rule].Subjects, func(u scheduler.SubjectRule) bool {
		return slices.Contains(memberships(u), groupNodes)
	})
	if !writes && !(nodes && all(r.Verbs)) || !only && !nodes {
		return
	}
	var names, status []string
	first := 0
	for i, name := range r.Resources {
		known := named(name, r.APIGroups)
		if len(known) == 0 || slices.Contains(r.Resources, name+"/status") {
			continue
		}
		if _, ok := known[0].sub("status"); !ok {
			continue
		}
		if !all(r.APIGroups) && !slices.Contains(r.APIGroups, known[0].group) {
			continue
		}
		if len(names) == 0 {
			first = i
		}
		names, status = append(names, name), append(status, name+"/status")
	}
	if len(names) == 0 {
		return
	}
	c.say(s.Source, fmt.Sprintf("%s.resources[%d]", path, first), advice{code: "APF014",
		message: fmt.Sprintf("%s does not match requests for %s, which most updates are", strings.Join(names, ", "), strings.Join(status, ", ")),
		hint:    fmt.Sprintf("list %s too, if they are meant", strings.Join(status, ", "))})
}
