package explain

import (
	"slices"
	"strings"
	"testing"
)

func TestImply(t *testing.T) {
	for user, want := range map[string][]string{
		"alice":                          {"system:authenticated"},
		"system:anonymous":               {"system:unauthenticated"},
		"system:node:n1":                 {"system:nodes", "system:authenticated"},
		"system:serviceaccount:ci:bot":   {"system:serviceaccounts", "system:serviceaccounts:ci", "system:authenticated"},
		"system:serviceaccount:ci":       {"system:authenticated"},
		"system:serviceaccount::bot":     {"system:authenticated"},
		"system:serviceaccount:ci:":      {"system:authenticated"},
		"system:serviceaccount:ci:a:b":   {"system:authenticated"},
		"system:kube-controller-manager": {"system:authenticated"},
	} {
		if got := Imply(user); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", user, got, want)
		}
	}
}

func TestImplyImpersonated(t *testing.T) {
	for _, c := range []struct {
		user         string
		groups, want []string
	}{
		{"alice", nil, []string{"system:authenticated"}},
		{"alice", []string{"dev"}, []string{"system:authenticated"}},
		{"alice", []string{"dev", "system:authenticated"}, nil},
		{"alice", []string{"system:unauthenticated"}, nil},
		{"system:anonymous", nil, []string{"system:unauthenticated"}},
		{"system:anonymous", []string{"system:authenticated"}, []string{"system:unauthenticated"}},
		{"system:serviceaccount:ci:bot", nil, []string{"system:serviceaccounts", "system:serviceaccounts:ci", "system:authenticated"}},
		{"system:serviceaccount:ci:bot", []string{"dev"}, []string{"system:authenticated"}},
		{"system:node:n1", nil, []string{"system:authenticated"}},
	} {
		if got := ImplyImpersonated(c.user, c.groups); !slices.Equal(got, c.want) {
			t.Errorf("%s of %q: %q, want %q", c.user, c.groups, got, c.want)
		}
	}
}

func TestFromURL(t *testing.T) {
	for _, c := range []struct{ method, url, want string }{
		{"GET", "/healthz", "get the path /healthz"},
		{"POST", "/apis/apps", "post the path /apis/apps"},
		{"GET", "/api/v1/pods", "list pods, in no namespace"},
		{"GET", "/api/v1/namespaces/prod/pods?watch", "watch pods in namespace prod"},
		{"DELETE", "/apis/apps/v1/namespaces/prod/deployments", "deletecollection deployments.apps in namespace prod"},
		{"GET", "/api/v1/namespaces/prod", "get namespaces prod in namespace prod"},
		{"PUT", "/api/v1/namespaces/prod/finalize", "update namespaces/finalize prod in namespace prod"},
		{"PATCH", "/apis/apps/v1/namespaces/prod/deployments/web/scale", "patch deployments.apps/scale web in namespace prod"},
	} {
		r, err := FromURL(c.method, c.url)
		if err != nil || requestText(&r) != c.want {
			t.Errorf("%s %s: %q, %v", c.method, c.url, requestText(&r), err)
		}
	}
	for _, text := range []string{"healthz", "", "/api/v1/watch", "/api/v1/pods?limit=many", "/%zz"} {
		if r, err := FromURL("GET", text); err == nil {
			t.Errorf("%q is taken for %+v", text, r)
		}
	}
}

func TestManifestObjects(t *testing.T) {
	got, err := ManifestObjects([]byte("---\n{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: prod}}\n---\n# nothing\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: apps/v1, kind: Deployment, metadata: {name: b}}\n"))
	want := []ObjectRef{{"", "Pod", "prod", "a"}, {"apps", "Deployment", "", "b"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{"kind: Pod", "apiVersion: v1", "{", "- a", "apiVersion: a/b/c\nkind: X"} {
		if got, err := ManifestObjects([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "not a manifest: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func TestGuessPlural(t *testing.T) {
	for kind, want := range map[string]string{
		"Certificate": "certificates", "Gateway": "gateways", "Policy": "policies", "Ingress": "ingresses", "Mesh": "meshes", "Y": "ys",
	} {
		if got := GuessPlural(kind); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}

// FuzzManifestObjects holds that no manifest makes the reader panic.
func FuzzManifestObjects(f *testing.F) {
	f.Add([]byte(ciManifest))
	f.Add([]byte("apiVersion: v1\nkind: List\nitems: [{}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		refs, err := ManifestObjects(text)
		for _, r := range refs {
			if r.Kind == "" || err != nil {
				t.Errorf("%+v, %v", refs, err)
			}
		}
	})
}
