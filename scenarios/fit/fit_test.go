package fit

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/recording"
)

// start is when the made records begin.
const start = int64(1_600_000_000) * int64(time.Second)

// made makes the request of a user that arrives at a time since the start.
func made(user string, at, execution time.Duration) recording.Request {
	return recording.Request{
		Received: start + int64(at), Server: -1, User: user, Groups: []string{"system:authenticated"},
		Verb: "list", Resource: "pods", Execution: execution, Waited: recording.Unknown, Total: execution, Code: 200,
	}
}

// openLoop makes what a number of clients send by a process until the end, which take a time.
func openLoop(a workload.Arrivals, clients int, until, execution time.Duration, seed uint64) []recording.Request {
	var all []recording.Request
	for c := range clients {
		s := workload.NewStream(seed, uint64(c))
		var state workload.ArrivalState
		for {
			at, more := a.Next(&state, &s)
			if !more || at >= until {
				break
			}
			all = append(all, made(fmt.Sprintf("bot-%d", c), at, execution))
		}
	}
	return all
}

// fitted fits requests in any order.
func fitted(all []recording.Request) *Fitted {
	slices.SortStableFunc(all, func(a, b recording.Request) int { return int(a.Received - b.Received) })
	end := start
	for i := range all {
		end = max(end, all[i].Received+int64(all[i].Total))
	}
	f := New(Options{Start: start, End: end})
	for i := range all {
		f.Add(&all[i])
	}
	return f.Fit()
}

// found is a short word for how a population sends.
func found(p *Population) string {
	if p.Closed != nil {
		return "closed"
	}
	return p.Arrivals.Kind.String()
}

// process is a process that is known, and what it shall be recognised as.
type process struct {
	name string
	make func(seed uint64) []recording.Request
	want string
	// wrong is of how many seeds a hundred at most another one is found.
	wrong int
}

var processes = []process{
	{"one client at random", func(seed uint64) []recording.Request {
		return openLoop(workload.Poisson(5), 1, 10*time.Minute, 20*time.Millisecond, seed)
	}, "poisson", 1},
	{"many clients at random, seldom", func(seed uint64) []recording.Request {
		return openLoop(workload.Poisson(0.05), 100, 5*time.Minute, 2*time.Second, seed)
	}, "poisson", 1},
	{"a busy client at random", func(seed uint64) []recording.Request {
		return openLoop(workload.Poisson(20), 1, 2*time.Minute, time.Second, seed)
	}, "poisson", 2},
	{"regularly", func(seed uint64) []recording.Request {
		return openLoop(workload.Periodic(10*time.Second, 0), 20, 5*time.Minute, 2*time.Second, seed)
	}, "periodic", 0},
	{"regularly with jitter", func(seed uint64) []recording.Request {
		return openLoop(workload.Periodic(10*time.Second, 5*time.Second), 20, 5*time.Minute, 10*time.Millisecond, seed)
	}, "periodic", 0},
	{"regularly with all jitter", func(seed uint64) []recording.Request {
		return openLoop(workload.Periodic(time.Second, time.Second), 1, 10*time.Minute, 10*time.Millisecond, seed)
	}, "periodic", 10},
	{"a burst", func(seed uint64) []recording.Request {
		background := openLoop(workload.Poisson(1), 1, 10*time.Minute, time.Millisecond, seed)
		for i := range background {
			background[i].User = "somebody"
		}
		return append(background, openLoop(workload.Burst(time.Minute, 5, time.Second), 40, 10*time.Minute, 100*time.Millisecond, seed)...)
	}, "burst", 0},
	{"a rate that doubles", func(seed uint64) []recording.Request {
		stages := []workload.Stage{{Rate: 1}, {Duration: 5 * time.Minute, Rate: 1}, {Rate: 2}, {Duration: 5 * time.Minute, Rate: 2}}
		return openLoop(workload.Stages(stages), 2, 10*time.Minute, 10*time.Millisecond, seed)
	}, "stages", 0},
	{"a closed loop", func(seed uint64) []recording.Request { return closedLoop(1, time.Second, 300*time.Millisecond, seed) }, "closed", 0},
	{"a wide closed loop", func(seed uint64) []recording.Request { return closedLoop(8, 100*time.Millisecond, time.Second, seed) }, "closed", 0},
}

// closedLoop makes what one client sends who has so many requests at once, with pauses.
func closedLoop(concurrency int, think, execution time.Duration, seed uint64) []recording.Request {
	var all []recording.Request
	for c := range concurrency {
		s := workload.NewStream(seed, uint64(c))
		at := time.Duration(float64(think) * s.Exp())
		for at < 5*time.Minute {
			took := time.Duration(float64(execution) * s.Exp())
			all = append(all, made("looper", at, took))
			at += took + time.Duration(float64(think)*s.Exp())
		}
	}
	return all
}

// TestRecognisers holds each process against what is known of it, over many seeds.
func TestRecognisers(t *testing.T) {
	const seeds = 100
	for _, p := range processes {
		t.Run(p.name, func(t *testing.T) {
			wrong := map[string]int{}
			sum := 0
			for seed := range uint64(seeds) {
				f := fitted(p.make(seed))
				if got := found(&f.Populations[len(f.Populations)-1]); got != p.want {
					wrong[got]++
					sum++
				}
			}
			if sum > p.wrong {
				t.Errorf("of %d seeds %d are not %s: %v; at most %d may be", seeds, sum, p.want, wrong, p.wrong)
			}
		})
	}
}

// TestFigures holds the figures of each process near those that it was made with.
func TestFigures(t *testing.T) {
	poisson := fitted(openLoop(workload.Poisson(5), 10, 10*time.Minute, 20*time.Millisecond, 1)).Populations[0]
	near(t, "rate", poisson.Arrivals.Rate, 5, 0.03)
	if poisson.Count != 10 || poisson.User != "bot-{index}" || poisson.Fit.Gaps > 0.02 || math.Abs(poisson.Fit.Dispersion-1) > 0.2 {
		t.Errorf("a Poisson process is fitted as %+v", poisson)
	}
	periodic := fitted(openLoop(workload.Periodic(10*time.Second, 3*time.Second), 20, 10*time.Minute, 20*time.Millisecond, 1)).Populations[0]
	near(t, "period", periodic.Arrivals.Every.Seconds(), 10, 0.005)
	near(t, "jitter", periodic.Arrivals.Jitter.Seconds(), 3, 0.1)
	stages := []workload.Stage{{Rate: 1}, {Duration: 5 * time.Minute, Rate: 1}, {Rate: 3}, {Duration: 5 * time.Minute, Rate: 3}}
	staged := fitted(openLoop(workload.Stages(stages), 4, 10*time.Minute, 20*time.Millisecond, 1)).Populations[0]
	if got := staged.Arrivals.Stages; len(got) != 4 {
		t.Errorf("one change of the rate is fitted as %v", got)
	} else {
		near(t, "first rate", got[0].Rate, 1, 0.1)
		near(t, "change", got[1].Duration.Seconds(), 300, 0.02)
		near(t, "second rate", got[3].Rate, 3, 0.1)
	}
	loop := fitted(closedLoop(4, time.Second, time.Second, 1)).Populations[0]
	if loop.Closed == nil || loop.Closed.Concurrency != 4 {
		t.Fatalf("a closed loop of 4 is fitted as %+v", loop)
	}
	near(t, "think time", loop.Closed.Think.mean()/1e9, 1, 0.1)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within*want {
		t.Errorf("%s: %v, and not %v within %v", what, got, want, within)
	}
}

// retried makes a client that sends at random, half of whose requests are rejected after 5 ms and
// sent again after the pause.
func retried(pause time.Duration, seed uint64) []recording.Request {
	var all []recording.Request
	s := workload.NewStream(seed, 0)
	for at := time.Duration(0); at < 10*time.Minute; at += time.Duration(2e9 * s.Exp()) {
		sent := at
		for s.Float64() < 0.5 {
			r := made("bot", sent, 0)
			r.Code, r.Total = 429, 5*time.Millisecond
			all = append(all, r)
			sent += 5*time.Millisecond + pause + time.Duration(2e6*s.Float64())
		}
		all = append(all, made("bot", sent, 20*time.Millisecond))
	}
	return all
}

// TestRetries: retries are no operations of their own, and what is none is not taken for one.
func TestRetries(t *testing.T) {
	for _, c := range []struct {
		pause time.Duration
		want  string
	}{{time.Second, "client-go"}, {3 * time.Second, "client-go"}, {0, "immediate"}, {700 * time.Millisecond, ""}} {
		for seed := range uint64(20) {
			p := fitted(retried(c.pause, seed)).Populations[0]
			if p.Retry != c.want {
				t.Errorf("seed %d: a pause of %v is taken for %q, and not for %q", seed, c.pause, p.Retry, c.want)
			}
			if c.want != "" {
				near(t, "operations", float64(p.Fit.Operations), 300, 0.25)
				near(t, "retries", float64(p.Fit.Retries), float64(p.Fit.Rejected), 0.05)
			}
		}
	}
}

// TestDurations: the mean is right, and the distribution near.
func TestDurations(t *testing.T) {
	for _, c := range []struct {
		workload.Distribution
		distance float64
	}{
		{must(workload.Lognormal(20*time.Millisecond, 2*time.Second)), 0.09},
		{must(workload.Exponential(time.Second)), 0.04},
		{must(workload.Pareto(time.Millisecond, time.Minute, 1.2)), 0.08},
		{must(workload.Constant(time.Second)), 0},
		// It jumps where no point is.
		{must(workload.Quantiles([]workload.Quantile{{P: 0, Value: 1e6}, {P: 0.5, Value: 2e6}, {P: 0.51, Value: 1e9}, {P: 1, Value: 2e9}})), 0.2},
	} {
		d := c.Distribution
		r := &reservoir{}
		s := workload.NewStream(1, 2)
		for range 5000 {
			r.add(int64(d.Sample(&s)), sampleMax)
		}
		got := fitDurations(merged([]*reservoir{r}))
		if math.Abs(got.MeanError) > 0.05 || got.Distance > c.distance {
			t.Errorf("%v: fitted as %s, KS %.3f, mean off by %.3f", d.Kind(), got.text(), got.Distance, got.MeanError)
		}
	}
}

func must(d workload.Distribution, err error) workload.Distribution {
	if err != nil {
		panic(err)
	}
	return d
}

// TestPattern: what tells the likes of a name apart, and nothing else.
func TestPattern(t *testing.T) {
	for name, want := range map[string]string{
		"system:node:node-17":                     "system:node:node-{index}",
		"system:node:ip-10-0-3-17.ec2.internal":   "system:node:ip-{index}-{index}-{index}-{index}.ec{index}.internal",
		"system:serviceaccount:team-3:app":        "system:serviceaccount:team-{index}:app",
		"system:kube-scheduler":                   "system:kube-scheduler",
		"system:serviceaccount:k8s-system:op":     "system:serviceaccount:k8s-system:op",
		"build-7f9c4d":                            "build-{index}",
		"ann":                                     "ann",
		"operators@203.0.113.88":                  "operators@{index}",
		"system:serviceaccount:ci:runner12-x9z8y": "system:serviceaccount:ci:runner{index}-{index}",
	} {
		if got := pattern(name); got != want {
			t.Errorf("%s: %s, and not %s", name, got, want)
		}
	}
}

// TestHeavyUsers: one that sends far more than its likes is a population of its own.
func TestHeavyUsers(t *testing.T) {
	all := openLoop(workload.Poisson(0.5), 30, 5*time.Minute, time.Millisecond, 1)
	heavy := openLoop(workload.Poisson(50), 1, 5*time.Minute, time.Millisecond, 2)
	for i := range heavy {
		heavy[i].User = "bot-99"
	}
	f := fitted(append(all, heavy...))
	if len(f.Populations) != 2 || f.Populations[0].Count != 30 || f.Populations[1].User != "bot-99" {
		t.Errorf("one heavy user among thirty is fitted as %+v", f.Populations)
	}
}

// TestLeftOut: what is left out is counted, and all requests are somewhere.
func TestLeftOut(t *testing.T) {
	var all []recording.Request
	for i := range 40 {
		user := "user-" + strings.Repeat("x", i)
		for n := range 20 + i {
			all = append(all, made(user, time.Duration(n)*time.Second+time.Duration(i*i)*time.Millisecond*7, time.Millisecond))
		}
	}
	f := fitted(all)
	sum := f.LeftOutRequests()
	for i := range f.Populations {
		sum += f.Populations[i].requests()
	}
	if len(f.Populations) != populationsDefault || sum != f.Requests {
		t.Errorf("%d populations, and of %d requests %d are somewhere", len(f.Populations), f.Requests, sum)
	}
}

// TestBounded: a record of users without end takes memory without growing.
func TestBounded(t *testing.T) {
	f := New(Options{Start: start, End: start + int64(time.Hour)})
	for i := range 3 * seriesMax {
		r := made(fmt.Sprintf("user-%d", i), time.Duration(i)*time.Millisecond, time.Millisecond)
		f.Add(&r)
	}
	if len(f.users) > seriesMax || f.series > seriesMax {
		t.Errorf("%d users and %d series are kept", len(f.users), f.series)
	}
	if got := f.Fit(); got.LeftOutRequests() != 2*seriesMax {
		t.Errorf("%d requests are left out, and not %d", got.LeftOutRequests(), 2*seriesMax)
	}
}

// TestTimeouts holds that a population has the time-out that nearly all of its requests ask for, and none if they
// differ.
func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		every int // each so-manyth request asks for another one; 0 is none
		want  time.Duration
	}{{0, 5 * time.Second}, {20, 5 * time.Second}, {3, 0}} {
		all := openLoop(workload.Poisson(5), 4, time.Minute, 10*time.Millisecond, 3)
		for i := range all {
			all[i].Timeout = 5 * time.Second
			if c.every > 0 && i%c.every == 1 {
				all[i].Timeout = 0
			}
		}
		f := fitted(all)
		if len(f.Populations) != 1 || f.Populations[0].Timeout != c.want {
			t.Errorf("one of %d without: %+v", c.every, f.Populations)
		}
		var b strings.Builder
		if err := f.Write(&b, Text{Name: "fitted"}); err != nil || strings.Contains(b.String(), "  timeout: 5s\n") != (c.want > 0) {
			t.Errorf("one of %d without: %v, %s", c.every, err, b.String())
		}
	}
}
