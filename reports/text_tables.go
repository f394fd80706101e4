package reports

import (
	"fmt"
	"slices"
	"time"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/scheduler"
)

// rejection is a column of a table of requests: a reason, and how many had it.
type rejection struct {
	heading string
	of      func(*Rejected) int64
}

// rejections are the columns for the reasons: those of every release, and those of older
// ones if they came up.
func (t *text) rejections() []rejection {
	columns := []rejection{
		{"queue-full", func(r *Rejected) int64 { return r.QueueFull }},
		{"at limit", func(r *Rejected) int64 { return r.ConcurrencyLimit }},
		{"time-out", func(r *Rejected) int64 { return r.TimeOut }},
	}
	for _, c := range [...]rejection{
		{"cancelled", func(r *Rejected) int64 { return r.Cancelled }},
		{"ejected", func(r *Rejected) int64 { return r.Ejected }},
	} {
		if slices.ContainsFunc(t.result.PriorityLevels, func(l PriorityLevel) bool { return c.of(&l.Requests.Rejected) > 0 }) {
			columns = append(columns, c)
		}
	}
	return columns
}

// requestsTable has a row for each group of requests. What executes when the run ends is among the
// executed ones, which were dispatched, and what a server took with it while it executed is, too.
func (t *text) requestsTable(names ...string) *table.Table {
	heading := append(slices.Clone(names), "arrivals", "executed")
	first := len(heading)
	for _, c := range t.rejections() {
		heading = append(heading, c.heading)
	}
	last := len(heading) - 1
	if t.anyCut() {
		heading = append(heading, "cut")
	}
	tab := table.New(len(names), append(heading, "waiting")...)
	tab.Group(first, last, "rejected")
	return tab
}

// anyCut tells whether a server has taken requests with it when it stopped.
func (t *text) anyCut() bool {
	return slices.ContainsFunc(t.result.PriorityLevels, func(l PriorityLevel) bool { return l.Requests.Cut.Total > 0 })
}

// addRequests adds the row of a group of requests to such a table.
func (t *text) addRequests(tab *table.Table, r *Requests, names ...string) {
	row := append(names, formatCount(r.Arrivals), formatCount(r.Executed))
	for _, c := range t.rejections() {
		row = append(row, formatCount(c.of(&r.Rejected)))
	}
	if t.anyCut() {
		row = append(row, formatCount(r.Cut.Total))
	}
	tab.Add(append(row, formatCount(r.Waiting))...)
}

// waitsTable has a row for each distribution of waits.
func waitsTable(names ...string) *table.Table {
	return table.New(len(names), append(names, "requests", "waited", "mean", "p50", "p90", "p99", "max")...)
}

func (t *text) addWait(tab *table.Table, w *Wait, names ...string) {
	if w == nil {
		return
	}
	tab.Add(append(names,
		formatCount(w.Count), formatShare(w.Waited, w.Count), formatDuration(time.Duration(w.Mean)),
		t.quantile(w, "p50"), t.quantile(w, "p90"), t.quantile(w, "p99"), formatDuration(time.Duration(w.Max)))...)
}

// levels writes the tables of the priority levels.
func (t *text) levels() {
	requests, waits := t.requestsTable("level"), waitsTable("level")
	for i := range t.result.PriorityLevels {
		l := &t.result.PriorityLevels[i]
		t.addRequests(requests, &l.Requests, l.Name)
		t.addWait(waits, l.Wait, l.Name)
	}
	t.table("Priority levels: requests", requests)
	t.table("Priority levels: time from arrival to dispatch, or to the time-out", waits)
}

func (t *text) levelSeats()  { t.table("Priority levels: seats", t.seats()) }
func (t *text) levelQueues() { t.table("Priority levels: queues", t.queues()) }

func (t *text) seats() *table.Table {
	tab := table.New(1, "level", "nominal", "min", "max", "end", "low", "high", "mean", "mean", "peak")
	tab.Group(4, 7, "current limit")
	tab.Group(8, 9, "in use")
	for i := range t.result.PriorityLevels {
		l := &t.result.PriorityLevels[i]
		mean, used, peak := none, none, none
		if o := l.Occupancy; o != nil {
			mean, used, peak = formatNumber(o.CurrentAverage), formatNumber(o.SeatsUsedAverage), formatCount(o.SeatsUsedPeak)
		}
		s := &l.Seats
		end := seats(s.Current)
		if l.Status == gone {
			end = none
		}
		tab.Add(l.Name, seats(s.Nominal), seats(s.Min), seats(s.Max),
			end, seats(s.CurrentLowest), seats(s.CurrentHighest), mean, used, peak)
	}
	return tab
}

// gone is the status of a level that has gone.
var gone = scheduler.Gone.String()

func seats(n int) string { return formatCount(int64(n)) }

func (t *text) queues() *table.Table {
	tab := table.New(1, "level", "queues", "hand", "length limit", "longest", "mean", "peak")
	tab.Group(5, 6, "waiting requests")
	for i := range t.result.PriorityLevels {
		l := &t.result.PriorityLevels[i]
		if l.Queuing == nil || l.Occupancy == nil {
			continue
		}
		o := l.Occupancy
		tab.Add(l.Name, seats(l.Queuing.Queues), seats(l.Queuing.HandSize), seats(l.Queuing.QueueLengthLimit),
			formatCount(o.LongestQueue), formatNumber(o.WaitingAverage), formatCount(o.WaitingPeak))
	}
	return tab
}

// schemas writes the tables of the flow schemas that any request matched.
func (t *text) schemas() {
	requests, waits := t.requestsTable("flow schema", "level"), waitsTable("flow schema", "level")
	for i := range t.result.FlowSchemas {
		f := &t.result.FlowSchemas[i]
		if f.Requests.Arrivals == 0 {
			continue
		}
		t.addRequests(requests, &f.Requests, f.Name, f.PriorityLevel)
		t.addWait(waits, f.Wait, f.Name, f.PriorityLevel)
	}
	t.table("Flow schemas: requests", requests)
	t.table("Flow schemas: waits", waits)
}

// populations writes the tables of the client populations.
func (t *text) populations() {
	requests := table.New(1, "population", "clients", "arrivals", "executed", "rejected", "sent again", "gave up", "seats used")
	waits := waitsTable("population")
	leases := table.New(1, "population", "renewed", "lost")
	for i := range t.result.Populations {
		p := &t.result.Populations[i]
		clients, used := none, none
		if p.Clients > 0 {
			clients = seats(p.Clients)
		}
		if p.SeatsUsed != nil {
			used = formatNumber(*p.SeatsUsed)
		}
		requests.Add(p.Name, clients, formatCount(p.Requests.Arrivals), formatCount(p.Requests.Executed),
			formatCount(p.Requests.Rejected.Total), formatCount(p.Retries), formatCount(p.GaveUp), used)
		t.addWait(waits, p.Wait, p.Name)
		if p.LeasesRenewed+p.LeasesLost > 0 {
			leases.Add(p.Name, formatCount(p.LeasesRenewed), formatCount(p.LeasesLost))
		}
	}
	t.table("Client populations: requests", requests)
	t.table("Client populations: waits", waits)
	t.table("Client populations: leader election leases", leases)
}

// intervals writes what the replications differ in: of clients also what their operations
// came to, if that is more than requests which succeed at once.
func (t *text) intervals() {
	more := slices.ContainsFunc(t.result.Populations, func(p Population) bool { return p.Operations != nil && p.retriesOrFails() })
	heading := []string{"", "mean wait", "p99 wait", "rejected", "seats in use"}
	if more {
		heading = append(heading, "p99 latency", "failed")
	}
	tab := table.New(1, heading...)
	row := func(name string, arrivals int64, i *Intervals) {
		if i == nil || arrivals == 0 {
			return
		}
		cells := []string{name, i.MeanWait.text(), i.P99Wait.text(), i.RejectedFraction.percent(), i.SeatsUsed.text()}
		if more {
			cells = append(cells, i.P99Latency.text(), i.ErrorRate.percent())
		}
		tab.Add(cells...)
	}
	for i := range t.result.PriorityLevels {
		l := &t.result.PriorityLevels[i]
		row(l.Name, l.Requests.Arrivals, l.Intervals)
	}
	for i := range t.result.Populations {
		p := &t.result.Populations[i]
		row(p.Name+" (clients)", p.Requests.Arrivals, p.Intervals)
	}
	t.table(fmt.Sprintf("Means over %d replications, with 95%% confidence intervals", len(t.result.Replications)), tab)
}

// unknown stands for the half-width of an interval that one replication cannot give.
const unknown = " ± ?"

func (i *DurationInterval) text() string {
	switch {
	case i == nil:
		return none
	case i.HalfWidth == nil:
		return formatDuration(time.Duration(i.Mean)) + unknown
	}
	return formatDuration(time.Duration(i.Mean)) + " ± " + formatDuration(time.Duration(*i.HalfWidth))
}

func (i *Interval) text() string {
	switch {
	case i == nil:
		return none
	case i.HalfWidth == nil:
		return formatNumber(i.Mean) + unknown
	}
	return formatNumber(i.Mean) + " ± " + formatNumber(*i.HalfWidth)
}

// percent writes an interval of a fraction.
func (i *Interval) percent() string {
	if i == nil {
		return none
	}
	if i.HalfWidth == nil {
		return percent(i.Mean) + unknown
	}
	return percent(i.Mean) + " ± " + percent(*i.HalfWidth)
}
