package exposition

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
)

// process is what one process of an API server has counted since its start.
type process struct {
	apf     *scheduler.Server
	version release.Version
	catalog []definition
	began   time.Duration
	rules

	// columns are the flow schemas with the levels that they led to, in the order in which they
	// came up; column finds them by schema, -1 for none, the last one of a schema that led to
	// several levels.
	columns []column
	column  []int32
	levels  []level
	kinds   [2]kindCounts // read-only and mutating
	// second is when the second ends that the gauges by kind look back on next.
	second time.Duration
	// trimmed are the seats that requests hold which hold fewer than estimated.
	trimmed map[requestKey]int
}

// rules are how the metrics of a release differ, beside the catalog.
type rules struct {
	waits, executions, lengths, watchers, widths bounds
	// sampled tells that ratios are sampled, and not measured over time.
	sampled bool
	// queuesCount tells that the limit of waiting requests counts all queues, and not one of them.
	queuesCount bool
	// demandOfCurrent tells that demand is measured against the current limit, or a
	// tenth of the server's seats if that is 0, and not against the nominal limit.
	demandOfCurrent bool
	// limitsKinds tells that the ratios by kind have limits.
	limitsKinds bool
	// exemptQueues tells that the exempt level has a queue set, with all that it counts.
	exemptQueues bool
}

// requestKey names a request. Several traces may number their lines alike.
type requestKey struct {
	population int32
	id         int64
}

// column is what is counted of the requests of a flow schema in a priority level.
type column struct {
	schema, level                int32
	rejected                     [fairqueue.Reasons]uint64
	dispatched                   uint64
	inqueue, executing           int64
	inqueueSeats, executingSeats int64
	queued, executed             bool // whether the gauges exist
	length, watchers, width      counts
	waited, turnedAway           counts // execute="true" and "false"
	regular, watches             counts // by type of request
}

// level is what is counted of a priority level.
type level struct {
	waiting, executing, seats, demand ratio
	// queueLimit is the queueLengthLimit that the level has, or had when it last had queues.
	queueLimit int
	// counted tells that the level has a queue set.
	counted bool
}

// kindCounts is what is counted of all requests of a kind.
type kindCounts struct {
	waiting, executing ratio
	dropped            uint64
	// What follows is of waiting and executing: the number now, the highest in the second that is
	// not over, and in the one before.
	now, highest, shown [2]int64
}

// newProcess returns a process that has counted nothing.
func newProcess(now time.Duration, apf *scheduler.Server) *process {
	p := &process{apf: apf, version: apf.Version(), began: now, second: now + time.Second, trimmed: map[requestKey]int{}}
	p.catalog = catalog(p.version)
	minor := p.version.Minor
	p.rules = rules{
		sampled: minor < 25, queuesCount: minor >= 25, limitsKinds: minor >= 25,
		demandOfCurrent: minor >= 28, exemptQueues: !apf.Profile().ExemptBypasses,
	}
	for i := range p.catalog {
		switch d := &p.catalog[i]; d.id {
		case waitSeconds:
			p.waits = inNanoseconds(d.buckets)
		case executionSeconds:
			p.executions = inNanoseconds(d.buckets)
		case queueLength:
			p.lengths = asTheyAre(d.buckets)
		case watchCount:
			p.watchers = asTheyAre(d.buckets)
		case estimatedSeats:
			p.widths = asTheyAre(d.buckets)
		}
	}
	for k := range p.kinds {
		p.kinds[k].waiting, p.kinds[k].executing = p.newRatio(now, kindRatios, 0), p.newRatio(now, kindRatios, 0)
	}
	apf.RecordDispatches()
	p.configured(now)
	return p
}

// newRatio returns a ratio with a limit of 1.
func (p *process) newRatio(now time.Duration, buckets []float64, numerator float64) ratio {
	r := ratio{numerator: numerator, denominator: 1, since: now, buckets: buckets}
	if p.sampled {
		r.samples = &samples{began: p.began, ended: int64((now - p.began) / samplePeriod), low: numerator, high: numerator}
	}
	return r
}

// configured takes over the limits, of new levels too. It is due when they may have changed.
func (p *process) configured(now time.Duration) {
	waiting, executing := 0, 0
	levels := p.apf.Levels()
	for i := range levels {
		info := &levels[i]
		if i == len(p.levels) {
			p.levels = append(p.levels, p.newLevel(now, info.Name))
		}
		if info.Status == scheduler.Gone {
			continue
		}
		p.levels[i].configured(now, info, p)
		if !info.Exempt || p.exemptQueues {
			waiting += info.Queues * info.QueueLengthLimit
			executing += info.Nominal
		}
	}
	for k := range p.kinds {
		if p.limitsKinds {
			p.kinds[k].waiting.limit(now, waiting)
			p.kinds[k].executing.limit(now, executing)
		}
	}
}

// newLevel returns a level that nothing is known of.
func (p *process) newLevel(now time.Duration, name string) level {
	l := level{
		waiting:   p.newRatio(now, requestRatios, 0),
		executing: p.newRatio(now, requestRatios, 0),
		seats:     p.newRatio(now, seatRatios, 0),
		demand:    p.newRatio(now, demandRatios, 0),
	}
	if p.version.Minor < 24 { // upstream asks its generator of seat samples for 1 of 1
		l.seats = p.newRatio(now, seatRatios, 1)
		if name == scheduler.CatchAll && now == p.began {
			l.seats.alone(p.apf.Seats())
		}
	}
	return l
}

// alone makes the ratio that of the catch-all level of a server that begins. It is there before the server has
// read any object, when it has all seats for itself, and has that limit at the start of the first millisecond.
func (r *ratio) alone(seats int) {
	r.denominator = float64(seats)
	r.samples.low, r.samples.high = r.value(), r.value()
}

// configured takes over the limits of a level in use.
func (l *level) configured(now time.Duration, info *scheduler.LevelInfo, p *process) {
	if info.Exempt && !p.exemptQueues {
		return
	}
	l.counted = true
	waiting := l.queueLimit
	if info.Queues > 0 {
		l.queueLimit = info.QueueLengthLimit
		waiting = l.queueLimit
		if p.queuesCount {
			waiting *= info.Queues
		}
	}
	l.waiting.limit(now, max(1, waiting))
	seats, demand := info.Current, info.Nominal
	if p.demandOfCurrent {
		if seats == 0 {
			seats = max(1, int(float64(p.apf.Seats())/10+0.5))
		}
		demand = seats
	}
	l.executing.limit(now, seats)
	l.seats.limit(now, seats)
	l.demand.limit(now, demand)
}

// columnOf returns what is counted of a schema in a level.
func (p *process) columnOf(schema, level int32) *column {
	if int(schema) < len(p.column) {
		if i := p.column[schema]; i >= 0 && p.columns[i].level == level {
			return &p.columns[i]
		}
	}
	for int(schema) >= len(p.column) {
		p.column = append(p.column, -1)
	}
	for i := range p.columns {
		if c := &p.columns[i]; c.schema == schema && c.level == level {
			p.column[schema] = int32(i)
			return c
		}
	}
	p.column[schema] = int32(len(p.columns))
	p.columns = append(p.columns, column{schema: schema, level: level})
	return &p.columns[len(p.columns)-1]
}

// kindOf returns what is counted of the kind of a request.
func (p *process) kindOf(r *sim.Request) *kindCounts {
	if r.Mutating {
		return &p.kinds[1]
	}
	return &p.kinds[0]
}
