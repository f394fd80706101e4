package httplog

import (
	"strings"

	"github.com/apfsim/apfsim/scheduler/classify"
)

// client is what a line tells of a client: its agent, the program in it, a name for the two and
// the address, and one for the user, which is the same or without the address.
type client struct{ agent, program, process, name string }

// The names that Kubernetes gives.
const (
	accountUser     = "system:serviceaccount:"
	accountGroup    = "system:serviceaccounts"
	nodeUser        = "system:node:"
	nodeGroup       = "system:nodes"
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
	anonymous       = "system:anonymous"
	masters         = "system:masters"
	kubeSystem      = "kube-system"
)

// candidates lists who a client may be, the most likely first. There is always one.
func (c *client) candidates(dst []identity, schema *classify.FlowSchema) []identity {
	if user := accountIn(c.agent); user != "" {
		dst = append(dst, account(user))
	}
	if schema == nil {
		return append(dst, c.byProgram(), c.ordinary(authenticated))
	}
	var named, open, others []identity
	for i := range schema.Rules {
		for _, s := range schema.Rules[i].Subjects {
			switch {
			case s.Kind == classify.Group || s.Name == "*":
				open = append(open, c.member(&s))
			case short(s.Name) == c.program:
				named = append(named, exactly(&s))
			default:
				others = append(others, exactly(&s))
			}
		}
	}
	dst = append(append(append(dst, named...), open...), c.byProgram(), c.ordinary(authenticated))
	return append(append(dst, others...), identity{user: anonymous, groups: []string{unauthenticated}}, identity{user: c.name})
}

// accountIn returns the user of the service account that an agent ends with, "" if it has none:
// kube-controller-manager names its controllers so.
func accountIn(agent string) string {
	i := strings.Index(agent, "/"+accountUser)
	if i < 0 {
		return ""
	}
	user := agent[i+1:]
	namespace, name, ok := strings.Cut(user[len(accountUser):], ":")
	if !ok || namespace == "" || name == "" {
		return ""
	}
	if end := strings.IndexAny(name, "/ "); end >= 0 {
		name = name[:end]
	}
	return accountUser + strings.Clone(namespace) + ":" + strings.Clone(name)
}

// account is a service account with the groups that the authenticator gives it.
func account(user string) identity {
	namespace, _, _ := strings.Cut(strings.TrimPrefix(user, accountUser), ":")
	return identity{user: user, groups: []string{accountGroup, accountGroup + ":" + namespace, authenticated}}
}

// short is a user name without what Kubernetes puts before it.
func short(user string) string {
	if i := strings.LastIndexByte(user, ':'); i >= 0 {
		return user[i+1:]
	}
	return user
}

// exactly is the subject of a rule that names it.
func exactly(s *classify.SubjectRule) identity {
	if s.Kind == classify.ServiceAccount {
		return account(accountUser + s.Namespace + ":" + s.Name)
	}
	return identity{user: s.Name, groups: []string{authenticated}}
}

// member is one of those that a rule accepts without naming it.
func (c *client) member(s *classify.SubjectRule) identity {
	switch {
	case s.Kind == classify.ServiceAccount:
		return account(accountUser + s.Namespace + ":" + c.name)
	case s.Name == accountGroup:
		return account(accountUser + "default:" + c.name)
	case strings.HasPrefix(s.Name, accountGroup+":"):
		return account(accountUser + s.Name[len(accountGroup)+1:] + ":" + c.name)
	case s.Name == nodeGroup:
		return c.node()
	case s.Name == "*", s.Name == authenticated, s.Name == unauthenticated:
		return c.ordinary(authenticated)
	}
	return c.ordinary(s.Name, authenticated)
}

// ordinary is a user of the client's own name.
func (c *client) ordinary(groups ...string) identity { return identity{user: c.name, groups: groups} }

func (c *client) node() identity {
	return identity{user: nodeUser + c.process, groups: []string{nodeGroup, authenticated}}
}

// byProgram is who a program of Kubernetes is by default.
func (c *client) byProgram() identity {
	switch c.program {
	case "kubelet":
		return c.node()
	case "kube-scheduler", "kube-controller-manager":
		return identity{user: "system:" + strings.Clone(c.program), groups: []string{authenticated}}
	case "kube-apiserver":
		return identity{user: "system:apiserver", groups: []string{masters, authenticated}}
	case "kube-proxy", "coredns":
		return account(accountUser + kubeSystem + ":" + strings.Clone(c.program))
	}
	return c.ordinary(authenticated)
}
