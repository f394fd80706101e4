package fit

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// cluster is users of a class with like rates.
type cluster struct {
	*class
	users []*user
}

const (
	// rateRatio is how many times the mean rate of the others a user's must be for it to be in a
	// cluster of its own, and sigmas by how many standard deviations of their difference.
	rateRatio = 3
	sigmas    = 6
	// clustersMax bounds the clusters of a class.
	clustersMax = 3
)

// clusters splits the users of a class where their rates differ so much that it can be no chance.
func (c *class) clusters() []cluster {
	users := slices.Clone(c.users)
	slices.SortStableFunc(users, func(a, b *user) int { return cmp.Compare(a.count, b.count) })
	var out []cluster
	from, sum := 0, int64(0)
	for i, u := range users {
		mean := float64(sum) / float64(max(i-from, 1))
		far := float64(u.count) > rateRatio*mean && float64(u.count)-mean > sigmas*math.Sqrt(float64(u.count)+mean)
		if i > from && far && len(out) < clustersMax-1 {
			out = append(out, cluster{c, users[from:i]})
			from, sum = i, 0
		}
		sum += u.count
	}
	return append(out, cluster{c, users[from:]})
}

// part is the requests of one kind of a cluster.
type part struct {
	kind   *kindOfClass
	series []*series
	// count is operations, requests all of them; busy is the sum of their durations.
	count, requests, rejected int64
	busy                      float64
	spaces                    []string
	// by is the policy by which its users send again.
	by policy
}

// parts are the kinds of a cluster, the most frequent first.
func (c *cluster) parts(by policy) []*part {
	byKind := make([]*part, len(c.kinds))
	for _, u := range c.users {
		for _, s := range u.series {
			p := byKind[s.kind.number]
			if p == nil {
				p = &part{kind: s.kind, by: by}
				byKind[s.kind.number] = p
			}
			p.series = append(p.series, s)
			p.count += s.operations(by)
			p.requests += s.count
			p.rejected += s.rejected
			p.busy += s.durations.sum
			for _, space := range s.spaces {
				if len(p.spaces) < spacesMax && !slices.Contains(p.spaces, space) {
					p.spaces = append(p.spaces, space)
				}
			}
		}
	}
	parts := slices.DeleteFunc(byKind, func(p *part) bool { return p == nil || p.count == 0 })
	slices.SortStableFunc(parts, func(a, b *part) int { return cmp.Compare(b.count, a.count) })
	return parts
}

// gaps is the sample of the gaps of a part.
func (p *part) gaps() *sample {
	var all []*reservoir
	for _, s := range p.series {
		all = append(all, &s.gaps)
	}
	return merged(all)
}

func (p *part) durations() *Durations {
	var all []*reservoir
	for _, s := range p.series {
		all = append(all, &s.durations)
	}
	return fitDurations(merged(all))
}

// retry finds how the users of a cluster send again.
func (c *cluster) retry() policy {
	rejected := int64(0)
	var all [policies]tally
	for _, u := range c.users {
		for _, s := range u.series {
			rejected += s.rejected
			for p := range all {
				all[p].folded += s.again[p].folded
				all[p].near += s.again[p].near
				all[p].beside += s.again[p].beside
			}
		}
	}
	return policyOf(rejected, &all)
}

// populations makes the populations of a cluster.
func (f *Fitter) populations(c *cluster) []Population {
	by := c.retry()
	parts := c.parts(by)
	var out []Population
	add := func(parts []*part, arrive func(*Population)) {
		p := f.population(c, parts)
		if by != noRetry {
			p.Retry = by.String()
		}
		arrive(&p)
		out = append(out, p)
	}
	if loop := f.loop(c, parts, by); loop != nil {
		add(parts, func(p *Population) { p.Closed = loop })
		return out
	}
	var pool []*part
	for _, p := range parts {
		gaps := p.gaps()
		a, distance, periodic := recognisePeriod(gaps)
		if !periodic || gaps.seen < int64(2*len(p.series)) || f.pauses(p, a) {
			pool = append(pool, p)
			continue
		}
		add([]*part{p}, func(to *Population) { f.periodic(to, p, a, distance) })
	}
	for _, parts := range f.alike(pool) {
		add(parts, func(to *Population) { f.random(to, parts) })
	}
	return out
}

// loop tells whether a cluster is closed loops, and not periodic: what varies less decides, the
// gaps between arrivals or the pauses.
func (f *Fitter) loop(c *cluster, parts []*part, by policy) *Closed {
	loop := recogniseLoop(c.users, f.period(), by)
	if loop == nil || len(parts) != 1 {
		return loop
	}
	gaps := parts[0].gaps()
	if _, _, periodic := recognisePeriod(gaps); !periodic {
		return loop
	}
	var pauses []*reservoir
	for _, u := range c.users {
		pauses = append(pauses, u.loop.of(by))
	}
	between := merged(pauses)
	if gaps.deviation() < between.deviation() || gaps.deviation() == between.deviation() && between.mean() > gaps.mean()/2 {
		return nil
	}
	return loop
}

// deviation is the standard deviation over the period.
func (s *sample) deviation() float64 {
	mean, sum := s.mean(), 0.0
	for _, w := range s.points {
		d := float64(w.value) - mean
		sum += float64(d * d * w.weight)
	}
	return math.Sqrt(sum / s.weight)
}

// period is from the first arrival to the last one.
func (f *Fitter) period() int64 { return max(f.last-f.origin, 1) }

// expected is how often the clients of a part send in all of the record, if they are periodic.
func (f *Fitter) expected(p *part, a workload.Arrivals) float64 {
	return float64(f.period()) / float64(a.Every) * float64(len(p.series))
}

// pausesMost is how many times as much periodic clients may send as those of the record: more is not
// made for those that are regular only while they are there.
const pausesMost = 1.25

// pauses tells whether clients that are periodic send for a part of the time alone.
func (f *Fitter) pauses(p *part, a workload.Arrivals) bool {
	return f.expected(p, a) > pausesMost*float64(p.count)
}

// periodic makes a population one that sends regularly.
func (f *Fitter) periodic(to *Population, p *part, a workload.Arrivals, distance float64) {
	to.Arrivals, to.Fit.Gaps = a, distance
	to.Fit.RateError = share(f.expected(p, a), float64(p.count))
	if together(p.series, a.Every) {
		to.Fit.Notes = append(to.Fit.Notes, "the recorded clients send at the same moments, these at random phases")
	}
}

// alike puts parts together whose shares of all requests stay the same over time; all others are
// by themselves.
func (f *Fitter) alike(pool []*part) [][]*part {
	if len(pool) == 0 {
		return nil
	}
	total := f.binsOf(pool)
	segments := changes(total[:max(len(total)-1, 1)])
	same := []*part{}
	var out [][]*part
	sum := 0.0
	for _, b := range total {
		sum += b
	}
	for _, p := range pool {
		bins := f.binsOf([]*part{p})
		if len(segments) > 1 && differs(bins, segments, float64(p.count)/max(sum, 1)) {
			out = append(out, []*part{p})
			continue
		}
		same = append(same, p)
	}
	if len(same) > 0 {
		out = append(out, same)
	}
	return out
}

// differs tells whether a part is spread over segments otherwise than its share of all.
func differs(bins []float64, segments []segment, part float64) bool {
	chi, all := 0.0, 0.0
	for _, s := range segments {
		n := 0.0
		for _, b := range bins[s.from:s.until] {
			n += b
		}
		all += n
		if expected := s.count * part; expected > 0 {
			chi += float64((n - expected) * (n - expected) / expected)
		}
	}
	return all >= 50 && chi > 20*float64(len(segments)) && chi > 0.05*all
}

// binsOf counts the operations of parts. The last bin is not full.
func (f *Fitter) binsOf(parts []*part) []float64 {
	bins := make([]float64, binsMax)
	for _, p := range parts {
		for _, s := range p.series {
			s.addTo(bins, f.width, p.by)
		}
	}
	return bins[:bin(f.last-f.origin, f.width)+1]
}

// random makes a population one that sends at random: a burst, or with a constant rate or one that
// changes.
func (f *Fitter) random(to *Population, parts []*part) {
	count, first, last := int64(0), int64(math.MaxInt64), int64(0)
	for _, p := range parts {
		count += p.count
		for _, s := range p.series {
			if s.count > 0 {
				first, last = min(first, s.first), max(last, s.last)
			}
		}
	}
	each := float64(count) / float64(to.Count)
	if float64(last-first) <= burstPart*float64(f.period()) && each > 0.7 {
		at := rounded(first + f.origin)
		to.Arrivals = workload.Burst(min(at, time.Duration(first+f.origin)), int(math.Round(each)), rounded(last-first))
		to.Fit.RateError = share(math.Round(each), each)
		to.Fit.Gaps = -1
		return
	}
	bins := f.binsOf(parts)
	segments := changes(bins[:max(len(bins)-1, 1)])
	segments[len(segments)-1].until = len(bins)
	to.Fit.Dispersion = dispersion(bins[:max(len(bins)-1, 1)])
	rates, ends := f.rates(segments, bins, each, to.Count)
	if len(rates) > 1 {
		to.Arrivals, to.Fit.Gaps = workload.Stages(stagesOf(rates, ends)), -1
	} else {
		to.Arrivals, to.Fit.Gaps = workload.Poisson(rates[0]), -1
		if parts[0].rejected == 0 {
			to.Fit.Gaps = exponentialDistance(parts[0].gaps())
		}
	}
	expected, begin := 0.0, time.Duration(0)
	for i, rate := range rates {
		expected += float64(rate * (ends[i] - begin).Seconds())
		begin = ends[i]
	}
	to.Fit.RateError = share(expected, each)
	if to.Fit.Dispersion > 2 {
		to.Fit.Notes = append(to.Fit.Notes, "the recorded arrivals come in more clumps than these")
	}
}

// rates are those of each client in each segment, and ends where the segments end. What is not in
// bins, retries that are operations, is spread alike.
func (f *Fitter) rates(segments []segment, bins []float64, each float64, clients int) (rates []float64, ends []time.Duration) {
	sum := 0.0
	for _, b := range bins {
		sum += b
	}
	begin := time.Duration(0)
	for i, s := range segments {
		n := 0.0
		for _, b := range bins[s.from:s.until] {
			n += b
		}
		end := time.Duration(int64(s.until)*f.width + f.origin).Round(time.Millisecond)
		if i == len(segments)-1 {
			end = time.Duration(f.last)
		}
		share := each * n / max(sum, 1)
		rates = append(rates, digits(share/max((end-begin).Seconds(), 1e-9), 4))
		ends = append(ends, end)
		begin = end
	}
	ends[len(ends)-1] = max(begin, f.duration())
	return rates, ends
}

// digits rounds to a number of digits.
func digits(v float64, n int) float64 {
	if v == 0 {
		return 0
	}
	scale := math.Pow(10, float64(n)-1-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

// duration is that of the scenario: whole seconds.
func (f *Fitter) duration() time.Duration {
	return max((time.Duration(f.last)+time.Second)/time.Second*time.Second, time.Second)
}

// population makes a population without its arrivals.
func (f *Fitter) population(c *cluster, parts []*part) Population {
	p := Population{User: c.pattern, Agent: c.agent, Groups: c.groups, Count: len(c.users), Timeout: c.deadline()}
	if p.Count == 1 {
		p.User, p.Groups = c.users[0].name, c.users[0].groups
	} else if !strings.Contains(p.User, index) {
		panic("fit: a class of several users with one name")
	}
	sum := int64(0)
	for _, part := range parts {
		sum += part.count
	}
	for _, part := range parts {
		p.Requests = append(p.Requests, part.requestsOf(p.Count, float64(part.count)/float64(sum))...)
		p.Fit.Operations += part.count
		p.Fit.Retries += part.requests - part.count
		p.Fit.Rejected += part.rejected
	}
	if len(c.users[0].groups) > len(c.groups) && p.Count > 1 {
		p.Fit.Notes = append(p.Fit.Notes, "groups that differ from client to client are left out")
	}
	return p
}

// requestsOf makes the requests of a part: one, or one for each namespace if a single client is
// in several.
func (p *part) requestsOf(clients int, weight float64) []Request {
	base := Request{kind: p.kind.kind, Weight: digits(weight, 3), Durations: p.durations()}
	switch {
	case len(p.spaces) == 1:
		base.namespace = p.spaces[0]
	case clients == 1 && len(p.spaces) > 1:
		var out []Request
		for _, space := range p.spaces {
			each := base
			each.namespace, each.Weight = space, digits(weight/float64(len(p.spaces)), 3)
			out = append(out, each)
		}
		return out
	}
	return []Request{base}
}
