package queueset

import (
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// profile is the style of a sequence: what is drawn from where. Each is made to reach
// situations that the others reach seldom.
type profile struct {
	name string
	// weight is how often sequences of this style are drawn, relative to others.
	weight int
	// length is how many operations a sequence has.
	length int
	// queues lists the numbers of queues to draw from: 0 rejects, -1 is exempt.
	queues []int
	// hand is the largest hand, if it is not as large as the dealer allows.
	hand int
	// lengthLimit is the largest queue length limit.
	lengthLimit int
	// limit is the largest concurrency limit, drawn as widths are but not below least;
	// zeroLimit is the share of zeros in percent.
	limit, least, zeroLimit int
	// width is the largest number of seats. Widths are drawn log-uniformly up to it.
	width int
	// final is the share of requests with final seats, in percent.
	final int
	// flows is the largest number of flows.
	flows int
	// paces are the time scales to draw from.
	paces []pace
	// moods are the mixtures of operations to draw from, and patience is how many
	// operations one lasts at most, 100 if it is 0.
	moods    []mood
	patience int
}

// pace draws the time that passes before an operation.
type pace func(*rand.Rand) time.Duration

// upTo returns a pace uniform on 0..limit in steps.
func upTo(limit, step time.Duration) pace {
	return func(r *rand.Rand) time.Duration { return step * time.Duration(r.Int64N(int64(limit/step)+1)) }
}

// mostly returns a pace that is 0 but for one in n draws.
func mostly(n int, p pace) pace {
	return func(r *rand.Rand) time.Duration {
		if r.IntN(n) > 0 {
			return 0
		}
		return p(r)
	}
}

var (
	still   = mostly(20, upTo(5*time.Nanosecond, 1))
	nanos   = upTo(9*time.Nanosecond, 1)
	micros  = upTo(50*time.Microsecond, 1)
	ticks   = mostly(3, upTo(4*time.Millisecond, time.Millisecond))
	millis  = upTo(10*time.Millisecond, 1)
	seconds = upTo(3*time.Second, 1)
	minutes = mostly(2, upTo(3*time.Minute, 1))
)

// mood is a mixture of operations for a while; the weights are by kind.
type mood [Kinds]int

var (
	fill      = mood{Arrive: 80, Finish: 10, Release: 2, Expire: 3, SetLimit: 2, TakeDemand: 1}
	steady    = mood{Arrive: 50, Finish: 42, Release: 4, Expire: 2, SetLimit: 1, TakeDemand: 1}
	drain     = mood{Arrive: 8, Finish: 60, Release: 20, Expire: 5, SetLimit: 2, TakeDemand: 1}
	impatient = mood{Arrive: 55, Finish: 10, Expire: 32, SetLimit: 2, TakeDemand: 1}
	adjusting = mood{Arrive: 40, Finish: 25, Release: 5, Expire: 5, SetLimit: 25, TakeDemand: 10}
	changing  = mood{Arrive: 40, Finish: 30, Release: 8, Expire: 3, SetLimit: 5, Configure: 14, TakeDemand: 1}
	removing  = mood{Arrive: 5, Finish: 45, Expire: 5, SetLimit: 10, Configure: 35}
	lingering = mood{Arrive: 45, Finish: 45, Release: 5, SetLimit: 3, Configure: 2, TakeDemand: 1}
)

var calm = []mood{fill, steady, drain, impatient, adjusting}
var restless = []mood{fill, steady, drain, impatient, adjusting, changing, changing, lingering}

// profiles are all styles.
var profiles = []profile{
	{name: "small", weight: 10, length: 600, queues: []int{1, 2, 3, 4, 5, 8}, lengthLimit: 6, limit: 12, zeroLimit: 5,
		width: 4, final: 20, flows: 12, paces: []pace{still, nanos, micros, ticks, millis, seconds}, moods: calm},
	{name: "ties", weight: 10, length: 600, queues: []int{2, 3, 8, 16, 32}, lengthLimit: 10, limit: 8, zeroLimit: 2,
		width: 1, flows: 40, paces: []pace{still, nanos, ticks}, moods: calm},
	{name: "full", weight: 8, length: 600, queues: []int{1, 2, 4, 8, 16}, lengthLimit: 2, limit: 4, zeroLimit: 20,
		width: 3, final: 10, flows: 30, paces: []pace{still, micros, ticks, millis}, moods: []mood{fill, fill, impatient, steady, drain}},
	{name: "wide", weight: 10, length: 600, queues: []int{1, 2, 3, 4, 8, 16}, lengthLimit: 20, limit: 16, zeroLimit: 5,
		width: 48, final: 20, flows: 12, paces: []pace{still, micros, ticks, millis, seconds}, moods: calm},
	{name: "finals", weight: 10, length: 600, queues: []int{1, 2, 4, 5, 8}, lengthLimit: 20, limit: 20, zeroLimit: 3,
		width: 60, final: 80, flows: 12, paces: []pace{still, micros, ticks, millis, seconds}, moods: append([]mood{lingering}, calm...)},
	{name: "epochs", weight: 8, length: 500, queues: []int{1, 2, 3, 5, 8, 16}, lengthLimit: 20, limit: 1e9, zeroLimit: 1,
		width: 1e9, final: 20, flows: 12, paces: []pace{minutes, minutes, seconds, still}, moods: restless},
	{name: "resize", weight: 12, length: 600, queues: []int{1, 2, 3, 4, 5, 7, 8, 13, 16, 0}, lengthLimit: 8, limit: 10, zeroLimit: 5,
		width: 6, final: 60, flows: 20, paces: []pace{still, micros, ticks, millis, seconds}, moods: restless},
	{name: "removal", weight: 12, length: 600, queues: []int{1, 2, 4, 6, 7, 8}, lengthLimit: 10, limit: 16, least: 6,
		width: 7, flows: 6, hand: 2, paces: []pace{still, still, nanos, ticks}, moods: []mood{fill, steady, removing, removing}, patience: 12},
	{name: "reject", weight: 6, length: 400, queues: []int{0, 0, 0, 0, 3, 8}, lengthLimit: 5, limit: 10, zeroLimit: 15,
		width: 16, final: 40, flows: 8, paces: []pace{still, micros, millis, seconds}, moods: restless},
	{name: "exempt", weight: 6, length: 400, queues: []int{-1, -1, -1, 0, 3, 8}, lengthLimit: 5, limit: 10, zeroLimit: 15,
		width: 40, final: 40, flows: 8, paces: []pace{still, micros, millis, seconds}, moods: restless},
	{name: "stock", weight: 8, length: 1500, queues: []int{16, 64, 128}, lengthLimit: 50, limit: 245, zeroLimit: 0,
		width: 12, final: 15, flows: 200, paces: []pace{still, micros, millis}, moods: calm},
	{name: "many", weight: 2, length: 1500, queues: []int{256, 512, 1024}, lengthLimit: 3, limit: 60, zeroLimit: 1,
		width: 10, final: 15, flows: 2000, paces: []pace{still, micros, ticks, millis}, moods: append([]mood{changing}, calm...)},
	{name: "any", weight: 10, length: 600, queues: []int{-1, 0, 1, 2, 3, 4, 6, 8, 12, 16, 31, 32, 33, 64, 100}, lengthLimit: 100, limit: 1000, zeroLimit: 5,
		width: 2000, final: 40, flows: 100, paces: []pace{still, nanos, micros, ticks, millis, seconds, minutes}, moods: restless},
}

// config draws a configuration.
func (p *profile) config(r *rand.Rand) fairqueue.Config {
	c := fairqueue.Config{Queues: p.queues[r.IntN(len(p.queues))]}
	if c.Queues > 0 {
		c.HandSize = p.handSize(r, c.Queues)
		c.QueueLengthLimit = 1 + r.IntN(p.lengthLimit)
	}
	return c
}

// handSize draws the size of a hand: any, or one that is not larger than real ones.
func (p *profile) handSize(r *rand.Rand, queues int) int {
	largest := largestHand(queues)
	if p.hand > 0 {
		largest = min(largest, p.hand)
	}
	if r.IntN(3) == 0 {
		largest = min(largest, 8)
	}
	return 1 + r.IntN(largest)
}

// largestHand is how many of so many queues upstream's dealer deals at most: the deal
// must not need more than 60 bits of a hash.
func largestHand(queues int) int {
	perCard := bits.Len(uint(queues - 1))
	if perCard == 0 {
		return 1
	}
	return min(queues, 60/perCard)
}

// concurrency draws a concurrency limit.
func (p *profile) concurrency(r *rand.Rand) int {
	if r.IntN(100) < p.zeroLimit {
		return 0
	}
	return max(p.least, logUniform(r, p.limit))
}

// estimate draws a work estimate.
func (p *profile) estimate(r *rand.Rand) fairqueue.Estimate {
	e := fairqueue.Estimate{InitialSeats: logUniform(r, p.width)}
	if r.IntN(100) < p.final {
		e.FinalSeats = logUniform(r, p.width)
		scale := []time.Duration{1, 7, time.Microsecond, time.Millisecond, 5 * time.Millisecond, time.Second, time.Minute}
		e.AdditionalLatency = scale[r.IntN(len(scale))] * time.Duration(r.IntN(12))
		if r.IntN(3) == 0 { // as writes are: one seat, and 5 ms for each watcher seat
			e.InitialSeats, e.AdditionalLatency = 1, 5*time.Millisecond*time.Duration(1+r.IntN(3))
		}
	}
	return e
}

// logUniform draws from 1..limit so that every power of two is as likely as the next.
func logUniform(r *rand.Rand, limit int) int {
	top := 1 + r.IntN(bits.Len(uint(limit)))
	return 1 + r.IntN(min(limit, 1<<top-1))
}
