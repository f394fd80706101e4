package kubectl

import (
	"strings"

	"github.com/apfsim/apfsim/internal/suggest"
)

// Resource is a resource of the API.
type Resource struct {
	// Name is the plural that URLs and rules have.
	Name, Kind, Group string
	// Short are the short names.
	Short []string
	// Cluster tells that its objects are in no namespace.
	Cluster bool
}

// in makes the resources of a group from lines of a name, a kind, and short names. A kind
// that begins with a dot is of objects in no namespace.
func in(group, text string) []Resource {
	var out []Resource
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words := strings.Fields(line)
		kind, cluster := strings.CutPrefix(words[1], ".")
		out = append(out, Resource{Name: words[0], Kind: kind, Group: group, Short: words[2:], Cluster: cluster})
	}
	return out
}

// resources are those that come with Kubernetes. Where several groups have a resource of
// one name, the first is the one that kubectl takes.
var resources = join(
	in("", `
bindings Binding
componentstatuses .ComponentStatus cs
configmaps ConfigMap cm
endpoints Endpoints ep
events Event ev
limitranges LimitRange limits
namespaces .Namespace ns
nodes .Node no
persistentvolumeclaims PersistentVolumeClaim pvc
persistentvolumes .PersistentVolume pv
pods Pod po
podtemplates PodTemplate
replicationcontrollers ReplicationController rc
resourcequotas ResourceQuota quota
secrets Secret
serviceaccounts ServiceAccount sa
services Service svc`),
	in("admissionregistration.k8s.io", `
mutatingadmissionpolicies .MutatingAdmissionPolicy
mutatingadmissionpolicybindings .MutatingAdmissionPolicyBinding
mutatingwebhookconfigurations .MutatingWebhookConfiguration
validatingadmissionpolicies .ValidatingAdmissionPolicy
validatingadmissionpolicybindings .ValidatingAdmissionPolicyBinding
validatingwebhookconfigurations .ValidatingWebhookConfiguration`),
	in("apiextensions.k8s.io", `
customresourcedefinitions .CustomResourceDefinition crd crds`),
	in("apiregistration.k8s.io", `
apiservices .APIService`),
	in("apps", `
controllerrevisions ControllerRevision
daemonsets DaemonSet ds
deployments Deployment deploy
replicasets ReplicaSet rs
statefulsets StatefulSet sts`),
	in("authentication.k8s.io", `
selfsubjectreviews .SelfSubjectReview
tokenreviews .TokenReview`),
	in("authorization.k8s.io", `
localsubjectaccessreviews LocalSubjectAccessReview
selfsubjectaccessreviews .SelfSubjectAccessReview
selfsubjectrulesreviews .SelfSubjectRulesReview
subjectaccessreviews .SubjectAccessReview`),
	in("autoscaling", `
horizontalpodautoscalers HorizontalPodAutoscaler hpa`),
	in("batch", `
cronjobs CronJob cj
jobs Job`),
	in("certificates.k8s.io", `
certificatesigningrequests .CertificateSigningRequest csr
clustertrustbundles .ClusterTrustBundle
podcertificaterequests PodCertificateRequest`),
	in("coordination.k8s.io", `
leases Lease
leasecandidates LeaseCandidate`),
	in("discovery.k8s.io", `
endpointslices EndpointSlice`),
	in("events.k8s.io", `
events Event ev`),
	in("flowcontrol.apiserver.k8s.io", `
flowschemas .FlowSchema
prioritylevelconfigurations .PriorityLevelConfiguration`),
	in("metrics.k8s.io", `
nodes .NodeMetrics
pods PodMetrics`),
	in("networking.k8s.io", `
ingressclasses .IngressClass
ingresses Ingress ing
ipaddresses .IPAddress ip
networkpolicies NetworkPolicy netpol
servicecidrs .ServiceCIDR`),
	in("node.k8s.io", `
runtimeclasses .RuntimeClass`),
	in("policy", `
poddisruptionbudgets PodDisruptionBudget pdb`),
	in("rbac.authorization.k8s.io", `
clusterrolebindings .ClusterRoleBinding
clusterroles .ClusterRole
rolebindings RoleBinding
roles Role`),
	in("resource.k8s.io", `
deviceclasses .DeviceClass
resourceclaims ResourceClaim
resourceclaimtemplates ResourceClaimTemplate
resourceslices .ResourceSlice`),
	in("scheduling.k8s.io", `
priorityclasses .PriorityClass pc`),
	in("storage.k8s.io", `
csidrivers .CSIDriver
csinodes .CSINode
csistoragecapacities CSIStorageCapacity
storageclasses .StorageClass sc
volumeattachments .VolumeAttachment
volumeattributesclasses .VolumeAttributesClass vac`),
)

func join(groups ...[]Resource) []Resource {
	var out []Resource
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

// all is what the category "all" stands for.
var all = []string{
	"pods", "replicationcontrollers", "services", "daemonsets", "deployments", "replicasets", "statefulsets",
	"horizontalpodautoscalers", "cronjobs", "jobs",
}

// Find returns the resource that a word means to kubectl: a plural, a singular, a short
// name or a kind, in any case, alone or with its group, with or without a version between
// the two. A resource that no list holds is taken as it is if it comes with a group of
// two or more parts, as those of custom resources do, and then known is false.
func Find(word string) (r Resource, known bool, err error) {
	name, group, dotted := strings.Cut(strings.ToLower(word), ".")
	for _, r := range resources {
		if r.means(name) && (!dotted || group == r.Group || unversioned(group) == r.Group) {
			return r, true, nil
		}
	}
	if dotted && strings.Contains(unversioned(group), ".") && name != "" {
		return Resource{Name: name, Group: unversioned(group)}, false, nil
	}
	f := &Fault{Message: "the resource " + quote(word) + " is not known"}
	if near, ok := suggest.Nearest(name, names()); ok {
		f.Hint = "did you mean " + near + "?"
	} else {
		f.Hint = "write a custom resource with its group, as in certificates.cert-manager.io"
	}
	return Resource{}, false, f
}

// means tells whether a word in lower case is a name of the resource.
func (r *Resource) means(word string) bool {
	if word == r.Name || word == strings.ToLower(r.Kind) {
		return true
	}
	for _, s := range r.Short {
		if word == s {
			return true
		}
	}
	return false
}

// unversioned takes a version off the beginning of a group: v1.apps is apps.
func unversioned(group string) string {
	version, rest, ok := strings.Cut(group, ".")
	if ok && len(version) > 1 && version[0] == 'v' && version[1] >= '0' && version[1] <= '9' {
		return rest
	}
	return group
}

// OfKind returns the resource of a kind in a group as manifests name them.
func OfKind(group, kind string) (Resource, bool) {
	for _, r := range resources {
		if r.Kind == kind && r.Group == group {
			return r, true
		}
	}
	return Resource{}, false
}

// names lists all that Find knows.
func names() []string {
	var out []string
	for _, r := range resources {
		out = append(append(out, r.Name), r.Short...)
	}
	return out
}

// collection is the path of all objects of the resource in a namespace, "" for all.
func (r *Resource) collection(namespace string) string {
	path := "/api/v1"
	if r.Group != "" {
		path = "/apis/" + r.Group + "/v1"
	}
	if namespace != "" && !r.Cluster {
		path += "/namespaces/" + namespace
	}
	return path + "/" + r.Name
}
