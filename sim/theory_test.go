package sim_test

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// waits is an observer that measures delays.
type waits struct {
	sim.Silent
	warmup           time.Duration
	arrived, delayed int
	sum              time.Duration
}

func (o *waits) Dispatched(_ time.Duration, r *sim.Request) {
	if r.Arrival < o.warmup {
		return
	}
	o.arrived++
	if wait := r.Wait(); wait > 0 {
		o.delayed++
		o.sum += wait
	}
}

// oneLevel is a server whose level "work" has exactly 50 seats and one queue, whatever
// the demand, and takes all requests.
func oneLevel() scheduler.Config {
	everything := []scheduler.Rule{{
		Subjects:     []scheduler.SubjectRule{{Kind: scheduler.Group, Name: "*"}},
		Resources:    []scheduler.ResourceRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}},
		NonResources: []scheduler.NonResourceRule{{Verbs: []string{"*"}, URLs: []string{"*"}}},
	}}
	return scheduler.Config{
		Seats:                    52,
		RequestTimeout:           time.Minute,
		ConsistentReadsFromCache: true,
		PriorityLevels: []scheduler.PriorityLevel{
			{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
			{Name: scheduler.CatchAll, Shares: 5, BorrowingLimitPercent: -1},
			{Name: "work", Shares: 95, BorrowingLimitPercent: 0, Queuing: &scheduler.Queuing{Queues: 1, HandSize: 1, QueueLengthLimit: 1000}},
		},
		FlowSchemas: []scheduler.FlowSchema{
			{Name: "work", Precedence: 100, PriorityLevel: "work", Rules: everything},
			{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll, Rules: everything},
		},
	}
}

func poisson(t testing.TB, rate float64, mean time.Duration) workload.Population {
	t.Helper()
	duration, err := workload.Exponential(mean)
	if err != nil {
		t.Fatal(err)
	}
	arrivals := workload.Poisson(rate)
	return workload.Population{
		Name:     "callers",
		Clients:  1,
		User:     "caller",
		Groups:   []string{"system:authenticated"},
		Requests: []workload.Template{{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 1}},
		Duration: duration,
		Open:     &arrivals,
	}
}

// erlangC is the probability of delay in an M/M/c queue (Erlang's C formula), by the
// recurrence for Erlang's B.
func erlangC(servers int, load float64) float64 {
	b := 1.0
	for n := 1; n <= servers; n++ {
		b = load * b / (float64(n) + load*b)
	}
	rho := load / float64(servers)
	return b / (1 - rho + rho*b)
}

// TestOneLevelIsAnMMcQueue compares a level with one queue, which is first come first
// served over 50 seats, with the theory of M/M/50 at a load of 90 %.
func TestOneLevelIsAnMMcQueue(t *testing.T) {
	const (
		seats        = 50
		rho          = 0.9
		service      = 10 * time.Millisecond
		replications = 20
	)
	delayed := erlangC(seats, rho*seats)
	meanWait := delayed * service.Seconds() / (seats * (1 - rho))
	if math.Abs(delayed-0.3639) > 5e-5 || math.Abs(meanWait-0.7277e-3) > 5e-8 {
		t.Fatalf("the theory itself gives %.4f delayed and a wait of %.4f ms, not 0.3639 and 0.7277", delayed, meanWait*1e3)
	}
	cfg := &sim.Config{
		Scheduler:   oneLevel(),
		Populations: []workload.Population{poisson(t, rho*seats/service.Seconds(), service)},
		Duration:    60 * time.Second,
		Warmup:      time.Second,
		Seed:        1,
	}
	var fractions, means []float64
	for replication := range replications {
		o := &waits{warmup: cfg.Warmup}
		if _, err := sim.Run(cfg, replication, o, nil); err != nil {
			t.Fatal(err)
		}
		fractions = append(fractions, float64(o.delayed)/float64(o.arrived))
		means = append(means, o.sum.Seconds()/float64(o.arrived))
	}
	within(t, "fraction delayed", fractions, delayed)
	within(t, "mean wait in seconds", means, meanWait)
}

// within fails unless want lies in the 99 % confidence interval of the sample's mean,
// and the interval is narrow enough to say something.
func within(t *testing.T, what string, sample []float64, want float64) {
	t.Helper()
	mean, sd := stat.MeanStdDev(sample, nil)
	n := float64(len(sample))
	quantile := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.995)
	half := quantile * sd / math.Sqrt(n)
	t.Logf("%s: %.6g ± %.2g, theory %.6g", what, mean, half, want)
	if math.Abs(mean-want) > half {
		t.Errorf("%s: %.6g ± %.2g does not cover %.6g", what, mean, half, want)
	}
	if half > want/10 {
		t.Errorf("%s: an interval of ± %.2g around %.6g says too little", what, half, mean)
	}
}

// repairman is the number of requests at the server of a closed loop in the long run, M/M/c//N
// (the machine repairman model): N clients that think for an exponential time of mean 1/lambda,
// and c seats that execute for one of mean 1/mu. The state is how many requests wait or execute;
// it goes up at a rate of lambda times those who think, and down at mu times those who execute.
// It returns the throughput and the mean number of those who wait.
func repairman(clients, seats int, lambda, mu float64) (throughput, waiting float64) {
	weight, sum := 1.0, 0.0
	for n := 0; n <= clients; n++ {
		sum += weight
		executing := min(n, seats)
		throughput += weight * float64(executing) * mu
		waiting += weight * float64(n-executing)
		weight *= float64(clients-n) * lambda / (float64(min(n+1, seats)) * mu)
	}
	return throughput / sum, waiting / sum
}

// TestAClosedLoopIsAMachineRepairman compares clients that wait for their answers with the theory,
// from a server that is idle half of the time to one that is overloaded.
func TestAClosedLoopIsAMachineRepairman(t *testing.T) {
	const (
		seats        = 4
		service      = 20 * time.Millisecond
		think        = 100 * time.Millisecond
		replications = 20
	)
	if x, waiting := repairman(1, 1, 1, 1); x != 0.5 || waiting != 0 {
		t.Fatalf("the theory itself gives a throughput of %g for one client that is served half of the time", x)
	}
	if x, waiting := repairman(2, 1, 1, 1); math.Abs(x-0.8) > 1e-12 || math.Abs(waiting-0.4) > 1e-12 {
		t.Fatalf("the theory itself gives %g and %g for two clients and one seat, not 4/5 and 2/5", x, waiting)
	}
	for _, clients := range []int{12, 24, 48} {
		p := poisson(t, 1, service)
		p.Open, p.Clients = nil, clients
		pause, err := workload.Exponential(think)
		if err != nil {
			t.Fatal(err)
		}
		p.Closed = &workload.Closed{Concurrency: 1, Think: pause}
		cfg := &sim.Config{Scheduler: smallServer(seats, 1000), Populations: []workload.Population{p}, Duration: 61 * time.Second, Warmup: time.Second, Seed: 1}
		var throughputs, means []float64
		for replication := range replications {
			o := &waits{warmup: cfg.Warmup}
			if _, err := sim.Run(cfg, replication, o, nil); err != nil {
				t.Fatal(err)
			}
			throughputs = append(throughputs, float64(o.arrived)/(cfg.Duration-cfg.Warmup).Seconds())
			means = append(means, o.sum.Seconds()/float64(o.arrived))
		}
		throughput, waiting := repairman(clients, seats, 1/think.Seconds(), 1/service.Seconds())
		t.Logf("%d clients", clients)
		within(t, "requests a second", throughputs, throughput)
		within(t, "mean wait in seconds", means, waiting/throughput) // Little's law
	}
}
