package html

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// served shows what the servers would have answered to a scrape, and their debug pages.
func (b *builder) served() {
	r := b.result
	shown := min(len(r.Expositions), b.limits.paragraphs)
	for i := range r.Expositions[:shown] {
		b.exposition(&r.Expositions[i])
	}
	if n := len(r.Expositions) - shown; n > 0 {
		b.say("note", "And %s more.", plural(n, "scrape"))
	}
	var pages []reports.SourceFile
	for i := range r.Dumps {
		d := &r.Dumps[i]
		for _, page := range []struct{ name, text string }{
			{"dump_priority_levels", d.PriorityLevels}, {"dump_queues", d.Queues}, {"dump_requests", d.Requests},
			{"dump_requests?includeRequestDetails=1", d.RequestsWithDetails},
		} {
			if page.text != "" {
				pages = append(pages, reports.SourceFile{Name: page.name + b.moment(d.Server, d.Time), Text: page.text})
			}
		}
	}
	b.files(pages)
}

// moment tells when something was seen, and on which server if there are several.
func (b *builder) moment(server int, at reports.Duration) string {
	text := " after " + time.Duration(at).String()
	if len(b.result.Servers) > 1 {
		text += fmt.Sprintf(", server %d", server)
	}
	return text
}

// exposition shows the series of one scrape. Of a histogram it shows the count and the sum.
func (b *builder) exposition(e *reports.Exposition) {
	var rows [][]string
	for i := range e.Families {
		f := &e.Families[i]
		for j := range f.Series {
			s := &f.Series[j]
			value := metric(s.Value)
			if f.Type == "histogram" {
				count := uint64(0)
				for _, n := range s.Counts {
					count += n
				}
				value = strconv.FormatUint(count, 10) + " with the sum " + metric(s.Sum)
			}
			rows = append(rows, []string{strings.TrimPrefix(f.Name, "apiserver_flowcontrol_"), f.Type, labels(f, s), value})
		}
	}
	if len(rows) == 0 {
		return
	}
	g := b.cells("Metrics apiserver_flowcontrol_…"+b.moment(e.Server, e.Time), []string{"metric", "type", "labels", "value"}, rows)
	g.Names, g.Folded = 3, true
	b.add(item{Table: g})
}

// labels writes the labels of a series as Prometheus does.
func labels(f *reports.MetricFamily, s *reports.MetricSeries) string {
	pairs := make([]string, min(len(f.Labels), len(s.Labels)))
	for i := range pairs {
		pairs[i] = fmt.Sprintf("%s=%q", f.Labels[i], s.Labels[i])
	}
	return strings.Join(pairs, ", ")
}

func metric(v reports.MetricValue) string { return strconv.FormatFloat(float64(v), 'g', 6, 64) }
