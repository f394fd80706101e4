package explain

import (
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// Request is one request as the filters of kube-apiserver see it: the user after
// authentication and impersonation, and the target as RequestInfo has it.
type Request struct {
	// From is what sends the request, such as a kubectl command line; "" if nothing is
	// known of that. Purpose says what for, if one command sends several.
	From    string `json:"from,omitempty"`
	Purpose string `json:"purpose,omitempty"`

	User string `json:"user"`
	// Groups are all the groups of the user.
	Groups []string `json:"groups"`
	// ImpliedGroups are those of Groups that nobody gave: see Imply.
	ImpliedGroups []string `json:"impliedGroups,omitempty"`

	// Verb is that of the API for a resource, the HTTP method in lower case for a path.
	Verb        string `json:"verb"`
	APIGroup    string `json:"apiGroup,omitempty"`
	Resource    string `json:"resource,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	// Path is set for a request that is not for a resource, and only then.
	Path string `json:"path,omitempty"`

	// The options of a LIST or WATCH.
	Limit                int64  `json:"limit,omitempty"`
	ResourceVersion      string `json:"resourceVersion,omitempty"`
	ResourceVersionMatch string `json:"resourceVersionMatch,omitempty"`
	Continue             string `json:"continue,omitempty"`
	FieldSelector        string `json:"fieldSelector,omitempty"`
	LabelSelector        string `json:"labelSelector,omitempty"`
	SendInitialEvents    bool   `json:"sendInitialEvents,omitempty"`

	// Notes say what was taken for granted when the request was made.
	Notes []string `json:"-"`
	// Timeout is the deadline that the client asks for, 0 for none.
	Timeout time.Duration `json:"-"`
}

// target returns what rules look at.
func (r *Request) target() scheduler.Target {
	return scheduler.Target{
		Verb: r.Verb, APIGroup: r.APIGroup, Resource: r.Resource, Subresource: r.Subresource,
		Namespace: r.Namespace, Path: r.Path,
	}
}

// options returns the options in the scheduler's terms.
func (r *Request) options() scheduler.RawListOptions {
	return scheduler.RawListOptions{
		Limit: r.Limit, ResourceVersion: r.ResourceVersion, ResourceVersionMatch: r.ResourceVersionMatch,
		Continue: r.Continue, FieldSelector: r.FieldSelector, LabelSelector: r.LabelSelector,
		SendInitialEvents: r.SendInitialEvents,
	}
}

// resource returns the resource as people write it: deployments.apps/scale.
func (r *Request) resource() string {
	return withSubresource(qualified(r.Resource, r.APIGroup), r.Subresource)
}

// qualified appends the API group to a resource that is in one.
func qualified(resource, group string) string {
	if group == "" {
		return resource
	}
	return resource + "." + group
}

func withSubresource(resource, subresource string) string {
	if subresource == "" {
		return resource
	}
	return resource + "/" + subresource
}

// The names that the API server itself gives (pkg/authentication/user and serviceaccount).
const (
	anonymous       = "system:anonymous"
	authenticated   = "system:authenticated"
	unauthenticated = "system:unauthenticated"
	nodePrefix      = "system:node:"
	nodesGroup      = "system:nodes"
	accountPrefix   = "system:serviceaccount:"
	accountsGroup   = "system:serviceaccounts"
)

// Imply returns the groups that a user of this name is in if nobody says otherwise: those
// that the API server gives to every service account, the one that the certificate of
// every node names, and system:authenticated, or system:unauthenticated for
// system:anonymous. Who is a member of other groups, system:masters among them, cannot be
// told from a name.
func Imply(user string) []string {
	if user == anonymous {
		return []string{unauthenticated}
	}
	if namespace, ok := accountNamespace(user); ok {
		return []string{accountsGroup, accountsGroup + ":" + namespace, authenticated}
	}
	if strings.HasPrefix(user, nodePrefix) {
		return []string{nodesGroup, authenticated}
	}
	return []string{authenticated}
}

// ImplyImpersonated returns the groups that the API server adds to those that a client
// impersonates with a user (pkg/endpoints/filters/impersonation): a service account's if
// no group is given, and system:authenticated or system:unauthenticated if neither is.
// A node gets no group of nodes this way: that one comes with its certificate. (With the
// right to impersonate nodes alone, which recent releases know, it does get it.)
func ImplyImpersonated(user string, groups []string) []string {
	var implied []string
	if namespace, ok := accountNamespace(user); ok && len(groups) == 0 {
		implied = append(implied, accountsGroup, accountsGroup+":"+namespace)
	}
	everybody := authenticated
	if user == anonymous {
		everybody = unauthenticated
	}
	for _, g := range groups {
		if g == unauthenticated || g == everybody {
			return implied
		}
	}
	return append(implied, everybody)
}

// accountNamespace returns the namespace of a service account's user name.
func accountNamespace(user string) (string, bool) {
	rest, ok := strings.CutPrefix(user, accountPrefix)
	if !ok {
		return "", false
	}
	namespace, name, ok := strings.Cut(rest, ":")
	return namespace, ok && namespace != "" && name != "" && !strings.Contains(name, ":")
}
