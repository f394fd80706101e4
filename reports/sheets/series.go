package sheets

import (
	"io"
	"strconv"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// The kinds of subjects of a series.
const (
	ofLevel  = "priorityLevel"
	ofSchema = "flowSchema"
	ofClient = "client"
)

// column is a column of the series. It has the value of a slice, or "" where the subject has no
// such column.
type column struct {
	name string
	of   func(s *subject, i int) string
}

// subject is a level, a flow schema or a population over time.
type subject struct {
	kind  string
	group *reports.GroupTimeline
	// level is nil for what is no level.
	level *reports.LevelTimeline
}

// columns are those after the name of the subject. The counts are of the slice; means and peaks
// are over it; limits are those at its end.
var columns = []column{
	{"arrivals", count(func(g *reports.GroupTimeline) []int64 { return g.Arrivals })},
	{"executed", count(func(g *reports.GroupTimeline) []int64 { return g.Executed })},
	{"rejectedQueueFull", count(func(g *reports.GroupTimeline) []int64 { return g.QueueFull })},
	{"rejectedConcurrencyLimit", count(func(g *reports.GroupTimeline) []int64 { return g.ConcurrencyLimit })},
	{"rejectedTimeOut", count(func(g *reports.GroupTimeline) []int64 { return g.TimeOut })},
	{"rejectedCancelled", count(func(g *reports.GroupTimeline) []int64 { return g.Cancelled })},
	{"rejectedEjected", count(func(g *reports.GroupTimeline) []int64 { return g.Ejected })},
	{"cut", count(func(g *reports.GroupTimeline) []int64 { return g.Cut })},
	{"seatsMean", mean(func(g *reports.GroupTimeline) []reports.Number { return g.Seats })},
	{"seatsPeak", ofLevels(func(l *reports.LevelTimeline) []int64 { return l.SeatsPeak })},
	{"seatsNominal", ofLevels(func(l *reports.LevelTimeline) []int64 { return l.Nominal })},
	{"seatsCurrent", ofLevels(func(l *reports.LevelTimeline) []int64 { return l.Current })},
	{"waitingMean", mean(func(g *reports.GroupTimeline) []reports.Number { return g.Waiting })},
	{"waitingPeak", ofLevels(func(l *reports.LevelTimeline) []int64 { return l.WaitingPeak })},
	{"waitMeanSeconds", mean(func(g *reports.GroupTimeline) []reports.Number { return g.WaitMean })},
	{"waitMaxSeconds", mean(func(g *reports.GroupTimeline) []reports.Number { return g.WaitMax })},
}

// count makes a column of counts.
func count(list func(*reports.GroupTimeline) []int64) func(*subject, int) string {
	return func(s *subject, i int) string { return whole(list(s.group), i) }
}

// mean makes a column of averages.
func mean(list func(*reports.GroupTimeline) []reports.Number) func(*subject, int) string {
	return func(s *subject, i int) string {
		if values := list(s.group); i < len(values) {
			return number(float64(values[i]))
		}
		return "0"
	}
}

// ofLevels makes a column that only levels have.
func ofLevels(list func(*reports.LevelTimeline) []int64) func(*subject, int) string {
	return func(s *subject, i int) string {
		if s.level == nil {
			return ""
		}
		return whole(list(s.level), i)
	}
}

// whole is a count of a slice; a list that is left out is all 0.
func whole(values []int64, i int) string {
	if i < len(values) {
		return strconv.FormatInt(values[i], 10)
	}
	return "0"
}

// WriteSeries writes the timelines of the results, a row for each slice of each level, flow
// schema and population: when the slice begins, how long it is, and what happened in it. A
// result without a timeline has no rows.
func WriteSeries(w io.Writer, results []*reports.Result) error {
	header := []string{"scenario", "startSeconds", "lengthSeconds", "kind", "name"}
	for _, c := range columns {
		header = append(header, c.name)
	}
	rows := [][]string{header}
	for _, r := range results {
		if r.Timeline == nil {
			continue
		}
		for _, s := range subjects(r.Timeline) {
			for i := range r.Timeline.Slices {
				rows = append(rows, slice(r, &s, i))
			}
		}
	}
	return write(w, rows)
}

// subjects are all that a timeline has.
func subjects(t *reports.Timeline) []subject {
	var out []subject
	for i := range t.PriorityLevels {
		l := &t.PriorityLevels[i]
		out = append(out, subject{ofLevel, &l.GroupTimeline, l})
	}
	for i := range t.FlowSchemas {
		out = append(out, subject{ofSchema, &t.FlowSchemas[i], nil})
	}
	for i := range t.Populations {
		out = append(out, subject{ofClient, &t.Populations[i], nil})
	}
	return out
}

// slice is the row of one slice of a subject. The last slice ends with the run.
func slice(r *reports.Result, s *subject, i int) []string {
	length := time.Duration(r.Timeline.Slice)
	start := time.Duration(i) * length
	if len(r.Replications) > 0 {
		if end := time.Duration(r.Replications[0].End); end > start {
			length = min(length, end-start)
		}
	}
	row := []string{r.Metadata.Name, number(start.Seconds()), number(length.Seconds()), s.kind, s.group.Name}
	for _, c := range columns {
		row = append(row, c.of(s, i))
	}
	return row
}
