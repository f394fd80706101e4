package clientgo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/util/workqueue"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/worldtest"
)

// arrival is a key that comes into a queue from outside.
type arrival struct {
	at  time.Duration
	key int
}

// ourController runs ours, and returns what comes from outside, too.
func ourController(p *play, c workload.Controller, requests int, run time.Duration) ([]string, []arrival) {
	w := &told{World: worldtest.New(nil, 1, p.respond)}
	w.Machine = tellsWakes{c.Machine(1, make([]workload.Template, requests)), w}
	last, n := time.Duration(-1), 0
	w.Script = func(int32) float64 {
		if w.Now() != last {
			last, n = w.Now(), -1
		}
		n++
		return p.draws(w.Now(), n)
	}
	w.Start()
	w.RunUntil(run)
	var comes []arrival
	for i := range c.Initial {
		comes = append(comes, arrival{0, i % max(c.Keys, 1)})
		if c.Keys == 0 {
			comes[i].key = i
		}
	}
	for i, at := range w.at {
		key := c.Initial + i
		if c.Keys > 0 {
			key = int(p.draws(at, 0) * float64(c.Keys))
		}
		comes = append(comes, arrival{at, key})
	}
	return w.Lines, comes
}

// realController runs workers on client-go's queue, as controllers are written.
func realController(t *testing.T, p *play, c workload.Controller, requests int, comes []arrival, run time.Duration) (dropped int) {
	synctest.Test(t, func(*testing.T) {
		p.start = time.Now()
		queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[int]())
		ctx, cancel := context.WithCancel(context.Background())
		reconcile := func() bool {
			for request := range requests {
				if s, err := p.call(ctx, 0, int32(request), 0); err != nil || s != workload.OK {
					return false
				}
			}
			return true
		}
		var all sync.WaitGroup
		for len(comes) > 0 && comes[0].at == 0 {
			queue.Add(comes[0].key)
			comes = comes[1:]
		}
		for range c.Workers {
			all.Go(func() {
				for {
					key, over := queue.Get()
					if over || ctx.Err() != nil {
						return
					}
					switch {
					case reconcile():
						queue.Forget(key)
					case c.MaxRetries > 0 && queue.NumRequeues(key) >= c.MaxRetries:
						queue.Forget(key)
						dropped++
					default:
						queue.AddRateLimited(key)
					}
					queue.Done(key)
				}
			})
		}
		for _, a := range comes {
			if a.at >= run {
				break
			}
			time.Sleep(a.at - p.now())
			queue.Add(a.key)
		}
		time.Sleep(run - p.now())
		cancel()
		queue.ShutDown()
		all.Wait()
		time.Sleep(time.Hour)
	})
	return dropped
}

// TestControllerEqualsUpstream lets keys come into a work queue, new ones and such as are there
// already, and fail when the server has its troubles. Where several workers begin at the same
// instant it is not known which one has which key; all are treated alike then.
func TestControllerEqualsUpstream(t *testing.T) {
	const run = 5 * time.Minute
	failed, drops := 0, 0
	for i := range uint64(80 * *times) {
		n := random(15<<20 + i)
		c := workload.Controller{
			Workers: 1 + n.IntN(2)*n.IntN(5), Rate: pick(n, 0.3, 3), Initial: n.IntN(30), Keys: pick(n, 0, 0, 1+n.IntN(20)), MaxRetries: pick(n, 0, 0, 5),
		}
		requests := 1 + n.IntN(3)
		p := &play{seed: i, usual: 100 * time.Millisecond, windows: drawTroubles(16<<20+i, run, time.Second, workload.Failed, workload.TooManyRequests)}
		lines, comes := ourController(p, c, requests, run)
		drops += realController(t, p, c, requests, comes, run) - (len(sends(lines, "dropped")) - len(sends(lines)))
		theirs := slices.DeleteFunc(p.sent, func(line string) bool { return at(line) >= run })
		ours := sends(lines)
		// The order of one instant is of no account.
		for _, all := range [][]string{theirs, ours} {
			slices.SortStableFunc(all, func(a, b string) int {
				if d := at(a) - at(b); d != 0 {
					return int(min(max(d, -1), 1))
				}
				return strings.Compare(a, b)
			})
		}
		equal(t, fmt.Sprintf("%d %v, %d requests, %+v", i, c, requests, p.windows), ours, theirs, 30)
		for _, line := range lines {
			if strings.Contains(line, " has ") && !strings.Contains(line, " has ok ") {
				failed++
			}
		}
	}
	if failed < 500 || drops < -2 || drops > 2 {
		t.Errorf("%d requests failed, and ours has dropped %d keys less", failed, drops)
	}
}
