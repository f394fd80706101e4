package dump

import "time"

// Unknown is the value of a number that no page tells.
const Unknown = -1

// Moment is what the pages tell.
type Moment struct {
	Servers []Server
}

// Server is one API server.
type Server struct {
	// Name is that of the line above its pages, "" if there is none.
	Name string
	// Time is when its pages were made, if they tell, and else the latest time in them: of an
	// arrival or a dispatch. It is zero if there is none.
	Time time.Time
	// Told tells that the pages tell their time.
	Told   bool
	Levels []Level
	// Pages and Scraped tell what was read.
	Pages   Pages
	Scraped bool
}

// Pages tells which pages there were.
type Pages struct{ Levels, Queues, Requests, Details, Executing bool }

// Place is where something was read.
type Place struct {
	File         string
	Line, Column int
}

// Level is a priority level: a row of dump_priority_levels, with its queues and requests. Numbers
// that no page tells are Unknown.
type Level struct {
	Place Place
	Name  string
	// Bare tells that the server has no queue set for it: exempt, up to 1.27.
	Bare, Idle, Quiescing                     bool
	Active, Waiting, Executing                int
	Dispatched, Rejected, TimedOut, Cancelled int

	// Limit and Nominal are the limits in force, from a scrape or from the columns
	// ConcurrencyLimit and NominalLimit.
	Limit, Nominal int
	// R is the progress meter in units of 1e-8 seat-seconds, KnowsR whether it is told: by a scrape, or the
	// column R. Virtual is the same of releases up to 1.22, in seconds.
	R       uint64
	Virtual float64
	KnowsR  bool
	// Demand are the statistics of the last adjustment, from a scrape or columns; KnowsDemand
	// tells whether they are told.
	Demand      Demand
	KnowsDemand bool
	// Whole is what only the further columns tell; nil without them.
	Whole *Whole

	Queues   []Queue
	Requests []Request
}

// Demand are the statistics of the seat demand.
type Demand struct {
	Average, StdDev, Smoothed float64
	HighWatermark             int
}

// Whole is what a level's further columns tell.
type Whole struct {
	at time.Time
	// Adjustment is how long after the moment the limits are adjusted next.
	Adjustment time.Duration
	// Synced is when R was brought up to date.
	Synced time.Time
	// Robin, Enqueued and Trimmed are as in fairqueue.Saved: the queue last dispatched from,
	// the requests that were dealt a hand, and the waiting seats that trimmed requests have left.
	Robin, Enqueued, Trimmed int
	// Since, Max, Seconds, Integral and Squares are the state of the integrator of the demand.
	Since                           time.Time
	Max, Seconds, Integral, Squares float64
	// RetryAfter is the answer to the latest rejection, Raised how many seconds ago it was
	// raised, Unknown for never, and Drops the rejections of the latest seconds, newest last.
	RetryAfter, Raised int
	Drops              []Drops
}

// whole returns what the further columns tell, to be filled.
func (l *Level) whole() *Whole {
	if l.Whole == nil {
		l.Whole = &Whole{Raised: Unknown}
	}
	return l.Whole
}

// Drops is a number of rejections so many seconds ago.
type Drops struct{ Ago, Count int64 }

// Queue is a row of dump_queues. Numbers that it does not tell are Unknown.
type Queue struct {
	Place                          Place
	Index                          int
	Pending, Executing, SeatsInUse int
	// NextDispatchR is in units of 1e-8 seat-seconds. VirtualStart is the same in seconds, of
	// releases up to 1.22, with four decimals or, in a further column, all of them.
	NextDispatchR uint64
	VirtualStart  float64
}

// Phase is where a request is in its life.
type Phase uint8

// The phases. Pages of the server show none that lingers.
const (
	Waiting Phase = iota
	Executing
	Lingering
)

// Request is a row of dump_requests.
type Request struct {
	Place      Place
	FlowSchema string
	// Queue is the index of its queue, -1 for none.
	Queue int
	Phase Phase
	Flow  string
	// Arrival is when it arrived, Start when it was dispatched: zero if it waits, or if that is
	// not told.
	Arrival, Start time.Time
	// InitialSeats is 1 where it is not told.
	InitialSeats, FinalSeats int
	AdditionalLatency        time.Duration
	// Detailed tells that the rest was told.
	Detailed                              bool
	User, Verb, Path, Namespace, Name     string
	Group, Version, Resource, Subresource string

	// Rest is how long it goes on, or executes once dispatched, from the column Rest; Unknown if that is
	// not told. ArrivalR is R when it arrived, of one that waits; KnowsArrivalR tells whether it is
	// told. WaitLimit is how long it may wait in all, 0 if that is not told.
	Rest, WaitLimit time.Duration
	// Order tells which of several comes first that were dispatched, or if they wait have arrived, in the same
	// nanosecond; it is their order in the page unless the column Order tells.
	Order         int
	ArrivalR      uint64
	KnowsArrivalR bool
}
