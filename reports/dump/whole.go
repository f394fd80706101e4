package dump

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/retryafter"
)

// What follows no server shows. A run that is to begin where another one was has to know it.

// wholeLevel is a level with the moment.
type wholeLevel struct {
	*Level
	state *State
}

var wholeLevelColumns = []column[wholeLevel]{
	{"Time", 0, 0, func(l *wholeLevel) string { return clock(l.state.Now) }},
	{"NominalLimit", 0, 0, func(l *wholeLevel) string { return strconv.Itoa(l.Saved.Nominal) }},
	{"ConcurrencyLimit", 0, 0, func(l *wholeLevel) string { return strconv.Itoa(l.Saved.Limit) }},
	{"NextAdjustment", 0, 0, func(l *wholeLevel) string { return (l.state.NextAdjustment - l.state.Now).String() }},
	{"VirtualTime", 0, 23, func(l *wholeLevel) string { return exact(l.Saved.Set.Virtual) }},
	{"R", 23, 0, func(l *wholeLevel) string { return l.Saved.Set.R.String() }},
	{"SyncTime", 0, 0, func(l *wholeLevel) string { return clock(l.Saved.Set.Synced) }},
	{"RobinIndex", 0, 0, func(l *wholeLevel) string { return strconv.Itoa(l.Saved.Set.Robin) }},
	{"Enqueues", 0, 0, func(l *wholeLevel) string { return strconv.Itoa(l.Saved.Set.Arrivals) }},
	{"TrimmedSeats", 0, 0, func(l *wholeLevel) string { return strconv.Itoa(l.Saved.Set.Trimmed) }},
	{"DemandAverage", 0, 0, func(l *wholeLevel) string { return exact(l.Saved.Stats.Avg) }},
	{"DemandStdDev", 0, 0, func(l *wholeLevel) string { return exact(l.Saved.Stats.StdDev) }},
	{"DemandSmoothed", 0, 0, func(l *wholeLevel) string { return exact(l.Saved.Stats.Smoothed) }},
	{"DemandHighWatermark", 0, 0, func(l *wholeLevel) string { return strconv.Itoa(l.Saved.Stats.HighWatermark) }},
	{"DemandSince", 0, 0, func(l *wholeLevel) string { return clock(l.Saved.Set.Demand.Since) }},
	{"DemandMax", 0, 0, func(l *wholeLevel) string { return exact(l.Saved.Set.Demand.Max) }},
	{"DemandSeconds", 0, 0, func(l *wholeLevel) string { return exact(l.Saved.Set.Demand.Seconds) }},
	{"DemandIntegral", 0, 0, func(l *wholeLevel) string { return exact(l.Saved.Set.Demand.Integral) }},
	{"DemandSquares", 0, 0, func(l *wholeLevel) string { return exact(l.Saved.Set.Demand.Squares) }},
	{"RetryAfter", 0, 0, func(l *wholeLevel) string { return strconv.Itoa(l.Saved.RetryAfter.Answer) }},
	{"RetryRaised", 0, 0, func(l *wholeLevel) string { return strconv.FormatInt(l.Saved.RetryAfter.Raised, 10) }},
	{"RecentDrops", 0, 0, func(l *wholeLevel) string { return drops(&l.Saved.RetryAfter) }},
}

// wholeRequest is a request with its place, and what its queue set knows of it.
type wholeRequest struct {
	requestRow
	phase fairqueue.Phase
	saved *fairqueue.SavedRequest // of one that waits
}

var wholeRequestColumns = []column[wholeRequest]{
	{"Order", 0, 0, func(r *wholeRequest) string { return strconv.FormatInt(r.Order, 10) }},
	{"Phase", 0, 0, func(r *wholeRequest) string { return r.phase.String() }},
	{"Rest", 0, 0, func(r *wholeRequest) string { return r.Rest.String() }},
	{"WaitLimit", 0, 0, func(r *wholeRequest) string { return r.WaitLimit.String() }},
	{"ArrivalR", 23, 0, func(r *wholeRequest) string {
		if r.saved == nil {
			return ""
		}
		return r.saved.ArrivalR.String()
	}},
}

// clock is a time of day of the pages.
func clock(at time.Duration) string { return Epoch.Add(at).UTC().Format(time.RFC3339Nano) }

// exact is a number from which the same float64 is read.
func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// drops are the rejections of the latest seconds.
func drops(s *retryafter.Saved) string {
	parts := make([]string, len(s.Recent))
	for i, d := range s.Recent {
		parts[i] = fmt.Sprintf("%d:%d", d.Ago, d.Count)
	}
	return strings.Join(parts, "/")
}

// newestMinor is a release that has all columns.
const newestMinor = 1 << 30

// Whole writes all pages one after the other, with details and further columns, and with the requests that
// execute or linger in all releases.
func (s *State) Whole() string { return s.wholeLevels() + s.wholeQueues() + s.wholeRequests() }

func (s *State) wholeLevels() string {
	p := newPage()
	p.row(append(titles(levelColumns, s.Minor), titles(wholeLevelColumns, s.Minor)...))
	for i := range s.Levels {
		if l := &s.Levels[i]; !l.Bare {
			p.row(append(cells(levelColumns, s.Minor, l), cells(wholeLevelColumns, s.Minor, &wholeLevel{l, s})...))
		}
	}
	return p.text()
}

// wholeQueues adds the decimals of VirtualStart that a page of the server has not.
func (s *State) wholeQueues() string {
	full := []column[queueRow]{{"VirtualStartFull", 0, 23, func(q *queueRow) string { return exact(q.VirtualStart) }}}
	columns := append(queueColumns[:len(queueColumns):len(queueColumns)], full...)
	p := newPage()
	p.row(titles(columns, s.Minor))
	for i := range s.Levels {
		l := &s.Levels[i]
		for j := range l.Queues {
			p.row(cells(columns, s.Minor, &queueRow{&l.Queues[j], l.Name, j}))
		}
	}
	return p.text()
}

func (s *State) wholeRequests() string {
	p := newPage()
	columns := append(requestColumns[:len(requestColumns):len(requestColumns)], detailColumns...)
	p.row(append(titles(columns, newestMinor-1), titles(wholeRequestColumns, s.Minor)...))
	for i := range s.Levels {
		l := &s.Levels[i]
		waits := 0 // Save lists those that wait first, queue by queue
		add := func(r *Request, queue, index int, phase fairqueue.Phase) {
			w := wholeRequest{requestRow: requestRow{r, l.Name, queue, index}, phase: phase}
			if phase == fairqueue.Waits {
				for l.Saved.Set.Requests[waits].Phase != fairqueue.Waits {
					waits++
				}
				w.saved = &l.Saved.Set.Requests[waits]
				waits++
			}
			p.row(append(cells(columns, newestMinor-1, &w.requestRow), cells(wholeRequestColumns, s.Minor, &w)...))
		}
		for j := range l.Queues {
			q := &l.Queues[j]
			for k := range q.Waiting {
				add(&q.Waiting[k], j, k, fairqueue.Waits)
			}
			for k := range q.Executing {
				add(&q.Executing[k], j, -1, fairqueue.Executes)
			}
		}
		for k := range l.Queueless {
			add(&l.Queueless[k], -1, -1, fairqueue.Executes)
		}
		for k := range l.Lingering {
			add(&l.Lingering[k].Request, l.Lingering[k].Queue, -1, fairqueue.Lingers)
		}
	}
	return p.text()
}
