package backend

import (
	"math/big"
	"slices"
	"time"
)

// naive is processor sharing as one would write it down: what each job has left, in exact
// fractions, reduced step by step. milliCores is 0 for jobs that do not share: a station.
type naive struct {
	now        time.Duration
	milliCores int64
	slow       Factor
	jobs       []naiveJob
	used, done *big.Rat // core time, and work of all jobs together
}

type naiveJob struct {
	job  int32
	left *big.Rat
}

func newNaive(milliCores int64) *naive {
	return &naive{milliCores: milliCores, slow: Unchanged, used: new(big.Rat), done: new(big.Rat)}
}

// pace is what each job gets in a nanosecond.
func (n *naive) pace() *big.Rat {
	if n.slow == Stopped || len(n.jobs) == 0 {
		return new(big.Rat)
	}
	share := big.NewRat(n.milliCores, 1000*int64(len(n.jobs)))
	if share.Cmp(big.NewRat(1, 1)) > 0 {
		share.SetInt64(1)
	}
	return share.Mul(share, big.NewRat(1000, int64(n.slow)))
}

func (n *naive) advance(now time.Duration) {
	d := big.NewRat(int64(now-n.now), 1)
	n.now = now
	step := new(big.Rat).Mul(d, n.pace())
	for i := range n.jobs {
		n.jobs[i].left.Sub(n.jobs[i].left, step)
		n.done.Add(n.done, step)
	}
	cores := big.NewRat(min(n.milliCores, 1000*int64(len(n.jobs))), 1000)
	n.used.Add(n.used, cores.Mul(cores, d))
}

func (n *naive) add(now time.Duration, job int32, work time.Duration) {
	n.advance(now)
	n.jobs = append(n.jobs, naiveJob{job, big.NewRat(int64(work), 1)})
}

func (n *naive) remove(now time.Duration, job int32) bool {
	n.advance(now)
	before := len(n.jobs)
	n.jobs = slices.DeleteFunc(n.jobs, func(j naiveJob) bool { return j.job == job })
	return len(n.jobs) < before
}

// forgiven is what a job may lack: a millionth of a nanosecond, 2^-20.
var forgiven = big.NewRat(1, 1<<20)

func (n *naive) next() (time.Duration, bool) {
	if len(n.jobs) == 0 {
		return 0, false
	}
	least := slices.MinFunc(n.jobs, compareLeft)
	lacks := new(big.Rat).Sub(least.left, forgiven)
	if lacks.Sign() <= 0 {
		return n.now, true
	}
	pace := n.pace()
	if pace.Sign() == 0 {
		return 0, false
	}
	t := lacks.Quo(lacks, pace)
	whole := new(big.Int).Quo(t.Num(), t.Denom())
	if !t.IsInt() {
		whole.Add(whole, big.NewInt(1))
	}
	return n.now + time.Duration(whole.Int64()), true
}

func (n *naive) take(now time.Duration) []int32 {
	n.advance(now)
	var done []naiveJob
	n.jobs = slices.DeleteFunc(n.jobs, func(j naiveJob) bool {
		over := j.left.Cmp(forgiven) <= 0
		if over {
			done = append(done, j)
		}
		return over
	})
	slices.SortStableFunc(done, compareLeft)
	var jobs []int32
	for _, j := range done {
		if j.job >= 0 {
			jobs = append(jobs, j.job)
		}
	}
	return jobs
}

func compareLeft(a, b naiveJob) int { return a.left.Cmp(b.left) }
