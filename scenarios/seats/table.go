package seats

import (
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/borrowing"
)

// For makes the table of a configuration. The error is that of a configuration which no
// scheduler can run, such as a server without seats.
func For(in Input) (*Table, error) {
	p, err := newProbe(in.Scheduler, widest.objects, widest.watches)
	if err != nil {
		return nil, err
	}
	t := &Table{
		APIVersion: modelVersion, Kind: tableKind,
		KubernetesVersion: in.Configuration.Release.String(),
		Server:            in.Server,
		BytesPerRequest:   in.BytesPerRequest,
		requestTimeout:    in.Scheduler.RequestTimeout,
	}
	rules := p.server.Profile().Borrowing
	t.lending, t.exemptOutside = rules.Lending, rules.Exempt == borrowing.ExemptOutside
	configs := slices.Clone(in.Scheduler.PriorityLevels)
	slices.SortFunc(configs, func(a, b scheduler.PriorityLevel) int { return strings.Compare(a.Name, b.Name) })
	for i, c := range configs {
		t.Levels = append(t.Levels, p.level(i, c, in.BytesPerRequest))
		l := &t.Levels[i]
		l.BuiltIn = builtIn(in, c.Name)
		if l.Type != Exempt || !t.exemptOutside {
			t.Sums.Shares += int64(l.Shares)
			t.Sums.Nominal += int64(l.Nominal)
		}
		if l.Type != Exempt || rules.Exempt == borrowing.ExemptAmong {
			t.Sums.Min += int64(l.Min)
		}
	}
	_, t.idleFraction = rules.Adjust(p.demands())
	return t, nil
}

// builtIn tells whether a level comes with the release.
func builtIn(in Input, name string) bool {
	for i := range in.Configuration.Levels {
		if l := &in.Configuration.Levels[i]; l.Object.Name == name {
			return l.BuiltIn
		}
	}
	return false
}

// widest are the objects and watches that make the widest requests: more of them than
// any bound on the width leaves room for, in the resource "widest".
var widest = struct {
	list, watch, write question
	objects            []scheduler.ObjectCount
	watches            []scheduler.WatchCount
}{
	// With a continuation every release reads from storage.
	list:    question{verb: "list", resource: "widest", options: scheduler.RawListOptions{Continue: "token"}},
	watch:   question{verb: "watch", resource: "widest", options: scheduler.RawListOptions{SendInitialEvents: true, ResourceVersionMatch: "NotOlderThan"}},
	write:   question{verb: "update", resource: "widest", name: "object"},
	objects: []scheduler.ObjectCount{{Resource: "widest", Count: 1_000_000, AverageBytes: 1_000_000}},
	watches: []scheduler.WatchCount{{Resource: "widest", Count: 1_000_000}},
}

// level makes one row.
func (p *probe) level(i int, c scheduler.PriorityLevel, bytesPerRequest int64) Level {
	info := p.levels[i]
	l := Level{
		Name: c.Name, Type: Reject, Shares: c.Shares, LendablePercent: c.LendablePercent,
		Nominal: info.Nominal, Min: info.Min, Max: info.Max,
		WidestList:  p.ask(i, widest.list).width(),
		WidestWatch: p.ask(i, widest.watch).width(),
		WidestWrite: p.ask(i, widest.write).width(),
		maxSeats:    info.MaxSeats,
	}
	if c.Exempt {
		l.Type = Exempt
		return l
	}
	if c.BorrowingLimitPercent >= 0 {
		l.BorrowingLimitPercent = &c.BorrowingLimitPercent
	}
	idle, alone := info.Current, p.alone(i)
	l.Idle, l.Alone = &idle, &alone
	if c.Queuing == nil {
		return l
	}
	l.Type = Queue
	q := &Queuing{Queues: int(c.Queuing.Queues), HandSize: info.HandSize, QueueLengthLimit: info.QueueLengthLimit}
	q.QueuedByOneFlow = int64(q.HandSize) * int64(q.QueueLengthLimit)
	q.QueuedInAll = int64(q.Queues) * int64(q.QueueLengthLimit)
	q.Bytes = product(q.QueuedInAll, bytesPerRequest)
	q.WaitLimit = Duration(p.ask(i, question{verb: "get", resource: "widest", name: "object"}).waitLimit)
	l.Queuing = q
	return l
}

// demands is what an adjustment sees of an idle server.
func (p *probe) demands() []borrowing.LevelDemand {
	demands := make([]borrowing.LevelDemand, len(p.levels))
	for i, l := range p.levels {
		demands[i] = borrowing.LevelDemand{Exempt: l.Exempt, Limits: l.Limits, Current: l.Current}
	}
	return demands
}

// adjustmentsMax bounds the search for the limits that no adjustment changes any more.
// With the same demand at each adjustment the second one finds what the first one did.
const adjustmentsMax = 100

// alone returns the limit that a level reaches when all other levels are idle and it has
// more demand than it may ever have seats: the adjustment is repeated until the limits
// stay. Upstream's demand is what executes and what waits, so a level whose queues are
// short, or that has none, takes a few more adjustments to get there than this does, each
// one lifting the limit by what the demand at the last limit warrants.
func (p *probe) alone(level int) int {
	demands := p.demands()
	thirst := demands[level].Limits.Max + 1
	demands[level].Stats = borrowing.Stats{Avg: float64(thirst), Smoothed: float64(thirst), HighWatermark: thirst}
	for range adjustmentsMax {
		limits, _ := p.server.Profile().Borrowing.Adjust(demands)
		settled := true
		for i := range demands {
			settled = settled && demands[i].Current == limits[i]
			demands[i].Current = limits[i]
		}
		if settled {
			break
		}
	}
	return demands[level].Current
}
