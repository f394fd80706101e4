package plots

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/calibration"
)

// spanRow is a figure of a level from 0s to 10s, or from 10s to 20s.
func spanRow(level string, second int, m calibration.Metric, recorded, simulated float64) calibration.Row {
	from, until := reports.Duration(time.Duration(10*second)*time.Second), reports.Duration(time.Duration(10*second+10)*time.Second)
	a, b, spread := reports.Number(recorded), reports.Number(simulated), reports.Number(1)
	return calibration.Row{PriorityLevel: level, Metric: m, From: &from, Until: &until, Recorded: &a, Simulated: &b, Spread: &spread, Verdict: calibration.Agrees}
}

// TestCalibrated holds which levels and figures are drawn, and what the tables behind them say.
func TestCalibrated(t *testing.T) {
	late := spanRow("busy", 1, calibration.Seats, 7, 8)
	absent := spanRow("busy", 0, calibration.Seats, 0, 0)
	absent.Recorded = nil
	c := &calibration.Calibration{Rows: []calibration.Row{
		spanRow("idle", 0, calibration.Rate, 1, 1),
		spanRow("busy", 0, calibration.Rate, 10, 12), spanRow("busy", 1, calibration.Rate, 20, 18),
		spanRow("busy", 0, calibration.Rejected, 0, 0), spanRow("busy", 1, calibration.Rejected, 5, 0),
		absent, late,
		spanRow("busy", 0, calibration.Execution, 1, 1), // not the quantile that is drawn
	}}
	charts := Calibrated(c)
	if len(charts) != 1 || charts[0].ID != "calibrated-busy" {
		t.Fatalf("%d charts: %+v", len(charts), charts)
	}
	want := Table{
		Columns: []string{"from", "Requests per second: recorded", "simulated", "Rejected requests: recorded", "simulated", "Seats in use: recorded", "simulated"},
		Rows:    [][]string{{"0s", "10", "12", "0", "0", "-", "0"}, {"10s", "20", "18", "5", "0", "7", "8"}},
	}
	got := charts[0].Table
	if !slices.Equal(got.Columns, want.Columns) || !slices.EqualFunc(got.Rows, want.Rows, slices.Equal) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, width := range []int{DefaultWidth, MinWidth} {
		if svg, err := charts[0].Inline(width, 0); err != nil || bytes.Count([]byte(svg), []byte("<path")) < 6 {
			t.Errorf("%d: %v: %s", width, err, svg)
		}
	}
	for i := range c.Rows { // nothing was rejected, and all agrees
		if c.Rows[i].Metric == calibration.Rejected {
			c.Rows[i].Recorded = c.Rows[i].Simulated
		}
	}
	if charts := Calibrated(c); len(charts) > 0 {
		t.Errorf("%d charts of what agrees", len(charts))
	}
	if charts := Calibrated(&calibration.Calibration{Rows: []calibration.Row{{PriorityLevel: "l", Metric: calibration.Wait, Verdict: calibration.Differs}}}); len(charts) > 0 {
		t.Errorf("%d charts without a time", len(charts))
	}
}
