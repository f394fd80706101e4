package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/scenarios/start"
	"github.com/apfsim/apfsim/workload/recording/dump"
)

// dumpWidth keeps names of users whole, nearly always.
const dumpWidth = 160

// flowsShown bounds how many senders a summary lists.
const flowsShown = 10

// dumpSummary tells what the pages tell.
func dumpSummary(m *dump.Moment) string {
	var b strings.Builder
	for i := range m.Servers {
		s := &m.Servers[i]
		if len(m.Servers) > 1 {
			fmt.Fprintf(&b, "%s%s\n", map[bool]string{true: "\n"}[i > 0], s.Name)
		}
		how := "the latest time in the pages"
		if s.Told {
			how = "as told"
		}
		fmt.Fprintf(&b, "moment  %s, %s\npages   %s\n\n", s.Time.Format(time.RFC3339Nano), how, pagesText(s))
		dumpedLevels(&b, s)
		dumpedSenders(&b, s)
	}
	return b.String()
}

// pagesText lists which pages there are, and what is missing for want of others.
func pagesText(s *dump.Server) string {
	var have, missing []string
	for _, p := range []struct {
		there      bool
		name, lost string
	}{
		{s.Pages.Levels, "dump_priority_levels", "how many hands were dealt"},
		{s.Pages.Queues, "dump_queues", "the virtual time of the queues, and what lingers"},
		{s.Pages.Requests, "dump_requests", "every request"},
		{s.Pages.Details, "with details", "who asks for what"},
		{s.Pages.Executing, "with start times", "since when requests execute"},
		{s.Scraped, "metrics", "R and the limits"},
	} {
		if p.there {
			have = append(have, p.name)
		} else {
			missing = append(missing, fmt.Sprintf("%s: %s", p.name, p.lost))
		}
	}
	text := strings.Join(have, ", ")
	for _, line := range missing {
		text += "\nwithout " + line
	}
	return text
}

// dumpedLevels lists the levels that do something.
func dumpedLevels(b *strings.Builder, s *dump.Server) {
	t := table.New(1, "LEVEL", "WAITING", "EXECUTING", "SEATS", "LIMIT", "QUEUES", "IN USE", "LONGEST WAIT", "REJECTED")
	for i := range s.Levels {
		l := &s.Levels[i]
		waiting, executing, seats, busy := 0, 0, 0, map[int]bool{}
		longest := time.Duration(0)
		for j := range l.Requests {
			q := &l.Requests[j]
			if q.Queue >= 0 {
				busy[q.Queue] = true
			}
			if q.Phase == dump.Waiting {
				waiting++
				longest = max(longest, s.Time.Sub(q.Arrival))
				continue
			}
			if q.Phase == dump.Executing {
				executing++
			}
			seats += max(q.InitialSeats, q.FinalSeats)
		}
		if waiting+executing+seats > 0 || l.Limit > 0 {
			t.Add(l.Name, fmt.Sprint(waiting), fmt.Sprint(executing), fmt.Sprint(seats), known(l.Limit), fmt.Sprint(len(l.Queues)), fmt.Sprint(len(busy)),
				longest.Round(time.Microsecond).String(), known(l.Rejected))
		}
	}
	b.WriteString(strings.Join(t.Lines(dumpWidth), "\n") + "\n")
}

// dumpedSenders lists who has the most requests.
func dumpedSenders(b *strings.Builder, s *dump.Server) {
	senders := start.Senders(s)
	if len(senders) == 0 {
		return
	}
	t := table.New(2, "USER", "LEVEL", "WAITING", "EXECUTING", "RATE (ESTIMATED)")
	for _, o := range senders[:min(len(senders), flowsShown)] {
		t.Add(o.User, o.Level, fmt.Sprint(o.Waiting), fmt.Sprint(o.Executing), fmt.Sprintf("%.3g/s", o.Rate))
	}
	b.WriteString("\n" + strings.Join(t.Lines(dumpWidth), "\n") + "\n")
	if more := len(senders) - flowsShown; more > 0 {
		fmt.Fprintf(b, "and %d more\n", more)
	}
}
