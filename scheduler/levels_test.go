package scheduler

import (
	"testing"
	"time"
)

// TestFirstLimitsWithoutAllocation has levels that may not borrow enough to take up
// the seats of an exempt level with shares: the allocation has no solution, so every
// level keeps the limit that it began with. The numbers are those of kube-apiserver.
func TestFirstLimitsWithoutAllocation(t *testing.T) {
	s, err := New(Config{
		Seats:          600,
		RequestTimeout: time.Minute,
		PriorityLevels: []PriorityLevel{
			{Name: CatchAll, Shares: 10, BorrowingLimitPercent: 0},
			{Name: "lending", Shares: 10, LendablePercent: 50, BorrowingLimitPercent: 0},
			{Name: Exempt, Exempt: true, Shares: 40, BorrowingLimitPercent: -1},
		},
		FlowSchemas: []FlowSchema{{Name: CatchAll, Precedence: 10000, PriorityLevel: CatchAll}},
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{CatchAll: 600, Exempt: 400, "lending": 75}
	for _, l := range s.Levels() {
		if l.Current != want[l.Name] {
			t.Errorf("level %s has %d seats, want %d", l.Name, l.Current, want[l.Name])
		}
	}
}
