package observed

import (
	"fmt"
	"math"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// build makes the populations of all cells, as the settings of their levels have it.
func (f *Fitted) build() {
	f.Populations = f.Populations[:0]
	for _, src := range f.sources {
		s, tried := f.settings[src.total.PriorityLevel]
		switch {
		case !tried:
			f.Populations = append(f.Populations, f.steady(src, plain)...)
		case len(f.spans) > 1:
			f.Populations = append(f.Populations, f.steady(src, s)...)
		default:
			f.Populations = append(f.Populations, f.counted(src, s)...)
		}
	}
}

// steady makes the populations of a cell whose requests come at the mean rate of each interval.
func (f *Fitted) steady(src *source, s setting) (out []Population) {
	t := src.total
	for _, c := range src.classes(s.together, false) {
		for _, crowd := range src.crowds(c, s, f.flows) {
			p := f.population(src, c, crowd)
			share := c.share * crowd.share
			for i, span := range f.spans {
				p.rates = append(p.rates, rate{span, float64(t.perInterval[i]) * share / time.Duration(span.until-span.from).Seconds()})
			}
			if f.young {
				p.before = new(t.before * share)
			}
			out = append(out, p)
		}
	}
	return out
}

// counted makes the populations of a cell with as many requests as were counted in the only interval.
func (f *Fitted) counted(src *source, s setting) (out []Population) {
	for _, c := range src.classes(s.together, s.backlog > 0) {
		for _, crowd := range src.crowds(c, s, f.flows) {
			p := f.population(src, c, crowd)
			p.retries = s.retries
			if c.heavy && s.held > 0 {
				out = append(out, held(p, s))
				continue
			}
			out = append(out, f.within(src, p, c, s, crowd.share)...)
			over := 0.0
			if s.backlog > 0 {
				over = min(f.Lead.Seconds(), src.wait()*s.backlog)
				out = append(out, f.backlog(src, p, c, over, crowd.share)...)
			}
			out = append(out, f.before(src, p, s, c.share*crowd.share, f.Lead.Seconds()-over)...)
		}
	}
	return out
}

// population makes one of a class and a crowd, without its arrivals.
func (f *Fitted) population(src *source, c class, crowd crowd) Population {
	t := src.total
	p := Population{
		Name: t.FlowSchema + c.suffix + crowd.suffix, Schema: t.FlowSchema, Level: t.PriorityLevel, sender: src.sender,
		Flows: crowd.flows, why: crowd.why, requests: c.requests, duration: c.duration, timeout: src.timeout,
	}
	if crowd.suffix != "" || c.suffix == light {
		p.sender.user, p.sender.target.Namespace = renamed(src.sender.user), renamed(src.sender.target.Namespace)
	}
	return p
}

// crowds tells how many flows the requests of a class are of. Classes are taken for the crowds that the lengths
// of the queues tell of.
func (src *source) crowds(c class, s setting, given int) []crowd {
	all := crowds(src.total, src.level, src.sender.many, given, AssumedFlows)
	factor := s.flows
	if c.suffix != "" {
		all = []crowd{{"", all[0].flows, 1, all[0].why}}
	}
	if c.suffix == light {
		factor = s.light
		if all[0].why == whyQueues {
			all[0].flows, all[0].why = AssumedFlows, whyNothing
		}
	}
	for i := range all {
		if all[i].why != whyGiven && all[i].why != whyOne {
			all[i].flows = max(1, int(math.Round(float64(all[i].flows)*factor)))
		}
	}
	return all
}

// held makes a population of which so many requests are there at any time.
func held(p Population, s setting) Population {
	p.Flows = min(max(1, int(math.Round(s.flows))), s.held)
	p.held = (s.held + p.Flows - 1) / p.Flows
	p.note = "so many at any time, each after the one before"
	return p
}

// first is how many requests were sent in the interval: with retries those that came to an end, else all.
func (src *source) first(s setting) int64 {
	if t := src.total; s.retries {
		return max(1, t.Executed+t.WaitingAfter-t.WaitingBefore)
	}
	return src.total.Arrivals
}

// within makes the population of the interval, with a part of its class.
func (f *Fitted) within(src *source, p Population, c class, s setting, part float64) []Population {
	number := int(math.Round(float64(src.first(s)) * c.share * part))
	if number == 0 {
		return nil
	}
	from, over := 0.0, 1.0
	if c.suffix != light || s.whole {
		from, over = s.from, s.over
	}
	p.Flows, p.burst = even(number, p.Flows)
	length := seconds(f.spans)
	// What comes with the first scrape, the scrape has counted already.
	after := max(time.Microsecond, micros(from*length))
	p.burst.at = f.Lead + time.Duration(f.spans[0].from) + after
	p.burst.over = min(micros(over*length), micros(length)-after)
	p.note = "as many as were counted"
	if over < 1 {
		p.note += fmt.Sprintf(", not over all of the %v", micros(length))
	}
	return []Population{p}
}

// wait is for how long a request waits at most, in seconds.
func (src *source) wait() float64 {
	if src.timeout > 0 {
		return src.timeout
	}
	return 15
}

// backlog makes the populations of those who come in the last seconds before the interval: those who are
// there when it begins, and as many as are executed in that time.
func (f *Fitted) backlog(src *source, p Population, c class, over, part float64) (out []Population) {
	executed := float64(src.total.Executed) / seconds(f.spans)
	if f.young {
		executed = src.total.executedBefore
	}
	part *= 1 + executed*over/max(1, src.start.narrow+src.start.wide)
	for _, kind := range [...]struct {
		number float64
		wide   bool
	}{{src.start.narrow, false}, {src.start.wide, true}} {
		number := int(math.Round(kind.number * part))
		if number == 0 || c.suffix != "" && c.heavy != kind.wide {
			continue
		}
		rest := p
		rest.Name += "-waiting"
		rest.requests = []request{{verb: src.sender.verbs[0], share: 1}}
		if kind.wide {
			rest.Name += "-wide"
			rest.requests = []request{{verb: "list", share: 1, seats: src.start.seats}}
		}
		rest.Flows, rest.burst = even(number, p.Flows)
		rest.burst.at, rest.burst.over = f.Lead-micros(over), micros(over)
		rest.note = "so that as many wait and execute at the first scrape as did"
		out = append(out, rest)
	}
	return out
}

// before makes the population of the lead, up to a time in seconds.
func (f *Fitted) before(src *source, p Population, s setting, share, until float64) []Population {
	t := src.total
	r := float64(t.Arrivals) / seconds(f.spans)
	if f.young {
		r = t.before
	}
	if s.retries && t.Arrivals > 0 {
		share *= min(1, float64(src.first(s))/float64(t.Arrivals))
	}
	if r*share*until < 1 {
		return nil
	}
	p.Name += "-before"
	p.rates = []rate{{span{0, recording.Moment(micros(until))}, r * share}}
	p.lead, p.note = true, "before the first scrape"
	return []Population{p}
}

// even finds a number of flows near to the one that is wanted by which a number of requests can be
// divided with little rest.
func even(number, flows int) (int, *burst) {
	if number <= flows {
		return max(1, number), &burst{count: min(1, number)}
	}
	best, rest := flows, math.Inf(1)
	for d := 0; d <= flows*3/20; d++ {
		for _, n := range [...]int{flows - d, flows + d} {
			each := math.Round(float64(number) / float64(n))
			if r := math.Abs(float64(number) - float64(each*float64(n))); r < rest {
				best, rest = n, r
			}
		}
	}
	return best, &burst{count: int(math.Round(float64(number) / float64(best)))}
}

// micros makes a duration of seconds, in whole microseconds.
func micros(s float64) time.Duration {
	return time.Duration(math.Round(s*1e6)) * time.Microsecond
}

// started finds the requests of a cell that waited or executed at the first scrapes. The gauges of seats
// tell how wide they are on average; how wide the wide ones are tell all that came up to then.
func (o *Observation) started(src *source) started {
	number, seats := 0.0, 0.0
	var before *recording.ObservedHistogram
	for s := range o.first {
		c := o.first[s].cells[cell{src.total.PriorityLevel, src.total.FlowSchema}]
		if c == nil {
			continue
		}
		number += orZero(c.inqueue) + orZero(c.executing)
		seats += max(orZero(c.inqueue), orZero(c.waitingSeats)) + max(orZero(c.executing), orZero(c.seats))
		before = plus(before, histogram(&buckets{}, &c.width))
	}
	wide := max(wideMean(before), wideMean(src.total.Width))
	if wide <= 1 || !src.canList || seats <= number {
		return started{narrow: number, seats: 1}
	}
	n := min(number, (seats-number)/(wide-1))
	return started{narrow: number - n, wide: n, seats: max(2, int(math.Round(wide)))}
}

// orZero is a gauge, 0 if it is not known or beyond what a server can have.
func orZero(v float64) float64 {
	if math.IsNaN(v) || v < 0 || v > 1e7 {
		return 0
	}
	return v
}
