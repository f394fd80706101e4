package seats

import "github.com/apfsim/apfsim/scheduler"

// Request is a request whose classification is compared.
type Request struct {
	// What says in words who asks for what.
	What string `json:"what"`
	// Count is how many such requests there are, in a trace that was read; 1 otherwise.
	Count  int64    `json:"count"`
	User   string   `json:"user"`
	Groups []string `json:"groups,omitempty"`
	// What is asked for: a resource, or a path.
	Verb        string `json:"verb"`
	APIGroup    string `json:"apiGroup,omitempty"`
	Resource    string `json:"resource,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Path        string `json:"path,omitempty"`
}

// target puts it into the scheduler's terms.
func (r *Request) target() scheduler.Target {
	return scheduler.Target{Verb: r.Verb, APIGroup: r.APIGroup, Resource: r.Resource, Subresource: r.Subresource, Namespace: r.Namespace, Path: r.Path}
}

// who is a user with the groups that authentication gives it.
type who struct {
	user   string
	groups []string
}

const authenticated = "system:authenticated"

// account is a service account.
func account(namespace, name string) who {
	return who{"system:serviceaccount:" + namespace + ":" + name,
		[]string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, authenticated}}
}

// The senders of the typical requests.
var (
	kubelet    = who{"system:node:node-1", []string{"system:nodes", authenticated}}
	manager    = who{"system:kube-controller-manager", []string{authenticated}}
	scheduling = who{"system:kube-scheduler", []string{authenticated}}
	proxy      = account("kube-system", "kube-proxy")
	dns        = account("kube-system", "coredns")
	endpoints  = account("kube-system", "endpoint-controller")
	sliced     = account("kube-system", "endpointslice-controller")
	mirroring  = account("kube-system", "endpointslicemirroring-controller")
	collector  = account("kube-system", "generic-garbage-collector")
	autoscaler = account("kube-system", "cluster-autoscaler")
	operator   = account("databases", "operator")
	pod        = account("shop", "web")
	ingress    = account("ingress-nginx", "ingress-nginx")
	argo       = account("argocd", "argocd-application-controller")
	flux       = account("flux-system", "kustomize-controller")
	prometheus = account("monitoring", "prometheus")
	webhooks   = account("cert-manager", "cert-manager-cainjector")
	human      = who{"jane@example.com", []string{"developers", authenticated}}
	admin      = who{"kubernetes-admin", []string{"system:masters", authenticated}}
	clusters   = who{"kubernetes-admin", []string{"kubeadm:cluster-admins", authenticated}}
	anonymous  = who{"system:anonymous", []string{"system:unauthenticated"}}
	monitoring = who{"system:monitoring", []string{"system:monitoring", authenticated}}
	aggregated = account("kube-system", "metrics-server")
)

// in makes a target within a namespace, or of no namespace.
func in(namespace, verb, group, resource string) scheduler.Target {
	return scheduler.Target{Verb: verb, APIGroup: group, Resource: resource, Namespace: namespace}
}

// sub makes a target of a subresource.
func sub(namespace, verb, group, resource, subresource string) scheduler.Target {
	t := in(namespace, verb, group, resource)
	t.Subresource = subresource
	return t
}

// path makes a target that is no resource.
func path(p string) scheduler.Target { return scheduler.Target{Verb: "get", Path: p} }

// The API groups of the typical requests.
const (
	core         = ""
	apps         = "apps"
	coordination = "coordination.k8s.io"
	discovery    = "discovery.k8s.io"
	events       = "events.k8s.io"
	custom       = "databases.example.com"
)

// typical are the requests that any cluster has, at least if it runs operators, GitOps
// and monitoring: a few for each rule that a built-in FlowSchema of any release has, and
// for those that overlays are written for.
var typical = []struct {
	what string
	who  who
	ask  scheduler.Target
}{
	{"a kubelet renews its lease", kubelet, in("kube-node-lease", "update", coordination, "leases")},
	{"a kubelet updates the status of its node", kubelet, sub("", "patch", core, "nodes", "status")},
	{"a kubelet reads its node", kubelet, in("", "get", core, "nodes")},
	{"a kubelet lists its pods", kubelet, in("", "list", core, "pods")},
	{"a kubelet watches its pods", kubelet, in("", "watch", core, "pods")},
	{"a kubelet updates the status of a pod", kubelet, sub("shop", "patch", core, "pods", "status")},
	{"a kubelet reads a secret", kubelet, in("shop", "get", core, "secrets")},
	{"a kubelet watches a config map", kubelet, in("shop", "watch", core, "configmaps")},
	{"a kubelet asks for the token of a service account", kubelet, sub("shop", "create", core, "serviceaccounts", "token")},
	{"a kubelet creates an event", kubelet, in("shop", "create", core, "events")},

	{"kube-scheduler renews its lease", scheduling, in("kube-system", "update", coordination, "leases")},
	{"kube-scheduler watches all pods", scheduling, in("", "watch", core, "pods")},
	{"kube-scheduler binds a pod", scheduling, sub("shop", "create", core, "pods", "binding")},
	{"kube-scheduler creates an event", scheduling, in("shop", "create", events, "events")},

	{"kube-controller-manager renews its lease", manager, in("kube-system", "update", coordination, "leases")},
	{"kube-controller-manager lists all pods", manager, in("", "list", core, "pods")},
	{"kube-controller-manager creates a pod", manager, in("shop", "create", core, "pods")},
	{"kube-controller-manager updates an Endpoints object", manager, in("shop", "update", core, "endpoints")},
	{"kube-controller-manager asks for the token of a controller", manager, sub("kube-system", "create", core, "serviceaccounts", "token")},
	{"the endpoint controller updates an Endpoints object", endpoints, in("shop", "update", core, "endpoints")},
	{"the endpoint controller creates an Endpoints object", endpoints, in("shop", "create", core, "endpoints")},
	{"the EndpointSlice controller updates a slice", sliced, in("shop", "update", discovery, "endpointslices")},
	{"the EndpointSlice mirroring controller reads an Endpoints object", mirroring, in("shop", "get", core, "endpoints")},
	{"the garbage collector deletes a pod", collector, in("shop", "delete", core, "pods")},

	{"kube-proxy watches EndpointSlices", proxy, in("", "watch", discovery, "endpointslices")},
	{"CoreDNS watches EndpointSlices", dns, in("", "watch", discovery, "endpointslices")},
	{"the cluster autoscaler renews its lease", autoscaler, in("kube-system", "update", coordination, "leases")},
	{"the cluster autoscaler updates its config map", autoscaler, in("kube-system", "update", core, "configmaps")},
	{"the cluster autoscaler lists all nodes", autoscaler, in("", "list", core, "nodes")},
	{"metrics-server reviews an access", aggregated, in("", "create", "authorization.k8s.io", "subjectaccessreviews")},

	{"an operator renews its lease", operator, in("databases", "update", coordination, "leases")},
	{"an operator renews a config map as its lease", operator, in("databases", "update", core, "configmaps")},
	{"an operator watches its custom resources", operator, in("", "watch", custom, "databases")},
	{"an operator lists its custom resources", operator, in("", "list", custom, "databases")},
	{"an operator updates the status of a custom resource", operator, sub("shop", "update", custom, "databases", "status")},
	{"an operator creates a stateful set", operator, in("shop", "create", apps, "statefulsets")},
	{"an operator creates an event", operator, in("shop", "create", core, "events")},
	{"the service account of a pod reads a config map", pod, in("shop", "get", core, "configmaps")},
	{"the service account of a pod lists all pods", pod, in("", "list", core, "pods")},
	{"the service account of a pod watches all pods", pod, in("", "watch", core, "pods")},
	{"the service account of a pod updates a config map", pod, in("shop", "update", core, "configmaps")},
	{"an ingress controller watches all services", ingress, in("", "watch", core, "services")},
	{"an ingress controller updates the status of an ingress", ingress, sub("shop", "update", "networking.k8s.io", "ingresses", "status")},
	{"an ingress controller renews its lease", ingress, in("ingress-nginx", "update", coordination, "leases")},
	{"Argo CD lists all deployments", argo, in("", "list", apps, "deployments")},
	{"Argo CD patches a deployment", argo, in("shop", "patch", apps, "deployments")},
	{"Argo CD reads the OpenAPI document", argo, path("/openapi/v2")},
	{"Flux patches a deployment", flux, in("shop", "patch", apps, "deployments")},
	{"Flux renews its lease", flux, in("flux-system", "update", coordination, "leases")},
	{"cert-manager updates a webhook configuration", webhooks, in("", "update", "admissionregistration.k8s.io", "validatingwebhookconfigurations")},
	{"Prometheus watches all pods", prometheus, in("", "watch", core, "pods")},
	{"Prometheus scrapes the server's metrics", prometheus, path("/metrics")},

	{"a user lists pods with kubectl", human, in("shop", "list", core, "pods")},
	{"a user watches pods with kubectl", human, in("shop", "watch", core, "pods")},
	{"a user applies a deployment", human, in("shop", "patch", apps, "deployments")},
	{"a user reads the log of a pod", human, sub("shop", "get", core, "pods", "log")},
	{"a user discovers the API", human, path("/apis")},
	{"an administrator of system:masters lists nodes", admin, in("", "list", core, "nodes")},
	{"an administrator of kubeadm:cluster-admins lists nodes", clusters, in("", "list", core, "nodes")},
	{"a load balancer probes /readyz", anonymous, path("/readyz")},
	{"a kubelet probes /livez", anonymous, path("/livez")},
	{"an unknown client probes /healthz", anonymous, path("/healthz")},
	{"an unknown client asks for /version", anonymous, path("/version")},
	{"an unknown client lists secrets", anonymous, in("", "list", core, "secrets")},
	{"a monitoring user scrapes the server's metrics", monitoring, path("/metrics")},
}

// typicalRequests returns the built-in requests, which stand for those of any cluster.
func typicalRequests() []Request {
	var list []Request
	for _, t := range typical {
		list = append(list, Request{
			What: t.what, Count: 1, User: t.who.user, Groups: t.who.groups,
			Verb: t.ask.Verb, APIGroup: t.ask.APIGroup, Resource: t.ask.Resource, Subresource: t.ask.Subresource,
			Namespace: t.ask.Namespace, Path: t.ask.Path,
		})
	}
	return list
}
