package sim

import "time"

// Deadlocks of this kind are known from the field. An aggregated API server that asks its
// kube-apiserver for a SubjectAccessReview at each request is classified like those whose
// requests it serves, if its user is in their groups: they hold all seats of the level in which
// its question waits. A webhook whose controller reads through workload-low judges requests that
// hold all of workload-low. The cure is a level of its own for whoever is called: its seats are
// held by requests that wait for nobody.

// Party is a kind of request at one level of one server.
type Party struct {
	// Population, Template, Schema and Level are as in Request.
	Population, Template int32
	Server               int32
	Schema, Level        int32
}

// Link is one step of the cycle of a deadlock: requests that hold seats wait for requests that
// they have called for.
type Link struct {
	Caller, Called Party
	// Requests is how many callers of this kind wait for calls of that kind, and Seats how many
	// seats they hold.
	Requests, Seats int
	// Executing tells that the called request was dispatched, and waits for a call of its own,
	// which the next link is about. Otherwise it waits in a queue of its level, or was rejected
	// there and will be sent again.
	Executing bool
}

// StuckLevel is a level of a deadlock, as it was when that was found.
type StuckLevel struct {
	Server, Level int32
	// Limit is the limit in force. Seats are those in use: all of them by callers of the
	// deadlock. Waiting counts the requests in the queues, calls and others.
	Limit, Seats, Waiting int
}

// Deadlock is a set of levels in which nothing can move. Every seat that is taken there is held
// by a request which waits for a call, and that call waits in a queue of a level of the set, or
// was rejected by one and is sent again in vain; or it executes, and waits for a call of its own
// of which the same is true. Only a limit of time, another limit of seats or the end of a server
// can end that.
type Deadlock struct {
	// Number counts the deadlocks of a run, from 0.
	Number int
	// Since is when it began. Ended is when it was over, -1 as long as it is not.
	Since, Ended time.Duration
	// Levels are the set as it was in the beginning, in the order of servers and levels.
	Levels []StuckLevel
	// Cycle is one cycle in it, from level to level: where one link ends the next one begins,
	// and the last one ends where the first one begins.
	Cycle []Link
	// Requests counts the callers that were caught in it, those that came later included. Seats
	// are those that were held when it began.
	Requests, Seats int
	// Failed counts the callers among them that have failed: a call has failed, or their own
	// time was over. One that got from one deadlock into the next one counts for the last one.
	Failed int
	// By tells what has ended it.
	By Breaker
}

// Breaker is what ends a deadlock. Most are limits of time, which were chosen for other reasons:
// a quarter of the request timeout in the queue, ten seconds for a webhook.
type Breaker uint8

// The breakers.
const (
	// NotBroken: it lasts, or the run has ended before it did.
	NotBroken Breaker = iota
	// BrokenByWaitLimit: a request has waited in a queue for as long as it may.
	BrokenByWaitLimit
	// BrokenByRetries: a client has given up a call that was rejected once too often.
	BrokenByRetries
	// BrokenByCallTimeout: the caller, or the client that was called, waits no longer for a call.
	BrokenByCallTimeout
	// BrokenByDeadline: the time of a caller is over.
	BrokenByDeadline
	// BrokenByWithdrawal: the client of a caller has given it up.
	BrokenByWithdrawal
	// BrokenByAdjustment: the limits were adjusted, and a level got more seats.
	BrokenByAdjustment
	// BrokenByChange: the configuration was changed.
	BrokenByChange
	// BrokenByServer: a server has stopped.
	BrokenByServer
	// BrokenByRoute: another attempt at a call has found a server with a free seat.
	BrokenByRoute
	// BrokenByOthers: a seat that is left, too few for those who wait, was given to a request
	// from outside.
	BrokenByOthers
	// Breakers is how many there are.
	Breakers
)

// breakers are the names of the breakers, in their order.
var breakers = [Breakers]string{
	"nothing", "wait-limit", "retries", "call-timeout", "deadline", "withdrawal", "adjustment", "change", "server", "route", "others",
}

// String returns a short name.
func (b Breaker) String() string { return breakers[b] }
