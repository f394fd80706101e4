package recording

import (
	"maps"
	"math"
	"slices"
	"time"
)

// ObservedKind is the kind of the document that an Observed is written as.
const ObservedKind = "Observed"

// Observed is what API servers were seen to do over a period, as sums and histograms: the target
// that a run is compared with. It does not tell of single requests.
type Observed struct {
	APIVersion string `json:"apiVersion"` // apfsim.dev/v1alpha1
	Kind       string `json:"kind"`       // ObservedKind
	// Source is what it was made of: "metrics", "audit", "httplog".
	Source string `json:"source"`
	// Start is the time of day of the start, in nanoseconds since 1970, 0 if it is not known. All
	// other times are since it.
	Start int64 `json:"start,omitempty"`
	// Servers are one for each server, in the order of their numbers in a run.
	Servers []ObservedServer `json:"servers"`
	// Notes say what the figures do not tell.
	Notes []string `json:"notes,omitempty"`
}

// ObservedServer is what was seen of one server.
type ObservedServer struct {
	// Name is the server's, "" if there is only one.
	Name string `json:"name,omitempty"`
	// Intervals are in the order of their times. They do not overlap, and there may be gaps.
	Intervals []ObservedInterval `json:"intervals"`
}

// ObservedInterval is what was seen from one time to another.
type ObservedInterval struct {
	From  Moment `json:"from"`
	Until Moment `json:"until"`
	// Cells are in the order of their levels and then their schemas; Levels of their names.
	Cells  []ObservedCell  `json:"cells"`
	Levels []ObservedLevel `json:"levels,omitempty"`
}

// ObservedCell is what became of the requests that a flow schema sent to a level.
type ObservedCell struct {
	FlowSchema    string `json:"flowSchema"`
	PriorityLevel string `json:"priorityLevel"`
	// Arrivals counts requests that came in the interval, Executed those whose execution began in
	// it, and Rejected those that were turned away in it by reason: queue-full, concurrency-limit,
	// time-out, cancelled. So arrivals are their sum but for those that wait at one of the ends.
	Arrivals int64            `json:"arrivals"`
	Executed int64            `json:"executed"`
	Rejected map[string]int64 `json:"rejected,omitempty"`
	// Wait is the time in the queue, in seconds, of those who queued or were executed, with those
	// who timed out there; TurnedAway that of those who were rejected at once.
	Wait       *ObservedHistogram `json:"wait,omitempty"`
	TurnedAway *ObservedHistogram `json:"turnedAway,omitempty"`
	// Execution is the time from dispatch to the end, in seconds, of those that ended in the
	// interval, and WatchExecution that of watches to the end of their initialisation. A record
	// that does not tell them apart has all in Execution.
	Execution      *ObservedHistogram `json:"execution,omitempty"`
	WatchExecution *ObservedHistogram `json:"watchExecution,omitempty"`
	// Width is the seats that a request was estimated to take.
	Width *ObservedHistogram `json:"width,omitempty"`
	// QueueLength is the length of its queue as each request that queued saw it, itself included.
	QueueLength *ObservedHistogram `json:"queueLength,omitempty"`
	// WaitingBefore and WaitingAfter are how many waited at the two ends.
	WaitingBefore int64 `json:"waitingBefore,omitempty"`
	WaitingAfter  int64 `json:"waitingAfter,omitempty"`
}

// ObservedLevel is what was seen of the seats of a level. What is not known is absent.
type ObservedLevel struct {
	PriorityLevel string `json:"priorityLevel"`
	// NominalSeats is its nominal limit at the end, and CurrentSeats the limit with what was borrowed.
	NominalSeats *int64 `json:"nominalSeats,omitempty"`
	CurrentSeats *int64 `json:"currentSeats,omitempty"`
	// SeatsMean and SeatsMax are the seats in use over the time of the interval.
	SeatsMean *float64 `json:"seatsMean,omitempty"`
	SeatsMax  *float64 `json:"seatsMax,omitempty"`
	// WaitingAtEnd is the requests in its queues at the end, WaitingMean over the time, and
	// WaitingShare the latter as a share of the limit that the server measures it against.
	WaitingAtEnd *float64 `json:"waitingAtEnd,omitempty"`
	WaitingMean  *float64 `json:"waitingMean,omitempty"`
	WaitingShare *float64 `json:"waitingShare,omitempty"`
}

// ObservedHistogram counts values by buckets.
type ObservedHistogram struct {
	// Bounds are the upper bounds of the buckets, which belong to them, in rising order, without
	// the infinite one. Counts has one more: what is beyond the last bound.
	Bounds []float64 `json:"bounds"`
	Counts []int64   `json:"counts"`
	// Sum is the sum of all values.
	Sum float64 `json:"sum"`
}

// Count returns how many values were counted; 0 for nil.
func (h *ObservedHistogram) Count() int64 {
	if h == nil {
		return 0
	}
	n := int64(0)
	for _, c := range h.Counts {
		n += c
	}
	return n
}

// Quantile returns the value of which a share q of all is at most, as histogram_quantile of
// Prometheus estimates it: evenly spread within its bucket, and the last bound if it is beyond
// it. NaN if nothing was counted.
func (h *ObservedHistogram) Quantile(q float64) float64 {
	n := h.Count()
	if n == 0 {
		return math.NaN()
	}
	rank, below, low := q*float64(n), 0.0, 0.0
	for i, bound := range h.Bounds {
		c := float64(h.Counts[i])
		if c > 0 && below+c >= rank {
			if i == 0 && bound <= 0 {
				return bound
			}
			return low + float64((bound-low)*(max(0, rank-below)/c))
		}
		below, low = below+c, bound
	}
	return low
}

// Within returns between which bounds the quantile lies for certain: those of its bucket. The
// upper one is infinite if it is beyond the last bound.
func (h *ObservedHistogram) Within(q float64) (low, high float64) {
	n := h.Count()
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	rank, below := q*float64(n), 0.0
	for i, bound := range h.Bounds {
		c := float64(h.Counts[i])
		if c > 0 && below+c >= rank {
			return low, bound
		}
		below, low = below+c, bound
	}
	return low, math.Inf(1)
}

// Rejections returns how many requests were rejected for any reason.
func (c *ObservedCell) Rejections() int64 {
	n := int64(0)
	for _, reason := range slices.Sorted(maps.Keys(c.Rejected)) {
		n += c.Rejected[reason]
	}
	return n
}

// Moment is a time since the start. Its text is that of a Go duration.
type Moment time.Duration

// MarshalText writes a time as in "1m30s".
func (m Moment) MarshalText() ([]byte, error) { return []byte(time.Duration(m).String()), nil }

// UnmarshalText reads a time as in "1m30s".
func (m *Moment) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*m = Moment(d)
	return err
}

// countMax is what no counter reaches in the life of a server: sums of many of them are exact.
const countMax = 1e12

// Problem says what makes the figures impossible to use, "" for nothing: a document that was not
// written by this program may have anything.
func (o *Observed) Problem() string {
	if len(o.Servers) == 0 {
		return "it has no servers"
	}
	for i := range o.Servers {
		s := &o.Servers[i]
		if len(s.Intervals) == 0 {
			return "a server has no intervals"
		}
		last := Moment(0)
		for j := range s.Intervals {
			v := &s.Intervals[j]
			if v.From < last || v.Until <= v.From || v.Until > Moment(math.MaxInt64/4) {
				return "the intervals of a server are not in the order of their times"
			}
			last = v.Until
			for k := range v.Cells {
				if problem := v.Cells[k].problem(); problem != "" {
					return problem
				}
			}
		}
	}
	return ""
}

// problem says what makes a cell impossible to use.
func (c *ObservedCell) problem() string {
	counts := []int64{c.Arrivals, c.Executed}
	for _, reason := range slices.Sorted(maps.Keys(c.Rejected)) {
		counts = append(counts, c.Rejected[reason])
	}
	for _, h := range [...]*ObservedHistogram{c.Wait, c.TurnedAway, c.Execution, c.WatchExecution, c.Width, c.QueueLength} {
		if h == nil {
			continue
		}
		if len(h.Counts) != len(h.Bounds)+1 || !slices.IsSorted(h.Bounds) {
			return "a histogram needs rising bounds, and one more count than these"
		}
		counts = append(counts, h.Counts...)
	}
	if slices.ContainsFunc(counts, func(n int64) bool { return n < 0 || n > countMax }) {
		return "a count is negative, or impossibly large"
	}
	return ""
}
