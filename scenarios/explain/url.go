package explain

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// FromURL makes the request that a method and a URL, with its query, stand for, as
// kube-apiserver's RequestInfo does (NewRequestInfo in pkg/endpoints/request): what is
// below /api and /apis is for a resource, everything else for a path. The user is left
// for the caller to fill in. The error says what is wrong with the URL.
func FromURL(method, text string) (Request, error) {
	u, err := url.Parse(text)
	if err != nil {
		return Request{}, fmt.Errorf("%q is no URL", text)
	}
	if !strings.HasPrefix(u.Path, "/") {
		return Request{}, fmt.Errorf("the path %q does not begin with a slash", u.Path)
	}
	r := Request{Verb: strings.ToLower(method), Path: u.Path}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) < 3 || parts[0] != "api" && parts[0] != "apis" || parts[0] == "apis" && len(parts) < 4 {
		return r, nil
	}
	r.Path = ""
	if parts[0] == "apis" {
		r.APIGroup = parts[1]
		parts = parts[1:]
	}
	parts = parts[2:] // the prefix or the group, and the version
	special := parts[0] == "proxy" || parts[0] == "watch"
	if special {
		if len(parts) < 2 {
			return Request{}, fmt.Errorf("the path %s ends where a resource is expected", u.Path)
		}
		r.Verb, parts = parts[0], parts[1:]
	} else {
		r.Verb = methodVerb(method)
	}
	if parts[0] == "namespaces" && len(parts) > 1 {
		r.Namespace = parts[1]
		if len(parts) > 2 && parts[2] != "status" && parts[2] != "finalize" {
			parts = parts[2:]
		}
	}
	r.Resource = parts[0]
	if len(parts) > 1 {
		r.Name = parts[1]
	}
	if len(parts) > 2 && r.Verb != "proxy" {
		r.Subresource = parts[2]
	}
	return r, r.query(u.Query())
}

// methodVerb is the verb of the API for an HTTP method, before it is known whether there
// is a name.
func methodVerb(method string) string {
	switch method {
	case "POST":
		return "create"
	case "GET", "HEAD":
		return "get"
	case "PUT":
		return "update"
	case "PATCH":
		return "patch"
	case "DELETE":
		return "delete"
	}
	return ""
}

// query reads the options of a request for a resource, and finds the verb of one that
// names no object.
func (r *Request) query(q url.Values) error {
	if r.Name == "" && r.Verb == "delete" {
		r.Verb = "deletecollection"
	}
	if r.Name == "" && r.Verb == "get" {
		r.Verb = "list"
		if asserted(q, "watch") {
			r.Verb = "watch"
		}
	}
	if r.Verb != "list" && r.Verb != "watch" {
		return nil
	}
	if text := q.Get("limit"); text != "" {
		limit, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("limit=%s: a whole number is needed", text)
		}
		r.Limit = limit
	}
	r.ResourceVersion, r.ResourceVersionMatch = q.Get("resourceVersion"), q.Get("resourceVersionMatch")
	r.Continue = q.Get("continue")
	r.FieldSelector, r.LabelSelector = q.Get("fieldSelector"), q.Get("labelSelector")
	r.SendInitialEvents = asserted(q, "sendInitialEvents")
	return nil
}

// asserted reads a boolean of a query as the API does: a key without a value is true, and
// so is every value but false and 0.
func asserted(q url.Values, key string) bool {
	values, ok := q[key]
	if !ok || len(values) == 0 {
		return false
	}
	text := strings.ToLower(values[0])
	return text != "false" && text != "0"
}
