package plots

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/apfsim/apfsim/reports"
)

// Chart is one picture of a result, and the figures behind it.
type Chart struct {
	// ID is a name in lower case with hyphens, which no other chart of the result has.
	ID string
	// Section is the heading under which a report shows the chart. Charts of a section follow
	// each other.
	Section string
	Title   string
	// Caption says in a sentence or two how to read the chart, and what it leaves out.
	Caption string
	Table   Table
	// Levels are the priority levels of which the table has all that the text report has in the
	// sections of this kind; empty if it is about something else.
	Levels []string

	subtitle string
	columns  []column
}

// Table holds the figures that a chart shows, for screen readers and for copying. The first
// column names the row.
type Table struct {
	Columns []string
	Rows    [][]string
}

// column is a pile of panels. A chart of one result has one column, a comparison two.
type column struct {
	name   string // "" if there is only one
	panels []panel
}

// The sections of a report, in their order.
const (
	sectionTime       = "Over time"
	sectionWaits      = "Waits"
	sectionRejections = "Rejections"
	sectionSeats      = "Seats and borrowing"
	sectionQueues     = "Queues"
	sectionBlame      = "Who held the seats"
	sectionSharding   = "Shuffle sharding"
	sectionClients    = "Clients"
	sectionServers    = "Servers"
)

// Charts returns the charts of a result in the order of a report. What there is no data for is
// left out.
func Charts(r *reports.Result) []Chart {
	return chartsOf(r, newColors(r))
}

// chartsOf makes the charts of a result in colours that may be those of several results.
func chartsOf(r *reports.Result, colors *colors) []Chart {
	v := &view{r, colors}
	var all []Chart
	for _, make := range []func(*view) []Chart{
		(*view).timelines, (*view).populationTimelines,
		(*view).waitDistributions, (*view).waitHistograms,
		(*view).rejections,
		(*view).seats, (*view).limits,
		(*view).queues, (*view).blames, (*view).sharding,
		(*view).latencies, (*view).operationTimes,
		(*view).servers,
	} {
		all = append(all, make(v)...)
	}
	seen := map[string]int{}
	for i := range all {
		all[i].subtitle = subtitle(r)
		if n := seen[all[i].ID]; n > 0 { // two names that differ in their signs alone
			all[i].ID += "-" + strconv.Itoa(n+1)
		}
		seen[all[i].ID]++
	}
	return all
}

// view is a result with the colours of its subjects.
type view struct {
	r      *reports.Result
	colors *colors
}

// subtitle says what a picture is of, where nothing around it does.
func subtitle(r *reports.Result) string {
	text := r.Metadata.Name + " · Kubernetes " + r.KubernetesVersion
	if n := len(r.Replications); n > 1 {
		text += " · " + counted(n, "replication")
	}
	if r.Partial {
		text += " · PARTIAL RESULT"
	}
	return text
}

// others is the name of what is not shown by itself.
const others = "others"

// top returns the indices of the n largest sizes that are not zero, in ascending order.
func top(sizes []float64, n int) []int {
	var all []int
	for i, size := range sizes {
		if size > 0 {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	chosen := slices.Clone(all[:min(n, len(all))])
	slices.Sort(chosen)
	return chosen
}
