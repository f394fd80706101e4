package pure

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/sets"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"

	"github.com/apfsim/apfsim/scenarios/explain"
	"github.com/apfsim/apfsim/scheduler"
)

// oldWatch matches the paths of watches before there was an option for them.
var oldWatch = regexp.MustCompile(`^/(api/[^/]*|apis/[^/]*/[^/]*)/watch/`)

// TestFromURLEqualsUpstream compares what random methods and URLs are taken for with the
// RequestInfo that the server makes of them.
func TestFromURLEqualsUpstream(t *testing.T) {
	r := random(t, 60)
	resolver := apirequest.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}
	parts := []string{"api", "apis", "v1", "apps", "namespaces", "prod", "pods", "web-0", "status", "finalize", "watch", "proxy", "log", "healthz", "", "scale"}
	beginnings := []string{"/", "/api/v1/", "/apis/apps/v1/", "/api/v1/namespaces/", "/apis/apps/v1/namespaces/prod/", "/api/v1/watch/", "/apis/"}
	queries := []string{"watch", "watch=true", "watch=1", "watch=0", "watch=false", "limit=5", "resourceVersion=0", "resourceVersionMatch=Exact",
		"continue=x", "fieldSelector=metadata.name%3Dweb-0", "fieldSelector=spec.nodeName%3Dn1", "labelSelector=app%3Dx", "sendInitialEvents=true", "timeout=5s"}
	var resources, paths, refused int
	for range 200_000 * *times {
		var words []string
		for range r.IntN(6) {
			words = append(words, pick(r, parts...))
		}
		text := pick(r, beginnings...) + strings.Join(words, "/")
		if strings.HasPrefix(text, "//") {
			continue // that would name a host
		}
		var query []string
		for range r.IntN(4) {
			query = append(query, pick(r, queries...))
		}
		text += "?" + strings.Join(query, "&")
		method := pick(r, "GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := resolver.NewRequestInfo(&http.Request{Method: method, URL: u})
		got, err := explain.FromURL(method, text)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%s %s: %v, want %v", method, text, err, wantErr)
		}
		switch {
		case err != nil:
			refused++
			continue
		case want.IsResourceRequest:
			resources++
			want.Path = ""
		default:
			paths++
		}
		if oldWatch.MatchString(u.Path) {
			// The old form of a watch, which kubectl and client-go no longer send, does not take
			// its name from the selector.
			got.FieldSelector = ""
		}
		name := scheduler.RequestName(got.Verb, got.Name, scheduler.RawListOptions{FieldSelector: got.FieldSelector, LabelSelector: got.LabelSelector})
		ours := [...]string{got.Verb, got.APIGroup, got.Resource, got.Subresource, got.Namespace, name, got.Path}
		theirs := [...]string{want.Verb, want.APIGroup, want.Resource, want.Subresource, want.Namespace, want.Name, want.Path}
		if ours != theirs {
			t.Fatalf("%s %s: %q, want %q", method, text, ours, theirs)
		}
	}
	if resources < 50_000 || paths < 5000 || refused < 500 {
		t.Errorf("%d requests for resources, %d for paths, %d refused", resources, paths, refused)
	}
}
