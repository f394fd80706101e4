package backend

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// end is when a job was done.
type end struct {
	job int32
	at  time.Duration
}

// drain lets all jobs of a processor end.
func drain(c interface {
	Next() (time.Duration, bool)
	Take(time.Duration) []int32
}) []end {
	var ends []end
	for {
		at, ok := c.Next()
		if !ok {
			return ends
		}
		for _, job := range c.Take(at) {
			ends = append(ends, end{job, at})
		}
	}
}

// start is a job that comes at a time.
type start struct {
	at   time.Duration
	job  int32
	work time.Duration
}

func TestCPU(t *testing.T) {
	for _, c := range []struct {
		name   string
		cores  int64
		starts []start
		want   []end
	}{
		{"alone", 1000, []start{{5, 0, 7}}, []end{{0, 12}}},
		{"alone on many cores", 8000, []start{{0, 0, 123_456_789}}, []end{{0, 123_456_789}}},
		{"alone on half a core", 500, []start{{0, 0, 7}}, []end{{0, 14}}},
		{"no work", 1000, []start{{3, 0, 0}}, []end{{0, 3}}},
		{"two equal", 1000, []start{{0, 0, ms}, {0, 1, ms}}, []end{{0, 2 * ms}, {1, 2 * ms}}},
		{"as many as cores", 2000, []start{{0, 0, ms}, {0, 1, 2 * ms}}, []end{{0, ms}, {1, 2 * ms}}},
		{"three on two", 2000, []start{{0, 0, 2 * ms}, {0, 1, 2 * ms}, {0, 2, 2 * ms}}, []end{{0, 3 * ms}, {1, 3 * ms}, {2, 3 * ms}}},
		{"three thirds are a whole", 1000, []start{{0, 0, 1}, {0, 1, 1}, {0, 2, 1}}, []end{{0, 3}, {1, 3}, {2, 3}}},
		{"in steps too", 1000, []start{{0, 0, 2}, {0, 1, 2}, {0, 2, 2}, {1, 9, 0}, {2, 9, 0}, {4, 9, 0}},
			[]end{{9, 1}, {9, 2}, {9, 4}, {0, 6}, {1, 6}, {2, 6}}},
		// After three steps of a third, which are rounded down, 3 is due together with the others.
		{"at once, after steps", 1000, []start{{0, 0, 2}, {0, 1, 2}, {0, 2, 2}, {1, 9, 0}, {2, 9, 0}, {3, 3, 1}},
			[]end{{9, 1}, {9, 2}, {0, 7}, {1, 7}, {2, 7}, {3, 7}}},
		// 0 has had 5 of 10 when 1 comes; both run at half speed until 1 has its 2.
		{"a short one overtakes", 1000, []start{{0, 0, 10}, {5, 1, 2}}, []end{{1, 9}, {0, 12}}},
		{"a nanosecond is not divided", 1000, []start{{0, 0, 1}, {1, 1, 1}, {1, 2, 2}}, []end{{0, 1}, {1, 3}, {2, 4}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cpu := NewCPU(c.cores)
			var got []end
			for _, s := range c.starts {
				for at, ok := cpu.Next(); ok && at <= s.at; at, ok = cpu.Next() {
					for _, job := range cpu.Take(at) {
						got = append(got, end{job, at})
					}
				}
				cpu.Add(s.at, s.job, s.work)
			}
			if got = append(got, drain(cpu)...); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestStallOfCPU(t *testing.T) {
	c := NewCPU(1000)
	c.Add(0, 0, 10*ms)
	c.Slow(5*ms, 60_000)
	if at, _ := c.Next(); at != 305*ms {
		t.Errorf("sixty times slower it ends at %v, want 305ms", at)
	}
	c.Slow(65*ms, Unchanged)
	if at, _ := c.Next(); at != 69*ms {
		t.Errorf("after a window of 60 ms it ends at %v, want 69ms", at)
	}
	c.Slow(66*ms, Stopped)
	if at, ok := c.Next(); ok {
		t.Errorf("it stands still and ends at %v", at)
	}
	c.Slow(time.Hour, Unchanged)
	if at, _ := c.Next(); at != time.Hour+3*ms {
		t.Errorf("after a stop it ends at %v, want 1h0m0.003s", at)
	}
	if used := c.Used(time.Hour); used != time.Hour {
		t.Errorf("the core was used for %v, want 1h", used)
	}
}

func TestCPURemove(t *testing.T) {
	c := NewCPU(1000)
	c.Add(0, 0, 10)
	c.Add(0, 1, 10)
	c.Add(0, none, 4)
	if !c.Remove(6, 1) || c.Remove(6, 1) || c.Remove(6, 99) {
		t.Error("a job leaves once")
	}
	// 0 has had 2; it shares with the nameless job, which lacks 2, until 10.
	want := []end{{0, 16}}
	if got := drain(c); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	c.Add(16, 1, 10)
	if c.Clear(20); c.Jobs() != 0 || c.Remove(20, 1) {
		t.Error("a job survives Clear")
	}
}

// TestSlowCrowd has more jobs and a larger factor than a plain product of them would bear.
func TestSlowCrowd(t *testing.T) {
	const jobs, milliCores = 1<<31 - 1, 999_999_937
	got := (SlowestFactor - 1).over(milliCores, jobs*perCore)
	want := big.NewRat(milliCores, jobs*perCore)
	want.Mul(want, big.NewRat(1000, int64(SlowestFactor-1)))
	if new(big.Rat).SetFrac(new(big.Int).SetUint64(got.p), new(big.Int).SetUint64(got.q)).Cmp(want) != 0 || got.q >= 1<<62 {
		t.Errorf("the pace is %d/%d, want %v", got.p, got.q, want)
	}
}

// TestCPURemoveFromTheMiddle takes a job out whose place in the heap is then too low for the
// one that fills it.
func TestCPURemoveFromTheMiddle(t *testing.T) {
	c := NewCPU(8000)
	for job, work := range []time.Duration{1, 10, 2, 11, 12, 3, 4} {
		c.Add(0, int32(job), work)
	}
	c.Remove(0, 3)
	for i := 1; i < len(c.pool.heap); i++ {
		if c.pool.heap[i].before(&c.pool.heap[(i-1)/2]) {
			t.Errorf("entry %d of the heap is below a later one", i)
		}
	}
	want := []end{{0, 1}, {2, 2}, {5, 3}, {6, 4}, {1, 10}, {4, 12}}
	if got := drain(c); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestCPUMisuse holds that time neither goes back nor passes by what is due.
func TestCPUMisuse(t *testing.T) {
	for name, misuse := range map[string]func(*CPU){
		"back":     func(c *CPU) { c.Add(4, 1, 1) },
		"too late": func(c *CPU) { c.Add(12, 1, 1) },
		"twice":    func(c *CPU) { c.Add(5, 0, 1) },
		"negative": func(c *CPU) { c.Add(5, 1, -1) },
	} {
		c := NewCPU(1000)
		c.Add(5, 0, 5)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			misuse(c)
		}()
	}
}

// TestCPUAgainstNaive compares random operations with exact fractions: the same jobs at the
// same times in the same order, and the same core time. Small numbers make many jobs due at
// once; large ones make the fractions long.
func TestCPUAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		milliCores := rapid.Int64Range(1, 4500).Draw(t, "cores")
		largest := rapid.SampledFrom([]int64{4, 1000, 1e12}).Draw(t, "largest")
		c, n := NewCPU(milliCores), newNaive(milliCores)
		now, jobs := time.Duration(0), int32(0)
		for range rapid.IntRange(0, 40).Draw(t, "at first") {
			work := time.Duration(rapid.Int64Range(0, largest).Draw(t, "work"))
			c.Add(now, jobs, work)
			n.add(now, jobs, work)
			jobs++
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			at, ok := c.Next()
			if wantAt, wantOK := n.next(); at != wantAt || ok != wantOK {
				t.Fatalf("at %d: next is %d, %v; want %d, %v", now, at, ok, wantAt, wantOK)
			}
			until := now + time.Duration(rapid.Int64Range(0, largest).Draw(t, "wait"))
			if ok {
				until = min(until, at)
			}
			switch now = until; rapid.IntRange(0, 5).Draw(t, "operation") {
			case 0, 1:
				work := time.Duration(rapid.Int64Range(0, largest).Draw(t, "work"))
				c.Add(now, jobs, work)
				n.add(now, jobs, work)
				jobs++
			case 2:
				job := rapid.Int32Range(0, jobs).Draw(t, "job")
				if got, want := c.Remove(now, job), n.remove(now, job); got != want {
					t.Fatalf("at %d: job %d removed: %v, want %v", now, job, got, want)
				}
			case 3:
				f := rapid.SampledFrom([]Factor{Unchanged, 1001, 1500, 60_000, Stopped}).Draw(t, "factor")
				c.Slow(now, f)
				n.advance(now)
				n.slow = f
			case 4:
				c.Add(now, none, time.Duration(largest))
				n.add(now, none, time.Duration(largest))
			case 5:
				if ok {
					now = at
				}
				if got, want := c.Take(now), n.take(now); !slices.Equal(got, want) {
					t.Fatalf("at %d: %v done, want %v", now, got, want)
				}
			}
			if got, want := c.Used(now), new(big.Int).Quo(n.used.Num(), n.used.Denom()).Int64(); int64(got) != want {
				t.Fatalf("at %d: used %d, want %d", now, got, want)
			}
		}
	})
}

// TestCPUConservesWork holds that the cores never idle while there is work: what the jobs
// have had is the core time over the factor.
func TestCPUConservesWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		factor := rapid.SampledFrom([]Factor{Unchanged, 2000, 2500}).Draw(t, "factor")
		c := NewCPU(1000 * rapid.Int64Range(1, 4).Draw(t, "cores"))
		c.Slow(0, factor)
		sum, n := time.Duration(0), rapid.Int32Range(1, 30).Draw(t, "jobs")
		for job := range n {
			work := time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "work"))
			sum += work
			c.Add(0, job, work)
		}
		ends := drain(c)
		if len(ends) != int(n) {
			t.Fatalf("%d of %d jobs are done", len(ends), n)
		}
		last := ends[n-1].at
		// Each job occupies what is left of its last nanosecond.
		used := c.Used(last)
		if least, most := sum*time.Duration(factor)/1000, sum*time.Duration(factor)/1000+time.Duration(n)+1; used < least-1 || used > most {
			t.Fatalf("%v of core time for %v of work at a factor of %v", used, sum, factor)
		}
	})
}

// TestCPUOrder holds that of jobs that come at once those with less work are done first.
func TestCPUOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		works := rapid.SliceOfN(rapid.Int64Range(0, 20), 1, 40).Draw(t, "works")
		c := NewCPU(1000)
		for i, w := range works {
			c.Add(0, int32(i), time.Duration(w))
		}
		var got []int32
		for _, e := range drain(c) {
			got = append(got, e.job)
		}
		want := make([]int32, len(works))
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, func(a, b int32) int { return int(works[a] - works[b]) })
		if !slices.Equal(got, want) {
			t.Fatalf("done %v, want %v", got, want)
		}
	})
}

// TestCPUDoesNotAllocate holds that a busy processor that has been as full before takes no
// memory.
func TestCPUDoesNotAllocate(t *testing.T) {
	c := NewCPU(8000)
	for job := range int32(1000) {
		c.Add(0, job, time.Duration(1+job)*time.Millisecond)
	}
	allocs := testing.AllocsPerRun(5000, func() {
		at, _ := c.Next()
		for _, job := range c.Take(at) {
			c.Add(at, job, 500*time.Millisecond)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations an event", allocs)
	}
}

func BenchmarkCPU(b *testing.B) {
	c := NewCPU(8000)
	for job := range int32(1000) {
		c.Add(0, job, time.Duration(1+job)*time.Millisecond)
	}
	b.ReportAllocs()
	for b.Loop() {
		at, _ := c.Next()
		for _, job := range c.Take(at) {
			c.Add(at, job, 500*time.Millisecond)
		}
	}
}
