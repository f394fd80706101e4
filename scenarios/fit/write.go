package fit

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/recording"
)

// Text is what a written scenario says that a fit does not know.
type Text struct {
	// Name and Source are what the scenario is called and what it was made of.
	Name, Source string
	// Server is YAML of the top level: the server, its release, flow control and stored objects,
	// as another scenario has them; "" if nothing tells.
	Server string
	// Operations is YAML of the top level: when servers stop and start, "" if they do not.
	Operations string
}

// Write writes the scenario as YAML.
func (f *Fitted) Write(w io.Writer, t Text) error {
	var b strings.Builder
	f.head(&b, t)
	f.server(&b, t)
	b.WriteString(t.Operations)
	b.WriteString("clients:\n")
	for i := range f.Populations {
		f.Populations[i].write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// leftOutShown is how many of what is left out are named.
const leftOutShown = 3

func (f *Fitted) head(b *strings.Builder, t Text) {
	left := f.LeftOutRequests()
	fmt.Fprintf(b, "# Fitted to %d requests of %s, from %s on.\n", f.Requests, t.Source,
		time.Unix(0, f.Start).UTC().Format(time.RFC3339))
	fmt.Fprintf(b, "# %d of them were rejected. Left out: %d (%s)", f.Rejected, left, percent(float64(left)/float64(max(f.Requests, 1))))
	for i, l := range f.LeftOut {
		if i == leftOutShown {
			fmt.Fprintf(b, "\n#   and %d more kinds", len(f.LeftOut)-i)
			break
		}
		fmt.Fprintf(b, "\n#   %d %s", l.Requests, recording.OneLine(l.Name))
	}
	b.WriteString("\n# Of each population: operations are requests without retries, \"off\" is by how much the rate of\n")
	b.WriteString("# the population is off, KS is the Kolmogorov-Smirnov distance of what was recorded and what is\n")
	b.WriteString("# sent (0 is the same, 1 is nothing in common).\n")
	fmt.Fprintf(b, "apiVersion: apfsim.dev/v1alpha1\nkind: Scenario\nmetadata:\n  name: %s\n", quote(t.Name))
	fmt.Fprintf(b, "duration: %s\n", brief(f.Duration))
}

func (f *Fitted) server(b *strings.Builder, t Text) {
	if t.Server != "" {
		b.WriteString(t.Server)
		return
	}
	b.WriteString("# The record tells nothing of the server: its release, its size and its configuration. These are the\n")
	b.WriteString("# defaults; --config FILE takes them from a scenario.\n")
	f.objects(b)
	if f.Servers > 1 {
		fmt.Fprintf(b, "server: {count: %d} # which server a client was at is not kept\n", f.Servers)
	}
}

// objects lists what is listed, so that one sees what is missing.
func (f *Fitted) objects(b *strings.Builder) {
	var names []string
	for i := range f.Populations {
		for j := range f.Populations[i].Requests {
			r := &f.Populations[i].Requests[j]
			name := r.resource
			if r.apiGroup != "" {
				name += "." + r.apiGroup
			}
			if r.path == "" && (r.verb == "list" || r.verb == "watch" || r.verb == "deletecollection") && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	b.WriteString("# Neither does it tell how many objects are stored, by which a LIST is wide: put their numbers here,\n")
	b.WriteString("# or else each LIST takes one seat.\nobjects:\n")
	for _, name := range names {
		fmt.Fprintf(b, "  %s: {count: 0}\n", quote(name))
	}
}

func (p *Population) write(b *strings.Builder) {
	p.comment(b)
	fmt.Fprintf(b, "- name: %s\n  count: %d\n  user: %s\n", quote(p.Name), p.Count, quote(p.User))
	if len(p.Groups) > 0 {
		quoted := make([]string, len(p.Groups))
		for i, g := range p.Groups {
			quoted[i] = quote(g)
		}
		fmt.Fprintf(b, "  groups: [%s]\n", strings.Join(quoted, ", "))
	}
	b.WriteString("  requests:\n")
	for i := range p.Requests {
		r := &p.Requests[i]
		if len(p.Requests) == 1 {
			fmt.Fprintf(b, "  - {%s}\n", r.fields())
			continue
		}
		fmt.Fprintf(b, "  - {%s, weight: %s,\n     duration: %s}%s\n", r.fields(), number(r.Weight), r.Durations.text(), r.goodness())
	}
	if len(p.Requests) == 1 {
		fmt.Fprintf(b, "  duration: %s%s\n", p.Requests[0].Durations.text(), p.Requests[0].goodness())
	}
	fmt.Fprintf(b, "  arrivals:%s\n", p.arrivals())
	if p.Timeout > 0 {
		fmt.Fprintf(b, "  timeout: %v\n", p.Timeout)
	}
	if p.Retry != "" {
		fmt.Fprintf(b, "  retry: {policy: %s}\n", p.Retry)
	}
}

// comment says how well the population fits.
func (p *Population) comment(b *strings.Builder) {
	g := &p.Fit
	fmt.Fprintf(b, "# %d operations", g.Operations)
	if g.Retries > 0 {
		fmt.Fprintf(b, ", %d retries", g.Retries)
	}
	if g.Rejected > 0 {
		fmt.Fprintf(b, ", %d rejected", g.Rejected)
	}
	if p.Agent != "" {
		fmt.Fprintf(b, "; %s", recording.OneLine(p.Agent))
	}
	if p.Closed == nil {
		fmt.Fprintf(b, "; off by %s", percent(g.RateError))
	}
	if g.Gaps >= 0 && p.Closed == nil {
		fmt.Fprintf(b, "; gaps KS %.3f", g.Gaps)
	}
	if g.Dispersion > 0 {
		fmt.Fprintf(b, "; variance of counts over mean %.2f", g.Dispersion)
	}
	b.WriteString(".\n")
	for _, n := range g.Notes {
		fmt.Fprintf(b, "#   %s\n", recording.OneLine(n))
	}
}

func (p *Population) arrivals() string {
	if c := p.Closed; c != nil {
		if c.Think == nil {
			return fmt.Sprintf(" {closed: {concurrency: %d}}", c.Concurrency)
		}
		return fmt.Sprintf(" {closed: {concurrency: %d, think: %s}}", c.Concurrency, c.Think.text())
	}
	a := &p.Arrivals
	switch a.Kind {
	case workload.KindPeriodic:
		if a.Jitter == 0 {
			return fmt.Sprintf(" {periodic: {every: %s}}", brief(a.Every))
		}
		return fmt.Sprintf(" {periodic: {every: %s, jitter: %s}}", brief(a.Every), brief(a.Jitter))
	case workload.KindBurst:
		return fmt.Sprintf(" {burst: {at: %s, count: %d, over: %s}}", brief(a.At), a.Count, brief(a.Over))
	case workload.KindStages:
		parts := make([]string, len(a.Stages))
		for i, s := range a.Stages {
			parts[i] = fmt.Sprintf("{duration: %s, rate: %s}", brief(s.Duration), number(s.Rate))
		}
		return "\n    stages:\n    - " + strings.Join(parts, "\n    - ")
	}
	return fmt.Sprintf(" {poisson: {rate: %s}}", number(a.Rate))
}

// fields are those of the request in flow style.
func (r *Request) fields() string {
	var parts []string
	text := func(name, value string) {
		if value != "" {
			parts = append(parts, name+": "+quote(value))
		}
	}
	text("verb", r.verb)
	text("apiGroup", r.apiGroup)
	text("resource", r.resource)
	text("subresource", r.subresource)
	text("namespace", r.namespace)
	text("path", r.path)
	return strings.Join(append(parts, optionFields(&r.options)...), ", ")
}

func optionFields(o *recording.Options) []string {
	var parts []string
	if o.Limit != 0 {
		parts = append(parts, fmt.Sprintf("limit: %d", o.Limit))
	}
	for _, f := range [...]struct{ name, value string }{
		{"resourceVersion", o.ResourceVersion}, {"resourceVersionMatch", o.ResourceVersionMatch}, {"continue", o.Continue},
		{"fieldSelector", o.FieldSelector}, {"labelSelector", o.LabelSelector},
	} {
		if f.value != "" {
			parts = append(parts, f.name+": "+quote(f.value))
		}
	}
	if o.SendInitialEvents {
		parts = append(parts, "sendInitialEvents: true")
	}
	return parts
}

// goodness is how well the durations of a request fit, as a comment.
func (r *Request) goodness() string {
	d := r.Durations
	if d == nil || len(d.Points) == 1 {
		return ""
	}
	return fmt.Sprintf(" # KS %.3f, mean off by %s", d.Distance, percent(d.MeanError))
}

// text is a distribution as scenarios have it.
func (d *Durations) text() string {
	if d == nil {
		return "{constant: 10ms}"
	}
	if len(d.Points) == 1 {
		return "{constant: " + brief(d.Points[0].Value) + "}"
	}
	parts := make([]string, len(d.Points))
	for i, p := range d.Points {
		parts[i] = "p" + number(digits(100*p.P, 6)) + ": " + brief(p.Value)
	}
	return "{quantiles: {" + strings.Join(parts, ", ") + "}}"
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// percent writes a share with its sign left out.
func percent(v float64) string {
	if v < 0 {
		v = -v
	}
	return strconv.FormatFloat(digits(100*v, 2), 'f', -1, 64) + "%"
}

// brief writes a duration without zeros at its end, as in 10m.
func brief(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// quote writes a text so that YAML reads it as it is, also between brackets.
func quote(s string) string {
	for _, c := range s {
		if !letter(c) && !digit(c) && !strings.ContainsRune("-./_", c) || c > 126 {
			return strconv.Quote(s)
		}
	}
	switch strings.ToLower(s) {
	case "", "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return strconv.Quote(s)
	}
	if !letter(rune(s[0])) {
		return strconv.Quote(s)
	}
	return s
}
