package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/scheduler"
)

// Users and groups that nobody is, or that are something else than the rule says.

// systemGroups are the groups that Kubernetes puts users into.
var systemGroups = []string{groupMasters, groupNodes, groupAuthenticated, groupUnauthenticated, groupAccounts, "system:bootstrappers", "system:monitoring"}

// systemUsers are the users that the components of a control plane are.
var systemUsers = []string{"system:kube-controller-manager", "system:kube-scheduler", "system:kube-proxy", userAnonymous, "system:apiserver", "system:cloud-controller-manager", "system:admin"}

// systemNamespaces are those that every cluster has.
var systemNamespaces = []string{"kube-system", "kube-public", "kube-node-lease", "default"}

// checkSubject looks at a subject of a schema.
func (c *checker) checkSubject(s *schema, path string, subject scheduler.SubjectRule) {
	switch subject.Kind {
	case scheduler.User:
		c.checkUser(s, path+".user.name", subject.Name)
	case scheduler.Group:
		c.checkUserGroup(s, path+".group.name", subject.Name)
	default:
		c.checkAccount(s, path+".serviceAccount", subject)
	}
}

// nobody gives the advice that a name is nobody's.
func (c *checker) nobody(s *schema, path, message, hint string) {
	c.say(s.Source, path, advice{code: "APF017", message: message, hint: hint})
}

func (c *checker) checkUser(s *schema, path, name string) {
	_, _, account := accountOf(name)
	switch best, near := nearSystem(name, systemUsers); {
	case name == wildcard || account:
	case strings.Contains(name, wildcard):
		c.literal(s, path, name, "a user")
	case slices.Contains(systemGroups, name) || strings.HasPrefix(name, groupAccounts+":"):
		c.nobody(s, path, fmt.Sprintf("%s is a group, and no user has this name", name), "say kind: Group")
	case strings.HasPrefix(name, accountPrefix), strings.HasPrefix(name, "serviceaccount:"), strings.HasPrefix(name, "system:sa:"):
		c.nobody(s, path, fmt.Sprintf("no service account has the user name %q", name),
			"say kind: ServiceAccount with its name and namespace; its user name is "+accountPrefix+"NAMESPACE:NAME")
	case near:
		c.nobody(s, path, fmt.Sprintf("%q is nearly the name of a user of Kubernetes", name), fmt.Sprintf("did you mean %q?", best))
	}
}

func (c *checker) checkUserGroup(s *schema, path, name string) {
	namespace, account, isAccount := accountOf(name)
	rest, ofNamespace := strings.CutPrefix(name, groupAccounts+":")
	switch best, near := nearSystem(name, systemGroups); {
	case name == wildcard:
	case strings.Contains(name, wildcard):
		c.literal(s, path, name, "a group")
	case slices.Contains(systemUsers, name) || strings.HasPrefix(name, nodePrefix):
		c.nobody(s, path, fmt.Sprintf("%s is a user, and no group has this name", name), "say kind: User")
	case isAccount:
		c.nobody(s, path, fmt.Sprintf("%s is the user name of a service account, and no group has this name", name),
			fmt.Sprintf("say kind: ServiceAccount with namespace: %s, name: %s", namespace, account))
	case ofNamespace && strings.Contains(rest, ":"):
		c.nobody(s, path, fmt.Sprintf("no group has the name %q: %s:NAMESPACE is the group of all service accounts of a namespace", name, groupAccounts),
			"for one service account say kind: ServiceAccount")
	case ofNamespace:
		c.nearNamespace(s, path, rest)
	case near:
		c.nobody(s, path, fmt.Sprintf("%q is nearly the name of a group of Kubernetes", name), fmt.Sprintf("did you mean %q?", best))
	}
}

func (c *checker) checkAccount(s *schema, path string, subject scheduler.SubjectRule) {
	user := "system:" + subject.Name
	if subject.Namespace == "kube-system" && (subject.Name == "kube-controller-manager" || subject.Name == "kube-scheduler") {
		c.nobody(s, path+".name", fmt.Sprintf("%s is no service account: it makes its requests as the user %s", subject.Name, user),
			"say kind: User, name: "+user)
		return
	}
	c.nearNamespace(s, path+".namespace", subject.Namespace)
}

// nearNamespace looks for a misspelt namespace of the system.
func (c *checker) nearNamespace(s *schema, path, namespace string) {
	if slices.Contains(systemNamespaces, namespace) || !strings.HasPrefix(namespace, "k") {
		return
	}
	if best, ok := suggest.Nearest(namespace, systemNamespaces); ok && suggest.Distance([]rune(namespace), []rune(best)) == 1 {
		c.nobody(s, path, fmt.Sprintf("the namespace %q is nearly the name of one of Kubernetes", namespace), fmt.Sprintf("did you mean %q?", best))
	}
}

// nearSystem finds the name of the system that a name nearly is: one or two letters are
// other ones, or the prefix "system:" is missing or wrong.
func nearSystem(name string, names []string) (string, bool) {
	if slices.Contains(names, name) {
		return "", false
	}
	best, ok := suggest.Nearest(name, names)
	if ok && strings.HasPrefix(name, "s") && strings.Contains(name, ":") && suggest.Distance([]rune(name), []rune(best)) <= 2 {
		return best, true
	}
	for _, n := range names {
		tail := strings.TrimPrefix(n, "system:")
		if (tail == "authenticated" || tail == "unauthenticated" || tail == "serviceaccounts") && name == tail {
			return n, true
		}
	}
	return "", false
}
