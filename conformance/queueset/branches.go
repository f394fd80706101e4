package queueset

import (
	"fmt"
	"strings"
)

// Branch is a situation that a run has to reach to prove anything about it. All are
// recognised from the real queue set's state before and after an operation, never
// from the subject's.
type Branch int

// The branches.
const (
	QueueFull Branch = iota
	ConcurrencyLimit
	TimeOut
	DispatchedAtOnce
	DispatchedOnFinish
	DispatchedOnRelease
	DispatchedOnConfigure
	DispatchedWhileLingering
	SeveralDispatchedAtOnce
	OverlongQueue
	ChoiceTieRotated
	RejectedMovesRotation
	RejectedSyncsR
	TieBrokenByRobin
	HeadTooWide
	RefusedThenTie
	WiderThanLimitWaits
	WiderThanLimitRuns
	GuardHolds
	ExpiredHead
	ExpiredBehindHead
	ExpiryUnblocks
	Lingering
	LingeringQueueReused
	Trimmed
	TrimLeaks
	BoundOnEnqueue
	BoundOnDispatch
	BoundOnFinish
	BoundOnExpire
	LongerThanGuess
	RStandsStill
	EpochAdvance
	EpochUnderflow
	IdleQueueForgets
	LimitZeroQueues
	LimitZeroAdmitsOne
	LimitBelowInUse
	QueuesRaised
	QueuesLowered
	QueueRemoved
	RobinShifted
	RobinNegative
	RobinWraps
	RobinWrapShows
	WrongQueueRemoved
	Orphaned
	QueuingToReject
	RejectDrains
	RejectToQueuing
	Exempt
	ExemptDrains
	HandSizeChanged
	LengthLimitChanged
	DemandTaken
	DemandOverNoTime
	DemandVarianceNegative
	UpstreamPanics
	ReaderChecked
	// Branches is their number.
	Branches
)

// branchTexts says what each branch is.
var branchTexts = [Branches]string{
	QueueFull:                "rejected: queue-full",
	ConcurrencyLimit:         "rejected: concurrency-limit",
	TimeOut:                  "rejected: time-out",
	DispatchedAtOnce:         "dispatched by its own arrival",
	DispatchedOnFinish:       "dispatched by a finish",
	DispatchedOnRelease:      "dispatched by the end of a lingering",
	DispatchedOnConfigure:    "dispatched by a new limit or configuration",
	DispatchedWhileLingering: "dispatched by a finish whose own seats linger",
	SeveralDispatchedAtOnce:  "several dispatched by one operation",
	OverlongQueue:            "a queue longer than its limit, seats being free",
	ChoiceTieRotated:         "queue choice: a tie won by another than the first card",
	RejectedMovesRotation:    "queue choice: a rejected arrival moved the rotation",
	RejectedSyncsR:           "a rejected arrival brought R up to date",
	TieBrokenByRobin:         "dispatch: a tie of virtual finish broken by round robin",
	HeadTooWide:              "dispatch: the head of the next queue does not fit",
	RefusedThenTie:           "dispatch: a tie while the last attempt was refused",
	WiderThanLimitWaits:      "a head wider than the limit waits",
	WiderThanLimitRuns:       "a request wider than the limit runs",
	GuardHolds:               "lingering seats at the limit hold a wide head that nothing executes beside",
	ExpiredHead:              "the expired request was the head of its queue",
	ExpiredBehindHead:        "the expired request was not the head",
	ExpiryUnblocks:           "an expiry left a head that would fit, and nothing was dispatched",
	Lingering:                "seats linger",
	LingeringQueueReused:     "arrival at a queue with lingering seats alone",
	Trimmed:                  "final seats trimmed to the limit",
	TrimLeaks:                "a trim left seats in the total of waiting seats",
	BoundOnEnqueue:           "anti-windup moved a queue on enqueue",
	BoundOnDispatch:          "anti-windup moved a queue on dispatch",
	BoundOnFinish:            "anti-windup moved a queue on finish",
	BoundOnExpire:            "anti-windup moved a queue on expiry",
	LongerThanGuess:          "an execution longer than the guess",
	RStandsStill:             "time passed and R rounded to no change",
	EpochAdvance:             "epoch advance",
	EpochUnderflow:           "epoch advance: a reading wrapped below zero",
	IdleQueueForgets:         "epoch advance: an idle queue's reading set to 0",
	LimitZeroQueues:          "limit 0 with queues: an arrival waits",
	LimitZeroAdmitsOne:       "limit 0 without queues: one admitted",
	LimitBelowInUse:          "limit set below the seats in use",
	QueuesRaised:             "queues added",
	QueuesLowered:            "fewer queues wanted than there are",
	QueueRemoved:             "surplus queue removed",
	RobinShifted:             "surplus queue removed at or before the round robin index",
	RobinNegative:            "round robin index -1, after the removal of queue 0",
	RobinWraps:               "a refused attempt turned the round robin index -1 into the last",
	RobinWrapShows:           "queues added or removed after that, before the next dispatch",
	WrongQueueRemoved:        "another queue removed than the one that became empty",
	Orphaned:                 "waiting requests of a removed queue",
	QueuingToReject:          "queuing to reject",
	RejectDrains:             "a queue of a reject level drains",
	RejectToQueuing:          "reject to queuing",
	Exempt:                   "exempt: admitted above the limit",
	ExemptDrains:             "a queue of an exempt level drains",
	HandSizeChanged:          "hand size changed",
	LengthLimitChanged:       "queue length limit changed",
	DemandTaken:              "demand taken",
	DemandOverNoTime:         "demand over no time",
	DemandVarianceNegative:   "demand whose variance rounds below zero",
	UpstreamPanics:           "upstream panics (end of the sequence)",
	ReaderChecked:            "state by reflection held against Dump",
}

// String says what the branch is.
func (b Branch) String() string { return branchTexts[b] }

// Hits counts how often each branch was reached.
type Hits [Branches]int64

// Add adds the counts of another run.
func (h *Hits) Add(o *Hits) {
	for i := range h {
		h[i] += o[i]
	}
}

// hit counts a branch once if it was reached.
func (h *Hits) hit(b Branch, reached bool) {
	if reached {
		h[b]++
	}
}

// Missing lists the branches that were never reached.
func (h *Hits) Missing() []Branch {
	var missing []Branch
	for b, n := range h {
		if n == 0 {
			missing = append(missing, Branch(b))
		}
	}
	return missing
}

// String lists all branches with their counts.
func (h *Hits) String() string {
	var b strings.Builder
	for i, n := range h {
		fmt.Fprintf(&b, "%12d  %s\n", n, Branch(i))
	}
	return b.String()
}
