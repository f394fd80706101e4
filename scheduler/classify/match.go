package classify

import (
	"slices"
	"strings"
)

// Matches reports whether the schema accepts a request of that user and those groups
// for the target. The groups are taken as they are: none is implied. It is the
// definition that Classifier has to agree with (upstream's matchesFlowSchema).
func Matches(schema *FlowSchema, user string, groups []string, t *Target) bool {
	for i := range schema.Rules {
		rule := &schema.Rules[i]
		if matchesSubjects(rule.Subjects, user, groups) && matchesTarget(rule, t) {
			return true
		}
	}
	return false
}

// matchesSubjects tells whether any of the subjects made the request.
func matchesSubjects(subjects []SubjectRule, user string, groups []string) bool {
	for i := range subjects {
		if matchesSubject(&subjects[i], user, groups) {
			return true
		}
	}
	return false
}

func matchesSubject(s *SubjectRule, user string, groups []string) bool {
	switch s.Kind {
	case User:
		return s.Name == wildcard || s.Name == user
	case Group:
		return s.Name == wildcard || slices.Contains(groups, s.Name)
	case ServiceAccount:
		return matchesServiceAccount(s, user)
	}
	return false
}

// matchesServiceAccount compares with the user name that the authenticator gives to
// a service account, system:serviceaccount:NAMESPACE:NAME.
//
// For the wildcard upstream tests the prefix only. A name with further colons, which
// no service account has, is accepted by the wildcard and by no literal name without
// them.
func matchesServiceAccount(s *SubjectRule, user string) bool {
	rest, ok := strings.CutPrefix(user, accountPrefix)
	if !ok {
		return false
	}
	if rest, ok = strings.CutPrefix(rest, s.Namespace); !ok {
		return false
	}
	name, ok := strings.CutPrefix(rest, ":")
	return ok && (s.Name == wildcard || s.Name == name)
}

// matchesTarget tests the half of a rule that looks at what is asked for.
func matchesTarget(rule *Rule, t *Target) bool {
	if t.Path != "" {
		for i := range rule.NonResources {
			if matchesNonResource(&rule.NonResources[i], t) {
				return true
			}
		}
		return false
	}
	for i := range rule.Resources {
		if matchesResource(&rule.Resources[i], t) {
			return true
		}
	}
	return false
}

func matchesResource(r *ResourceRule, t *Target) bool {
	if !listed(r.Verbs, t.Verb) || !listed(r.Resources, t.resource()) || !listed(r.APIGroups, t.APIGroup) {
		return false
	}
	if t.Namespace == "" {
		return r.ClusterScope
	}
	return listed(r.Namespaces, t.Namespace)
}

// resource returns what the resources of a rule are compared with.
func (t *Target) resource() string {
	if t.Subresource == "" {
		return t.Resource
	}
	return t.Resource + "/" + t.Subresource
}

func matchesNonResource(r *NonResourceRule, t *Target) bool {
	if !listed(r.Verbs, t.Verb) {
		return false
	}
	for _, url := range r.URLs {
		if matchesPath(url, t.Path) {
			return true
		}
	}
	return false
}

// matchesPath tests one URL of a rule. Unlike elsewhere "*" is a wildcard here even
// beside others, and the trailing "*" of "/healthz/*" changes nothing: "/healthz"
// accepts the paths below it as well.
func matchesPath(url, path string) bool {
	if url == wildcard || url == path {
		return true
	}
	return strings.HasPrefix(path, pathPrefix(url))
}

// wildcard stands for everything where a rule allows it.
const wildcard = "*"

// listed tells whether the list names s. The wildcard counts only if it is alone;
// validation forbids it elsewhere, and what got past validation is literal.
func listed(list []string, s string) bool {
	return len(list) == 1 && list[0] == wildcard || slices.Contains(list, s)
}
