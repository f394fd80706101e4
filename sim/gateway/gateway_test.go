package gateway

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/workload"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// named returns the stream of a name, in a way that tells names apart.
func named(name string) workload.Stream {
	var lo uint64
	for _, c := range []byte(name) {
		lo = lo*131 + uint64(c)
	}
	return workload.NewStream(1, lo)
}

// values and patterns are small worlds in which matches are frequent.
var (
	values   = []string{"a", "ab", "b", "b:1", "b:2", ""}
	patterns = []string{"a", "ab", "a*", "b:*", "b:1", "*"}
	entries  = []string{"pods", "pods/status", "pods/*", "*/status", "*", "leases"}
	paths    = []string{"/healthz", "/healthz/*", "/*", "*"}
)

func drawSome(t *rapid.T, from []string, name string) []string {
	return rapid.SliceOfN(rapid.SampledFrom(from), 0, 2).Draw(t, name)
}

func drawMatch(t *rapid.T) Match {
	return Match{
		Users:      drawSome(t, patterns, "users"),
		Groups:     drawSome(t, patterns, "groups"),
		Verbs:      drawSome(t, []string{"get", "list", "*"}, "verbs"),
		APIGroups:  drawSome(t, []string{"", "apps", "*"}, "apiGroups"),
		Resources:  drawSome(t, entries, "resources"),
		Namespaces: drawSome(t, patterns, "namespaces"),
		Paths:      drawSome(t, paths, "paths"),
	}
}

func drawSubject(t *rapid.T) Subject {
	return Subject{rapid.SampledFrom(values).Draw(t, "user"), drawSome(t, values, "in")}
}

func drawTarget(t *rapid.T) Target {
	verb := rapid.SampledFrom([]string{"get", "list"}).Draw(t, "verb")
	if rapid.Bool().Draw(t, "aPath") {
		return Target{Verb: verb, Path: rapid.SampledFrom([]string{"/healthz", "/healthz/etcd", "/version"}).Draw(t, "path")}
	}
	return Target{
		Verb: verb, APIGroup: rapid.SampledFrom([]string{"", "apps"}).Draw(t, "apiGroup"),
		Resource:    rapid.SampledFrom([]string{"pods", "leases"}).Draw(t, "resource"),
		Subresource: rapid.SampledFrom([]string{"", "status", "log"}).Draw(t, "subresource"),
		Namespace:   rapid.SampledFrom(values).Draw(t, "namespace"),
	}
}

// TestTable compares the table of classes with matching anew, in any order of subjects and
// targets, with more rules than fit into one word.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var cfg Config
		for i := range rapid.SampledFrom([]int{0, 1, 3, 5, 70}).Draw(t, "rules") {
			if i >= 5 && i < 65 { // never matches
				cfg.Rules = append(cfg.Rules, Rule{Name: fmt.Sprint(i), Match: Match{Users: []string{"nobody"}}})
				continue
			}
			cfg.Rules = append(cfg.Rules, Rule{Name: fmt.Sprint(i), Match: drawMatch(t)})
		}
		g := New(&cfg, balance.Random, named)
		for range 30 {
			s, target := drawSubject(t), drawTarget(t)
			var rule int32
			if rapid.Bool().Draw(t, "targetFirst") {
				id := g.Target(target)
				rule = g.facts.rule(g.Subject(s.User, s.Groups), id)
			} else {
				rule = g.facts.rule(g.Subject(s.User, s.Groups), g.Target(target))
			}
			if want, _ := cfg.Rule(s, target); int(rule) != want {
				t.Fatalf("%+v %+v: rule %d, want %d", s, target, rule, want)
			}
		}
	})
}

// TestInterning holds that the same subject and target get the same number, and different
// ones different numbers.
func TestInterning(t *testing.T) {
	g := New(&Config{}, balance.Random, named)
	subject, target := g.Subject("a", []string{"b", "c"}), g.Target(Target{Verb: "get"})
	if g.Subject("a", []string{"b", "c"}) != subject || g.Target(Target{Verb: "get"}) != target {
		t.Error("the same has two numbers")
	}
	if g.Subject("a", []string{"b", "c"}) == g.Subject("a", []string{"c", "b"}) || g.Subject("a", nil) == g.Subject("b", nil) {
		t.Error("different subjects have one number")
	}
	if g.Target(Target{Resource: "pods", Subresource: "log"}) == g.Target(Target{Resource: "pods", Namespace: "log"}) {
		t.Error("different targets have one number")
	}
}

// TestMatch is a table of what the documentation of Match says.
func TestMatch(t *testing.T) {
	node := Subject{"system:node:n1", []string{"system:nodes", "system:authenticated"}}
	agent := Subject{"system:serviceaccount:agents:a7", []string{"system:authenticated"}}
	lease := Target{Verb: "update", APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: "kube-node-lease"}
	status := Target{Verb: "patch", Resource: "nodes", Subresource: "status"}
	health := Target{Verb: "get", Path: "/healthz/etcd"}
	for _, c := range []struct {
		name  string
		match Match
		s     Subject
		t     Target
		want  bool
	}{
		{"nothing said", Match{}, node, lease, true},
		{"nothing said, a path", Match{}, node, health, true},
		{"heartbeat lease", Match{Groups: []string{"system:nodes"}, Resources: []string{"leases", "nodes/status"}}, node, lease, true},
		{"heartbeat status", Match{Groups: []string{"system:nodes"}, Resources: []string{"leases", "nodes/status"}}, node, status, true},
		{"of somebody else", Match{Groups: []string{"system:nodes"}, Resources: []string{"leases"}}, agent, lease, false},
		{"a resource without its subresource", Match{Resources: []string{"nodes"}}, node, status, false},
		{"any subresource", Match{Resources: []string{"nodes/*"}}, node, status, true},
		{"any subresource, and there is none", Match{Resources: []string{"leases/*"}}, node, lease, false},
		{"a subresource of any", Match{Resources: []string{"*/status"}}, node, status, true},
		{"everything", Match{Resources: []string{"*"}}, node, status, true},
		{"users by prefix", Match{Users: []string{"system:serviceaccount:agents:*"}}, agent, lease, true},
		{"users whole", Match{Users: []string{"system:serviceaccount:agents"}}, agent, lease, false},
		{"user and group", Match{Users: []string{"*"}, Groups: []string{"system:masters"}}, agent, lease, false},
		{"no namespace", Match{Namespaces: []string{""}}, node, status, true},
		{"no namespace, and there is one", Match{Namespaces: []string{""}}, node, lease, false},
		{"core group", Match{APIGroups: []string{""}}, node, lease, false},
		{"resources leave paths out", Match{Resources: []string{"*"}}, node, health, false},
		{"paths leave resources out", Match{Paths: []string{"*"}}, node, lease, false},
		{"either", Match{Paths: []string{"/healthz/*"}, Resources: []string{"leases"}}, node, health, true},
		{"either, the other", Match{Paths: []string{"/healthz/*"}, Resources: []string{"leases"}}, node, lease, true},
		{"verbs of paths", Match{Verbs: []string{"get"}}, node, health, true},
		{"a path whole", Match{Paths: []string{"/healthz"}}, node, health, false},
	} {
		if got := c.match.subject(c.s) && c.match.target(c.t); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestCovers holds that what a covered rule matches is matched by the other too.
func TestCovers(t *testing.T) {
	covered := 0
	rapid.Check(t, func(t *rapid.T) {
		wide, narrow := drawMatch(t), drawMatch(t)
		if !wide.covers(&narrow) {
			return
		}
		covered++
		for range 20 {
			s, target := drawSubject(t), drawTarget(t)
			if narrow.subject(s) && narrow.target(target) && !(wide.subject(s) && wide.target(target)) {
				t.Fatalf("%+v %+v is matched by %+v and not by %+v", s, target, narrow, wide)
			}
		}
	})
	if covered == 0 {
		t.Error("no pair of rules was covered")
	}
}

// TestBucket compares with rational numbers.
func TestBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		milli := rapid.OneOf(rapid.Int64Range(1, 5000), rapid.Int64Range(1, qpsMax*1000)).Draw(t, "milli")
		burst := rapid.OneOf(rapid.IntRange(1, 4), rapid.IntRange(1, countMax)).Draw(t, "burst")
		r := newRate(&Rate{QPS: float64(milli) / 1000, Burst: burst})
		perNano := big.NewRat(milli, 1e12)
		b, tokens, capacity, one := r.full(), big.NewRat(int64(burst), 1), big.NewRat(int64(burst), 1), big.NewRat(1, 1)
		now := time.Duration(0)
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			pause := time.Duration(rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(0, int64(time.Hour)),
				rapid.Just(int64(1e12)/milli)).Draw(t, "pause"))
			now += pause
			tokens.Add(tokens, new(big.Rat).Mul(perNano, big.NewRat(int64(pause), 1)))
			if tokens.Cmp(capacity) > 0 {
				tokens.Set(capacity)
			}
			ok, wait := r.take(&b, now)
			if ok != (tokens.Cmp(one) >= 0) {
				t.Fatalf("at %v: %v, and there are %v tokens", now, ok, tokens)
			}
			if ok {
				tokens.Sub(tokens, one)
				continue
			}
			after := func(d time.Duration) bool {
				return new(big.Rat).Add(tokens, new(big.Rat).Mul(perNano, big.NewRat(int64(d), 1))).Cmp(one) >= 0
			}
			if !after(wait) || after(wait-1) {
				t.Fatalf("at %v: the next token is not %v away", now, wait)
			}
		}
	})
}

// TestRatePerUser holds whose bucket it is, and what the refused are told.
func TestRatePerUser(t *testing.T) {
	cfg := Config{Rules: []Rule{{Name: "agents", Rate: &Rate{QPS: 0.4, Burst: 2, Per: PerUser}}}}
	g := New(&cfg, balance.Random, named)
	target := g.Target(Target{Verb: "list", Resource: "pods"})
	one, two := g.Subject("u1", nil), g.Subject("u2", nil)
	// The same user with other groups has the same bucket.
	also := g.Subject("u1", []string{"g"})
	var got []string
	for _, step := range []struct {
		at time.Duration
		s  SubjectID
	}{{0, one}, {0, also}, {0, one}, {0, two}, {2 * time.Second, one}, {2500 * time.Millisecond, also}} {
		v := g.Admit(step.at, step.s, target)
		got = append(got, fmt.Sprintf("%v %d %d", v.Reason, v.Code, v.RetryAfter))
	}
	want := []string{"admitted 0 0", "admitted 0 0", "rate 429 3", "admitted 0 0", "rate 429 1", "admitted 0 0"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if c := g.Counts(0); c != (Counts{Admitted: 4, RateExceeded: 2}) {
		t.Errorf("counts %v", c)
	}
}

// TestInFlight holds the limits of each key, that a refusal takes no token, and what Done
// gives back.
func TestInFlight(t *testing.T) {
	cfg := Config{Rules: []Rule{{Name: "r", InFlight: &InFlight{Limit: 1, Per: PerNamespace}, Rate: &Rate{QPS: 0.001, Burst: 3},
		Refuse: ServiceUnavailable, RetryAfter: 7}}}
	g := New(&cfg, balance.Random, named)
	s := g.Subject("u", nil)
	a, b := g.Target(Target{Verb: "get", Resource: "pods", Namespace: "a"}), g.Target(Target{Verb: "get", Resource: "pods", Namespace: "b"})
	first := g.Admit(0, s, a)
	for range 5 {
		if v := g.Admit(0, s, a); v.Reason != TooManyInFlight || v.Code != 503 || v.RetryAfter != 7 {
			t.Fatalf("the second in a: %+v", v)
		}
	}
	other := g.Admit(0, s, b)
	if other.Reason != Admitted {
		t.Fatalf("the first in b: %+v", other)
	}
	if n := g.InFlight(0); n != 2 {
		t.Fatalf("%d in flight, want 2", n)
	}
	g.Done(0, first.Token)
	if v := g.Admit(0, s, a); v.Reason != Admitted {
		t.Fatalf("after one is over: %+v", v)
	}
	g.Done(0, other.Token)
	if v := g.Admit(0, s, b); v.Reason != RateExceeded || v.RetryAfter != 7 {
		t.Fatalf("the fourth to be admitted: %+v", v)
	}
	if c := g.Counts(0); c != (Counts{Admitted: 3, TooManyInFlight: 5, RateExceeded: 1}) {
		t.Errorf("counts %v", c)
	}
}

// TestOthers holds what becomes of requests that no rule matches.
func TestOthers(t *testing.T) {
	rules := []Rule{{Name: "nodes", Match: Match{Groups: []string{"system:nodes"}}}}
	for _, c := range []struct {
		cfg  Config
		want Verdict
	}{
		{Config{Rules: rules}, Verdict{Rule: 1, Token: Token{rule: 1}}},
		{Config{Rules: rules, RefuseOthers: true}, Verdict{Rule: 1, Reason: NoRule, Code: 429}},
		{Config{Rules: rules, RefuseOthers: true, OthersCode: 503}, Verdict{Rule: 1, Reason: NoRule, Code: 503}},
		{Config{Rules: rules, Phases: []Phase{{}}}, Verdict{Rule: 1, Reason: Degraded, Code: 429, RetryAfter: 1}},
		{Config{Rules: rules, Phases: []Phase{{Admit: []string{Otherwise}}}}, Verdict{Rule: 1, Token: Token{rule: 1}}},
	} {
		g := New(&c.cfg, balance.Random, named)
		if got := g.Admit(0, g.Subject("u", nil), g.Target(Target{Verb: "get", Path: "/version"})); got != c.want {
			t.Errorf("%+v: got %+v, want %+v", c.cfg, got, c.want)
		}
	}
}

// TestPhases holds the story of a recovery: refuse all, then heartbeats, then the rest bit by
// bit.
func TestPhases(t *testing.T) {
	const s = time.Second
	cfg := Config{
		Rules:  []Rule{{Name: "heartbeats", Match: Match{Resources: []string{"leases"}}}, {Name: "rest"}},
		Phases: []Phase{{At: 60 * s}, {At: 90 * s, Admit: []string{"heartbeats"}}, {At: 120 * s, All: true, Over: 60 * s}},
	}
	g := New(&cfg, balance.Random, named)
	u := g.Subject("u", nil)
	targets := [2]TargetID{g.Target(Target{Verb: "update", Resource: "leases"}), g.Target(Target{Verb: "list", Resource: "pods"})}
	const n = 4000
	for _, c := range []struct {
		at   time.Duration
		want [2]float64
	}{
		{0, [2]float64{1, 1}}, {60*s - 1, [2]float64{1, 1}}, {60 * s, [2]float64{0, 0}}, {90*s - 1, [2]float64{0, 0}},
		{90 * s, [2]float64{1, 0}}, {120 * s, [2]float64{1, 0}}, {135 * s, [2]float64{1, 0.25}}, {165 * s, [2]float64{1, 0.75}},
		{180 * s, [2]float64{1, 1}}, {900 * s, [2]float64{1, 1}},
	} {
		for i, want := range c.want {
			admitted := 0
			for range n {
				if v := g.Admit(c.at, u, targets[i]); v.Reason == Admitted {
					admitted++
					g.Done(c.at, v.Token)
				}
			}
			got := float64(admitted) / n
			if margin := 4 * math.Sqrt(want*(1-want)/n); math.Abs(got-want) > margin {
				t.Errorf("at %v, rule %d: share %.3f, want %.3f +- %.3f", c.at, i, got, want, margin)
			}
		}
	}
}

// TestTrigger holds that degradation begins when too much is in flight, and may do so again.
func TestTrigger(t *testing.T) {
	const s = time.Second
	cfg := Config{Trigger: &Trigger{InFlight: 2}, Phases: []Phase{{At: 0}, {At: 10 * s, All: true}}}
	g := New(&cfg, balance.Random, named)
	u, target := g.Subject("u", nil), g.Target(Target{Verb: "get", Path: "/version"})
	var open []Token
	ask := func(now time.Duration) Reason {
		v := g.Admit(now, u, target)
		if v.Reason == Admitted {
			open = append(open, v.Token)
		}
		return v.Reason
	}
	var got []Reason
	for _, at := range []time.Duration{5 * s, 5 * s, 5 * s, 5 * s, 15*s - 1} {
		got = append(got, ask(at))
	}
	for _, token := range open {
		g.Done(15*s-1, token)
	}
	for _, at := range []time.Duration{15 * s, 20 * s, 20 * s, 21 * s, 31 * s} {
		got = append(got, ask(at))
	}
	want := []Reason{Admitted, Admitted, Admitted, Degraded, Degraded, Admitted, Admitted, Admitted, Degraded, Admitted}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestLatency holds that a rule may have its own, and that each way is a draw by itself.
func TestLatency(t *testing.T) {
	ms := func(n int) workload.Distribution {
		d, err := workload.Constant(time.Duration(n) * time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	mean, err := workload.Exponential(time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Latency: Latency{ms(1), ms(2)}, Rules: []Rule{{Name: "slow", Match: Match{Users: []string{"a"}}, Latency: &Latency{There: mean, Back: mean}}}}
	g := New(&cfg, balance.Random, named)
	target := g.Target(Target{Verb: "get", Path: "/version"})
	if v := g.Admit(0, g.Subject("b", nil), target); v.There != time.Millisecond || v.Back != 2*time.Millisecond {
		t.Errorf("%v there, %v back", v.There, v.Back)
	}
	v := g.Admit(0, g.Subject("a", nil), target)
	want := named("gateway/slow")
	if there, back := mean.Sample(&want), mean.Sample(&want); v.There != there || v.Back != back {
		t.Errorf("%v there, %v back, want %v and %v", v.There, v.Back, there, back)
	}
}

// TestChoice holds that a rule sends to its servers by its policy, uniformly if that is random,
// and that a rule which says nothing leaves it to the balancer.
func TestChoice(t *testing.T) {
	least := balance.LeastRequests
	cfg := Config{Rules: []Rule{{Name: "a", Servers: []int{0, 2, 3}}, {Name: "b", Policy: &least}, {Name: "c"}}}
	g := New(&cfg, balance.Random, named)
	b := balance.New(&balance.Config{}, []bool{true, true, true, true})
	if c, _ := g.Choice(2); c != nil {
		t.Error("a rule without servers and policy chooses")
	}
	counts := make([]float64, 4)
	const n = 30_000
	for range n {
		c, random := g.Choice(0)
		s, _ := b.OpenBy(0, c, random)
		counts[s.Server]++
	}
	x := 0.0
	for _, s := range []int{0, 2, 3} {
		x += (counts[s] - n/3) * (counts[s] - n/3) / (n / 3)
	}
	if limit := (distuv.ChiSquared{K: 2}).Quantile(0.9999); counts[1] != 0 || x > limit {
		t.Errorf("counts %v: chi-square %.1f, at most %.1f", counts, x, limit)
	}
	c, random := g.Choice(1)
	if s, _ := b.OpenBy(0, c, random); s.Server != 1 {
		t.Errorf("the least loaded is server 1, got %d", s.Server)
	}
}

// TestCost holds that a request does not allocate.
func TestCost(t *testing.T) {
	cfg := Config{Rules: []Rule{{Name: "a", Rate: &Rate{QPS: 10, Burst: 5, Per: PerUser}, InFlight: &InFlight{Limit: 2, Per: PerNamespace}}},
		Phases: []Phase{{At: 0, All: true, Over: time.Hour}}}
	g := New(&cfg, balance.Random, named)
	s, target := g.Subject("u", nil), g.Target(Target{Verb: "get", Resource: "pods", Namespace: "n"})
	now := time.Duration(0)
	step := func() {
		if v := g.Admit(now, s, target); v.Reason == Admitted {
			g.Done(now, v.Token)
		}
		now += time.Second
	}
	step()
	if n := testing.AllocsPerRun(1000, step); n != 0 {
		t.Errorf("a request allocates %v times", n)
	}
}

func BenchmarkAdmit(b *testing.B) {
	cfg := Config{}
	for i := range 20 {
		cfg.Rules = append(cfg.Rules, Rule{Name: fmt.Sprint(i), Match: Match{Users: []string{fmt.Sprint("u", i)}},
			Rate: &Rate{QPS: 1e6, Burst: 100, Per: PerUser}, InFlight: &InFlight{Limit: 10}})
	}
	g := New(&cfg, balance.Random, named)
	s, target := g.Subject("u17", nil), g.Target(Target{Verb: "get", Resource: "pods", Namespace: "n"})
	for i := 0; b.Loop(); i++ {
		if v := g.Admit(time.Duration(i)*1000, s, target); v.Reason == Admitted {
			g.Done(time.Duration(i)*1000, v.Token)
		}
	}
}
