package reports

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// informersConfig is three informers that begin after two seconds.
func informersConfig(t *testing.T) *sim.Config {
	t.Helper()
	cfg := crowdedConfig(t, 30*time.Second)
	cfg.Warmup = time.Second
	p := cfg.Populations[1]
	p.Name, p.Clients, p.Open = "informers", 3, nil
	p.Behaviour = workload.Informer{At: 2 * time.Second}
	p.Requests = []workload.Template{
		{Verb: "list", Resource: "pods", Weight: 1},
		{Verb: "watch", Resource: "pods", Weight: 1},
	}
	cfg.Populations = []workload.Population{p}
	return cfg
}

// Clients that cannot list never sync, and are counted; others tell how long they took.
func TestInformersSyncOrNever(t *testing.T) {
	cfg := informersConfig(t)
	s := Merge(info(1), []*Collected{collect(t, cfg, 0)}).Populations[0].Sync
	if s == nil || s.Never != 0 || s.Times == nil || s.Times.Count != 3 || s.Times.Max <= 0 {
		t.Fatalf("%+v", s)
	}
	cfg.Operations = []sim.ServerOperation{{At: time.Second, Kind: sim.Stop}}
	r := Merge(info(1), []*Collected{collect(t, cfg, 0)})
	p := &r.Populations[0]
	if p.Sync == nil || p.Sync.Never != 3 || p.Sync.Times != nil || p.Refused == nil || p.Refused.NoServer == 0 {
		t.Fatalf("%+v", p)
	}
	if len(r.Diagnoses) != 1 || r.Diagnoses[0].Causes[0].Cause != CauseServer {
		t.Errorf("%+v", r.Diagnoses)
	}
	v := Judge(r, []Expectation{{Metric: MetricNeverSynced, Client: "informers", Equals: new(float64)}})
	if v[0].Passed() || v[0].Value != 3 {
		t.Errorf("%v", &v[0])
	}
	cfg.Operations = append(cfg.Operations, sim.ServerOperation{At: 10 * time.Second, Kind: sim.Start})
	if s := Merge(info(1), []*Collected{collect(t, cfg, 0)}).Populations[0].Sync; s.Never != 0 || time.Duration(s.Times.Max) < 8*time.Second {
		t.Errorf("%+v", s)
	}
}
