package recording

import (
	"bytes"
	"strings"
)

// LocateMethod fills in the verb, too, as the server makes it of the method and the URI
// (RequestInfoFactory.NewRequestInfo), where the method is in upper case.
func (l *Locator) LocateMethod(method string, uri []byte, r *Request) {
	r.Verb = methodVerb(method)
	l.Locate(uri, r)
	if r.Path != "" {
		r.Verb = strings.ToLower(method)
		return
	}
	if r.Resource == "" {
		return // not even a path
	}
	if special := l.special(); special != "" {
		r.Verb = special
		if special == "proxy" {
			r.Subresource = ""
		}
	}
	switch {
	case r.Name == "" && r.Verb == "get":
		r.Verb = "list"
		if l.watches(uri) {
			r.Verb = "watch"
		}
	case r.Name == "" && r.Verb == "delete":
		r.Verb = "deletecollection"
	}
	if r.Verb == "list" || r.Verb == "watch" {
		_, query, _ := bytes.Cut(uri, []byte{'?'})
		r.Timeout = 0 // a watch has none
		l.options(query, r)
	}
}

// methodVerb returns the verb of a method for a resource with a name.
func methodVerb(method string) string {
	switch method {
	case "GET", "HEAD":
		return "get"
	case "POST":
		return "create"
	case "PUT":
		return "update"
	case "PATCH":
		return "patch"
	case "DELETE":
		return "delete"
	}
	return ""
}

// special returns the verb that stands in the path that was split last: in old paths of watches and
// proxies, as /api/v1/watch/pods.
func (l *Locator) special() string {
	at := 2
	if string(l.parts[0]) == grouped {
		at = 3
	}
	if len(l.parts) < at+2 {
		return ""
	}
	switch string(l.parts[at]) {
	case "watch":
		return "watch"
	case "proxy":
		return "proxy"
	}
	return ""
}

// watches tells whether a list is asked to be a watch (Convert_Slice_string_To_bool of
// apimachinery).
func (l *Locator) watches(uri []byte) bool {
	_, query, _ := bytes.Cut(uri, []byte{'?'})
	for len(query) > 0 {
		var pair []byte
		pair, query, _ = bytes.Cut(query, []byte{'&'})
		name, value, _ := bytes.Cut(pair, []byte{'='})
		if string(l.unescape(name, true)) == "watch" {
			value = l.unescape(value, true)
			return !bytes.EqualFold(value, []byte("false")) && string(value) != "0"
		}
	}
	return false
}
