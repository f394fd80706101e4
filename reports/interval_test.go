package reports

import "testing"

func TestIntervalsOfFewReplications(t *testing.T) {
	if newInterval(nil) != nil || newDurationInterval(nil) != nil {
		t.Error("an interval of nothing")
	}
	if i := newInterval([]float64{0.25}); i.HalfWidth != nil || i.text() != "0.25 ± ?" || i.percent() != "25.0% ± ?" {
		t.Errorf("one replication: %v", i.text())
	}
	if i := newDurationInterval([]float64{1.5e9}); i.HalfWidth != nil || i.text() != "1.50s ± ?" {
		t.Errorf("one replication: %v", i.text())
	}
}
