package reports

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// manyFlows is a server with one level and one flow for each node.
type manyFlows struct{}

func (manyFlows) Levels() []scheduler.LevelInfo {
	return []scheduler.LevelInfo{{Name: "node-high", Queues: 64, HandSize: 6, QueueLengthLimit: 50}}
}
func (manyFlows) Schemas() []string              { return []string{"nodes"} }
func (manyFlows) SchemaLevel(int) int            { return 0 }
func (manyFlows) Changes() []scheduler.Change    { return nil }
func (manyFlows) Panics() int                    { return 0 }
func (manyFlows) LevelState(int) fairqueue.State { return fairqueue.State{} }
func (manyFlows) QueueState(int, int) fairqueue.QueueState {
	return fairqueue.QueueState{}
}
func (manyFlows) Flow(id scheduler.FlowID) scheduler.FlowInfo {
	return scheduler.FlowInfo{Distinguisher: fmt.Sprintf("system:node:%d", id), Hand: hand}
}

var hand = []int32{1, 2, 3, 4, 5, 6}

// Each of 3,000 nodes waits 130 times, from a millisecond to a minute: more often than is
// kept exactly, and as often as in ten minutes of leases and status. A hundred thousand of them
// have to fit into a gibibyte, so one may need 8 kB, with its part of the result.
func TestMemoryOfManyFlows(t *testing.T) {
	const nodes, requests, most = 3_000, 130, 8_000
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	c := NewCollector()
	cfg := &sim.Config{Populations: []workload.Population{{Name: "nodes", Clients: nodes, Requests: make([]workload.Template, 1)}}}
	c.start(cfg, 0, []server{manyFlows{}}, []bool{true})
	c.Adjusted(0, 0)
	random := rand.New(rand.NewPCG(1, 2))
	now := 2 * time.Minute
	for range requests {
		for node := range scheduler.FlowID(nodes) {
			wait := time.Millisecond << random.IntN(16)
			wait += time.Duration(random.Int64N(int64(wait)))
			r := &sim.Request{Flow: node, Queue: -1, Estimate: fairqueue.Estimate{InitialSeats: 1}, Arrival: now, Dispatched: now, Execution: time.Microsecond}
			c.Arrived(now, r)
			now += time.Microsecond
			r.Arrival = now - wait
			c.Dispatched(now, r)
			r.Finished = now
			c.Finished(now, r)
			c.Released(now, r)
		}
	}
	c.End(now, false)
	t.Logf("a flow costs %d bytes", (heap()-before)/nodes)
	if got := (heap() - before) / nodes; got > most {
		t.Errorf("a flow costs %d bytes, at most %d are allowed", got, most)
	}
	collected := c.Collected(sim.Summary{})
	r := Merge(info(1), []*Collected{collected})
	if got := (heap() - before) / nodes; got > most {
		t.Errorf("with a result a flow costs %d bytes, at most %d are allowed", got, most)
	}
	if r.Flows.Count != nodes || r.Server.Requests.Finished != nodes*requests {
		t.Errorf("%d flows, %+v", r.Flows.Count, r.Server.Requests)
	}
	runtime.KeepAlive(c)
}
