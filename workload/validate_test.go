package workload

import (
	"math"
	"slices"
	"testing"
	"time"
)

// texts returns the messages of errors.
func texts(errs []error) []string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

// TestValidate holds that all faults are found at once, each with its field and what would
// be legal.
func TestValidate(t *testing.T) {
	const year = "640511h56m49.213693952s"
	for _, c := range []struct {
		name string
		got  []error
		want []string
	}{
		{"poisson", validate(Poisson(0)), []string{"poisson.rate: 0 is out of range; legal: requests per second, above 0 and at most 1e+09"}},
		{"poisson, not a number", validate(Poisson(math.NaN())), []string{"poisson.rate: NaN is out of range; legal: requests per second, above 0 and at most 1e+09"}},
		{"periodic", validate(Periodic(0, -1)), []string{
			"periodic.every: 0s is out of range; legal: a duration from 1ns to " + year,
			"periodic.jitter: -1ns is out of range; legal: a duration from 0s to every, which is 0s"}},
		{"jitter", validate(Periodic(2*ms, 3*ms)), []string{"periodic.jitter: 3ms is out of range; legal: a duration from 0s to every, which is 2ms"}},
		{"burst", validate(Burst(-1, 0, -2)), []string{
			"burst.at: -1ns is out of range; legal: a duration from 0s to " + year,
			"burst.count: 0 is out of range; legal: a whole number from 1 to 1000000",
			"burst.over: -2ns is out of range; legal: a duration from 0s to " + year}},
		{"stages", validate(Stages([]Stage{{-1, 1}, {1, 2e9}})), []string{
			"stages[0].duration: -1ns is out of range; legal: a duration from 0s to " + year,
			"stages[1].rate: 2e+09 is out of range; legal: a number from 0 to 1e+09"}},
		{"no stages", validate(Stages(nil)), []string{"stages: nothing ever arrives; legal: at least one rate above 0"}},
		{"idle stages", validate(Stages([]Stage{{1, 0}})), []string{"stages: nothing ever arrives; legal: at least one rate above 0"}},
		{"nothing", validate(Arrivals{}), []string{"arrivals: no process is given; legal: poisson, periodic, burst or stages"}},
		{"closed", (&Closed{}).Validate(), []string{
			"closed.concurrency: 0 is out of range; legal: a whole number from 1 to 1000000",
			"closed.think: is not given; legal: a distribution; constant: 0s for no pause"}},
		{"lease", (&Lease{}).Validate(), []string{
			"lease.duration: 0s is out of range; legal: a duration from 1ns to " + year,
			"lease.renewDeadline: 0s is out of range; legal: a duration from 1ns to " + year,
			"lease.retryPeriod: 0s is out of range; legal: a duration from 1ns to " + year}},
		{"lease order", (&Lease{Duration: 10 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 9 * time.Second}).Validate(), []string{
			"lease.duration: 10s is out of range; legal: longer than renewDeadline, which is 10s",
			"lease.renewDeadline: 10s is out of range; legal: longer than 1.2 times retryPeriod, which is 10.8s"}},
		{"lease at the jitter", (&Lease{Duration: 15 * time.Second, RenewDeadline: 12 * time.Second, RetryPeriod: 10 * time.Second}).Validate(), []string{
			"lease.renewDeadline: 12s is out of range; legal: longer than 1.2 times retryPeriod, which is 12s"}},
		{"lease", (&Lease{Duration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}).Validate(), nil},
		{"retry", (&Retry{Policy: 7}).Validate(), []string{"retry.policy: 7 is out of range; legal: none, client-go, immediate, fixed, exponential"}},
		{"retry immediately", (&Retry{Policy: RetryImmediate, Base: 1, Jitter: 1, Turnaround: -1}).Validate(), []string{
			"retry.base: is given for the policy immediate; legal: nothing: the policy has no use for it",
			"retry.jitter: is given for the policy immediate; legal: nothing: the policy has no use for it",
			"retry.turnaround: -1ns is out of range; legal: a duration from 0s to 300h0m0s"}},
		{"retry fixed", (&Retry{Policy: RetryFixed, Jitter: 11}).Validate(), []string{
			"retry.every: 0s is out of range; legal: a duration from 1ns to 300h0m0s",
			"retry.jitter: 11 is out of range; legal: a number from 0 to 10"}},
		{"retry exponential", (&Retry{Policy: RetryExponential, Every: 1, Base: MaxDuration, Factor: 1, Cap: -1}).Validate(), []string{
			"retry.every: is given for the policy exponential; legal: nothing: the policy has no use for it",
			"retry.base: " + MaxDuration.String() + " is out of range; legal: a duration from 1ns to 300h0m0s",
			"retry.factor: 1 is out of range; legal: a number from 1.1 to 100",
			"retry.cap: -1ns is out of range; legal: a duration from 0s to 300h0m0s"}},
		{"retry exponential, well", (&Retry{Policy: RetryExponential, Base: 1, Jitter: 1, MaxRetries: 5}).Validate(), nil},
		{"retry as client-go", (&Retry{Policy: RetryClientGo, Turnaround: 1}).Validate(), []string{
			"retry.turnaround: is given for the policy client-go; legal: nothing: the policy has no use for it"}},
		{"retries", (&Retry{MaxRetries: -1}).Validate(), []string{"retry.maxRetries: -1 is out of range; legal: a whole number from 0 to 1000000"}},
		{"template", (&Template{Verb: "GET", Timeout: -1, Weight: -1}).Validate(), []string{
			"timeout: -1ns is out of range; legal: a duration from 0s to " + year,
			"weight: -1 is out of range; legal: a number from 0 to 1e+09",
			"resource: is missing; legal: a resource, or a path",
			`verb: "GET" is no verb here; legal: get, list, watch, create, update, patch, delete, deletecollection, proxy`}},
		{"path", (&Template{Verb: "list", Path: "healthz", Namespace: "a"}).Validate(), []string{
			"path: is given beside a resource; legal: a path or a resource, not both",
			`path: "healthz" does not begin with a slash; legal: a path, as in /healthz`,
			`verb: "list" is no verb here; legal: get, head, post, put, patch, delete, options`}},
		{"a path that is fine", (&Template{Verb: "get", Path: "/healthz"}).Validate(), nil},
	} {
		if got := texts(c.got); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func validate(a Arrivals) []error { return a.Validate() }

// TestValidatePopulation holds that the faults of the parts come with their paths.
func TestValidatePopulation(t *testing.T) {
	sound, err := Preset("mice")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(p *Population)
		want   []string
	}{
		{"sound", func(p *Population) {}, nil},
		{"a trace needs no clients", func(p *Population) { *p = Population{Name: "t", Trace: &Trace{}} }, nil},
		{"empty", func(p *Population) { *p = Population{} }, []string{
			"name: is missing; legal: a name of its own for each population",
			"arrivals: 0 ways to send are given; legal: exactly one of open, closed, behaviour, called, trace and present",
			"count: 0 is out of range; legal: a whole number from 1 to 1000000",
			"user: is missing; legal: a user name; {index} in it is the number of the client",
			"requests: is empty; legal: at least one request"}},
		{"two ways", func(p *Population) { p.Behaviour = Lease{Duration: 3, RenewDeadline: 2, RetryPeriod: 1} }, []string{
			"arrivals: 2 ways to send are given; legal: exactly one of open, closed, behaviour, called, trace and present"}},
		{"parts", func(p *Population) {
			p.Retry.MaxRetries = -1
			p.Requests[1].Verb = "gett"
			p.Open.Rate = -2
		}, []string{
			"retry.maxRetries: -1 is out of range; legal: a whole number from 0 to 1000000",
			`requests[1].verb: "gett" is no verb here; legal: get, list, watch, create, update, patch, delete, deletecollection, proxy`,
			"arrivals.poisson.rate: -2 is out of range; legal: requests per second, above 0 and at most 1e+09"}},
		{"no process", func(p *Population) { p.Open = &Arrivals{} }, []string{
			"arrivals: no process is given; legal: poisson, periodic, burst or stages"}},
		{"closed", func(p *Population) { p.Open, p.Closed = nil, &Closed{Concurrency: 1} }, []string{
			"arrivals.closed.think: is not given; legal: a distribution; constant: 0s for no pause"}},
		{"lease", func(p *Population) { p.Open, p.Behaviour = nil, Lease{Duration: 2, RenewDeadline: 2, RetryPeriod: 1} }, []string{
			"arrivals.lease.duration: 2ns is out of range; legal: longer than renewDeadline, which is 2ns",
			`requests[0].verb: "get" is out of place: a behaviour sends its requests by their order; legal: update`}},
		{"duration", func(p *Population) {
			d := p.Duration
			p.Requests[0].Duration, p.Duration = &d, Distribution{}
		}, []string{
			"requests[1].duration: is missing, and so is that of the population; legal: a distribution",
			"requests[2].duration: is missing, and so is that of the population; legal: a distribution"}},
		{"a duration that is none", func(p *Population) { p.Requests[0].Duration = &Distribution{} }, []string{
			"requests[0].duration: is no distribution; legal: a distribution, or nothing for that of the population"}},
	} {
		p := sound.clone()
		c.change(&p)
		if got := texts(p.Validate()); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestValidatePace holds that what could go round at one instant is refused, and no more.
func TestValidatePace(t *testing.T) {
	zero, some := must(Constant(0)), must(Constant(1))
	const rejected = "arrivals.closed: there is no think time, so that a client that is rejected would ask again at the same instant, for ever; legal: a think time above 0, or retries as client-go does them"
	const finished = "arrivals.closed: there is no think time, and requests[1] takes no time, so that a client would ask again at the same instant, for ever; legal: a think time above 0, or requests that take time"
	for _, c := range []struct {
		name          string
		think, second Distribution
		policy        RetryPolicy
		want          []string
	}{
		{"no think time, no retries", zero, some, RetryNone, []string{rejected}},
		{"no think time", zero, some, RetryClientGo, nil},
		{"no time at all", zero, zero, RetryClientGo, []string{finished}},
		{"neither time nor retries", zero, zero, RetryNone, []string{rejected}},
		{"a think time", some, zero, RetryNone, nil},
	} {
		p := Population{Name: "p", Clients: 1, User: "u", Duration: some, Retry: Retry{Policy: c.policy},
			Closed: &Closed{Concurrency: 1, Think: c.think}}
		p.Requests = []Template{{Verb: "get", Resource: "pods"}, {Verb: "get", Resource: "pods", Duration: &c.second}}
		if got := texts(p.Validate()); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		p.Open, p.Closed = &Arrivals{Kind: KindBurst, Count: 1}, nil
		if got := texts(p.Validate()); len(got) > 0 {
			t.Errorf("%s, but open: %q", c.name, got)
		}
	}
}

// TestMaxDurationLeavesRoom holds that an arrival and an execution of the longest leave as
// much for what comes on top: the most retries that there can be at the longest Retry-After,
// and the seats of a write that linger (16 years, see scheduler.WatchesMax).
func TestMaxDurationLeavesRoom(t *testing.T) {
	const retries = retriesMax
	const lingering = 1e12 / 10 * 5 * time.Millisecond
	if left := math.MaxInt64 - 2*MaxDuration; left < MaxDuration+retries+lingering {
		t.Errorf("%v are left", left)
	}
	if lingering+retries+time.Minute > 18*365*24*time.Hour {
		t.Error("more than 18 years come on top")
	}
}
