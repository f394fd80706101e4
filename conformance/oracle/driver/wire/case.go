package wire

import (
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// Case is a server's configuration and the requests that it is sent.
type Case struct {
	// Seats is maxRequestsInflight plus maxMutatingRequestsInflight.
	Seats int `json:"seats"`
	// RequestTimeout is the server's --request-timeout.
	RequestTimeout Duration `json:"requestTimeout"`
	// ConsistentReads tells that etcd reports watch progress. Releases before 1.31
	// have no use for it.
	ConsistentReads bool `json:"consistentReads"`
	// FlowControl are the FlowSchemas and PriorityLevelConfigurations, built-in ones
	// included, in the version of the API that the release's controller reads.
	FlowControl []json.RawMessage `json:"flowControl"`
	// Objects are the stored objects by resource[.group].
	Objects map[string]Objects `json:"objects,omitempty"`
	// Watches are open before the run and until its end.
	Watches []Watch   `json:"watches,omitempty"`
	Trace   []Request `json:"trace"`
	// Changes of the objects during the run are in order of time.
	Changes []Change `json:"changes,omitempty"`
	// Scrapes are when the server is scraped, at time 0 too. Nothing else may happen at
	// such times. The metrics are those of the process and belong to the bubble in which
	// they came up: a process can be asked for them once, and for no other replay before.
	Scrapes []Duration `json:"scrapes,omitempty"`
}

// Change is a change of the API objects during a run: those that are written, in their
// order, and then those that are deleted, each as "Kind/name".
type Change struct {
	At     Duration          `json:"at"`
	Write  []json.RawMessage `json:"write,omitempty"`
	Delete []string          `json:"delete,omitempty"`
}

// Objects is what the server knows of the stored objects of one resource.
type Objects struct {
	Count        int64 `json:"count"`
	AverageBytes int64 `json:"averageBytes"`
	// Stale tells that the count is too old to be believed.
	Stale bool `json:"stale,omitempty"`
}

// Watch is a number of equal watches.
type Watch struct {
	APIGroup  string `json:"apiGroup,omitempty"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Count     int    `json:"count"`
}

// Request is one line of a trace.
type Request struct {
	Arrival  Duration `json:"arrival"`
	Duration Duration `json:"duration"`
	// Timeout is the deadline that the client asks for, 0 for none.
	Timeout     Duration `json:"timeout,omitempty"`
	User        string   `json:"user,omitempty"`
	Groups      []string `json:"groups,omitempty"`
	Verb        string   `json:"verb"`
	APIGroup    string   `json:"apiGroup,omitempty"`
	Resource    string   `json:"resource,omitempty"`
	Subresource string   `json:"subresource,omitempty"`
	Namespace   string   `json:"namespace,omitempty"`
	Name        string   `json:"name,omitempty"`
	// Path makes it a non-resource request.
	Path string `json:"path,omitempty"`

	Limit                int64  `json:"limit,omitempty"`
	ResourceVersion      string `json:"resourceVersion,omitempty"`
	ResourceVersionMatch string `json:"resourceVersionMatch,omitempty"`
	Continue             string `json:"continue,omitempty"`
	FieldSelector        string `json:"fieldSelector,omitempty"`
	LabelSelector        string `json:"labelSelector,omitempty"`
	SendInitialEvents    bool   `json:"sendInitialEvents,omitempty"`
}

// Duration is a time.Duration whose text is Go's duration text.
type Duration time.Duration

// UnmarshalText reads Go's duration text.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// MarshalText writes Go's duration text.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// Float is a float64 whose text keeps every bit of it, and NaN and the infinities too,
// which a JSON number cannot be.
type Float float64

// MarshalText writes the number in hexadecimal.
func (f Float) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(f), 'x', -1, 64), nil
}

// UnmarshalText reads what MarshalText wrote.
func (f *Float) UnmarshalText(text []byte) error {
	v, err := strconv.ParseFloat(string(text), 64)
	*f = Float(v)
	return err
}

// IsNaN tells whether it is not a number.
func (f Float) IsNaN() bool { return math.IsNaN(float64(f)) }

// Run is what the server did with a trace.
type Run struct {
	// Decisions are in order of the trace.
	Decisions []Decision `json:"decisions"`
	// Adjustments are in order of time and then of the level's name; none before 1.26,
	// whose limits do not change. What a change of the objects leaves behind is among them.
	Adjustments []Adjustment `json:"adjustments,omitempty"`
	// Rejections is how often the server's counter of rejected requests went up, by
	// "level/schema/reason". Zeros are left out.
	Rejections map[string]int `json:"rejections,omitempty"`
	// Scrapes are what was scraped at time 0 and at the times that were asked for.
	Scrapes []Scrape `json:"scrapes,omitempty"`
}

// Scrape is what the server told of its metrics at a time.
type Scrape struct {
	Time time.Duration `json:"time"` // nanoseconds
	// Text has the metrics that concern flow control, in the text format of Prometheus.
	Text string `json:"text"`
}

// Decision is one line of a decision log, as `apfsim run --decisions` writes it.
type Decision struct {
	ID                int64   `json:"id"`
	Arrival           string  `json:"arrival"`
	FlowSchema        string  `json:"flowSchema,omitempty"`
	PriorityLevel     string  `json:"priorityLevel,omitempty"`
	Flow              *string `json:"flow,omitempty"`
	Queue             *int    `json:"queue,omitempty"`
	InitialSeats      int     `json:"initialSeats,omitempty"`
	FinalSeats        int     `json:"finalSeats,omitempty"`
	AdditionalLatency string  `json:"additionalLatency,omitempty"`
	Outcome           string  `json:"outcome"`
	Reason            string  `json:"reason,omitempty"`
	Dispatched        string  `json:"dispatched,omitempty"`
	Finished          string  `json:"finished"`
	RetryAfter        string  `json:"retryAfter,omitempty"`
}

// Adjustment is what one adjustment of the concurrency limits left behind for one
// priority level.
type Adjustment struct {
	Time  Duration `json:"time"`
	Level string   `json:"level"`
	// Quiescing tells that the level has been deleted and is still in use.
	Quiescing bool `json:"quiescing,omitempty"`
	Nominal   int  `json:"nominal"`
	Min       int  `json:"min"`
	Max       int  `json:"max"`
	// MaxSeats is the bound on the width of a request, 0 if there is none.
	MaxSeats      int   `json:"maxSeats,omitempty"`
	Current       int   `json:"current"`
	HighWatermark int   `json:"highWatermark"`
	Avg           Float `json:"avg"`
	StdDev        Float `json:"stdDev"`
	Smoothed      Float `json:"smoothed"`
}
