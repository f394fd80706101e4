package observed

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload/recording"
)

// Write writes the scenario.
func (f *Fitted) Write(w io.Writer, name string) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# Traffic that does what metrics have counted. Metrics tell of no user and no request: those\n")
	fmt.Fprintf(b, "# below are such that the flow schemas match them; what else is made up is said beside it.\n")
	for _, note := range f.Notes {
		fmt.Fprintf(b, "# %s\n", recording.OneLine(note))
	}
	fmt.Fprintf(b, "apiVersion: apfsim.dev/v1alpha1\nkind: Scenario\nmetadata: {name: %s}\n", name)
	fmt.Fprintf(b, "kubernetesVersion: %q\n", f.Release)
	fmt.Fprintf(b, "duration: %v\n", f.Lead+f.Duration)
	if f.Lead > 0 {
		why := "the same traffic before, so that limits and queues are those of a server that runs"
		if f.young {
			why = "what the server did from its start to the first scrape, on average"
		}
		fmt.Fprintf(b, "warmup: %v # %s\n", f.Lead, why)
	}
	mutating := f.Seats / 3
	server := fmt.Sprintf("maxRequestsInflight: %d, maxMutatingRequestsInflight: %d", f.Seats-mutating, mutating)
	if f.Servers > 1 {
		server = fmt.Sprintf("count: %d, ", f.Servers) + server
	}
	fmt.Fprintf(b, "server: {%s} # only the sum is known\n", server)
	f.writeConfiguration(b)
	f.writeObjects(b)
	fmt.Fprintf(b, "clients:\n")
	for i := range f.Populations {
		f.writePopulation(b, &f.Populations[i])
	}
	f.writeTargets(b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Fitted) writeConfiguration(b *strings.Builder) {
	var parts []string
	if f.NoDefaults {
		parts = append(parts, "defaults: false")
	}
	if len(f.Manifests) > 0 {
		var quoted []string
		for _, m := range f.Manifests {
			quoted = append(quoted, strconv.Quote(m))
		}
		parts = append(parts, "manifests: ["+strings.Join(quoted, ", ")+"]")
	}
	if len(parts) > 0 {
		fmt.Fprintf(b, "flowControl: {%s}\n", strings.Join(parts, ", "))
	}
}

// The stored objects of each resource that is listed: a limit of 100 objects is one seat by size.
const storedCount, storedBytes = 20000, 1000

// writeObjects writes the stored objects that make LISTs as wide as they were.
func (f *Fitted) writeObjects(b *strings.Builder) {
	listed := map[string]bool{}
	for i := range f.Populations {
		for _, r := range f.Populations[i].requests {
			if r.seats > 0 {
				listed[resourceName(&f.Populations[i].sender.target)] = true
			}
		}
	}
	if len(listed) == 0 {
		return
	}
	fmt.Fprintf(b, "objects: # with the limits of the LISTs below these make the widths; the real numbers are not known\n")
	for _, name := range sortedKeys(listed) {
		fmt.Fprintf(b, "  %s: {count: %d, averageBytes: %d}\n", name, storedCount, storedBytes)
	}
}

func resourceName(t *scheduler.Target) string {
	if t.APIGroup != "" {
		return t.Resource + "." + t.APIGroup
	}
	return t.Resource
}

// writePopulation writes one population.
func (f *Fitted) writePopulation(b *strings.Builder, p *Population) {
	fmt.Fprintf(b, "- name: %s # flow schema %s, level %s\n", p.Name, p.Schema, p.Level)
	fmt.Fprintf(b, "  count: %d # flows: %s\n", p.Flows, p.why)
	fmt.Fprintf(b, "  user: %q\n", p.sender.user)
	if len(p.sender.groups) > 0 {
		var quoted []string
		for _, g := range p.sender.groups {
			quoted = append(quoted, strconv.Quote(g))
		}
		fmt.Fprintf(b, "  groups: [%s]\n", strings.Join(quoted, ", "))
	}
	fmt.Fprintf(b, "  requests:\n")
	for i := range p.requests {
		fmt.Fprintf(b, "  - {%s}\n", f.requestText(p, &p.requests[i]))
	}
	fmt.Fprintf(b, "  arrivals: {%s}%s\n", f.arrivalsText(p), comment(p.note))
	if p.retries {
		fmt.Fprintf(b, "  retry: {policy: client-go} # with it a run is nearer to what was observed\n")
	}
	fmt.Fprintf(b, "  duration: {quantiles: {%s}}\n", quantilesText(p.duration))
}

// comment writes a comment at the end of a line, nothing for nothing.
func comment(text string) string {
	if text == "" {
		return ""
	}
	return " # " + text
}

// requestText writes a kind of request.
func (f *Fitted) requestText(p *Population, r *request) string {
	t := &p.sender.target
	parts := []string{"verb: " + r.verb}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+": "+strconv.Quote(value))
		}
	}
	add("path", t.Path)
	add("apiGroup", t.APIGroup)
	add("resource", t.Resource)
	add("subresource", t.Subresource)
	add("namespace", t.Namespace)
	if t.Path == "" && (r.verb == "get" || r.verb == "update" || r.verb == "patch" || r.verb == "delete") {
		add("name", "any")
	}
	if r.verb == "watch" {
		add("resourceVersion", "1") // from where the client is: no initial events
	}
	if r.seats > 0 {
		parts = append(parts, f.listText(r.seats))
	}
	if p.timeout > 0 {
		parts = append(parts, "timeout: "+durationText(4*p.timeout))
	}
	if len(p.requests) > 1 {
		parts = append(parts, "weight: "+numberText(r.share))
	}
	if r.duration != nil {
		parts = append(parts, "duration: {quantiles: {"+quantilesText(r.duration)+"}}")
	}
	return strings.Join(parts, ", ")
}

// listText writes the options of a LIST of so many seats of the stored objects. By size a limit of
// 100 objects is one seat, from the cache up to 10 seats; by count, up to 1.33, a limit of 50 is, as
// what is read from storage counts twice.
func (f *Fitted) listText(seats int) string {
	switch {
	case f.Release.Minor < 34:
		return fmt.Sprintf(`limit: %d, resourceVersion: "1", resourceVersionMatch: Exact`, 50*seats)
	case seats > 10:
		return fmt.Sprintf(`limit: %d, resourceVersion: "1", resourceVersionMatch: Exact`, 100*seats)
	}
	return fmt.Sprintf(`limit: %d, resourceVersion: "0"`, 100*seats)
}

// arrivalsText writes the arrivals of each client.
func (f *Fitted) arrivalsText(p *Population) string {
	switch {
	case p.held > 0:
		return fmt.Sprintf("closed: {concurrency: %d}", p.held)
	case p.burst != nil:
		return fmt.Sprintf("burst: {at: %v, count: %d, over: %v}", p.burst.at, p.burst.count, p.burst.over)
	}
	per := func(rate float64) string { return numberText(rate / float64(p.Flows)) }
	if len(p.rates) == 1 && p.rates[0].from == 0 && p.before == nil && !p.lead {
		return "poisson: {rate: " + per(p.rates[0].perSecond) + "}"
	}
	var parts []string
	jump := func(r string, d time.Duration) {
		parts = append(parts, fmt.Sprintf("{duration: 0s, rate: %s}, {duration: %v, rate: %s}", r, d, r))
	}
	at := time.Duration(0)
	for i, r := range p.rates {
		if gap := time.Duration(r.from) - at; gap > 0 {
			jump("0", gap)
		}
		d := time.Duration(r.until - r.from)
		switch {
		case i > 0 || f.Lead == 0 || p.lead:
		case p.before != nil:
			jump(per(*p.before), f.Lead)
		default:
			d += f.Lead
		}
		jump(per(r.perSecond), d)
		at = time.Duration(r.until)
	}
	return "stages: [" + strings.Join(parts, ", ") + "]"
}

// quantilesText writes a distribution.
func quantilesText(points []quantilePoint) string {
	var keys, values []string
	for i, p := range points {
		key := "p" + percentText(p.p)
		if i == len(points)-1 {
			key = "p100"
		}
		if n := len(keys); n > 0 && keys[n-1] == key {
			values[n-1] = durationText(p.value)
			continue
		}
		keys, values = append(keys, key), append(values, durationText(p.value))
	}
	for i := range keys {
		keys[i] += ": " + values[i]
	}
	return strings.Join(keys, ", ")
}

// percentText writes a share as a percentage with at most seven digits.
func percentText(p float64) string {
	return strconv.FormatFloat(math.Round(p*1e7)/1e5, 'f', -1, 64)
}

// durationText writes seconds as a duration of at most six significant digits, in whole
// microseconds.
func durationText(seconds float64) string {
	return (time.Duration(math.Round(round6(seconds)*1e6)) * time.Microsecond).String()
}

func numberText(v float64) string { return strconv.FormatFloat(round6(v), 'f', -1, 64) }

func indexOf(text string) int { return strings.Index(text, index) }

// writeTargets writes the expectations.
func (f *Fitted) writeTargets(b *strings.Builder) {
	if len(f.Expect) == 0 {
		return
	}
	fmt.Fprintf(b, "expect: # what was observed, within 5 %% for counts; of a wait only its bucket is known\n")
	for _, t := range f.Expect {
		parts := []string{"metric: " + t.Metric, "priorityLevel: " + t.Level}
		if t.Quantile > 0 {
			parts = append(parts, "quantile: "+numberText(t.Quantile))
		}
		if t.Above != "" {
			parts = append(parts, "above: "+t.Above)
		}
		if t.Below != "" {
			parts = append(parts, "below: "+t.Below)
		}
		fmt.Fprintf(b, "- {%s}\n", strings.Join(parts, ", "))
	}
}
