package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// TestAServerThatIsStoppedStaysSo: a server that was killed and would be up again at 6 s is
// stopped before, be it while it is down or after somebody else has started it.
func TestAServerThatIsStoppedStaysSo(t *testing.T) {
	for _, c := range []struct {
		do   []sim.ServerOperation
		want []string
	}{
		{[]sim.ServerOperation{{At: 3 * time.Second, Kind: sim.Stop}}, []string{"1.009s out-of-memory", "1.009s stopped"}},
		{
			[]sim.ServerOperation{{At: 2 * time.Second, Kind: sim.Stop}, {At: 3 * time.Second, Kind: sim.Start}, {At: 4 * time.Second, Kind: sim.Stop}},
			[]string{"1.009s out-of-memory", "1.009s stopped", "3s started", "3s cache-ready", "4s stopped"},
		},
		{nil, []string{"1.009s out-of-memory", "1.009s stopped", "6.009s started", "6.009s cache-ready"}},
	} {
		cfg, _ := listing(t, 5)
		cfg.Operations = c.do
		if got := runEnds(t, cfg).events; !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.do, got, c.want)
		}
	}
}

// TestTheKubeletForgets has a server killed again ten minutes after it went about the fifth
// restart, and a nanosecond later. Its pause is 160 s in the first case, and none in the other.
func TestTheKubeletForgets(t *testing.T) {
	// Killed at 1, 11, 31, 61 and 111 s; the pause after that is over at 191 s and 9 ms.
	fifth := 191 * time.Second
	for late, want := range map[time.Duration]string{0: "15m56.009s started", 1: "13m16.009000001s started"} {
		cfg, _ := listing(t, 5)
		cfg.Duration = time.Hour
		p := cfg.Populations[0]
		cfg.Populations = nil
		for i, at := range []time.Duration{time.Second, 11 * time.Second, 31 * time.Second, 61 * time.Second, 111 * time.Second, fifth + 10*time.Minute + late} {
			q, burst := p, workload.Burst(at, 5, 0)
			q.Name, q.Open = fmt.Sprint(i), &burst
			cfg.Populations = append(cfg.Populations, q)
		}
		if got := runEnds(t, cfg).events; !slices.Contains(got, want) {
			t.Errorf("%d ns late: %q, want %q", late, got, want)
		}
	}
}
