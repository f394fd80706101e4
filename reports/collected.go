package reports

import (
	"cmp"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/borrowing"
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
	steady      bool // nothing of the scenario changes in the run

	duration, warmup, requestTimeout time.Duration
	seed                             uint64
	seats                            int
	configuration                    *sim.Config
	flowControl                      *FlowControl
	buckets                          buckets
	populations                      []population
	schemas                          []string   // by the server's number
	levels                           []levelRun // by the server's number
	changes                          []changes
	panics                           int

	columns []column
	cells   []cell // populations x columns
	// servers are by number, populationStats in the order of populations.
	servers         []serverStats
	populationStats []populationStats
	machines        []machineUse
	members         []memberUse
	deadlocks       []*sim.Deadlock
	inversions      []inversion
	// parts are what was collected of parts of the run.
	parts    map[Window]*Collected
	flows    []flowRun // by schema and distinguisher
	timeline *timeline // nil unless it is the first replication, as a whole
}

type population struct {
	name, preset string
	clients      int
}

// levelRun is one level in one replication.
type levelRun struct {
	info scheduler.LevelInfo // as it was in the end
	// queues and hand are those that the level had last when it told flows apart.
	queues, hand int
	levelStats
	fair    Total
	crowded int64
	// blamed is by population.
	blamed []blamed
}

// flowRun is one flow in one replication.
type flowRun struct {
	scheduler.FlowInfo
	*flowStats
}

// compareNames orders by schema, level and distinguisher, which no two flows of one run
// have in common.
func (f *flowRun) compareNames(g *flowRun) int {
	return cmp.Or(cmp.Compare(f.Schema, g.Schema), cmp.Compare(f.Level, g.Level), cmp.Compare(f.Distinguisher, g.Distinguisher))
}

// describe takes over what is known before the first event.
func (o *Collected) describe(cfg *sim.Config, replication int, servers []server) {
	o.replication = replication
	o.duration, o.warmup, o.seed = cfg.Duration, cfg.Warmup, cfg.Seed
	o.seats, o.requestTimeout = cfg.Scheduler.Seats, cfg.Scheduler.RequestTimeout
	o.configuration, o.flowControl = cfg, newFlowControl(&cfg.Scheduler)
	o.steady, o.buckets = steady(cfg), bucketsOf(cfg)
	for i := range cfg.Populations {
		p := &cfg.Populations[i]
		o.populations = append(o.populations, population{p.Name, p.Preset, p.Clients})
	}
	o.look(servers[0])
}

// look takes over the schemas and levels that the server has now.
func (o *Collected) look(s server) {
	o.schemas = longer(o.schemas, s.Schemas())
	for i, info := range s.Levels() {
		if i == len(o.levels) {
			o.levels = append(o.levels, levelRun{})
		}
		l := &o.levels[i]
		l.info = info
		if info.Queues > 1 {
			l.queues, l.hand = info.Queues, info.HandSize
		}
	}
}

// longer returns the longer one of two lists of which one begins with the other.
func longer(a, b []string) []string {
	if len(a) > len(b) {
		return a
	}
	return b
}

// changes is what has changed at one time.
type changes struct {
	time time.Duration
	list []scheduler.Change
}

// changed notes a change of the configuration. What happens at the same time is one.
func (o *Collected) changed(now time.Duration, s server) {
	o.look(s)
	if n := len(o.changes); n == 0 || o.changes[n-1].time != now {
		o.changes = append(o.changes, changes{time: now})
	}
	last := &o.changes[len(o.changes)-1]
	last.list = append(last.list, s.Changes()...)
}

// takeLevels takes over the levels at the end of the run.
func (o *Collected) takeLevels(stats []*levelStats, c *crowding, servers []serverStats) {
	for i := range servers {
		o.look(servers[i].apf)
	}
	o.addLimits(servers)
	for i := range o.levels {
		l := &o.levels[i]
		l.levelStats = *stats[i]
		l.lanes, l.stations = nil, nil
		l.fair, l.crowded = c.fair[i], c.periods[i]
		l.blamed = make([]blamed, len(o.populations))
		for j := range servers {
			if at := servers[j].stations; i < len(at) {
				at[i].blame.addTo(l.blamed)
			}
		}
	}
}

// addLimits makes the limits of the levels the sums over several servers.
func (o *Collected) addLimits(servers []serverStats) {
	sums := make([]borrowing.Limits, len(o.levels))
	there := make([]bool, len(o.levels))
	for i := range servers {
		for level, info := range servers[i].apf.Levels() {
			l := &sums[level]
			l.Nominal, l.Min, l.Max = l.Nominal+info.Nominal, l.Min+info.Min, l.Max+info.Max
			if info.Status == scheduler.Active && !there[level] {
				o.levels[level].info, there[level] = info, true
			}
		}
	}
	for i := range o.levels {
		l := &o.levels[i].info
		l.Nominal, l.Min, l.Max = sums[i].Nominal, sums[i].Min, sums[i].Max
	}
}

// takeFlows takes over the flows that sent anything that counts, in an order that does
// not depend on who came first.
func (o *Collected) takeFlows(stats []flowStats, servers []serverStats) {
	for i := range stats {
		f := &stats[i]
		if f.arrivals == 0 {
			continue
		}
		f.waits.gather()
		if f.waits.hist != nil {
			f.waits.flush() // so that copies of it can share the histogram
		}
		o.flows = append(o.flows, flowRun{servers[f.server].apf.Flow(f.id), f})
	}
	slices.SortFunc(o.flows, func(a, b flowRun) int {
		return a.compareNames(&b)
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
