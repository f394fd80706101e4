package workload

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// arrivalsOf returns up to n arrivals of a client, and whether the process ended by itself.
func arrivalsOf(a Arrivals, s Stream, n int) (all []time.Duration, ended bool) {
	var st ArrivalState
	for len(all) < n {
		at, ok := a.Next(&st, &s)
		if !ok {
			return all, true
		}
		all = append(all, at)
	}
	return all, false
}

// uniform is the distribution function of the uniform distribution on [0, 1].
func uniform(x float64) float64 { return min(max(x, 0), 1) }

// unitExponential is that of the exponential distribution of mean 1.
func unitExponential(x float64) float64 { return -math.Expm1(-x) }

func TestPoisson(t *testing.T) {
	const rate, n = 250.0, 50000
	all, _ := arrivalsOf(Poisson(rate), NewStream(1, 1), n)
	gaps, last := make([]float64, n), time.Duration(0)
	for i, at := range all {
		gaps[i] = (at - last).Seconds() * rate
		last = at
	}
	if k := kolmogorov(gaps, unitExponential); k > 1.95 {
		t.Errorf("the gaps are not exponential: the Kolmogorov statistic is %.2f", k)
	}
	if got := n / last.Seconds(); math.Abs(got-rate) > 4*rate/math.Sqrt(n) {
		t.Errorf("the rate is %v, want %v", got, rate)
	}
}

// TestPoissonSlow holds that a process ends where time does.
func TestPoissonSlow(t *testing.T) {
	all, ended := arrivalsOf(Poisson(1e-9), NewStream(1, 1), 1000)
	if !ended || len(all) == 0 || len(all) > 20 {
		t.Errorf("%d arrivals in 73 years at one in 31.7 years, ended: %v", len(all), ended)
	}
	if _, ended := arrivalsOf(Poisson(1e-300), NewStream(1, 1), 1); !ended {
		t.Error("an arrival at a rate of 1e-300")
	}
}

func TestPeriodic(t *testing.T) {
	const every, jitter = 100 * ms, 30 * ms
	var phases, jitters []float64
	for client := range 2000 {
		all, _ := arrivalsOf(Periodic(every, jitter), NewStream(2, uint64(client)), 10)
		phase := all[0]
		phases = append(phases, float64(phase)/float64(every))
		for k, at := range all[1:] {
			late := at - phase - time.Duration(k+1)*every
			if late < 0 || late >= jitter {
				t.Fatalf("client %d: arrival %d is %v after its place, the jitter is %v", client, k+1, late, jitter)
			}
			jitters = append(jitters, float64(late)/float64(jitter))
		}
	}
	if k := kolmogorov(phases, uniform); k > 1.95 {
		t.Errorf("the phases are not uniform: the Kolmogorov statistic is %.2f", k)
	}
	if k := kolmogorov(jitters, uniform); k > 1.95 {
		t.Errorf("the jitter is not uniform: the Kolmogorov statistic is %.2f", k)
	}
}

// TestPeriodicExactly holds that without jitter the distance is every, and that with the
// shortest one there is nothing to draw.
func TestPeriodicExactly(t *testing.T) {
	all, _ := arrivalsOf(Periodic(7*ms, 0), NewStream(3, 3), 1000)
	for i := range all {
		if want := all[0] + time.Duration(i)*7*ms; all[i] != want {
			t.Fatalf("arrival %d at %v, want %v", i, all[i], want)
		}
	}
	all, _ = arrivalsOf(Periodic(1, 1), NewStream(3, 3), 5)
	if want := []time.Duration{0, 1, 2, 3, 4}; !slices.Equal(all, want) {
		t.Errorf("every nanosecond: %v", all)
	}
	if _, ended := arrivalsOf(Periodic(MaxDuration, 0), NewStream(3, 3), 9); !ended {
		t.Error("nine periods of 73 years")
	}
}

func TestBurst(t *testing.T) {
	const at, count, over = 5 * time.Second, 1000, 2 * time.Second
	var places, lasts []float64
	for client := range 40 {
		all, ended := arrivalsOf(Burst(at, count, over), NewStream(4, uint64(client)), count+1)
		if len(all) != count || !ended {
			t.Fatalf("%d arrivals, want %d", len(all), count)
		}
		for _, x := range all {
			if x < at || x >= at+over {
				t.Fatalf("an arrival at %v, outside of the burst", x)
			}
			places = append(places, float64(x-at)/float64(over))
		}
		lasts = append(lasts, float64(all[count-1]-at)/float64(over))
	}
	if k := kolmogorov(places, uniform); k > 1.95 {
		t.Errorf("the arrivals are not uniform: the Kolmogorov statistic is %.2f", k)
	}
	if k := kolmogorov(lasts, func(x float64) float64 { return math.Pow(x, count) }); k > 1.95 {
		t.Errorf("the last arrivals are not the greatest of %d: the Kolmogorov statistic is %.2f", count, k)
	}
	all, ended := arrivalsOf(Burst(at, 3, 0), NewStream(4, 4), 10)
	if want := []time.Duration{at, at, at}; !slices.Equal(all, want) || !ended {
		t.Errorf("a burst in one moment: %v, want %v", all, want)
	}
}

// integral returns the integrated rate of stages at a time: the definition, stage by stage.
func integral(stages []Stage, at time.Duration) float64 {
	sum, rate, begin := 0.0, 0.0, time.Duration(0)
	for _, s := range stages {
		d := min(at-begin, s.Duration)
		if d <= 0 && s.Duration > 0 {
			break
		}
		if s.Duration > 0 {
			reached := rate + (s.Rate-rate)*d.Seconds()/s.Duration.Seconds()
			sum += (rate + reached) / 2 * d.Seconds()
		}
		begin += s.Duration
		rate = s.Rate
	}
	return sum
}

// TestStages holds the definition: at the arrivals the integrated rate grows by independent
// exponential steps of mean 1.
func TestStages(t *testing.T) {
	for i, stages := range [][]Stage{
		{{10 * time.Second, 100}},
		{{10 * time.Second, 100}, {20 * time.Second, 100}, {5 * time.Second, 0}},
		{{0, 50}, {10 * time.Second, 50}, {0, 500}, {3 * time.Second, 0}, {4 * time.Second, 0}, {1 * time.Second, 40}},
		{{time.Second, 1e-3}, {time.Hour, 0.1}, {time.Second, 1000}},
	} {
		t.Run(fmt.Sprint(Stages(stages)), func(t *testing.T) {
			end := time.Duration(0)
			for _, s := range stages {
				end += s.Duration
			}
			var steps []float64
			total := integral(stages, end)
			const clients = 40
			for client := range clients {
				all, ended := arrivalsOf(Stages(stages), NewStream(uint64(i), uint64(client)), 100000)
				if !ended || all[len(all)-1] > end || !slices.IsSorted(all) {
					t.Fatalf("ended: %v, in order: %v, the last of %d at %v", ended, slices.IsSorted(all), len(all), all[len(all)-1])
				}
				last := 0.0
				for _, at := range all {
					mass := integral(stages, at)
					steps = append(steps, mass-last)
					last = mass
				}
			}
			// A step that would lead beyond the end is cut off, one for each client.
			if k := kolmogorov(steps, unitExponential); k > 2.2 {
				t.Errorf("the steps are not exponential: the Kolmogorov statistic is %.2f", k)
			}
			if got, want := float64(len(steps)), total*clients; math.Abs(got-want) > 4*math.Sqrt(want) {
				t.Errorf("%v arrivals, want %v", got, want)
			}
		})
	}
}

// TestStagesOfConstantRate holds that a stage of constant rate is a Poisson process, with
// the same draws.
func TestStagesOfConstantRate(t *testing.T) {
	stages, _ := arrivalsOf(Stages([]Stage{{0, 300}, {time.Hour, 300}}), NewStream(9, 9), 10000)
	poisson, _ := arrivalsOf(Poisson(300), NewStream(9, 9), 10000)
	for i := range stages {
		if d := (stages[i] - poisson[i]).Abs(); d > 2*time.Microsecond {
			t.Fatalf("arrival %d at %v, as a Poisson process at %v", i, stages[i], poisson[i])
		}
	}
}

// TestArrivalsAreInOrder draws processes of every kind: times never decrease, never pass
// MaxDuration, and stages end in time.
func TestArrivalsAreInOrder(t *testing.T) {
	duration := rapid.Custom(func(t *rapid.T) time.Duration {
		return time.Duration(math.Exp2(rapid.Float64Range(0, 61).Draw(t, "log2")))
	})
	rate := rapid.Custom(func(t *rapid.T) float64 {
		return math.Exp2(rapid.Float64Range(-30, 29).Draw(t, "log2"))
	})
	rapid.Check(t, func(t *rapid.T) {
		var a Arrivals
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			a = Poisson(rate.Draw(t, "rate"))
		case 1:
			every := duration.Draw(t, "every")
			a = Periodic(every, time.Duration(rapid.Int64Range(0, int64(every)).Draw(t, "jitter")))
		case 2:
			a = Burst(duration.Draw(t, "at"), rapid.IntRange(1, 500).Draw(t, "count"), duration.Draw(t, "over"))
		case 3:
			a = Stages(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Stage {
				return Stage{duration.Draw(t, "duration"), rate.Draw(t, "rate")}
			}), 1, 5).Draw(t, "stages"))
		}
		if faults := a.Validate(); len(faults) > 0 {
			t.Fatalf("%v: %v", a, faults)
		}
		all, _ := arrivalsOf(a, NewStream(1, rapid.Uint64().Draw(t, "seed")), 300)
		if !slices.IsSorted(all) {
			t.Fatalf("%v: not in order", a)
		}
		end := time.Duration(0)
		for _, s := range a.Stages {
			end = min(end+s.Duration, MaxDuration)
		}
		for _, at := range all {
			if at < 0 || at > MaxDuration || len(a.Stages) > 0 && at > end {
				t.Fatalf("%v: an arrival at %d", a, at)
			}
		}
	})
}

func TestNextDoesNotAllocate(t *testing.T) {
	for _, a := range []Arrivals{
		Poisson(100), Periodic(ms, ms), Burst(0, countMax, time.Hour), Stages([]Stage{{time.Hour, 100}}),
	} {
		var st ArrivalState
		s := NewStream(1, 2)
		if n := testing.AllocsPerRun(1000, func() { a.Next(&st, &s) }); n != 0 {
			t.Errorf("%v: %v allocations per arrival", a, n)
		}
	}
}

func TestNoArrivals(t *testing.T) {
	if all, ended := arrivalsOf(Arrivals{}, NewStream(1, 2), 1); !ended {
		t.Errorf("an arrival of no process: %v", all)
	}
}

func BenchmarkNext(b *testing.B) {
	for _, a := range []Arrivals{Poisson(100), Periodic(ms, ms), Burst(0, math.MaxInt, time.Hour), Stages([]Stage{{MaxDuration, 1}})} {
		b.Run(a.Kind.String(), func(b *testing.B) {
			var st ArrivalState
			s := NewStream(1, 2)
			for b.Loop() {
				at, _ := a.Next(&st, &s)
				sink += at
			}
		})
	}
}
