package fit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fit makes the scenario of what was added.
func (f *Fitter) Fit() *Fitted {
	out := &Fitted{
		Duration: f.duration(), Start: f.options.Start, Servers: max(f.servers, 1),
		Requests: f.requests, Rejected: f.rejected, Waits: f.waits > 0,
	}
	if f.requests == 0 {
		return out
	}
	var all []Population
	for _, class := range f.lined {
		for _, c := range class.clusters() {
			all = append(all, f.populations(&c)...)
		}
	}
	for i := range all {
		out.LeftOut = append(out.LeftOut, all[i].shorten()...)
	}
	out.Populations, out.LeftOut = f.choose(all, out.LeftOut)
	if f.crowded > 0 {
		out.LeftOut = append(out.LeftOut, LeftOut{"of users and kinds that are too many to be told apart", f.crowded})
	}
	fill(out.Populations)
	return out
}

const (
	// kindsShown is how many kinds of requests of a population one can read.
	kindsShown = 8
	// leastShare is the share of a population's requests that a kind has at least.
	leastShare = 0.002
)

// shorten leaves out what the population seldom sends. Its rate stays that of what is left.
func (p *Population) shorten() []LeftOut {
	var out []LeftOut
	kept, sum := p.Requests[:0], 0.0
	for i := range p.Requests {
		r := &p.Requests[i]
		if i >= kindsShown || i > 0 && r.Weight < leastShare {
			out = append(out, LeftOut{p.User + " " + r.String(), int64(r.Weight*float64(p.Fit.Operations) + 0.5)})
			continue
		}
		sum += r.Weight
		kept = append(kept, *r)
	}
	p.Requests = kept
	if len(out) > 0 {
		p.scale(sum)
	}
	return out
}

// scale makes a population send a part of what it sends.
func (p *Population) scale(part float64) {
	p.Fit.Operations = int64(float64(p.Fit.Operations)*part + 0.5)
	a := &p.Arrivals
	a.Rate = digits(a.Rate*part, 4)
	a.Count = int(float64(a.Count)*part + 0.5)
	for i := range a.Stages {
		a.Stages[i].Rate = digits(a.Stages[i].Rate*part, 4)
	}
}

// choose keeps the populations that matter most, by their shares of the requests and of the time
// that requests execute, in the order of their first requests.
func (f *Fitter) choose(all []Population, left []LeftOut) ([]Population, []LeftOut) {
	busy := 0.0
	for i := range all {
		busy += all[i].busy()
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	weight := func(i int) float64 {
		return float64(all[i].requests())/float64(f.requests) + all[i].busy()/max(busy, 1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
	for _, i := range order[min(f.options.Populations, len(order)):] {
		left = append(left, LeftOut{all[i].User + " " + all[i].Requests[0].String(), all[i].requests()})
	}
	slices.SortStableFunc(left, func(a, b LeftOut) int { return cmp.Compare(b.Requests, a.Requests) })
	kept := order[:min(f.options.Populations, len(order))]
	slices.Sort(kept)
	out := make([]Population, 0, len(kept))
	for _, i := range kept {
		out = append(out, all[i])
	}
	name(out)
	return out, left
}

func (p *Population) requests() int64 { return p.Fit.Operations + p.Fit.Retries }

// busy is about how long its requests execute in all, in nanoseconds.
func (p *Population) busy() float64 {
	sum := 0.0
	for i := range p.Requests {
		if d := p.Requests[i].Durations; d != nil {
			sum += float64(d.mean() * p.Requests[i].Weight)
		}
	}
	return sum * float64(p.Fit.Operations)
}

// mean is that of the fitted distribution.
func (d *Durations) mean() float64 {
	if len(d.Points) == 1 {
		return float64(d.Points[0].Value)
	}
	return meanOf(d.Points)
}

// fill gives requests that were never executed the durations of others like them.
func fill(all []Population) {
	for i := range all {
		p := &all[i]
		for j := range p.Requests {
			r := &p.Requests[j]
			if r.Durations != nil {
				continue
			}
			if r.Durations = similar(all, &r.kind); r.Durations != nil {
				p.Fit.Notes = append(p.Fit.Notes, "nothing tells how long "+r.String()+" executes: taken from requests like it")
				continue
			}
			p.Fit.Notes = append(p.Fit.Notes, "nothing tells how long "+r.String()+" executes: assumed")
		}
	}
}

// similar finds the durations of requests with the same verb, of the same resource if there is one.
func similar(all []Population, k *kind) *Durations {
	var found *Durations
	for i := range all {
		for j := range all[i].Requests {
			r := &all[i].Requests[j]
			if r.Durations == nil || r.verb != k.verb {
				continue
			}
			if r.resource == k.resource && r.apiGroup == k.apiGroup {
				return r.Durations
			}
			if found == nil {
				found = r.Durations
			}
		}
	}
	return found
}

// name gives each population a name of its own: of its user, if need be of its requests.
func name(all []Population) {
	count := map[string]int{}
	for i := range all {
		all[i].Name = short(all[i].User)
		count[all[i].Name]++
	}
	taken := map[string]bool{}
	for i := range all {
		p := &all[i]
		base := p.Name
		if count[base] > 1 {
			base += "-" + plain(p.Requests[0].String())
		}
		p.Name = base
		for n := 2; taken[p.Name]; n++ {
			p.Name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[p.Name] = true
	}
}

// short is what people call a user: the namespace and name of a service account, else what is
// after the last colon.
func short(user string) string {
	user = strings.ReplaceAll(user, index, "")
	if account, ok := strings.CutPrefix(user, "system:serviceaccount:"); ok {
		namespace, name, _ := strings.Cut(account, ":")
		if a, b := plain(namespace), plain(name); a != b && a != "" && b != "" {
			return a + "-" + b
		}
		user = account
	}
	user = strings.TrimRight(user, ":-/@.")
	if i := strings.LastIndexByte(user, ':'); i >= 0 {
		user = user[i+1:]
	}
	return cmp.Or(plain(user), "clients")
}

// plain keeps letters and digits in lower case, and dashes between them.
func plain(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return !('a' <= c && c <= 'z' || digit(c)) })
	return strings.Join(words, "-")
}
