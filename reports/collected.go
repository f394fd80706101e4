package reports

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
)

// Collected is what a Collector has seen of one replication, ready to be merged.
type Collected struct {
	replication int
	requests    int64
	fingerprint uint64
	end, window time.Duration // window is the part that counts, from the warm-up to the end
	partial     bool
	ended       bool

	duration, warmup, requestTimeout time.Duration
	seed                             uint64
	seats                            int
	configuration                    string
	populations                      []population
	schemas                          []schema
	levels                           []levelRun

	cells   []cell // populations x (1 + schemas); column 0 is of long-running requests
	clients []clientStats
	flows   []flowRun // by schema and distinguisher
}

type population struct {
	name, preset string
	clients      int
}

type schema struct {
	name  string
	level int
}

// levelRun is one level in one replication.
type levelRun struct {
	info scheduler.LevelInfo
	levelStats
	fair    Total
	crowded int64
}

// flowRun is one flow in one replication.
type flowRun struct {
	scheduler.FlowInfo
	flowStats
}

// describe takes over what is known before the first event.
func (o *Collected) describe(cfg *sim.Config, replication int, s server) {
	o.replication = replication
	o.duration, o.warmup, o.seed = cfg.Duration, cfg.Warmup, cfg.Seed
	o.seats, o.requestTimeout = cfg.Scheduler.Seats, cfg.Scheduler.RequestTimeout
	o.configuration = digest(&cfg.Scheduler)
	for i := range cfg.Populations {
		p := &cfg.Populations[i]
		o.populations = append(o.populations, population{p.Name, p.Preset, p.Clients})
	}
	for i, name := range s.Schemas() {
		o.schemas = append(o.schemas, schema{name, s.SchemaLevel(i)})
	}
	for _, info := range s.Levels() {
		o.levels = append(o.levels, levelRun{info: info})
	}
}

// digest returns a hash of all that configures the server and its APF. Two runs with
// the same digest differ in their traffic alone.
func digest(cfg *scheduler.Config) string {
	text, err := json.Marshal(cfg)
	if err != nil {
		panic(fmt.Sprintf("reports: the configuration of a server has no JSON form: %v", err))
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// takeLevels takes over the levels at the end of the run.
func (o *Collected) takeLevels(stats []levelStats, c *crowding) {
	for i := range o.levels {
		l := &o.levels[i]
		l.levelStats = stats[i]
		l.fair, l.crowded = c.fair[i], c.periods[i]
	}
}

// takeFlows takes over the flows that sent anything that counts, in an order that does
// not depend on who came first.
func (o *Collected) takeFlows(stats []flowStats, s server) {
	for i := range stats {
		if stats[i].arrivals > 0 {
			o.flows = append(o.flows, flowRun{s.Flow(scheduler.FlowID(i)), stats[i]})
		}
	}
	slices.SortFunc(o.flows, func(a, b flowRun) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Distinguisher, b.Distinguisher))
	})
}

// Collected returns what was collected, once the run is over, with the summary that
// sim.Run returned for it. It panics if the run has not ended.
func (c *Collector) Collected(s sim.Summary) *Collected {
	if !c.out.ended {
		panic("reports: Collected before the end of the run")
	}
	c.out.requests, c.out.fingerprint = s.Requests, s.Fingerprint
	return &c.out
}
