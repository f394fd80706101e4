package reports

import "time"

// KeyFigures are the few figures of a priority level that are looked at first, as a report for
// people writes them.
type KeyFigures struct {
	Level string
	// Tone is bad for a level that rejected, and a warning for one in which requests waited.
	Tone Tone
	// Figures are names and values.
	Figures []NamedFigure
	// SeatsUsed and Limit are the means over time of the seats in use and of the limit; 0 for a
	// level without a limit or a run that has ended in its warm-up.
	SeatsUsed, Limit Number
}

// NamedFigure is a value with its name.
type NamedFigure struct{ Name, Value string }

// LevelsAtAGlance returns the key figures of the levels that requests came to, and the names of
// the others, in the order of their names.
func LevelsAtAGlance(r *Result) (busy []KeyFigures, idle []string) {
	t := &text{result: r}
	for i := range r.PriorityLevels {
		l := &r.PriorityLevels[i]
		if l.Requests.Arrivals == 0 {
			idle = append(idle, l.Name)
			continue
		}
		busy = append(busy, t.keyFigures(l))
	}
	return busy, idle
}

func (t *text) keyFigures(l *PriorityLevel) KeyFigures {
	q := &l.Requests
	out := KeyFigures{Level: l.Name, Figures: []NamedFigure{
		{"arrivals", formatCount(q.Arrivals)},
		{"executed", formatShare(q.Executed, q.Arrivals)},
		{"rejected", formatShare(q.Rejected.Total, q.Arrivals)},
	}}
	if w := l.Wait; w != nil {
		out.Figures = append(out.Figures,
			NamedFigure{"waited", formatShare(w.Waited, w.Count)},
			NamedFigure{"wait p50", t.quantile(w, "p50")},
			NamedFigure{"wait p99", t.quantile(w, "p99")},
			NamedFigure{"longest wait", formatDuration(time.Duration(w.Max))})
		if w.Waited > 0 {
			out.Tone = Warning
		}
	}
	if q.Rejected.Total > 0 {
		out.Tone = Bad
	}
	if o := l.Occupancy; o != nil {
		used := formatNumber(o.SeatsUsedAverage) + ", peak " + formatCount(o.SeatsUsedPeak)
		out.Figures = append(out.Figures, NamedFigure{"seats in use", used})
		if !l.Exempt {
			out.SeatsUsed, out.Limit = o.SeatsUsedAverage, o.CurrentAverage
			out.Figures = append(out.Figures, NamedFigure{"limit", formatNumber(o.CurrentAverage) + ", nominal " + seats(l.Seats.Nominal)})
		}
	}
	return out
}
