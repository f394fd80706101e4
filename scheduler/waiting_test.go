package scheduler

import (
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
)

// TestEjectedKeepTheirIDs has requests ejected by the arrival of another one, in both kinds
// of queue sets. All of them are told of in one answer, so no two may have the same ID in it;
// afterwards the IDs are free, and memory does not grow.
func TestEjectedKeepTheirIDs(t *testing.T) {
	for _, minor := range []int{20, 28} {
		s, err := New(Config{
			Release: release.Version{Minor: minor}, Seats: 1, RequestTimeout: time.Minute,
			PriorityLevels: []PriorityLevel{
				{Name: CatchAll, Shares: 1, Queuing: &Queuing{Queues: 1, HandSize: 1, QueueLengthLimit: 5}},
				{Name: Exempt, Exempt: true},
			},
			FlowSchemas: []FlowSchema{{Name: CatchAll, Precedence: 10000, PriorityLevel: CatchAll}},
		}, 0)
		if err != nil {
			t.Fatal(err)
		}
		r := &Request{Subject: s.Subject("u", nil), Target: s.Target(Target{Verb: "get", Resource: "pods"})}
		s.Arrive(0, r) // executes to the end
		ids := map[ID]bool{}
		for round := range 10 {
			now := time.Duration(round) * 16 * time.Second
			var waiting []ID
			for range 3 {
				a, out := s.Arrive(now, r)
				ids[a.ID] = true
				for _, d := range out {
					if d.Kind != Rejected || d.Reason != fairqueue.TimeOut || d.ID == a.ID {
						t.Errorf("1.%d, %v: the arrival of %d decides %+v", minor, now, a.ID, d)
					}
					ids[d.ID] = true
				}
				if want := 3; round > 0 && waiting == nil && len(out) != want {
					t.Errorf("1.%d, %v: %d decisions, want %d rejections", minor, now, len(out), want)
				}
				if slices.Contains(waiting, a.ID) {
					t.Errorf("1.%d, %v: two requests that wait are called %d", minor, now, a.ID)
				}
				waiting = append(waiting, a.ID)
			}
		}
		if len(ids) > 6 {
			t.Errorf("1.%d: %d IDs for at most 3 requests that wait and 3 that are told of", minor, len(ids))
		}
	}
}
