package recording

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// uriOf is the URI of a request.
func uriOf(q Request) string { return string(AppendURI(nil, &q)) }

func TestURIs(t *testing.T) {
	for want, q := range map[string]Request{
		"/":                                      {Verb: "get", Path: "/"},
		"/readyz":                                {Verb: "get", Path: "/readyz"},
		"/a%20b/c%3Fd?timeout=5s":                {Verb: "get", Path: "/a b/c?d", Timeout: 5 * time.Second},
		"/api/v1/nodes/n1/status":                {Verb: "patch", Resource: "nodes", Name: "n1", Subresource: "status"},
		"/api/v1/namespaces/a":                   {Verb: "get", Resource: "namespaces", Namespace: "a", Name: "a"},
		"/apis/apps/v1/namespaces/a/deployments": {Verb: "create", APIGroup: "apps", Resource: "deployments", Namespace: "a"},
		"/api/v1/namespaces/a/pods?timeout=1m30s":                          {Verb: "deletecollection", Resource: "pods", Namespace: "a", Name: "x", Timeout: 90 * time.Second},
		"/api/v1/proxy/namespaces/a/services/x":                            {Verb: "proxy", Resource: "services", Namespace: "a", Name: "x"},
		"/api/v1/pods?fieldSelector=metadata.name%3Dx%2Cspec.nodeName%3Dn": {Verb: "list", Resource: "pods", Name: "x", Options: Options{FieldSelector: "spec.nodeName=n"}},
		"/api/v1/pods?fieldSelector=metadata.name%3Dy":                     {Verb: "list", Resource: "pods", Name: "y", Options: Options{FieldSelector: "metadata.name=y"}},
		"/api/v1/pods?continue=c&labelSelector=a%3Db&limit=5&resourceVersion=7&resourceVersionMatch=Exact": {Verb: "list", Resource: "pods",
			Options: Options{Limit: 5, ResourceVersion: "7", ResourceVersionMatch: "Exact", Continue: "c", LabelSelector: "a=b"}},
		"/api/v1/pods?sendInitialEvents=true&watch=true": {Verb: "watch", Resource: "pods", Options: Options{SendInitialEvents: true}},
	} {
		if got := uriOf(q); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

// What is written is read as it was, whatever the names are.
func TestURIsAreReadAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := func(label string) string { return rapid.StringMatching(`[a-z0-9 %+&=?#:ä-]{1,9}`).Draw(t, label) }
		maybe := func(label string) string {
			if rapid.Bool().Draw(t, label+"?") {
				return name(label)
			}
			return ""
		}
		q := Request{Resource: "r" + name("resource"), APIGroup: maybe("group"), Namespace: maybe("namespace")}
		q.Verb = rapid.SampledFrom([]string{"get", "list", "watch", "update", "deletecollection"}).Draw(t, "verb")
		if q.Verb == "get" || q.Verb == "update" {
			q.Name, q.Subresource = name("name"), maybe("subresource")
		}
		if q.Verb == "list" || q.Verb == "watch" {
			q.Options = Options{
				Limit: rapid.Int64Range(0, 9).Draw(t, "limit"), ResourceVersion: maybe("version"), Continue: maybe("continue"),
				LabelSelector: maybe("labels"), FieldSelector: maybe("fields"), SendInitialEvents: rapid.Bool().Draw(t, "initial"),
			}
		}
		if q.Verb != "watch" {
			q.Timeout = time.Duration(rapid.Int64Range(0, 1e11).Draw(t, "timeout"))
		}
		methods := map[string]string{"update": "PUT", "deletecollection": "DELETE"}
		method := "GET"
		if m := methods[q.Verb]; m != "" {
			method = m
		}
		var got Request
		var l Locator
		uri := uriOf(q)
		l.LocateMethod(method, []byte(uri), &got)
		if d := cmp.Diff(q, got); d != "" {
			t.Fatalf("%s\n%s", uri, d)
		}
	})
}

// A client has one address and port, those that are reserved for documentation, and requests of
// several servers and seeds have different identifiers.
func TestWhatIsMadeUp(t *testing.T) {
	seen := map[string]bool{}
	for server := range int32(3) {
		for id := range uint64(100) {
			for seed := range uint64(3) {
				text := string(AppendAuditID(nil, seed, &Request{ID: id, Server: server}))
				if len(text) != 36 || text[14] != '4' || !strings.Contains("89ab", text[19:20]) || strings.Count(text, "-") != 4 {
					t.Fatalf("%s is no random UUID", text)
				}
				if seen[text] {
					t.Fatalf("%s twice", text)
				}
				seen[text] = true
			}
		}
	}
	for place := range uint32(1000) {
		q := &Request{Place: place}
		address := string(AppendAddress(nil, q))
		if !strings.HasPrefix(address, "192.0.2.") && !strings.HasPrefix(address, "198.51.100.") && !strings.HasPrefix(address, "203.0.113.") {
			t.Fatalf("%s is somebody's address", address)
		}
		if port := Port(q); port < 32768 || port > 60999 {
			t.Fatalf("port %d", port)
		}
	}
}
