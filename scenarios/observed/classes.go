package observed

import (
	"math"
	"slices"

	"github.com/apfsim/apfsim/workload/recording"
)

// class is a part of the requests of a cell that is alike.
type class struct {
	suffix string
	heavy  bool
	// share is its part of the arrivals.
	share    float64
	requests []request
	duration []quantilePoint
}

// The classes, as the names of their populations end.
const light, heavy = "-light", "-heavy"

// started are the requests that were there when the first interval began: narrow ones of a seat, and
// wide ones of so many seats each.
type started struct {
	narrow, wide float64
	seats        int
}

// classes divides the requests of a cell: into those of one seat and the wider ones, or where all are as
// wide, into the short and the long ones if there is a gap between them. The widest take the longest.
// backlog tells that those count too that were there before. A cell that cannot be divided is of one class.
func (src *source) classes(together, backlog bool) []class {
	t := src.total
	shares := src.shares()
	one := class{share: 1, requests: src.kinds(shares, nil), duration: src.duration}
	if !together || t.Execution == nil {
		return []class{one}
	}
	narrow := 0.0
	for _, w := range shares {
		if w.seats <= 1 {
			narrow += w.share
		}
	}
	few, all := narrow*float64(t.Arrivals), float64(t.Arrivals)
	if backlog {
		few += src.start.narrow
		all += src.start.narrow + src.start.wide
	}
	if p := few / all; src.canList && p > 0 && p < 1 {
		wide := slices.DeleteFunc(slices.Clone(shares), func(w widthShare) bool { return w.seats <= 1 })
		for i := range wide {
			wide[i].share /= 1 - narrow
		}
		longest := cut(src.duration, p, 1)
		return []class{
			{suffix: light, share: narrow, requests: src.kinds([]widthShare{{1, 1}}, nil), duration: cut(src.duration, 0, p)},
			{suffix: heavy, heavy: true, share: 1 - narrow, requests: src.kinds(wide, longest), duration: longest},
		}
	}
	if p := gap(t); p > 0 {
		return []class{
			{suffix: light, share: p, requests: src.kinds(shares, nil), duration: cut(src.duration, 0, p)},
			{suffix: heavy, heavy: true, share: 1 - p, requests: src.kinds(shares, nil), duration: cut(src.duration, p, 1)},
		}
	}
	one.requests = src.kinds(shares, src.duration)
	return []class{one}
}

// shares are the widths of the requests of a cell.
func (src *source) shares() []widthShare {
	if src.total.Width == nil {
		return []widthShare{{1, 1}}
	}
	return widths(src.total.Width)
}

// gap finds the share of the requests below a gap in their execution times, if those beyond it are few and
// take most of the time; 0 if there is none.
func gap(t *total) float64 {
	h := t.Execution
	n, below, low := float64(h.Count()), 0.0, 0.0
	for i := range h.Bounds {
		c := float64(h.Counts[i])
		if c == 0 && below > 0 && below < n && h.Bounds[i] > 4*low && low > 0 {
			if short := below * low; h.Sum > 2*short {
				return below / n
			}
		}
		if c > 0 {
			low = h.Bounds[i]
		}
		below += c
	}
	return 0
}

// cut returns the part of a distribution between two shares.
func cut(points []quantilePoint, from, until float64) []quantilePoint {
	if until-from < 1e-9 {
		return points
	}
	out := []quantilePoint{{0, quantile(points, from)}}
	for _, p := range points {
		if p.p > from && p.p < until {
			out = append(out, quantilePoint{(p.p - from) / (until - from), p.value})
		}
	}
	return append(out, quantilePoint{1, quantile(points, until)})
}

// quantile is the value of a distribution at a share.
func quantile(points []quantilePoint, p float64) float64 {
	for i := range points {
		if b := points[i]; b.p >= p {
			if i == 0 || b.p <= points[i-1].p {
				return b.value
			}
			a := points[i-1]
			return a.value + float64((b.value-a.value)*((p-a.p)/(b.p-a.p)))
		}
	}
	return points[len(points)-1].value
}

// kinds makes the kinds of requests of a cell: one of one seat, LISTs of so many seats, watches. With a
// distribution of execution times each width has its part of it, the widest the longest.
func (src *source) kinds(shares []widthShare, ranked []quantilePoint) []request {
	s, t := &src.sender, src.total
	plain := s.verbs[0]
	out := []request{}
	below := 0.0
	for _, w := range shares {
		r := request{verb: plain, share: w.share}
		if w.seats > 1 && src.canList {
			r.verb, r.seats = "list", w.seats
		}
		if ranked != nil && len(shares) > 1 {
			r.duration = cut(ranked, below, min(1, below+w.share))
		}
		below += w.share
		out = append(out, r)
	}
	if len(out) > 0 && out[0].verb == "list" && plain == "list" {
		out[0].seats = max(1, out[0].seats)
	}
	watched, all := t.WatchExecution.Count(), t.WatchExecution.Count()+t.Execution.Count()
	if watched > 0 && t.Execution != nil && slices.Contains(s.verbs, "watch") && ranked == nil {
		part := float64(watched) / float64(all)
		for i := range out {
			out[i].share *= 1 - part
		}
		out = append(out, request{verb: "watch", share: part, duration: quantilePoints(t.WatchExecution)})
	}
	return out
}

// wideMean is the mean width of requests of more than a seat, 0 if there are none.
func wideMean(h *recording.ObservedHistogram) float64 {
	if h == nil || len(h.Bounds) == 0 || h.Bounds[0] != 1 || h.Count() == h.Counts[0] {
		return 0
	}
	return (h.Sum - float64(h.Counts[0])) / float64(h.Count()-h.Counts[0])
}

// usual are the waits of clients that ask for a usual timeout: a quarter of it.
var usual = []float64{1.25, 2.5, 7.5}

// shortTimeout finds how long the requests of a cell may wait, from where their waits end; 0 if that is what
// the server lets them.
func shortTimeout(t *total) float64 {
	late := t.Rejected["time-out"]
	if late == 0 || t.Wait.Count() == 0 {
		return 0
	}
	top := len(t.Wait.Bounds)
	for top >= 0 && t.Wait.Counts[top] == 0 {
		top--
	}
	if top <= 0 || top >= len(t.Wait.Bounds) || t.Wait.Bounds[top] > 10 {
		return 0
	}
	low, high := t.Wait.Bounds[top-1], t.Wait.Bounds[top]
	rest, below := t.Wait.Sum, 0.0
	for i := range top {
		rest -= float64(float64(t.Wait.Counts[i]) * (below + t.Wait.Bounds[i]) / 2)
		below = t.Wait.Bounds[i]
	}
	guess := min(high, max(low, rest/float64(t.Wait.Counts[top])))
	for _, u := range usual {
		if u > low && u <= high && math.Abs(u-guess) < 0.3*u {
			return u
		}
	}
	return guess
}
