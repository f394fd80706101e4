package queueset

import (
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// Subject is a queue set under test, in terms that do not depend on the package it
// comes from: the product's and each wrong one made of it are driven by the same code.
// The methods are those of fairqueue.Set, with requests named by their tags.
type Subject interface {
	// Configure sets queues and limit and returns the tags dispatched.
	Configure(now time.Duration, cfg fairqueue.Config, limit int) []uint32
	// Arrive brings a request. The handle is negative and the reason not empty if it
	// was rejected; the queue is -1 without queues.
	Arrive(now time.Duration, e fairqueue.Estimate, hand []int32, tag uint32) (handle int32, queue int, reason string, dispatched []uint32)
	// Finish ends an execution.
	Finish(now time.Duration, handle int32) (freeAt time.Duration, lingers bool, dispatched []uint32)
	// Release frees seats that lingered.
	Release(now time.Duration, handle int32) []uint32
	// Expire ejects a waiting request.
	Expire(now time.Duration, handle int32)
	// Waiting tells whether a request waits.
	Waiting(handle int32) bool
	// Idle tells whether nothing waits or executes.
	Idle() bool
	// TakeDemand returns the demand statistics and starts the next period.
	TakeDemand(now time.Duration) Demand
	// State returns the totals.
	State() fairqueue.State
	// Queue returns what there is to know of the queue with an index.
	Queue(index int) fairqueue.QueueState
	// Panics counts how often the real one would have panicked.
	Panics() int
}

// Demand holds the statistics of the seat demand over a period.
type Demand struct {
	Seconds, Avg, StdDev, Max float64
}

// A Maker makes a subject at a virtual time, without queues and with limit 0.
type Maker func(now time.Duration) Subject
