package backend

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// within fails unless want lies in the 99 % confidence interval of the sample's mean, and
// the interval is narrow enough to say something.
func within(t *testing.T, what string, sample []float64, want float64) {
	t.Helper()
	mean, sd := stat.MeanStdDev(sample, nil)
	n := float64(len(sample))
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.995) * sd / math.Sqrt(n)
	t.Logf("%s: %.6g ± %.2g, theory %.6g", what, mean, half, want)
	if math.Abs(mean-want) > half {
		t.Errorf("%s: %.6g ± %.2g does not cover %.6g", what, mean, half, want)
	}
	if half > want/10 {
		t.Errorf("%s: an interval of ± %.2g around %.6g says too little", what, half, mean)
	}
}

// erlangC is the probability of delay in an M/M/c queue.
func erlangC(servers int, load float64) float64 {
	b := 1.0
	for n := 1; n <= servers; n++ {
		b = load * b / (float64(n) + load*b)
	}
	rho := load / float64(servers)
	return b / (1 - rho + rho*b)
}

// queue is what the processors and the storage have in common.
type queue interface {
	begin(now time.Duration, job int32, work time.Duration)
	Next() (time.Duration, bool)
	Take(time.Duration) []int32
}

type cpuQueue struct{ *CPU }

func (q cpuQueue) begin(now time.Duration, job int32, work time.Duration) { q.Add(now, job, work) }

type readQueue struct{ *Storage }

func (q readQueue) begin(now time.Duration, job int32, work time.Duration) { q.Read(now, 0, job, work) }

type writeQueue struct{ *Storage }

func (q writeQueue) begin(now time.Duration, job int32, work time.Duration) {
	q.Write(now, 0, job, work)
}

// served is one job of a run.
type served struct{ work, response float64 }

// poissonRun feeds a queue with Poisson arrivals and returns the jobs after the warm-up.
func poissonRun(q queue, r *rand.Rand, interval float64, sample func(*rand.Rand) float64, jobs, warmup int) []served {
	var arrived, work []time.Duration
	var all []served
	next := time.Duration(r.ExpFloat64() * interval)
	for len(all) < jobs {
		at, ok := q.Next()
		if ok && at <= next {
			for _, job := range q.Take(at) {
				if int(job) >= warmup {
					all = append(all, served{work[job].Seconds(), (at - arrived[job]).Seconds()})
				}
			}
			continue
		}
		arrived = append(arrived, next)
		work = append(work, time.Duration(sample(r)))
		q.begin(next, int32(len(work)-1), work[len(work)-1])
		next += time.Duration(r.ExpFloat64() * interval)
	}
	return all
}

// The works have a mean of 10 ms, in nanoseconds.
const meanWork = 10e6

func constant(*rand.Rand) float64      { return meanWork }
func exponential(r *rand.Rand) float64 { return r.ExpFloat64() * meanWork }

// hyperexponential has a squared coefficient of variation of about 5.
func hyperexponential(r *rand.Rand) float64 {
	if r.Float64() < 0.9 {
		return r.ExpFloat64() * meanWork / 2
	}
	return r.ExpFloat64() * meanWork * 5.5
}

// TestCPUIsMG1PS compares one core with M/G/1 processor sharing: the mean response is
// E[S]/(1-rho) whatever the distribution, and that of a job is its work/(1-rho), so that
// the slowdown is the same for all (L. Kleinrock, Queueing Systems II, section 4.4).
func TestCPUIsMG1PS(t *testing.T) {
	const rho, replications, jobs, warmup = 0.7, 30, 8000, 500
	for name, sample := range map[string]func(*rand.Rand) float64{
		"constant": constant, "exponential": exponential, "hyperexponential": hyperexponential,
	} {
		t.Run(name, func(t *testing.T) {
			var means, slowdowns []float64
			for i := range uint64(replications) {
				all := poissonRun(cpuQueue{NewCPU(1000)}, rand.New(rand.NewPCG(1, i)), meanWork/rho, sample, jobs, warmup)
				response, work, slowdown := 0.0, 0.0, 0.0
				for _, s := range all {
					response += s.response
					work += s.work
					slowdown += s.response / s.work
				}
				// The mean work of the run itself stands in for its expectation: less noise.
				means = append(means, response/work)
				slowdowns = append(slowdowns, slowdown/float64(len(all)))
			}
			within(t, "mean response over mean work", means, 1/(1-rho))
			within(t, "mean slowdown", slowdowns, 1/(1-rho))
		})
	}
}

// TestCPUIsMMcPS compares several cores with M/M/c processor sharing, in which the number of
// jobs is that of M/M/c, so that the mean response is too.
func TestCPUIsMMcPS(t *testing.T) {
	const cores, rho = 4, 0.8
	want := 1 + erlangC(cores, cores*rho)/(cores*(1-rho))
	within(t, "mean response over mean work", meanResponses(func() queue { return cpuQueue{NewCPU(1000 * cores)} }, meanWork/(cores*rho)), want)
}

// meanResponses runs replications with exponential work.
func meanResponses(make func() queue, interval float64) []float64 {
	var means []float64
	for i := range uint64(30) {
		response, work := 0.0, 0.0
		for _, s := range poissonRun(make(), rand.New(rand.NewPCG(2, i)), interval, exponential, 10_000, 500) {
			response += s.response
			work += s.work
		}
		means = append(means, response/work)
	}
	return means
}

// TestStorageIsMMc compares the reads of a member, and the writes, with M/M/c.
func TestStorageIsMMc(t *testing.T) {
	const slots, rho = 4, 0.8
	want := 1 + erlangC(slots, slots*rho)/(slots*(1-rho))
	c := &Etcd{Members: 3, Reads: Operations{Concurrency: slots}, Writes: Operations{Concurrency: slots}}
	within(t, "reads", meanResponses(func() queue { return readQueue{NewStorage(c, 1)} }, meanWork/(slots*rho)), want)
	within(t, "writes", meanResponses(func() queue { return writeQueue{NewStorage(c, 1)} }, meanWork/(slots*rho)), want)
}

// TestPinnedAndBalanced compares the members all in use with one in use at the same traffic:
// pinned to one of five, a load of 0.8 for that one; balanced, each has every fifth arrival.
func TestPinnedAndBalanced(t *testing.T) {
	const members, slots, rho = 5, 2, 0.8
	pin := 2
	pinned := &Etcd{Members: members, PinnedTo: &pin, Reads: Operations{Concurrency: slots}, Writes: Operations{Concurrency: slots}}
	balanced := &Etcd{Members: members, Choice: Balanced, Reads: pinned.Reads, Writes: pinned.Writes}
	interval := meanWork / (slots * rho)
	within(t, "pinned", meanResponses(func() queue { return readQueue{NewStorage(pinned, 1)} }, interval), 1+erlangC(slots, slots*rho)/(slots*(1-rho)))
	// Every fifth of Poisson arrivals is an Erlang arrival; at a load of 0.16 on two slots
	// next to nothing waits, in theory less than with Poisson arrivals.
	sample := meanResponses(func() queue { return readQueue{NewStorage(balanced, 1)} }, interval)
	mean := stat.Mean(sample, nil)
	if low := 1 + erlangC(slots, slots*rho/members)/(slots*(1-rho/members)); mean < 1 || mean > low {
		t.Errorf("balanced: a mean response of %.4f of the work, want 1 to %.4f", mean, low)
	}
}

// TestMachineRepairman closes the loop: so many clients think, ask, and wait for the answer.
// With exponential thinking and c cores the number of requests at work is a birth-death
// process, and the throughput that of the machine repairman.
func TestMachineRepairman(t *testing.T) {
	const clients, cores, think = 20, 2, 100e6
	var throughputs, utilizations []float64
	for i := range uint64(20) {
		x, u := repairmen(rand.New(rand.NewPCG(3, i)), clients, cores, think)
		throughputs, utilizations = append(throughputs, x), append(utilizations, u)
	}
	x := repairmenTheory(clients, cores, think)
	within(t, "throughput", throughputs, x*1e9)
	within(t, "utilization", utilizations, x*meanWork/cores)
}

// repairmen simulates clients for a hundred seconds after a warm-up of one, and returns the
// requests per second and the part of the cores that is used.
func repairmen(r *rand.Rand, clients int32, cores int64, think float64) (throughput, utilization float64) {
	const warmup, until = time.Second, 101 * time.Second
	c := NewCPU(1000 * cores)
	thinking := make([]time.Duration, clients) // when each asks next
	for i := range thinking {
		thinking[i] = time.Duration(r.ExpFloat64() * think)
	}
	served, used := 0, time.Duration(0)
	for now := time.Duration(0); now < until; {
		first := int32(0)
		for i := range clients {
			if thinking[i] < thinking[first] {
				first = i
			}
		}
		at, ok := c.Next()
		before := now
		if !ok || thinking[first] < at {
			now = thinking[first]
			c.Add(now, first, time.Duration(exponential(r)))
			thinking[first] = math.MaxInt64
		} else {
			now = at
			for _, job := range c.Take(at) {
				thinking[job] = at + time.Duration(r.ExpFloat64()*think)
				if at >= warmup {
					served++
				}
			}
		}
		if before < warmup {
			used = c.Used(now)
		}
	}
	seconds := (until - warmup).Seconds()
	return float64(served) / seconds, (c.Used(c.pool.now) - used).Seconds() / seconds / float64(cores)
}

// repairmenTheory is the throughput for each nanosecond: p(n) is proportional to the product
// of the rates up over the rates down.
func repairmenTheory(clients, cores int, think float64) float64 {
	p, sum, x := 1.0, 0.0, 0.0
	for n := 0; n <= clients; n++ {
		down := float64(min(n, cores)) / meanWork
		sum += p
		x += p * down
		p *= float64(clients-n) / think / (float64(min(n+1, cores)) / meanWork)
	}
	return x / sum
}
