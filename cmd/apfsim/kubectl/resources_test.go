package kubectl

import (
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// official is a scheme of the official types.
func official(t *testing.T) *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionregistrationv1.AddToScheme, appsv1.AddToScheme, authenticationv1.AddToScheme, authorizationv1.AddToScheme,
		autoscalingv2.AddToScheme, batchv1.AddToScheme, certificatesv1.AddToScheme, certificatesv1beta1.AddToScheme,
		coordinationv1.AddToScheme, coordinationv1beta1.AddToScheme, corev1.AddToScheme, discoveryv1.AddToScheme,
		eventsv1.AddToScheme, flowcontrolv1.AddToScheme, networkingv1.AddToScheme, nodev1.AddToScheme, policyv1.AddToScheme,
		rbacv1.AddToScheme, resourcev1.AddToScheme, schedulingv1.AddToScheme, storagev1.AddToScheme,
	} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// elsewhere are groups whose types k8s.io/api does not hold.
var elsewhere = []string{"apiextensions.k8s.io", "apiregistration.k8s.io", "metrics.k8s.io"}

// noResource are kinds that are no resource of their own: what subresources and options
// are made of.
var noResource = []string{
	"PodStatusResult", "RangeAllocation", "SerializedReference", "NodeProxyOptions", "PodAttachOptions", "PodExecOptions", "PodLogOptions",
	"PodPortForwardOptions", "PodProxyOptions", "ServiceProxyOptions", "Eviction", "Scale", "TokenRequest", "DeviceTaintRule",
}

// TestResourcesAreOfficial holds that every resource is a kind of its group in k8s.io/api,
// and that every kind there which is one is among the resources.
func TestResourcesAreOfficial(t *testing.T) {
	scheme := official(t)
	kinds := map[string]bool{}
	for gvk := range scheme.AllKnownTypes() { // Any order: it makes a set.
		kinds[gvk.Group+" "+gvk.Kind] = true
	}
	known := map[string]bool{}
	for _, r := range resources {
		known[r.Group+" "+r.Kind] = true
		if !kinds[r.Group+" "+r.Kind] && !slices.Contains(elsewhere, r.Group) {
			t.Errorf("%s %s is no kind of k8s.io/api", r.Group, r.Kind)
		}
	}
	for gvk := range scheme.AllKnownTypes() { // Any order: faults are all reported.
		options := strings.HasSuffix(gvk.Kind, "Options") || strings.HasSuffix(gvk.Kind, "List") || gvk.Kind == "WatchEvent"
		internal := gvk.Version == runtime.APIVersionInternal || gvk.Group == "" && slices.Contains([]string{"Status", "APIVersions", "APIGroup", "APIResourceList"}, gvk.Kind)
		if !options && !internal && !slices.Contains(noResource, gvk.Kind) && !known[gvk.Group+" "+gvk.Kind] {
			t.Errorf("%s is not among the resources", gvk)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		word, name, group string
		known             bool
	}{
		{"po", "pods", "", true}, {"Pod", "pods", "", true}, {"deploy", "deployments", "apps", true},
		{"deployments.apps", "deployments", "apps", true}, {"deployment.v1.apps", "deployments", "apps", true},
		{"ev", "events", "", true}, {"events.events.k8s.io", "events", "events.k8s.io", true},
		{"pods.metrics.k8s.io", "pods", "metrics.k8s.io", true}, {"leases", "leases", "coordination.k8s.io", true},
		{"endpoints", "endpoints", "", true}, {"gateways.v1.gateway.networking.k8s.io", "gateways", "gateway.networking.k8s.io", false},
	} {
		r, known, err := Find(c.word)
		if err != nil || r.Name != c.name || r.Group != c.group || known != c.known {
			t.Errorf("%s: %+v, %v, %v", c.word, r, known, err)
		}
	}
	for _, word := range []string{"", "gateways", "pods.apps", ".example.com", "deployments.app"} {
		if r, _, err := Find(word); err == nil {
			t.Errorf("%q is found as %+v", word, r)
		}
	}
	// A word that means two resources would hide one of them.
	seen := map[string]string{}
	for _, r := range resources {
		for _, word := range append([]string{r.Name, strings.ToLower(r.Kind)}, r.Short...) {
			if prior, twice := seen[word]; twice && prior != r.Group && r.Group != "events.k8s.io" && r.Group != "metrics.k8s.io" {
				t.Errorf("%s is of %q and of %q", word, prior, r.Group)
			}
			seen[word] = r.Group
		}
	}
}
