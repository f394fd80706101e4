package reports

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// crowd makes the result of so many populations of one client each that share a level.
func crowd(t *testing.T, populations int) *Result {
	t.Helper()
	cfg := crowdedConfig(t, 12*time.Second)
	for _, p := range cfg.Populations {
		if p.Name != "elephants" {
			continue
		}
		arrivals := workload.Poisson(10)
		p.Clients, p.Open = 1, &arrivals
		cfg.Populations = nil
		for i := range populations {
			p.Name, p.User = fmt.Sprint("tenant-", i), fmt.Sprint("tenant-", i, "-{index}")
			cfg.Populations = append(cfg.Populations, p)
		}
		break
	}
	return Merge(info(1), []*Collected{collect(t, cfg, 0)})
}

// Of many populations a result does not hold every pair: the square of a thousand is a million.
func TestBlameOfManyIsBounded(t *testing.T) {
	for _, populations := range []int{maxBlamedPopulations, 45} {
		r := crowd(t, populations)
		waiters, figures := 0, 0
		for _, l := range r.PriorityLevels {
			if l.Blame == nil {
				continue
			}
			for _, w := range l.Blame.Waiters {
				waiters++
				time, share, all := 0.0, 0.0, len(w.Holders)
				for _, h := range w.Holders {
					time, share = time+float64(h.Time), share+float64(h.Share)
				}
				if o := w.Others; o != nil {
					time, share, all = time+float64(o.Time), share+float64(o.Share), all+o.Count
				}
				if len(w.Holders) > maxHolders || all > populations+1 || (w.Others != nil) != (all > maxHolders) {
					t.Fatalf("%d populations: %d holders are listed of %d", populations, len(w.Holders), all)
				}
				if want := w.Time.float() / 1e9; math.Abs(time-want) > 1e-4*want || math.Abs(share-1) > 1e-4 {
					t.Fatalf("%s waited for %v s, and %v s are blamed, a part of %v", w.Population, want, time, share)
				}
			}
		}
		for i := range r.Figures {
			if r.Figures[i].Metric == MetricBlame {
				figures++
			}
		}
		want := 0
		if populations <= maxBlamedPopulations {
			want = waiters * populations
		}
		if waiters < populations/2 || figures != want {
			t.Errorf("%d populations, of which %d waited: %d figures of blame, want %d", populations, waiters, figures, want)
		}
		// What was just run tells of every pair all the same.
		e := Expectation{Metric: MetricBlame, Client: "tenant-0", Holder: "tenant-1"}
		if _, why := r.Measure(e); why != "" {
			t.Errorf("%d populations: %s", populations, why)
		}
	}
}

// What was measured shows no more digits than a result keeps.
func TestGotHasSixDigits(t *testing.T) {
	v := Verdict{Expectation: Expectation{Metric: MetricRejected, Client: "bots", Above: new(0.0)}, Value: 176707.0 / 3, Samples: 5, Outcome: Passed}
	if got := v.Judged().Got; got != "58902.3" {
		t.Errorf("got %s", got)
	}
	if v.Value = 176707; v.Judged().Got != "176707" {
		t.Errorf("got %s", v.Judged().Got)
	}
}
