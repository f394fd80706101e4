package workload

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/internal/suggest"
)

// presets are common populations in the primitives of this package. Whoever uses one may
// override any field.
var presets = slices.Concat(plainPresets, machinePresets)

// plainPresets are those of the first hour: clients that only send, and leaders.
var plainPresets = []Population{
	{
		// A controller whose reconcile loop has run away: one user, far more requests than its
		// share, a tenth of them LISTs over all namespaces.
		Name:    "elephant",
		Clients: 1,
		User:    "system:serviceaccount:runaway:controller-{index}",
		Groups:  serviceAccountGroups("runaway"),
		Requests: []Template{
			{Verb: "get", Resource: "pods", Namespace: "runaway", Name: "worker", Weight: 9},
			{Verb: "list", Resource: "pods", Options: RawOptions{ResourceVersion: "0"}, Weight: 1},
		},
		Duration: lognormal(40*time.Millisecond, 400*time.Millisecond),
		Retry:    Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Open:     open(Poisson(200)),
	},
	{
		// Well-behaved applications, each with a user and a namespace of its own: now and then
		// a read, seldom a write.
		Name:    "mice",
		Clients: 60,
		User:    "system:serviceaccount:team-{index}:app",
		Groups:  serviceAccountGroups(""),
		Requests: []Template{
			{Verb: "get", Resource: "configmaps", Namespace: "team-{index}", Name: "app", Weight: 6},
			{Verb: "get", Resource: "pods", Namespace: "team-{index}", Name: "app-0", Weight: 3},
			{Verb: "update", Resource: "configmaps", Namespace: "team-{index}", Name: "app", Weight: 1},
		},
		Duration: lognormal(5*time.Millisecond, 50*time.Millisecond),
		Retry:    Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Open:     open(Poisson(2)),
	},
	{
		// Agents on every node that start over at the same time, and each list everything
		// without a limit: cache and storage, with and without a selector.
		Name:    "list-storm",
		Clients: 100,
		User:    "system:serviceaccount:monitoring:agent-{index}",
		Groups:  serviceAccountGroups("monitoring"),
		Requests: []Template{
			{Verb: "list", Resource: "pods", Weight: 3},
			{Verb: "list", Resource: "pods", Options: RawOptions{ResourceVersion: "0"}, Weight: 3},
			{Verb: "list", Resource: "events", Options: RawOptions{FieldSelector: "type=Warning"}, Weight: 2},
			{Verb: "list", Resource: "secrets", Weight: 1},
			{Verb: "list", APIGroup: "discovery.k8s.io", Resource: "endpointslices", Weight: 1},
		},
		Duration: lognormal(500*time.Millisecond, 5*time.Second),
		Retry:    Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Open:     open(Burst(10*time.Second, 10, 20*time.Second)),
	},
	{
		// Leaders of control plane components, with the timing that kube-controller-manager and
		// kube-scheduler have by default. Their client asks for half the renew deadline as the
		// time limit of a request (NewFromKubeconfig in client-go's
		// tools/leaderelection/resourcelock), so a renewal waits in a queue for a quarter of
		// that at most, and after all of it they try again.
		Name:    "leader-election",
		Clients: 2,
		User:    "system:serviceaccount:kube-system:leader-{index}",
		Groups:  serviceAccountGroups("kube-system"),
		Requests: []Template{
			{
				Verb: "update", APIGroup: "coordination.k8s.io", Resource: "leases",
				Namespace: "kube-system", Name: "leader-{index}", Timeout: 5 * time.Second, Weight: 1,
			},
			{
				Verb: "get", APIGroup: "coordination.k8s.io", Resource: "leases",
				Namespace: "kube-system", Name: "leader-{index}", Timeout: 5 * time.Second, Weight: 1,
			},
		},
		Duration: lognormal(5*time.Millisecond, 50*time.Millisecond),
		Retry:    Retry{Policy: RetryClientGo, MaxRetries: DefaultMaxRetries},
		Timeout:  5 * time.Second,
		Deadline: DeadlineStops,
		Behaviour: Lease{
			Duration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
			Restart: 5 * time.Second,
		},
	},
}

// serviceAccountGroups are the groups that the API server gives to service accounts of a
// namespace. For a population in many namespaces the group of the namespace is left out:
// groups are the same for all clients.
func serviceAccountGroups(namespace string) []string {
	groups := []string{"system:serviceaccounts", "system:authenticated"}
	if namespace != "" {
		groups = slices.Insert(groups, 1, "system:serviceaccounts:"+namespace)
	}
	return groups
}

// lognormal is Lognormal for parameters that are known to be legal.
func lognormal(p50, p99 time.Duration) Distribution {
	d, err := Lognormal(p50, p99)
	if err != nil {
		panic(fmt.Sprintf("workload: lognormal(%v, %v): %v", p50, p99, err))
	}
	return d
}

func open(a Arrivals) *Arrivals { return &a }

// PresetNames returns the names of all presets, in a fixed order.
func PresetNames() []string {
	names := make([]string, len(presets))
	for i := range presets {
		names[i] = presets[i].Name
	}
	return names
}

// Preset returns the population of a preset: a copy, which the caller may change and should
// give a name of its own. The error says which names there are.
func Preset(name string) (Population, error) {
	for i := range presets {
		if presets[i].Name == name {
			p := presets[i].clone()
			p.Preset = name
			return p, nil
		}
	}
	err := &FieldError{"preset", fmt.Sprintf("there is no preset %q", name), strings.Join(PresetNames(), ", ")}
	if near, ok := suggest.Nearest(name, PresetNames()); ok {
		err.Problem += fmt.Sprintf("; did you mean %q?", near)
	}
	return Population{}, err
}

// clone returns a copy that shares nothing that can be changed.
func (p *Population) clone() Population {
	c := *p
	c.Groups = slices.Clone(p.Groups)
	c.Requests = slices.Clone(p.Requests)
	for i := range c.Requests {
		c.Requests[i].Duration = copied(c.Requests[i].Duration)
	}
	c.Open, c.Closed, c.Limiter = copied(p.Open), copied(p.Closed), copied(p.Limiter)
	if s, ok := c.Behaviour.(Session); ok {
		s.Steps = slices.Clone(s.Steps)
		c.Behaviour = s
	}
	if c.Open != nil {
		c.Open.Stages = slices.Clone(c.Open.Stages)
	}
	return c
}

// copied returns a pointer to a copy of what p points to, nil for nil.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
