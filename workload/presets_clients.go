package workload

import (
	"time"

	"github.com/apfsim/apfsim/workload/limiter"
)

// Clients that are state machines, and those beside them. The requests of a machine are in the
// order that its behaviour says.
var machinePresets = []Population{
	{
		// Kubelets: a lease each 10 s and a status each 5 min, with the client that the kubelet has
		// for its heartbeats: no limit of its own, and 10 s for a request (cmd/kubelet/app/server.go
		// and pkg/kubelet/apis/config/v1beta1/defaults.go, v1.37.2).
		Name:    "nodes",
		Clients: 100,
		User:    "system:node:node-{index}",
		Groups:  []string{"system:nodes", "system:authenticated"},
		Requests: []Template{
			{Verb: "update", APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: "kube-node-lease", Name: "node-{index}", Timeout: 10 * time.Second, Weight: 1},
			{Verb: "get", APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: "kube-node-lease", Name: "node-{index}", Timeout: 10 * time.Second, Weight: 1},
			{Verb: "patch", Resource: "nodes", Subresource: "status", Name: "node-{index}", Timeout: 10 * time.Second, Weight: 1},
			{Verb: "get", Resource: "nodes", Name: "node-{index}", Timeout: 10 * time.Second, Weight: 1},
		},
		Duration:  lognormal(5*time.Millisecond, 50*time.Millisecond),
		Retry:     Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Timeout:   10 * time.Second,
		Deadline:  DeadlineStops,
		Behaviour: DefaultHeartbeat(),
	},
	{
		// A controller with five workers, as many as most controllers of kube-controller-manager
		// have, and that program's client limits (pkg/controller/apis/config/v1alpha1/defaults.go
		// and component-base/config/v1alpha1, v1.37.2). Each key of its queue costs a read past the
		// cache, an object that is made and a status that is written.
		Name:    "controller",
		Clients: 1,
		User:    "system:serviceaccount:operators:controller-{index}",
		Groups:  serviceAccountGroups("operators"),
		Requests: []Template{
			{Verb: "get", Resource: "configmaps", Namespace: "operators", Name: "config", Weight: 1},
			{Verb: "create", Resource: "pods", Namespace: "operators", Weight: 1},
			{Verb: "update", APIGroup: "apps", Resource: "replicasets", Subresource: "status", Namespace: "operators", Name: "set", Weight: 1},
		},
		Duration:  lognormal(8*time.Millisecond, 80*time.Millisecond),
		Retry:     Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Limiter:   &limiter.Limiter{QPS: 20, Burst: 30},
		Behaviour: Controller{Workers: 5, Rate: 2, Initial: 100},
	},
	{
		// Controllers that watch pods and services as client-go does since 0.35 by default: with a
		// stream of initial events, and a LIST only where the server has no such stream.
		Name:    "informers",
		Clients: 10,
		User:    "system:serviceaccount:operators:watcher-{index}",
		Groups:  serviceAccountGroups("operators"),
		Requests: []Template{
			{Verb: "watch", Resource: "pods", Options: RawOptions{SendInitialEvents: true, ResourceVersionMatch: "NotOlderThan"}, Weight: 1},
			{Verb: "list", Resource: "pods", Options: RawOptions{ResourceVersion: "0"}, Weight: 1},
			{Verb: "watch", Resource: "pods", Weight: 1},
			{Verb: "watch", Resource: "services", Options: RawOptions{SendInitialEvents: true, ResourceVersionMatch: "NotOlderThan"}, Weight: 1},
			{Verb: "list", Resource: "services", Options: RawOptions{ResourceVersion: "0"}, Weight: 1},
			{Verb: "watch", Resource: "services", Weight: 1},
		},
		Duration:  lognormal(50*time.Millisecond, 500*time.Millisecond),
		Retry:     Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Limiter:   &limiter.Limiter{QPS: 20, Burst: 30},
		Behaviour: Informer{Over: 10 * time.Second},
	},
	{
		// The events of kubelets, with their client's limits (eventRecordQPS 50, eventBurst 100 in
		// pkg/kubelet/apis/config/v1beta1/defaults.go, v1.37.2): each node has thirty pods, of which
		// something is told every two seconds, in few words.
		Name:    "events",
		Clients: 100,
		User:    "system:node:node-{index}",
		Groups:  []string{"system:nodes", "system:authenticated"},
		Requests: []Template{
			{Verb: "create", Resource: "events", Namespace: "default", Weight: 1},
			{Verb: "patch", Resource: "events", Namespace: "default", Name: "event", Weight: 1},
		},
		Duration:  lognormal(5*time.Millisecond, 50*time.Millisecond),
		Retry:     Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Limiter:   &limiter.Limiter{QPS: 50, Burst: 100},
		Behaviour: Recorder{Rate: 0.5, Objects: 30, Messages: 4, Aggregate: true},
	},
	{
		// AI agents that are woken together: each claims a sandbox, asks every two seconds whether
		// its job is done, looks at what there is and removes the job (kubernetes-sigs/agent-sandbox
		// issue 1270 has a burst of 300).
		Name:    "agents",
		Clients: 300,
		User:    "system:serviceaccount:agents:agent-{index}",
		Groups:  serviceAccountGroups("agents"),
		Requests: []Template{
			{Verb: "create", APIGroup: "batch", Resource: "jobs", Namespace: "agents", Weight: 1},
			{Verb: "get", APIGroup: "batch", Resource: "jobs", Namespace: "agents", Name: "job-{index}", Weight: 1},
			{Verb: "list", Resource: "pods", Namespace: "agents", Options: RawOptions{LabelSelector: "app=agent"}, Weight: 1},
			{Verb: "delete", APIGroup: "batch", Resource: "jobs", Namespace: "agents", Name: "job-{index}", Weight: 1},
		},
		Duration: lognormal(20*time.Millisecond, 200*time.Millisecond),
		Retry:    Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Limiter:  &limiter.Limiter{QPS: limiter.DefaultQPS, Burst: limiter.DefaultBurst},
		Behaviour: Session{
			At: 10 * time.Second, Over: 2 * time.Second, Think: exponential(30 * time.Second),
			Steps: []Step{{Request: 0, Times: 1, Pause: 2 * time.Second}, {Request: 1, Times: 5, Pause: 2 * time.Second}, {Request: 2, Times: 1}, {Request: 3, Times: 1}},
		},
	},
	{
		// The pods of a DaemonSet that restart ten at a time, all of one service account, and list
		// what they watch from the cache, as client-go did before 0.35 and still does where
		// WatchListClient is off.
		Name:    "daemonset-restart",
		Clients: 100,
		User:    "system:serviceaccount:monitoring:agent",
		Groups:  serviceAccountGroups("monitoring"),
		Requests: []Template{
			{Verb: "list", Resource: "pods", Options: RawOptions{ResourceVersion: "0"}, Weight: 1},
			{Verb: "watch", Resource: "pods", Weight: 1},
			{Verb: "list", Resource: "nodes", Options: RawOptions{ResourceVersion: "0"}, Weight: 1},
			{Verb: "watch", Resource: "nodes", Weight: 1},
		},
		Duration:  lognormal(200*time.Millisecond, 2*time.Second),
		Retry:     Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Limiter:   &limiter.Limiter{QPS: limiter.DefaultQPS, Burst: limiter.DefaultBurst},
		Behaviour: Rollout{At: 30 * time.Second, MaxUnavailable: 10, Start: lognormal(5*time.Second, 20*time.Second)},
	},
	{
		// People at kubectl: discovery, which is two requests since it is aggregated (1.27), then a
		// LIST in pages of 500 and an object; and a while to read. Each command is a process of its
		// own with a full bucket, so the limit is that of discovery, which is the most that one
		// asks for (WithDiscoveryQPS and WithDiscoveryBurst in kubectl's pkg/cmd/cmd.go).
		Name:    "kubectl-users",
		Clients: 20,
		User:    "user-{index}",
		Groups:  []string{"system:authenticated"},
		Requests: []Template{
			{Verb: "get", Path: "/api", Weight: 1},
			{Verb: "get", Path: "/apis", Weight: 1},
			{Verb: "list", Resource: "pods", Namespace: "team-{index}", Options: RawOptions{Limit: 500}, Weight: 1},
			{Verb: "get", Resource: "pods", Namespace: "team-{index}", Name: "app-0", Weight: 1},
		},
		Duration: lognormal(10*time.Millisecond, 200*time.Millisecond),
		Retry:    Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Limiter:  &limiter.Limiter{QPS: 50, Burst: 300},
		Behaviour: Session{
			Over: time.Minute, Think: exponential(time.Minute),
			Steps: []Step{{Request: 0, Times: 1}, {Request: 1, Times: 1}, {Request: 2, Times: 1, Pause: 10 * time.Second}, {Request: 3, Times: 1}},
		},
	},
	{
		// What looks whether an API server is well: the kubelet of its own node, and the load
		// balancers before it, who send no credentials. kubeadm's manifests ask for livez each 10 s
		// and readyz each second.
		Name:    "probes",
		Clients: 3,
		User:    "system:anonymous",
		Groups:  []string{"system:unauthenticated"},
		Requests: []Template{
			{Verb: "get", Path: "/readyz", Weight: 10},
			{Verb: "get", Path: "/livez", Weight: 1},
			{Verb: "get", Path: "/healthz", Weight: 1},
		},
		Duration: lognormal(2*time.Millisecond, 20*time.Millisecond),
		Open:     open(Periodic(time.Second, 100*time.Millisecond)),
	},
	{
		// Admission webhooks that read before they answer. Requests of other populations call for
		// theirs: what they ask for is asked while somebody else's request holds its seats.
		Name:    "webhooks",
		Clients: 3,
		User:    "system:serviceaccount:webhooks:webhook-{index}",
		Groups:  serviceAccountGroups("webhooks"),
		Requests: []Template{
			{Verb: "get", Resource: "namespaces", Name: "team", Weight: 1},
			{Verb: "list", Resource: "resourcequotas", Namespace: "team", Options: RawOptions{ResourceVersion: "0"}, Weight: 1},
		},
		Duration: lognormal(5*time.Millisecond, 50*time.Millisecond),
		Retry:    Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Limiter:  &limiter.Limiter{QPS: 20, Burst: 30},
		Called:   true,
	},
}

// exponential is Exponential for a mean that is known to be legal.
func exponential(mean time.Duration) Distribution {
	d, err := Exponential(mean)
	if err != nil {
		panic("workload: exponential: " + err.Error())
	}
	return d
}
