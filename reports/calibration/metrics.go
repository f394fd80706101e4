package calibration

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// spansMost is how many spans metrics are shown in: more intervals are put together.
const spansMost = 12

// MetricSpans are the spans of what metrics tell: the intervals of the first server, from an offset
// on, of which neighbours are put together if there are many.
func MetricSpans(o *recording.Observed, offset time.Duration) []Span {
	if len(o.Servers) == 0 {
		return nil
	}
	intervals := o.Servers[0].Intervals
	each := (len(intervals) + spansMost - 1) / spansMost
	var out []Span
	for i := 0; i < len(intervals); i += each {
		last := min(i+each, len(intervals)) - 1
		out = append(out, Span{offset + time.Duration(intervals[i].From), offset + time.Duration(intervals[last].Until)})
	}
	return out
}

// reasonsOfMetrics are the names of the reasons that metrics tell apart.
var reasonsOfMetrics = [...]Why{QueueFull, ConcurrencyLimit, TimeOut, Cancelled}

// FromMetrics makes a side of what metrics tell. An interval belongs to the span that its middle lies
// in.
func FromMetrics(o *recording.Observed, spans []Span, offset time.Duration) *Side {
	s := newSide(spans)
	s.Servers = len(o.Servers)
	for i := range o.Servers {
		server, name := &o.Servers[i], ""
		if len(o.Servers) > 1 {
			name = serverName(int32(i))
		}
		for j := range server.Intervals {
			v := &server.Intervals[j]
			at := s.span(offset + time.Duration(v.From+v.Until)/2)
			if at < 0 {
				continue
			}
			for k := range v.Cells {
				s.addCell(&v.Cells[k], at, name)
			}
			s.addLevels(v, at)
		}
		if n := len(server.Intervals); n > 0 {
			for _, l := range server.Intervals[n-1].Levels {
				if l.NominalSeats != nil {
					s.Nominal[l.PriorityLevel] += int(*l.NominalSeats)
				}
			}
		}
	}
	return s
}

// addCell counts what a schema sent to a level.
func (s *Side) addCell(c *recording.ObservedCell, at int, server string) {
	sum := Sum{Arrivals: c.Arrivals, Executed: c.Executed, Wait: c.Wait, Execution: c.Execution}
	for _, why := range reasonsOfMetrics {
		sum.Rejected[why] = c.Rejected[why.String()]
	}
	subjects := []Subject{{OfLevel, c.PriorityLevel, ""}, {OfSchema, c.FlowSchema, c.PriorityLevel}}
	if server != "" {
		subjects = append(subjects, Subject{OfServer, server, ""})
	}
	for _, subject := range subjects {
		s.of(subject)[at].add(&sum)
	}
	if c.Wait == nil {
		return
	}
	// Only the bucket of the longest wait is known: its lower bound is sure.
	low, _ := c.Wait.Within(1)
	if !math.IsNaN(low) && low > s.Longest[c.PriorityLevel] {
		s.Longest[c.PriorityLevel] = low
	}
}

// addLevels counts the seats in use.
func (s *Side) addLevels(v *recording.ObservedInterval, at int) {
	for i := range v.Levels {
		l := &v.Levels[i]
		if l.SeatsMean != nil {
			s.of(Subject{OfLevel, l.PriorityLevel, ""})[at].SeatSeconds += float64(*l.SeatsMean * time.Duration(v.Until-v.From).Seconds())
		}
	}
}
