package main

import (
	"math"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports/calibration"
)

// fitBound is by which part a figure of a fitted scenario may differ from the record.
type fitBound struct{ rate, rejected, p50, p99, distance float64 }

// TestFitsAreReproduced writes the audit logs of scenarios of which all is known, fits scenarios to them,
// runs these, and holds them against the records, level by level: rates, rejections, waits and executions.
func TestFitsAreReproduced(t *testing.T) {
	t.Parallel()
	files := map[string]string{"tenants.yaml": tenants, "busy.yaml": busy}
	for _, c := range []struct {
		scenario string
		set      []string
		bounds   map[string]fitBound
	}{
		{"tenants.yaml", nil, map[string]fitBound{
			"workload-low": {rate: 0.05, rejected: 0.01, p50: 0.2, p99: 0.2, distance: 0.05},
			"node-high":    {rate: 0.05, rejected: 0.01, distance: 0.05},
		}},
		{"busy.yaml", nil, map[string]fitBound{
			"workload-low": {rate: 0.05, rejected: 0.1, p50: 0.1, p99: 0.05, distance: 0.05},
			"node-high":    {rate: 0.05, rejected: 0.01, distance: 0.05},
		}},
		{"one-user-floods-global-default", []string{"--set", "duration=30s"}, map[string]fitBound{
			"global-default": {rate: 0.05, rejected: 0.05, p50: 0.05, p99: 0.05, distance: 0.05},
		}},
	} {
		t.Run(c.scenario, func(t *testing.T) {
			d := newDesk(t, files)
			d.record(c.scenario, nil, c.set...)
			config := c.scenario
			if !strings.HasSuffix(config, ".yaml") {
				d.files["config.yaml"] = d.do("scenarios", "show", c.scenario)
				config = "config.yaml"
			}
			d.do("import", "audit", "audit.log", "--from", "2020-01-01T00:00:00Z", "-o", "scenario=fit.yaml", "--config", config)
			fitted := d.calibrate("fit.yaml", "--observed", "record.jsonl")
			for level, bound := range c.bounds {
				bound.hold(t, level, fitted)
			}
		})
	}
}

// hold holds the figures of a level against the bounds. A bound of 0 is none.
func (b fitBound) hold(t *testing.T, level string, c *calibration.Calibration) {
	t.Helper()
	found := 0
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.PriorityLevel != level || r.FlowSchema != "" || r.From != nil || r.Reason != "" {
			continue
		}
		bound, scale := 0.0, 0.0
		switch {
		case r.Metric == calibration.Rate:
			bound = b.rate
		case r.Metric == calibration.Rejected: // of the requests where few are rejected
			bound, scale = b.rejected, 0.1*float64(r.Requests)
		case r.Metric == calibration.Wait && r.Quantile == 0.5:
			bound = b.p50
		case r.Metric == calibration.Wait && r.Quantile == 0.99:
			bound = b.p99
		case r.Metric == calibration.Execution && r.Quantile == 0:
			if found++; float64(*r.Distance) > b.distance {
				t.Errorf("%s: executions have the distance %v", level, *r.Distance)
			}
			continue
		}
		if bound == 0 || r.Recorded == nil || r.Simulated == nil {
			continue
		}
		found++
		recorded, simulated := float64(*r.Recorded), float64(*r.Simulated)
		if math.Abs(simulated-recorded) > bound*max(recorded, scale) {
			t.Errorf("%s: %s p%v is %v, fitted to %v", level, r.Metric, 100*r.Quantile, simulated, recorded)
		}
		t.Logf("%s: %s p%v is %v, fitted to %v", level, r.Metric, 100*r.Quantile, simulated, recorded)
	}
	if found < 3 {
		t.Errorf("%s has %d figures", level, found)
	}
}
