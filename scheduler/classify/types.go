// Package classify finds the FlowSchema of a request, as kube-apiserver does
// (pkg/util/flowcontrol/rule.go and apf_controller.go): the schemas are tried in
// the order of their matching precedence, then of their names, and the first one
// that matches takes the request.
//
// It does so twice. Matches is the reference: it asks a schema about one request,
// rule by rule, string by string. Classifier gives the same answers at the cost of
// a few bit operations: who asks and what is asked are interned once each, with a
// bit for every rule that would accept them, and a request matches a rule if and
// only if both its subject and its target have the rule's bit.
//
// Nothing here is safe for concurrent use.
package classify

// Distinguisher tells how a FlowSchema splits its requests into flows.
type Distinguisher uint8

// The distinguisher methods. None makes one flow of all requests of the schema.
const (
	None Distinguisher = iota
	ByUser
	ByNamespace
)

// String returns the API's name of the method, "" for None.
func (d Distinguisher) String() string {
	return [...]string{"", "ByUser", "ByNamespace"}[d]
}

// SubjectKind is the kind of a SubjectRule.
type SubjectKind uint8

// The kinds of subjects.
const (
	User SubjectKind = iota
	Group
	ServiceAccount
)

// String returns the API's name of the kind.
func (k SubjectKind) String() string {
	return [...]string{"User", "Group", "ServiceAccount"}[k]
}

// FlowSchema says which requests belong to it, which priority level serves them and
// how they are split into flows. It is what classification needs of the API object
// of that name.
type FlowSchema struct {
	Name string
	// Precedence orders the schemas: the lowest is tried first.
	Precedence    int32
	PriorityLevel string
	Distinguisher Distinguisher
	// Rules are alternatives: one is enough.
	Rules []Rule
}

// Rule accepts a request if any of Subjects made it and any of Resources (for a
// resource request) or any of NonResources (for another) describes it.
type Rule struct {
	Subjects     []SubjectRule
	Resources    []ResourceRule
	NonResources []NonResourceRule
}

// SubjectRule accepts a user, the members of a group, or a service account.
type SubjectRule struct {
	Kind SubjectKind
	// Name "*" accepts every user, every group (a user of no group too), or every
	// service account of the namespace.
	Name string
	// Namespace is that of a service account, literally: "*" is no wildcard here.
	Namespace string
}

// ResourceRule accepts resource requests that fit all of its lists. In each list
// "*" stands for everything if it is alone, and is an ordinary string if it is not.
type ResourceRule struct {
	Verbs, APIGroups []string
	// Resources holds names such as "pods", or "pods/log" for a subresource. "pods"
	// does not accept requests to its subresources.
	Resources []string
	// Namespaces concerns requests in a namespace only.
	Namespaces []string
	// ClusterScope accepts requests in no namespace.
	ClusterScope bool
}

// NonResourceRule accepts requests that are not for resources.
type NonResourceRule struct {
	Verbs []string
	// URLs are paths. A path accepts itself and everything below it, with or without
	// a trailing "/*"; "*" accepts every path.
	URLs []string
}

// Target is what a request asks for, apart from the name of the object: the part of
// upstream's RequestInfo that rules look at. A request is a non-resource one if and
// only if Path is set; Verb is then the HTTP method in lower case.
type Target struct {
	Verb, APIGroup, Resource, Subresource, Namespace string
	Path                                             string
}
