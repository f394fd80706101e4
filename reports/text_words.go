package reports

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// summary says in plain words which priority levels had trouble: who waited, who was
// rejected and why.
func (t *text) summary() {
	t.section("In short")
	r := &t.result.Server.Requests
	if r.Arrivals == 0 {
		t.paragraph(Plain, "No request came to a priority level in the time that counts.")
		return
	}
	text := fmt.Sprintf("%s requests: %s executed, %s rejected", formatCount(r.Arrivals), formatShare(r.Executed, r.Arrivals), formatShare(r.Rejected.Total, r.Arrivals))
	if n := r.Cut.Total; n > 0 {
		text += fmt.Sprintf("; %s were in servers that stopped, %s of them in queues", formatCount(n), formatCount(r.Cut.Waiting))
	}
	t.paragraph(Plain, text+".")
	if n := t.result.Server.Panics; n > 0 {
		t.paragraph(Bad, fmt.Sprintf("kube-apiserver would have panicked %s: a level has lost queues while seats lingered, and one was removed with requests in it. From then on the figures are a guess.", times(int64(n))))
	}
	calm := true
	for i := range t.result.PriorityLevels {
		l := &t.result.PriorityLevels[i]
		rejected, waited := l.Requests.Rejected.Total > 0, l.Wait != nil && l.Wait.Waited > 0
		if !rejected && !waited {
			continue
		}
		calm = false
		tone := Warning
		if rejected {
			tone = Bad
		}
		t.paragraph(tone, l.Name+": "+strings.Join(t.troubles(l), " "))
	}
	for i := range t.result.Populations {
		if p := &t.result.Populations[i]; p.LeasesLost > 0 {
			calm = false
			t.paragraph(Bad, fmt.Sprintf("%s: leases lost %s, renewed in time %s.",
				p.Name, times(p.LeasesLost), times(p.LeasesRenewed)))
		}
	}
	if calm {
		t.paragraph(Plain, "No request waited.")
	}
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return formatCount(n) + " times"
}

// troubles returns the sentences about a level in trouble.
func (t *text) troubles(l *PriorityLevel) []string {
	var sentences []string
	everyone := "the requests"
	if n := l.Requests.Rejected.Total; n > 0 {
		everyone = "the requests that were not turned away at once"
		sentences = append(sentences, fmt.Sprintf("%s of %s requests rejected (%s): %s. By client: %s.",
			formatCount(n), formatCount(l.Requests.Arrivals), formatShare(n, l.Requests.Arrivals), reasonsInWords(l),
			t.share(l.Name, func(f *Traffic) Total { return count(f.Requests.Rejected.Total) })))
	}
	w := l.Wait
	if w == nil || w.Waited == 0 {
		return sentences
	}
	p99 := ""
	if !w.few("p99") {
		p99 = "p99 " + formatDuration(time.Duration(w.P99)) + ", "
	}
	return append(sentences, fmt.Sprintf("%s of %s waited (%slongest %s). Time spent waiting by client: %s.",
		formatShare(w.Waited, w.Count), everyone, p99, formatDuration(time.Duration(w.Max)),
		t.share(l.Name, waitingTime)))
}

func waitingTime(f *Traffic) Total {
	if f.Wait == nil {
		return Total{}
	}
	return f.Wait.Sum
}

// reasonsInWords says why requests of a level were rejected.
func reasonsInWords(l *PriorityLevel) string {
	var parts []string
	add := func(n int64, why string) {
		if n > 0 {
			parts = append(parts, formatCount(n)+" "+why)
		}
	}
	add(l.Requests.Rejected.QueueFull, "found their queue full")
	add(l.Requests.Rejected.ConcurrencyLimit, "found no free seat in a level without queues")
	add(l.Requests.Rejected.TimeOut, "ran out of time in a queue")
	add(l.Requests.Rejected.Cancelled, "reached the end of the timeout in a queue")
	add(l.Requests.Rejected.Ejected, "reached the end of the timeout in a queue, which no metric of the server counts")
	return strings.Join(parts, ", ")
}

func count(n int64) Total { return Total{lo: uint64(n)} }

// maxNamed is how many populations a sentence names.
const maxNamed = 3

// share tells how an amount is divided among the populations that used a level, the
// largest parts first.
func (t *text) share(level string, amount func(*Traffic) Total) string {
	type part struct {
		name string
		size Total
	}
	var parts []part
	var sum Total
	for i := range t.result.Traffic {
		f := &t.result.Traffic[i]
		if f.PriorityLevel != level {
			continue
		}
		size := amount(f)
		sum.plus(size)
		if n := len(parts); n > 0 && parts[n-1].name == f.Population {
			parts[n-1].size.plus(size)
		} else {
			parts = append(parts, part{f.Population, size})
		}
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return p.size == Total{} })
	slices.SortStableFunc(parts, func(a, b part) int { return b.size.compare(a.size) })
	var words []string
	for i, p := range parts {
		if i == maxNamed && len(parts) > maxNamed+1 {
			words = append(words, fmt.Sprintf("%d others", len(parts)-i))
			break
		}
		words = append(words, p.name+" "+permille(p.size, sum))
	}
	return strings.Join(words, ", ")
}

// permille writes a part of a total as formatShare does, in integers of any size.
func permille(part, total Total) string {
	const scale = 1_000_000
	if (part == Total{}) {
		return "0%"
	}
	scaled := new(big.Int).Mul(part.int(), big.NewInt(scale))
	ratio := scaled.Quo(scaled, total.int()).Int64()
	if part != total {
		ratio = min(max(ratio, 1), scale-1)
	}
	return formatShare(ratio, scale)
}

// limits tells how the limits of the levels moved.
func (t *text) limits() {
	var lines []string
	for i := range t.result.PriorityLevels {
		l := &t.result.PriorityLevels[i]
		if !l.Exempt && len(l.Adjustments) > 0 && (l.Requests.Arrivals > 0 || slices.ContainsFunc(l.Adjustments, moved(l))) {
			lines = append(lines, l.Name+": "+limitsInWords(l.Adjustments))
		}
	}
	if len(lines) == 0 {
		return
	}
	title := "Limits over time, with the most seats in use under each"
	if len(t.result.Replications) > 1 {
		title += " (first replication)"
	}
	t.section(title)
	for _, line := range lines {
		t.paragraph(Plain, line)
	}
}

func moved(l *PriorityLevel) func(Adjustment) bool {
	return func(a Adjustment) bool { return a.Current != l.Adjustments[0].Current }
}

// stay is a time in which a limit was the same, or in which there was no level.
type stay struct {
	from, until time.Duration // until 0 is the end of the run
	gone        bool
	limit, peak int64
}

// stays merges adjustments, of which there must be some, that left the limit as it was.
func stays(adjustments []Adjustment) []stay {
	var out []stay
	if adjustments[0].Time > 0 {
		out = append(out, stay{gone: true})
	}
	for _, a := range adjustments {
		n := len(out)
		if n > 0 && out[n-1].limit == a.Current && out[n-1].gone == a.Gone {
			out[n-1].peak = max(out[n-1].peak, a.SeatsPeak)
			continue
		}
		if n > 0 {
			out[n-1].until = time.Duration(a.Time)
		}
		out = append(out, stay{from: time.Duration(a.Time), gone: a.Gone, limit: a.Current, peak: a.SeatsPeak})
	}
	return out
}

const (
	// firstStays and lastStays are how many stays a line tells of one by one.
	firstStays = 4
	lastStays  = 2
)

// limitsInWords tells the story of a limit, the middle of a long one in short.
func limitsInWords(adjustments []Adjustment) string {
	all := stays(adjustments)
	var words []string
	for i := 0; i < len(all); i++ {
		s := all[i]
		hidden := len(all) - firstStays - lastStays
		if i == firstStays && hidden > 1 {
			words = append(words, between(all[i:i+hidden]))
			i += hidden - 1
			continue
		}
		words = append(words, s.words(len(all) == 1))
	}
	return strings.Join(words, ", then ")
}

func (s stay) words(only bool) string {
	text := fmt.Sprintf("%s (%s)", formatCount(s.limit), formatCount(s.peak))
	if s.gone {
		text = "no level"
	}
	switch {
	case only:
		return text + " throughout"
	case s.until == 0:
		return text + " to the end"
	}
	return text + " until " + formatMoment(s.until)
}

// between describes several stays at once.
func between(hidden []stay) string {
	low := slices.MinFunc(hidden, func(a, b stay) int { return cmp.Compare(a.limit, b.limit) }).limit
	high := slices.MaxFunc(hidden, func(a, b stay) int { return cmp.Compare(a.limit, b.limit) }).limit
	peak := slices.MaxFunc(hidden, func(a, b stay) int { return cmp.Compare(a.peak, b.peak) }).peak
	return fmt.Sprintf("%d other limits from %s to %s (%s) until %s", len(hidden),
		formatCount(low), formatCount(high), formatCount(peak), formatMoment(hidden[len(hidden)-1].until))
}
