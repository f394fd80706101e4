package seats

import (
	"time"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
)

// The versions and kinds of the models as JSON.
const (
	modelVersion = "apfsim.dev/v1alpha1"
	tableKind    = "SeatTable"
	diffKind     = "ConfigurationDiff"
)

// Server is the size of a server.
type Server struct {
	// Seats is the server's concurrency limit, the sum of the other two.
	Seats int `json:"seats"`
	// MaxRequestsInflight and MaxMutatingRequestsInflight are kube-apiserver's flags; absent if
	// only the sum is known.
	MaxRequestsInflight         int `json:"maxRequestsInflight,omitempty"`
	MaxMutatingRequestsInflight int `json:"maxMutatingRequestsInflight,omitempty"`
}

// Input is what a table is made of.
type Input struct {
	// Configuration is where the objects come from.
	Configuration *scenarios.Configuration
	// Scheduler is the configuration compiled, with the seats, the timeout and the release
	// of the server filled in.
	Scheduler scheduler.Config
	// Server is the size of the server; Scheduler.Seats is its Seats.
	Server Server
	// BytesPerRequest is how much memory a waiting request is taken to hold.
	BytesPerRequest int64
}

// DefaultBytesPerRequest bounds the memory that kube-apiserver holds for a request that
// waits in a queue, in bytes. Nothing reads the body of a waiting request, but the client
// may send 256 KiB of it ahead, which is the window of each HTTP/2 stream
// (resourceBody99Percentile in pkg/server/secure_serving.go, in all releases). The rest
// is for what every request has: two goroutines with their stacks, headers, identity,
// audit event; a Go server that does no more than wait takes 21 kB of it. A request
// without a body, such as any read, holds the rest alone.
const DefaultBytesPerRequest = 300_000

// Table is the seats of a configuration, by priority level.
type Table struct {
	APIVersion        string `json:"apiVersion"`
	Kind              string `json:"kind"`
	KubernetesVersion string `json:"kubernetesVersion"`
	Server            Server `json:"server"`
	Sums              Sums   `json:"sums"`
	// BytesPerRequest is what the memory of the queues is computed with.
	BytesPerRequest int64 `json:"bytesPerRequest"`
	// Levels are in the order of their names.
	Levels []Level `json:"levels"`

	// lending tells that levels lend seats to each other, as they do from 1.26 on.
	lending bool
	// exemptOutside tells that an exempt level has no part in the seats, as up to 1.27.
	exemptOutside  bool
	requestTimeout time.Duration
	// idleFraction is the fair fraction of the first adjustment.
	idleFraction float64
}

// Sums are over all levels that have a part in the seats; an exempt one has from 1.28 on. As each nominal limit is rounded up, their sum may exceed the
// seats of the server; it is what the levels divide among them at each adjustment.
type Sums struct {
	Shares  int64 `json:"shares"`
	Nominal int64 `json:"nominal"`
	// Min counts an exempt level only where it is among those that divide the seats, as it
	// is in 1.28 to 1.30.
	Min int64 `json:"min"`
}

// Type is what a level does at its limit.
type Type string

// The types of levels.
const (
	// Exempt levels have no limit.
	Exempt Type = "Exempt"
	// Queue levels let requests wait.
	Queue Type = "Queue"
	// Reject levels answer 429 at once.
	Reject Type = "Reject"
)

// Level is what one priority level gives to its requests.
type Level struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
	// BuiltIn tells that nobody wrote the object: it comes with the release.
	BuiltIn         bool  `json:"builtIn"`
	Shares          int32 `json:"shares"`
	LendablePercent int32 `json:"lendablePercent"`
	// BorrowingLimitPercent is absent if it is not set: the level may borrow as many
	// seats as the server has.
	BorrowingLimitPercent *int32 `json:"borrowingLimitPercent,omitempty"`

	// Nominal is the level's part of the seats, Min what is left when all that is lendable
	// is lent, Max what it has when it has borrowed all that it may.
	Nominal int `json:"nominal"`
	Min     int `json:"min"`
	Max     int `json:"max"`
	// Idle is the limit in force on an idle server, from its first adjustment on, and
	// Alone the one that the level reaches when it alone has demand, and more than it can
	// get. Both are absent for an exempt level, which has no limit.
	Idle  *int `json:"idle,omitempty"`
	Alone *int `json:"alone,omitempty"`

	// WidestList, WidestWatch and WidestWrite are the most seats that a LIST, the
	// beginning of a watch and a write can be expected to need here. 0 is none: APF does not
	// concern watches before 1.22, nor, before 1.28, requests to an exempt level.
	WidestList  int `json:"widestList"`
	WidestWatch int `json:"widestWatch"`
	WidestWrite int `json:"widestWrite"`

	// Queuing is absent for a level without queues.
	Queuing *Queuing `json:"queuing,omitempty"`

	// maxSeats is the level's own bound on the width of requests, 0 for none.
	maxSeats int
}

// Queuing is what the queues of a level hold.
type Queuing struct {
	Queues           int `json:"queues"`
	HandSize         int `json:"handSize"`
	QueueLengthLimit int `json:"queueLengthLimit"`
	// QueuedByOneFlow is how many requests of one flow can wait, QueuedInAll how many of
	// all flows. A queue takes more than its length limit only while seats are free that
	// its first request is too wide for.
	QueuedByOneFlow int64 `json:"queuedByOneFlow"`
	QueuedInAll     int64 `json:"queuedInAll"`
	// Bytes is the memory that so many requests hold at most.
	Bytes int64 `json:"bytes"`
	// WaitLimit is how long a request without a timeout of its own may wait.
	WaitLimit Duration `json:"waitLimit"`
}

// Duration is a time.Duration that JSON shows as Go duration text, such as "15s".
type Duration time.Duration

// MarshalText writes Go duration text.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String returns Go duration text without units of zero: "1m", not "1m0s".
func (d Duration) String() string { return durationText(time.Duration(d)) }
