package clientgo

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// newClient makes client-go's rest client for a configuration. What it sends goes to the
// configuration's Transport.
func newClient(t *testing.T, config *rest.Config) *rest.RESTClient {
	t.Helper()
	config.Host = "http://api.test"
	config.APIPath = "/api"
	config.GroupVersion = &schema.GroupVersion{Version: "v1"}
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	client, err := rest.RESTClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
