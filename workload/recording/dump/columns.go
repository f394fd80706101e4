package dump

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// none is what the server writes for a level without queues.
const none = "<none>"

// column takes a cell into what a row stands for. It returns what would be legal, "" if the cell is.
type column[T any] func(row *T, text string) (legal string)

const (
	legalCount    = "a whole number of 0 or more"
	legalBool     = "true or false"
	legalTime     = "a time as in 2026-01-02T15:04:05.123456789Z"
	legalDuration = "a duration as in 5ms"
	legalWork     = "seat-seconds as in 12.03000000ss"
	legalNumber   = "a number"
)

// seatsMax bounds what a page may say of seats and requests.
const seatsMax = 1 << 30

func count[T any](field func(*T) *int) column[T] { return ranged(field, 0) }

// ranged is a whole number from a least one on.
func ranged[T any](field func(*T) *int, least int) column[T] {
	return func(row *T, text string) string {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > seatsMax {
			switch {
			case least < -1:
				return "a whole number"
			case least < 0:
				return "a whole number of -1 or more"
			}
			return legalCount
		}
		*field(row) = n
		return ""
	}
}

// total is a count that has no bound but its type.
func total[T any](field func(*T) *int) column[T] {
	return func(row *T, text string) string {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return legalCount
		}
		*field(row) = n
		return ""
	}
}

func truth[T any](field func(*T) *bool) column[T] {
	return func(row *T, text string) string {
		if text != "true" && text != "false" {
			return legalBool
		}
		*field(row) = text == "true"
		return ""
	}
}

func word[T any](field func(*T) *string) column[T] {
	return func(row *T, text string) string { *field(row) = text; return "" }
}

func moment[T any](field func(*T) *time.Time) column[T] {
	return func(row *T, text string) string {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil || at.Year() > 9999 {
			return legalTime
		}
		*field(row) = at.UTC()
		return ""
	}
}

func span[T any](field func(*T) *time.Duration) column[T] {
	return func(row *T, text string) string {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 || d > durationMax {
			return legalDuration
		}
		*field(row) = d
		return ""
	}
}

// durationMax bounds a duration, as in a trace.
const durationMax = time.Duration(1) << 61

func number[T any](field func(*T) *float64) column[T] {
	return func(row *T, text string) string {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(x, 0) {
			return legalNumber
		}
		*field(row) = x
		return ""
	}
}

// workUnits is how many units are a seat-second.
const workUnits = 100_000_000

// parseWork reads seat-seconds as the server prints them, which is exact.
func parseWork(text string) (uint64, bool) {
	text, ok := strings.CutSuffix(text, "ss")
	whole, fraction, dotted := strings.Cut(text, ".")
	if !ok || !dotted || len(fraction) != 8 || whole == "" {
		return 0, false
	}
	w, err1 := strconv.ParseUint(whole, 10, 64)
	f, err2 := strconv.ParseUint(fraction, 10, 64)
	if err1 != nil || err2 != nil || w > (math.MaxUint64-f)/workUnits {
		return 0, false
	}
	return w*workUnits + f, true
}

func work[T any](field func(*T) *uint64, known func(*T)) column[T] {
	return func(row *T, text string) string {
		w, ok := parseWork(text)
		if !ok {
			return legalWork
		}
		*field(row) = w
		if known != nil {
			known(row)
		}
		return ""
	}
}

// levelColumns are those of dump_priority_levels, from WaitingRequests on told by its releases, and from NominalLimit
// on the further ones.
var levelColumns = map[string]column[Level]{
	"PriorityLevelName":  word(func(l *Level) *string { return &l.Name }),
	"ActiveQueues":       count(func(l *Level) *int { return &l.Active }),
	"IsIdle":             truth(func(l *Level) *bool { return &l.Idle }),
	"IsQuiescing":        truth(func(l *Level) *bool { return &l.Quiescing }),
	"WaitingRequests":    count(func(l *Level) *int { return &l.Waiting }),
	"ExecutingRequests":  count(func(l *Level) *int { return &l.Executing }),
	"DispatchedRequests": total(func(l *Level) *int { return &l.Dispatched }),
	"RejectedRequests":   total(func(l *Level) *int { return &l.Rejected }),
	"TimedoutRequests":   total(func(l *Level) *int { return &l.TimedOut }),
	"CancelledRequests":  total(func(l *Level) *int { return &l.Cancelled }),

	"Time":             moment(func(l *Level) *time.Time { return &l.whole().at }),
	"NominalLimit":     count(func(l *Level) *int { return &l.Nominal }),
	"ConcurrencyLimit": count(func(l *Level) *int { return &l.Limit }),
	"NextAdjustment":   span(func(l *Level) *time.Duration { return &l.whole().Adjustment }),
	"R":                work(func(l *Level) *uint64 { return &l.R }, func(l *Level) { l.KnowsR = true }),
	"VirtualTime":      number(func(l *Level) *float64 { l.KnowsR = true; return &l.Virtual }),
	"SyncTime":         moment(func(l *Level) *time.Time { return &l.whole().Synced }),
	"RobinIndex":       ranged(func(l *Level) *int { return &l.whole().Robin }, -1),
	"Enqueues":         total(func(l *Level) *int { return &l.whole().Enqueued }),
	"TrimmedSeats":     ranged(func(l *Level) *int { return &l.whole().Trimmed }, -seatsMax),

	"DemandAverage":       number(func(l *Level) *float64 { l.KnowsDemand = true; return &l.Demand.Average }),
	"DemandStdDev":        number(func(l *Level) *float64 { return &l.Demand.StdDev }),
	"DemandSmoothed":      number(func(l *Level) *float64 { return &l.Demand.Smoothed }),
	"DemandHighWatermark": count(func(l *Level) *int { return &l.Demand.HighWatermark }),
	"DemandSince":         moment(func(l *Level) *time.Time { return &l.whole().Since }),
	"DemandMax":           number(func(l *Level) *float64 { return &l.whole().Max }),
	"DemandSeconds":       number(func(l *Level) *float64 { return &l.whole().Seconds }),
	"DemandIntegral":      number(func(l *Level) *float64 { return &l.whole().Integral }),
	"DemandSquares":       number(func(l *Level) *float64 { return &l.whole().Squares }),
	"RetryAfter":          ranged(func(l *Level) *int { return &l.whole().RetryAfter }, 0),
	"RetryRaised":         ranged(func(l *Level) *int { return &l.whole().Raised }, -1),
	"RecentDrops":         drops,
}

// queueColumns are those of dump_queues, and VirtualStartFull, a further one.
var queueColumns = map[string]column[Queue]{
	"PriorityLevelName": ignored[Queue],
	"Index":             count(func(q *Queue) *int { return &q.Index }),
	"PendingRequests":   count(func(q *Queue) *int { return &q.Pending }),
	"ExecutingRequests": count(func(q *Queue) *int { return &q.Executing }),
	"SeatsInUse":        count(func(q *Queue) *int { return &q.SeatsInUse }),
	"NextDispatchR":     work(func(q *Queue) *uint64 { return &q.NextDispatchR }, nil),
	"VirtualStart":      number(func(q *Queue) *float64 { return &q.VirtualStart }),
	// The sums follow from the requests.
	"InitialSeatsSum":  ignored[Queue],
	"MaxSeatsSum":      ignored[Queue],
	"TotalWorkSum":     ignored[Queue],
	"VirtualStartFull": number(func(q *Queue) *float64 { return &q.VirtualStart }),
}

// requestColumns are those of dump_requests with details, and further ones from Phase on.
var requestColumns = map[string]column[Request]{
	"PriorityLevelName":   ignored[Request],
	"FlowSchemaName":      word(func(r *Request) *string { return &r.FlowSchema }),
	"QueueIndex":          ranged(func(r *Request) *int { return &r.Queue }, -1),
	"RequestIndexInQueue": indexInQueue,
	"FlowDistingsher":     word(func(r *Request) *string { return &r.Flow }),
	"FlowDistinguisher":   word(func(r *Request) *string { return &r.Flow }),
	"ArriveTime":          moment(func(r *Request) *time.Time { return &r.Arrival }),
	"InitialSeats":        count(func(r *Request) *int { return &r.InitialSeats }),
	"FinalSeats":          count(func(r *Request) *int { return &r.FinalSeats }),
	"AdditionalLatency":   span(func(r *Request) *time.Duration { return &r.AdditionalLatency }),
	"StartTime":           startTime,
	"UserName":            word(func(r *Request) *string { return &r.User }),
	"Verb":                word(func(r *Request) *string { r.Detailed = true; return &r.Verb }),
	"APIPath":             word(func(r *Request) *string { return &r.Path }),
	"Namespace":           word(func(r *Request) *string { return &r.Namespace }),
	"Name":                word(func(r *Request) *string { return &r.Name }),
	"APIVersion":          groupVersion,
	"Resource":            word(func(r *Request) *string { return &r.Resource }),
	"SubResource":         word(func(r *Request) *string { return &r.Subresource }),

	"Order":     total(func(r *Request) *int { return &r.Order }),
	"Phase":     phase,
	"Rest":      span(func(r *Request) *time.Duration { return &r.Rest }),
	"WaitLimit": span(func(r *Request) *time.Duration { return &r.WaitLimit }),
	"ArrivalR":  work(func(r *Request) *uint64 { return &r.ArrivalR }, func(r *Request) { r.KnowsArrivalR = true }),
}

func ignored[T any](*T, string) string { return "" }

// indexInQueue is -1 of a request that executes.
func indexInQueue(r *Request, text string) string {
	n, err := strconv.Atoi(text)
	if err != nil || n < -1 {
		return "a whole number of -1 or more"
	}
	r.Phase = Waiting
	if n < 0 {
		r.Phase = Executing
	}
	return ""
}

// startTime is the zero time of a request that waits.
func startTime(r *Request, text string) string {
	legal := moment(func(r *Request) *time.Time { return &r.Start })(r, text)
	if r.Start.Year() <= 1 {
		r.Start = time.Time{}
	}
	return legal
}

func groupVersion(r *Request, text string) string {
	group, version, found := strings.Cut(text, "/")
	if !found {
		group, version = "", text
	}
	r.Group, r.Version = group, version
	return ""
}

func phase(r *Request, text string) string {
	switch text {
	case "waits":
		r.Phase = Waiting
	case "executes":
		r.Phase = Executing
	case "lingers":
		r.Phase = Lingering
	default:
		return "waits, executes or lingers"
	}
	return ""
}

// drops are numbers of rejections in the latest seconds, as in 2:14/0:3: so many seconds ago, so
// many.
func drops(l *Level, text string) string {
	const legal = "SECONDS:COUNT, several with / between them, as in 2:14/0:3"
	w := l.whole()
	w.Drops = nil
	if text == "" {
		return ""
	}
	for _, part := range strings.Split(text, "/") {
		ago, n, ok := strings.Cut(part, ":")
		a, err1 := strconv.ParseUint(ago, 10, 31)
		c, err2 := strconv.ParseUint(n, 10, 31)
		if !ok || err1 != nil || err2 != nil || a > 32 {
			return legal
		}
		w.Drops = append(w.Drops, Drops{int64(a), int64(c)})
	}
	return ""
}
