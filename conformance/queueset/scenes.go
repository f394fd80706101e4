package queueset

import (
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// Scenes are sequences made by hand. They reach what random operations reach once in
// a million, and every campaign begins with them.
//
// With a hand of one card, the queue is the hash modulo the number of queues.
var Scenes = []Sequence{robinWraps(3), robinWraps(1), robinStays()}

// robinWraps removes queue 0 while the round robin index is 0, which leaves it at -1,
// and has an attempt to dispatch refused, which turns it into the last index. After
// that the number of queues changes, and two queues tie: whose turn it is tells the
// index.
func robinWraps(queues int) Sequence {
	later := wanted(1, 3)
	later.After = time.Second
	return Sequence{
		Profile: "scene: robin wraps",
		Config:  oneCard(2),
		Limit:   3,
		Ops: []Operation{
			{Kind: Arrive, Hash: 1, Estimate: seats(2)}, // executes in queue 1
			{Kind: Arrive, Hash: 0, Estimate: seats(1)}, // executes in queue 0
			{Kind: Arrive, Hash: 1, Estimate: seats(2)}, // waits, too wide for the seat to come
			later,
			{Kind: Finish, Pick: 1}, // queue 0 goes
			wanted(queues, 3),
			{Kind: Expire},
			wanted(3, 2),
			{Kind: Arrive, Hash: 0, Estimate: seats(1)},
			{Kind: Arrive, Hash: 1, Estimate: seats(1)},
			{Kind: SetLimit, Limit: 3},
		},
	}
}

// robinStays is the same without an attempt in between: the index is still -1 when
// queues are added.
func robinStays() Sequence {
	later := wanted(1, 2)
	later.After = time.Second
	return Sequence{
		Profile: "scene: robin stays",
		Config:  oneCard(2),
		Limit:   2,
		Ops: []Operation{
			{Kind: Arrive, Hash: 1, Estimate: seats(1)}, // executes in queue 1
			{Kind: Arrive, Hash: 0, Estimate: seats(1)}, // executes in queue 0
			later,
			{Kind: Finish, Pick: 1}, // queue 0 goes
			wanted(3, 1),
			{Kind: Arrive, Hash: 0, Estimate: seats(1)},
			{Kind: Arrive, Hash: 1, Estimate: seats(1)},
			{Kind: SetLimit, Limit: 2},
		},
	}
}

func seats(n int) fairqueue.Estimate { return fairqueue.Estimate{InitialSeats: n} }

// oneCard is a configuration in which a hash names its queue.
func oneCard(queues int) fairqueue.Config {
	return fairqueue.Config{Queues: queues, HandSize: 1, QueueLengthLimit: 9}
}

// wanted changes the number of queues and the limit.
func wanted(queues, limit int) Operation {
	return Operation{Kind: Configure, Config: oneCard(queues), Limit: limit}
}
