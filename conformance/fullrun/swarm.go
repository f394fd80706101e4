package fullrun

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	flowcontrol "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Case is a scenario with a trace, drawn from a seed.
type Case struct {
	Seed     uint64
	Scenario *Scenario
	Trace    []Request
	random   *rand.Rand
}

// Draw draws everything: the server's size, priority levels and flow schemas, what is
// stored and watched, the traffic, and in two of three cases what is changed meanwhile.
// The same seed gives the same case. The trace may have coincidences; see Nudge.
func Draw(seed uint64) *Case {
	levels, schemas := BuiltIn()
	return DrawOver(levels, schemas, seed)
}

// Random returns the case's source of random numbers, which has drawn it.
func (c *Case) Random() *rand.Rand { return c.random }

// DrawOver does the same for a server with built-in objects of its own, which it changes.
func DrawOver(levels []*flowcontrol.PriorityLevelConfiguration, schemas []*flowcontrol.FlowSchema, seed uint64) *Case {
	c := &Case{Seed: seed, random: rand.New(rand.NewPCG(seed, 0x5ca1ab1e))}
	r := c.random
	c.Scenario = &Scenario{
		Seats:           pick(r, 1+r.IntN(12), 20+r.IntN(60), 60+r.IntN(300), 600, 1000+r.IntN(2000)),
		RequestTimeout:  pick(r, time.Minute, time.Minute, time.Duration(1+r.IntN(20))*time.Second, 10*time.Minute),
		ConsistentReads: !oneIn(r, 4),
		Objects:         map[string]Objects{},
	}
	sc := c.Scenario
	sc.PriorityLevels, sc.FlowSchemas = levels, schemas
	if !oneIn(r, 4) {
		sc.drawLevels(r)
		sc.drawSchemas(r)
	}
	sc.drawStored(r)
	c.Trace = drawTrace(r, sc.Seats)
	if !oneIn(r, 3) && len(c.Trace) > 0 {
		last := slices.MaxFunc(c.Trace, func(a, b Request) int { return cmp.Compare(a.Arrival, b.Arrival) })
		sc.drawChanges(r, time.Duration(last.Arrival))
	}
	return c
}

// drawLevels changes some of the suggested levels and adds some.
func (sc *Scenario) drawLevels(r *rand.Rand) {
	for _, o := range sc.PriorityLevels {
		switch {
		case o.Name == flowcontrol.PriorityLevelConfigurationNameCatchAll:
		case o.Spec.Exempt != nil:
			if oneIn(r, 3) {
				o.Spec.Exempt.NominalConcurrencyShares = new(int32(r.IntN(100)))
				o.Spec.Exempt.LendablePercent = new(percent(r))
			}
		case oneIn(r, 2):
			o.Spec = limited(r)
			// With "true" a server would restore its own spec.
			o.Annotations = map[string]string{flowcontrol.AutoUpdateAnnotationKey: "false"}
		}
	}
	for i := range r.IntN(4) {
		sc.SetLevel(&flowcontrol.PriorityLevelConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s%d", ownLevel, i)}, Spec: limited(r),
		})
	}
}

func percent(r *rand.Rand) int32 { return pick(r, 0, 100, int32(r.IntN(101))) }

// limited draws a level that queues or rejects, sometimes without any seats.
func limited(r *rand.Rand) flowcontrol.PriorityLevelConfigurationSpec {
	l := &flowcontrol.LimitedPriorityLevelConfiguration{
		NominalConcurrencyShares: new(pick(r, int32(0), int32(1+r.IntN(10)), int32(1+r.IntN(100)), int32(1+r.IntN(100)))),
		LendablePercent:          new(percent(r)),
		LimitResponse:            flowcontrol.LimitResponse{Type: flowcontrol.LimitResponseTypeReject},
	}
	if oneIn(r, 3) {
		l.BorrowingLimitPercent = new(int32(r.IntN(200)))
	}
	if !oneIn(r, 5) {
		shape := pick(r, [2]int32{1, 1}, [2]int32{2, 1}, [2]int32{2, 2}, [2]int32{8, 3}, [2]int32{16, 4}, [2]int32{64, 6}, [2]int32{128, 6}, [2]int32{512, 5})
		l.LimitResponse = flowcontrol.LimitResponse{
			Type: flowcontrol.LimitResponseTypeQueue,
			Queuing: &flowcontrol.QueuingConfiguration{
				Queues: shape[0], HandSize: shape[1], QueueLengthLimit: pick[int32](r, 1, 3, 10, 50, 200),
			},
		}
	}
	return flowcontrol.PriorityLevelConfigurationSpec{Type: flowcontrol.PriorityLevelEnablementLimited, Limited: l}
}

// drawSchemas adds schemas for some of the users of the traffic, in front of the
// suggested ones, behind them and between. One may refer to a level that is missing.
func (sc *Scenario) drawSchemas(r *rand.Rand) {
	for i := range r.IntN(6) {
		sc.SetSchema(drawSchema(r, fmt.Sprintf("%s%d", ownSchema, i), sc.PriorityLevels))
	}
}

func drawSchema(r *rand.Rand, name string, levels []*flowcontrol.PriorityLevelConfiguration) *flowcontrol.FlowSchema {
	s := &flowcontrol.FlowSchema{ObjectMeta: metav1.ObjectMeta{Name: name}}
	s.Spec.MatchingPrecedence = int32(2 + r.IntN(9999))
	s.Spec.PriorityLevelConfiguration.Name = pick(r, levels...).Name
	if oneIn(r, 10) {
		s.Spec.PriorityLevelConfiguration.Name = "missing"
	}
	switch r.IntN(3) {
	case 0:
		s.Spec.DistinguisherMethod = &flowcontrol.FlowDistinguisherMethod{Type: flowcontrol.FlowDistinguisherMethodByUserType}
	case 1:
		s.Spec.DistinguisherMethod = &flowcontrol.FlowDistinguisherMethod{Type: flowcontrol.FlowDistinguisherMethodByNamespaceType}
	}
	for range 1 + r.IntN(2) {
		s.Spec.Rules = append(s.Spec.Rules, drawRule(r))
	}
	return s
}

func drawRule(r *rand.Rand) flowcontrol.PolicyRulesWithSubjects {
	var rule flowcontrol.PolicyRulesWithSubjects
	for range 1 + r.IntN(2) {
		rule.Subjects = append(rule.Subjects, pick(r,
			flowcontrol.Subject{Kind: flowcontrol.SubjectKindGroup, Group: &flowcontrol.GroupSubject{Name: pick(r, "system:serviceaccounts", "system:nodes", "team", "*")}},
			flowcontrol.Subject{Kind: flowcontrol.SubjectKindUser, User: &flowcontrol.UserSubject{Name: pick(r, "alice", "system:kube-scheduler", "*")}},
			flowcontrol.Subject{Kind: flowcontrol.SubjectKindServiceAccount, ServiceAccount: &flowcontrol.ServiceAccountSubject{
				Namespace: pick(r, "ci", "ops", "kube-system"), Name: pick(r, "*", "bot-1"),
			}}))
	}
	some := func(words ...string) []string {
		if oneIn(r, 2) {
			return []string{"*"}
		}
		first := r.IntN(len(words))
		return words[first : first+1+r.IntN(len(words)-first)]
	}
	rule.ResourceRules = []flowcontrol.ResourcePolicyRule{{
		Verbs: some("get", "list", "watch", "create", "update", "patch", "delete"), APIGroups: some("", "apps", "coordination.k8s.io"),
		Resources: some("pods", "pods/status", "leases", "deployments", "configmaps"), Namespaces: some("prod", "dev", "kube-system"),
		ClusterScope: oneIn(r, 2),
	}}
	if oneIn(r, 3) {
		rule.NonResourceRules = []flowcontrol.NonResourcePolicyRule{{Verbs: some("get", "delete"), NonResourceURLs: some("/metrics", "/openapi/*", "/healthz")}}
	}
	return rule
}

// drawStored draws what is stored and what is watched. Some resources are unknown.
func (sc *Scenario) drawStored(r *rand.Rand) {
	for _, resource := range storedResources {
		if oneIn(r, 4) {
			continue
		}
		key := resource.name
		if resource.group != "" {
			key += "." + resource.group
		}
		sc.Objects[key] = Objects{
			Count: r.Int64N(pick[int64](r, 20, 3000, 100_000)), AverageBytes: pick[int64](r, 300, 4000, 50_000, 1+r.Int64N(20_000)),
			Stale: oneIn(r, 15),
		}
		for range r.IntN(3) {
			sc.Watches = append(sc.Watches, Watch{
				APIGroup: resource.group, Resource: resource.name, Count: 1 + r.IntN(pick(r, 12, 150)),
				Namespace: pick(r, "", "prod", "dev"), Name: pick(r, "", "", "", "p1"),
			})
		}
	}
}

// resource is a group and a name.
type resource struct{ group, name string }

var storedResources = []resource{
	{"", "pods"}, {"", "configmaps"}, {"", "serviceaccounts"}, {"apps", "deployments"}, {"coordination.k8s.io", "leases"},
}

// oneIn is true once in n draws.
func oneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// pick draws one of the values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }
