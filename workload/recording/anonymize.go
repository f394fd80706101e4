package recording

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/scheduler/estimate"
)

// Anonymizer replaces the names of users, groups, namespaces, objects and clients by numbers, in
// the order in which they come, the same name always by the same number. What flow control decides
// by stays: the names that Kubernetes itself gives, and those that the configuration mentions. The
// hash of the flow goes along with the request (Request.Hash), since it follows from the names and
// decides the queues.
//
// The kinds of what is asked for (API groups, resources, paths that are no resources) stay, too.
type Anonymizer struct {
	// Keep tells whether a configuration mentions a name, which then stays.
	Keep map[string]bool
	// Flow tells the FlowSchema that takes a request and the hash of its flow, "" for none.
	Flow func(r *Request) (schema string, hash uint64)

	users, groups, namespaces, objects, clients numbers
	// list holds the groups of the last request.
	list []string
}

// numbers gives numbers to names, from 1. It keeps the hashes of the names alone.
type numbers map[uint64]int

// of returns the number of a name.
func (n *numbers) of(name string) string {
	if *n == nil {
		*n = numbers{}
	}
	sum := sha256.Sum256([]byte(name))
	h := binary.LittleEndian.Uint64(sum[:])
	number, known := (*n)[h]
	if !known {
		number = len(*n) + 1
		(*n)[h] = number
	}
	return strconv.Itoa(number)
}

// Replace replaces the names of a request.
func (a *Anonymizer) Replace(r *Request) {
	r.HashSchema, r.Hash = a.Flow(r)
	r.Name = a.name(r, r.Name)
	r.User = a.user(r.User)
	a.list = a.list[:0]
	for _, g := range r.Groups {
		a.list = append(a.list, a.group(g))
	}
	r.Groups = a.list
	r.Namespace = a.namespace(r.Namespace)
	if r.Client != "" {
		r.Client = "client-" + a.clients.of(r.Client)
	}
	a.selectors(r)
	if r.Options.Continue != "" {
		r.Options.Continue = "continued" // only that there is one is looked at
	}
}

// Prefixes of the names that Kubernetes gives.
const (
	systemPrefix         = "system:"
	serviceAccountPrefix = "system:serviceaccount:"
	nodePrefix           = "system:node:"
	accountsGroupPrefix  = "system:serviceaccounts:"
)

// user replaces the name of a user. Of service accounts and nodes it replaces the parts.
func (a *Anonymizer) user(name string) string {
	if name == "" || a.Keep[name] {
		return name
	}
	if node, ok := strings.CutPrefix(name, nodePrefix); ok {
		return nodePrefix + a.object(node)
	}
	if account, ok := strings.CutPrefix(name, serviceAccountPrefix); ok {
		namespace, account, _ := strings.Cut(account, ":")
		if systemNamespace(namespace) {
			return name
		}
		if !a.Keep[account] {
			account = "account-" + a.users.of(account)
		}
		return serviceAccountPrefix + a.namespace(namespace) + ":" + account
	}
	if strings.HasPrefix(name, systemPrefix) {
		return name
	}
	return "user-" + a.users.of(name)
}

func (a *Anonymizer) group(name string) string {
	if namespace, ok := strings.CutPrefix(name, accountsGroupPrefix); ok && !a.Keep[name] {
		return accountsGroupPrefix + a.namespace(namespace)
	}
	if name == "" || a.Keep[name] || strings.HasPrefix(name, systemPrefix) {
		return name
	}
	return "group-" + a.groups.of(name)
}

// systemNamespace tells whether every cluster has a namespace.
func systemNamespace(name string) bool {
	switch name {
	case "", "default", "kube-system", "kube-public", "kube-node-lease":
		return true
	}
	return false
}

func (a *Anonymizer) namespace(name string) string {
	if systemNamespace(name) || a.Keep[name] {
		return name
	}
	return "namespace-" + a.namespaces.of(name)
}

func (a *Anonymizer) object(name string) string {
	if name == "" {
		return ""
	}
	return "name-" + a.objects.of(name)
}

// selectors replaces the selectors of a list or watch by others that flow control takes in the same
// way: it looks at whether there is one, at the name that a field selector asks for, and at whether
// it asks for the objects of a node.
func (a *Anonymizer) selectors(r *Request) {
	o := &r.Options
	raw := estimate.RawListOptions{FieldSelector: o.FieldSelector, LabelSelector: o.LabelSelector}
	var fields []string
	if name := raw.Name(); name != "" {
		fields = append(fields, "metadata.name="+a.name(r, name))
	}
	if raw.Parse().NodeSelector {
		fields = append(fields, "spec.nodeName=node")
	}
	if o.FieldSelector != "" && len(fields) == 0 {
		fields = append(fields, "field=value")
	}
	o.FieldSelector = strings.Join(fields, ",")
	if o.LabelSelector != "" {
		o.LabelSelector = "label=value"
	}
}

// name replaces the name of an object of the resource that is asked for.
func (a *Anonymizer) name(r *Request, name string) string {
	if r.Resource == "namespaces" && r.APIGroup == "" {
		return a.namespace(name)
	}
	return a.object(name)
}

// Anonymized gives requests with their names replaced.
type Anonymized struct {
	Requests
	Anonymizer *Anonymizer
}

// Next gives the next request.
func (a Anonymized) Next(r *Request) (bool, error) {
	more, err := a.Requests.Next(r)
	if more && err == nil {
		a.Anonymizer.Replace(r)
	}
	return more, err
}
