package pure

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"testing"
	"time"

	flowcontrolapi "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/apfsim/apfsim/scheduler/borrowing"
)

// TestLimitsEqualController lets the real controller digest random priority levels,
// moves their demand about at random, and compares after every adjustment: nominal,
// minimum and maximum limits, the per-level cap on a request's width, every demand
// statistic to the last bit, and the limit in force.
func TestLimitsEqualController(t *testing.T) {
	r := random(t, 2)
	ways := map[way]int{}
	adjustments, orders := 0, 0
	for range 4_000 * *times {
		p := newLimitsPair(r)
		p.compare(t, r)
		for range 6 {
			p.moveDemand(r)
			p.adjust()
			ways[p.compare(t, r)]++
		}
		adjustments, orders = adjustments+7, orders+p.orders
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d adjustments depend on the order of the levels", orders, adjustments)
	if orders > adjustments/100 {
		t.Errorf("%d of %d adjustments equal upstream's in another order of the levels only", orders, adjustments)
	}
	for _, w := range []way{exemptTakeAll, exemptTakeSome, divided} {
		if ways[w] < 500 {
			t.Errorf("only %d adjustments in which %s", ways[w], w)
		}
	}
}

// way is one of the controller's ways to find the limits.
type way string

const (
	exemptTakeAll  way = "exempt levels leave less than the minimum limits"
	exemptTakeSome way = "exempt levels leave less than what the others used"
	divided        way = "the allocation problem is solved"
)

// limitsPair is the real controller and ours, with the same levels in order of name.
type limitsPair struct {
	real        *controller
	seats       int
	names       []string
	shares      []borrowing.Shares
	handSizes   []int // 0 without queues
	demands     []borrowing.LevelDemand
	integrators []borrowing.Integrator
	// orders counts adjustments that depended on the order of the levels.
	orders int
}

func newLimitsPair(r *rand.Rand) *limitsPair {
	p := &limitsPair{seats: pick(r, 1+r.IntN(30), 600, 1+r.IntN(3000))}
	p.real = newController(p.seats)
	objects := randomLevels(r)
	sort.Slice(objects, func(i, j int) bool { return objects[i].Name < objects[j].Name })
	for _, o := range objects {
		p.add(o)
	}
	for i, limits := range newest.Borrowing.Nominal(p.seats, p.shares) {
		p.demands[i].Limits, p.demands[i].Current = limits, limits.Initial()
		if p.names[i] == flowcontrolapi.PriorityLevelConfigurationNameCatchAll {
			// A new controller knows only the mandatory levels, of which catch-all has all
			// the shares. Its limit stays if the first allocation has no solution.
			p.demands[i].Current = p.seats
		}
	}
	r.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
	p.real.digest(objects)
	p.adjustOurs()
	return p
}

func (p *limitsPair) add(o *flowcontrolapi.PriorityLevelConfiguration) {
	p.names = append(p.names, o.Name)
	handSize := 0
	demand := borrowing.LevelDemand{Exempt: o.Spec.Exempt != nil}
	var s borrowing.Shares
	if l := o.Spec.Limited; l != nil {
		s = borrowing.Shares{
			Shares: *l.NominalConcurrencyShares, LendablePercent: *l.LendablePercent, BorrowingLimitPercent: -1,
		}
		if l.BorrowingLimitPercent != nil {
			s.BorrowingLimitPercent = *l.BorrowingLimitPercent
		}
		if q := l.LimitResponse.Queuing; q != nil {
			handSize = int(q.HandSize)
		}
	} else {
		e := o.Spec.Exempt
		s = borrowing.Shares{
			Shares: *e.NominalConcurrencyShares, LendablePercent: *e.LendablePercent, BorrowingLimitPercent: -1,
		}
	}
	p.shares = append(p.shares, s)
	p.handSizes = append(p.handSizes, handSize)
	p.demands = append(p.demands, demand)
	p.integrators = append(p.integrators, borrowing.Integrator{})
}

// randomLevels draws the two mandatory levels and some more, with the shares of all
// of them free.
func randomLevels(r *rand.Rand) []*flowcontrolapi.PriorityLevelConfiguration {
	shares := func() *int32 { return new(pick(r, int32(0), int32(1+r.IntN(10)), int32(r.IntN(300)))) }
	percent := func() *int32 { return new(pick(r, int32(0), 100, int32(r.IntN(101)))) }
	level := func(name string) *flowcontrolapi.PriorityLevelConfiguration {
		o := &flowcontrolapi.PriorityLevelConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}}
		o.Spec.Type = flowcontrolapi.PriorityLevelEnablementLimited
		o.Spec.Limited = &flowcontrolapi.LimitedPriorityLevelConfiguration{
			NominalConcurrencyShares: shares(), LendablePercent: percent(),
			LimitResponse: flowcontrolapi.LimitResponse{Type: flowcontrolapi.LimitResponseTypeReject},
		}
		if oneIn(r, 2) {
			o.Spec.Limited.BorrowingLimitPercent = new(int32(r.IntN(300)))
		}
		if !oneIn(r, 4) {
			o.Spec.Limited.LimitResponse = flowcontrolapi.LimitResponse{
				Type:    flowcontrolapi.LimitResponseTypeQueue,
				Queuing: &flowcontrolapi.QueuingConfiguration{Queues: 64, HandSize: int32(1 + r.IntN(10)), QueueLengthLimit: 50},
			}
		}
		return o
	}
	catchAll := level(flowcontrolapi.PriorityLevelConfigurationNameCatchAll)
	// The sum of all shares is never 0: the mandatory level has five.
	catchAll.Spec.Limited.NominalConcurrencyShares = new(int32(1 + r.IntN(10)))
	exempt := &flowcontrolapi.PriorityLevelConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: flowcontrolapi.PriorityLevelConfigurationNameExempt},
		Spec: flowcontrolapi.PriorityLevelConfigurationSpec{
			Type:   flowcontrolapi.PriorityLevelEnablementExempt,
			Exempt: &flowcontrolapi.ExemptPriorityLevelConfiguration{NominalConcurrencyShares: shares(), LendablePercent: percent()},
		},
	}
	levels := []*flowcontrolapi.PriorityLevelConfiguration{catchAll, exempt}
	for i := range r.IntN(10) {
		levels = append(levels, level(fmt.Sprintf("level-%d", i)))
	}
	return levels
}

// moveDemand lets up to ten seconds pass, sometimes none at all.
func (p *limitsPair) moveDemand(r *rand.Rand) {
	if oneIn(r, 20) {
		return
	}
	peak := pick(r, 1, 5, p.seats, 2*p.seats)
	exemptPeak := pick(r, 0, 0, p.seats/2, p.seats, 2*p.seats)
	for range r.IntN(60) {
		p.real.now += time.Duration(r.Int64N(int64(160 * time.Millisecond)))
		i := r.IntN(len(p.names))
		x := float64(r.IntN(peak + 1))
		if p.demands[i].Exempt {
			x = float64(r.IntN(exemptPeak + 1))
		}
		p.real.levels[p.names[i]].demand.Set(x)
		p.integrators[i].Set(p.real.now, x)
	}
}

func (p *limitsPair) adjust() {
	p.real.adjust()
	p.adjustOurs()
}

func (p *limitsPair) adjustOurs() {
	for i := range p.demands {
		p.demands[i].Stats.Update(p.integrators[i].Take(p.real.now), newest.Borrowing)
	}
	current, _ := newest.Borrowing.Adjust(p.demands)
	for i := range p.demands {
		p.demands[i].Current = current[i]
	}
}

// acceptOrder looks for an order of the levels in which Adjust gives upstream's
// limits, and takes those over. Upstream sums in the random order of a map. Where two
// idle levels share an odd seat, each gets half a seat but for the last bits, and
// these decide how it is rounded.
func (p *limitsPair) acceptOrder(r *rand.Rand) {
	want := make([]int, len(p.names))
	same := true
	for i, name := range p.names {
		want[i] = p.real.levels[name].limit
		same = same && want[i] == p.demands[i].Current
	}
	if same {
		return
	}
	levels := make([]borrowing.LevelDemand, len(p.names))
	for range 1000 {
		order := r.Perm(len(p.names))
		for i, j := range order {
			levels[i] = p.demands[j]
		}
		current, _ := newest.Borrowing.Adjust(levels)
		same = true
		for i, j := range order {
			same = same && current[i] == want[j]
		}
		if same {
			p.orders++
			for i := range want {
				p.demands[i].Current = want[i]
			}
			return
		}
	}
}

// compare reports what differs, and tells which way the latest limits came about.
func (p *limitsPair) compare(t *testing.T, r *rand.Rand) way {
	t.Helper()
	p.acceptOrder(r)
	remaining, minSum, usedSum := 0, 0, 0
	for i, name := range p.names {
		d := &p.demands[i]
		state := p.real.state(name)
		stats := state.FieldByName("seatDemandStats")
		integer := func(field string) int { return int(state.FieldByName(field).Int()) }
		want := borrowing.LevelDemand{
			Exempt:  d.Exempt,
			Limits:  borrowing.Limits{Nominal: integer("nominalCL"), Min: integer("minCL"), Max: integer("maxCL")},
			Current: p.real.levels[name].limit,
			Stats: borrowing.Stats{
				Avg: stats.FieldByName("avg").Float(), StdDev: stats.FieldByName("stdDev").Float(),
				Smoothed: stats.FieldByName("smoothed").Float(), HighWatermark: int(stats.FieldByName("highWatermark").Int()),
			},
		}
		if *d != want {
			t.Errorf("%d seats, level %s of %v at %v:\n     %+v\nwant %+v", p.seats, name, p.shares, p.real.now, *d, want)
		}
		if h := p.handSizes[i]; h > 0 {
			if got, want := newest.Borrowing.MaxSeats(d.Limits.Nominal, h), int(p.real.real.GetMaxSeats(name)); got != want {
				t.Errorf("MaxSeats(%d, %d) = %d, want %d", d.Limits.Nominal, h, got, want)
			}
		}
		remaining += want.Limits.Nominal
		if d.Exempt {
			remaining -= max(want.Limits.Min, want.Stats.HighWatermark)
		} else {
			minSum += want.Limits.Min
			usedSum += max(want.Limits.Min, min(want.Limits.Nominal, want.Stats.HighWatermark))
		}
	}
	switch {
	case remaining <= minSum:
		return exemptTakeAll
	case remaining <= usedSum:
		return exemptTakeSome
	default:
		return divided
	}
}
