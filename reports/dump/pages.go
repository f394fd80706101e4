package dump

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// column is a column of a page, in the releases from since on and before until; 0 is no bound.
type column[T any] struct {
	title        string
	since, until int
	of           func(*T) string
}

func (c *column[T]) in(minor int) bool { return minor >= c.since && (c.until == 0 || minor < c.until) }

// queueRow and requestRow are a queue and a request with their places.
type queueRow struct {
	*Queue
	level string
	index int
}

type requestRow struct {
	*Request
	level        string
	queue, index int
}

var levelColumns = []column[Level]{
	{"PriorityLevelName", 0, 0, func(l *Level) string { return l.Name }},
	{"ActiveQueues", 0, 0, func(l *Level) string { return strconv.Itoa(l.active()) }},
	{"IsIdle", 0, 0, func(l *Level) string { return strconv.FormatBool(l.Idle) }},
	{"IsQuiescing", 0, 0, func(l *Level) string { return strconv.FormatBool(l.Quiescing) }},
	{"WaitingRequests", 0, 0, func(l *Level) string { return strconv.Itoa(l.Waiting) }},
	{"ExecutingRequests", 0, 0, func(l *Level) string { return strconv.Itoa(l.Executing) }},
	{"DispatchedRequests", 27, 0, func(l *Level) string { return strconv.Itoa(l.Dispatched) }},
	{"RejectedRequests", 27, 0, func(l *Level) string { return strconv.Itoa(l.Rejected) }},
	{"TimedoutRequests", 27, 0, func(l *Level) string { return strconv.Itoa(l.TimedOut) }},
	{"CancelledRequests", 27, 0, func(l *Level) string { return strconv.Itoa(l.Cancelled) }},
}

var queueColumns = []column[queueRow]{
	{"PriorityLevelName", 0, 0, func(q *queueRow) string { return q.level }},
	{"Index", 0, 0, func(q *queueRow) string { return strconv.Itoa(q.index) }},
	{"PendingRequests", 0, 0, func(q *queueRow) string { return strconv.Itoa(len(q.Queue.Waiting)) }},
	{"ExecutingRequests", 0, 0, func(q *queueRow) string { return strconv.Itoa(q.QueueState.Executing) }},
	{"VirtualStart", 0, 23, func(q *queueRow) string { return fmt.Sprintf("%.4f", q.VirtualStart) }},
	{"SeatsInUse", 23, 0, func(q *queueRow) string { return strconv.Itoa(q.SeatsInUse) }},
	{"NextDispatchR", 23, 0, func(q *queueRow) string { return q.NextDispatchR.String() }},
	{"InitialSeatsSum", 23, 0, func(q *queueRow) string { return strconv.Itoa(q.initialSeats()) }},
	{"MaxSeatsSum", 23, 0, func(q *queueRow) string { return strconv.Itoa(q.maxSeats()) }},
	{"TotalWorkSum", 23, 0, func(q *queueRow) string { return q.Work.String() }},
}

var requestColumns = []column[requestRow]{
	{"PriorityLevelName", 0, 0, func(r *requestRow) string { return r.level }},
	{"FlowSchemaName", 0, 0, func(r *requestRow) string { return r.FlowSchema }},
	{"QueueIndex", 0, 0, func(r *requestRow) string { return strconv.Itoa(r.queue) }},
	{"RequestIndexInQueue", 0, 0, func(r *requestRow) string { return strconv.Itoa(r.index) }},
	{"FlowDistingsher", 0, 0, func(r *requestRow) string { return r.Flow }},
	{"ArriveTime", 0, 0, func(r *requestRow) string { return r.Arrival.UTC().Format(time.RFC3339Nano) }},
	{"InitialSeats", 23, 0, func(r *requestRow) string { return strconv.Itoa(r.Estimate.InitialSeats) }},
	{"FinalSeats", 23, 0, func(r *requestRow) string { return strconv.Itoa(r.Estimate.FinalSeats) }},
	{"AdditionalLatency", 23, 0, func(r *requestRow) string { return r.Estimate.AdditionalLatency.String() }},
	{"StartTime", 28, 0, func(r *requestRow) string { return r.Start.UTC().Format(time.RFC3339Nano) }},
}

var detailColumns = []column[requestRow]{
	{"UserName", 0, 0, func(r *requestRow) string { return r.User }},
	{"Verb", 0, 0, func(r *requestRow) string { return r.Verb }},
	{"APIPath", 0, 0, func(r *requestRow) string { return r.Path }},
	{"Namespace", 0, 0, func(r *requestRow) string { return r.Namespace }},
	{"Name", 0, 0, func(r *requestRow) string { return r.Name }},
	{"APIVersion", 0, 0, func(r *requestRow) string { return r.groupVersion() }},
	{"Resource", 0, 0, func(r *requestRow) string { return r.Resource }},
	{"SubResource", 0, 0, func(r *requestRow) string { return r.Subresource }},
}

// active counts the queues in which requests wait. The server calls them active.
func (l *Level) active() (n int) {
	for i := range l.Queues {
		if len(l.Queues[i].Waiting) > 0 {
			n++
		}
	}
	return n
}

// initialSeats and maxSeats sum up over the requests that wait.
func (q *Queue) initialSeats() (n int) {
	for i := range q.Waiting {
		n += q.Waiting[i].Estimate.InitialSeats
	}
	return n
}

func (q *Queue) maxSeats() (n int) {
	for i := range q.Waiting {
		n += q.Waiting[i].Estimate.Width()
	}
	return n
}

// groupVersion writes a group and a version as API objects do.
func (d *Details) groupVersion() string {
	if d.Group == "" {
		return d.Version
	}
	return d.Group + "/" + d.Version
}

// page is a page in the making.
type page struct {
	b strings.Builder
	w *tabwriter.Writer
}

func newPage() *page {
	p := &page{}
	p.w = tabwriter.NewWriter(&p.b, 8, 0, 1, ' ', 0)
	return p
}

// row writes a row.
func (p *page) row(cells []string) { fmt.Fprint(p.w, strings.Join(cells, ",\t")+"\n") }

func (p *page) text() string {
	p.w.Flush()
	return p.b.String()
}

// titles and cells are a row of the columns that a release has.
func titles[T any](columns []column[T], minor int) (out []string) {
	for i := range columns {
		if c := &columns[i]; c.in(minor) {
			out = append(out, c.title)
		}
	}
	return out
}

func cells[T any](columns []column[T], minor int, of *T) (out []string) {
	for i := range columns {
		if c := &columns[i]; c.in(minor) {
			out = append(out, c.of(of))
		}
	}
	return out
}

// bare is the row of a level without a queue set.
func bare(name string, columns int) []string {
	out := []string{name}
	for len(out) < columns {
		out = append(out, "<none>")
	}
	return out
}

// PriorityLevels writes dump_priority_levels.
func (s *State) PriorityLevels() string {
	p, head := newPage(), titles(levelColumns, s.Minor)
	p.row(head)
	for i := range s.Levels {
		if l := &s.Levels[i]; l.Bare {
			p.row(bare(l.Name, len(head)))
		} else {
			p.row(cells(levelColumns, s.Minor, l))
		}
	}
	return p.text()
}

// Queues writes dump_queues.
func (s *State) Queues() string {
	p, head := newPage(), titles(queueColumns, s.Minor)
	p.row(head)
	for i := range s.Levels {
		l := &s.Levels[i]
		if l.Bare {
			p.row(bare(l.Name, len(head)))
		}
		for j := range l.Queues {
			p.row(cells(queueColumns, s.Minor, &queueRow{&l.Queues[j], l.Name, j}))
		}
	}
	return p.text()
}

// executingSince is the release from which on requests that execute are shown.
const executingSince = 28

// Requests writes dump_requests, with details as with includeRequestDetails.
func (s *State) Requests(details bool) string {
	p := newPage()
	columns := requestColumns
	if details {
		columns = append(columns[:len(columns):len(columns)], detailColumns...)
	}
	p.row(titles(columns, s.Minor))
	for i := range s.Levels {
		l := &s.Levels[i]
		add := func(r *Request, queue, index int) {
			p.row(cells(columns, s.Minor, &requestRow{r, l.Name, queue, index}))
		}
		for j := range l.Queues {
			q := &l.Queues[j]
			for k := range q.Waiting {
				add(&q.Waiting[k], j, k)
			}
			for k := range q.Executing {
				if s.Minor >= executingSince {
					add(&q.Executing[k], j, -1)
				}
			}
		}
		for k := range l.Queueless {
			if s.Minor >= executingSince {
				add(&l.Queueless[k], -1, -1)
			}
		}
	}
	return p.text()
}
