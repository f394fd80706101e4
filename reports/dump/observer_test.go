package dump

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// times are when the pages are kept; there are other looks.
var times = []time.Duration{0, 3 * time.Second, 5500 * time.Millisecond, 9 * time.Second}

// crowd is two servers of a release with more to do than they can, of which one restarts.
func crowd(t *testing.T, minor int) *sim.Config {
	mean, err := workload.Exponential(100 * time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	arrivals := workload.Poisson(100)
	rules := []scheduler.Rule{{
		Subjects:  []scheduler.SubjectRule{{Kind: scheduler.Group, Name: "*"}},
		Resources: []scheduler.ResourceRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}},
	}}
	return &sim.Config{
		Servers: 2,
		Scheduler: scheduler.Config{
			Release: release.Version{Minor: minor, Patch: release.Newest},
			Seats:   8, RequestTimeout: 4 * time.Second,
			PriorityLevels: []scheduler.PriorityLevel{
				{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
				{Name: scheduler.CatchAll, Shares: 5, BorrowingLimitPercent: -1},
				{Name: "work", Shares: 80, BorrowingLimitPercent: -1, Queuing: &scheduler.Queuing{Queues: 4, HandSize: 2, QueueLengthLimit: 20}},
			},
			FlowSchemas: []scheduler.FlowSchema{
				{Name: "workers", Precedence: 200, PriorityLevel: "work", Distinguisher: scheduler.ByUser, Rules: rules},
				{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll, Distinguisher: scheduler.ByUser, Rules: rules},
			},
		},
		Populations: []workload.Population{{
			Name: "workers", Clients: 3, User: "worker-{index}", Groups: []string{"system:authenticated"}, Duration: mean, Open: &arrivals,
			Requests: []workload.Template{{Verb: "update", APIGroup: "apps", Resource: "deployments", Namespace: "ns-{index}", Name: "x", Subresource: "status", Weight: 1}},
		}},
		Operations: []sim.ServerOperation{{At: 5 * time.Second, Server: 1, Kind: sim.Stop}, {At: 6 * time.Second, Server: 1, Kind: sim.Start}},
		Looks:      append(slices.Clone(times), 9500*time.Millisecond),
		Duration:   10 * time.Second, Seed: 1,
	}
}

// checker compares, at each look, what the observer knows with what the servers tell.
type checker struct {
	*Observer
	t       *testing.T
	waiting int
}

func (c *checker) Look(now time.Duration) {
	c.Observer.Look(now)
	for server := range int32(c.world.Servers()) {
		if !c.world.Up(server) {
			continue
		}
		for _, l := range c.State(server).Levels {
			waiting, executing := 0, len(l.Queueless)
			for i, q := range l.Queues {
				if len(q.Waiting) != q.QueueState.Waiting || len(q.Executing) != q.QueueState.Executing {
					c.t.Errorf("%v: %d wait and %d execute in queue %d of %s, the server says %+v", now, len(q.Waiting), len(q.Executing), i, l.Name, q.QueueState)
				}
				waiting, executing = waiting+len(q.Waiting), executing+len(q.Executing)
			}
			if waiting != l.Waiting || executing != l.Executing {
				c.t.Errorf("%v: %d wait and %d execute in %s, the server says %d and %d", now, waiting, executing, l.Name, l.Waiting, l.Executing)
			}
			c.waiting += waiting
		}
	}
}

func TestObserver(t *testing.T) {
	for _, minor := range []int{22, 26, 28, 37} {
		t.Run(fmt.Sprint(minor), func(t *testing.T) {
			c := &checker{Observer: NewObserver(times...), t: t}
			if _, err := sim.Run(crowd(t, minor), 0, c, nil); err != nil {
				t.Fatal(err)
			}
			var times []string
			for _, d := range c.Dumps() {
				times = append(times, fmt.Sprintf("%v:%d", time.Duration(d.Time), d.Server))
			}
			if got := strings.Join(times, " "); got != "0s:0 0s:1 3s:0 3s:1 5.5s:0 9s:0 9s:1 10s:0 10s:1" {
				t.Errorf("dumps at %s", got)
			}
			if c.waiting == 0 {
				t.Error("nothing waited")
			}
			want := "/apis/apps/v1/namespaces/ns-1/deployments/x/status, ns-1,      x,      apps/v1,    deployments, status"
			if !slices.ContainsFunc(c.Dumps(), func(d reports.Dump) bool { return strings.Contains(d.RequestsWithDetails, want) }) {
				t.Errorf("no %q in %+v", want, c.Dumps())
			}
		})
	}
}
