package observed

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload/recording"
)

// Options tell what metrics do not.
type Options struct {
	// Configuration is the one that was in force, and Manifests what it was read from, as the
	// scenario is to name it.
	Configuration *scenarios.Configuration
	Manifests     []string
	NoDefaults    bool
	// Flows is the number of flows of each cell, 0 if it is to be inferred or assumed.
	Flows int
	// Lead is how long the traffic goes on before what was observed, so that limits and queues are
	// those of a server that has been running. It is the warm-up of the scenario.
	Lead time.Duration
}

// AssumedFlows is the number of flows where nothing tells it.
const AssumedFlows = 10

// Fitted is a scenario that was made of an observation.
type Fitted struct {
	Release release.Version
	Seats   int
	Servers int
	// Lead is the time before what was observed; young tells that it begins with the server.
	Lead        time.Duration
	young       bool
	Duration    time.Duration
	Manifests   []string
	NoDefaults  bool
	Populations []Population
	// Expect are the targets.
	Expect []Target
	// Notes say what was assumed, and what is not known.
	Notes []string

	spans   []span
	flows   int
	sources []*source
	// settings are those of the levels that runs are tried with.
	settings map[string]setting
}

// source is a cell with who sends its requests.
type source struct {
	total    *total
	level    *scheduler.PriorityLevel
	sender   sender
	canList  bool
	duration []quantilePoint
	start    started
	// timeout is for how long its requests may wait, in seconds, 0 if as long as the server lets them.
	timeout float64
}

// Population is the traffic of a cell, or of a part of its flows.
type Population struct {
	Name          string
	Schema, Level string
	sender        sender
	Flows         int
	why           string
	// rates are of the whole population, one for each span.
	rates []rate
	// before is that of the lead, nil if it is as in the first span.
	before   *float64
	requests []request
	duration []quantilePoint
	// burst is set if the requests come at random in a part of the run, a number that is known.
	burst *burst
	// held is how many requests each client has at any time, 0 if they come at random.
	held    int
	retries bool
	// timeout is for how long they may wait, in seconds; 0 if as long as the server lets them.
	timeout float64
	// lead tells that they come in the lead alone; note is what is said of the arrivals.
	lead bool
	note string
}

// burst is a number of requests of each client, within a part of the run.
type burst struct {
	at, over time.Duration
	count    int
}

// rate is arrivals in a second from one time to another.
type rate struct {
	span
	perSecond float64
}

// request is a kind of request with its part of all.
type request struct {
	verb  string
	share float64
	// seats is the width of a LIST, 0 for another request.
	seats    int
	duration []quantilePoint
}

// Target is a figure that the run is to come to.
type Target struct {
	Metric, Level string
	Quantile      float64
	// Below and Above are its bounds, as texts.
	Below, Above string
}

// Fit makes a scenario of an observation.
func (o *Observation) Fit(opt *Options, account *recording.Account) *Fitted {
	cfg := opt.Configuration.Compile()
	spans := o.spans()
	f := &Fitted{
		Release: opt.Configuration.Release, Servers: len(o.Servers), Lead: opt.Lead,
		Duration: time.Duration(spans[len(spans)-1].until), Manifests: opt.Manifests, NoDefaults: opt.NoDefaults,
	}
	f.size(o, &cfg, account)
	who := newSenders(cfg.FlowSchemas)
	totals := o.totals(spans)
	o.setWaiting(totals, &cfg, spans)
	f.lead(o, totals)
	f.spans, f.flows = spans, opt.Flows
	for _, t := range totals {
		if src := f.source(t, &cfg, who, account); src != nil {
			src.start = o.started(src)
			src.unended(o, f)
			f.sources = append(f.sources, src)
		}
	}
	f.build()
	f.Expect = targets(slices.DeleteFunc(totals, func(t *total) bool {
		return !slices.ContainsFunc(f.Populations, func(p Population) bool { return p.Level == t.PriorityLevel })
	}))
	return f
}

// fromStart tells whether the first interval begins with the server itself.
func (o *Observation) fromStart() bool { return len(o.first[0].cells) == 0 }

// youngest is the age up to which the traffic of a server since its start is the lead: it is known on
// average.
const youngest = 10 * time.Minute

// lead finds the traffic before the first interval. Of a young server all that it counted since its
// start tells it, and the scenario begins with the server.
func (f *Fitted) lead(o *Observation, totals []*total) {
	if o.fromStart() {
		f.Lead = 0
		return
	}
	age := o.first[0].elapsed()
	if f.Lead == 0 || age <= 0 || age > youngest {
		return
	}
	f.Lead, f.young = age, true
	for s := range o.first {
		for _, t := range totals {
			if c := o.first[s].cells[cell{t.PriorityLevel, t.FlowSchema}]; c != nil {
				executed, arrivals := counted(c)
				t.before += float64(arrivals) / age.Seconds()
				t.executedBefore += float64(executed) / age.Seconds()
			}
		}
	}
}

// counted is what was executed and what arrived since the start of a server.
func counted(c *cellCounts) (executed, arrivals int64) {
	out, _ := difference(cell{}, &cellCounts{}, c)
	return out.Executed, out.Arrivals
}

// size finds the seats of the servers.
func (f *Fitted) size(o *Observation, cfg *scheduler.Config, account *recording.Account) {
	nominal := map[string]int64{}
	for _, name := range sortedKeys(o.last[0].levels) {
		l := o.last[0].levels[name]
		if n := known(l.nominal); n != nil && (*n > 0 || name != scheduler.Exempt) {
			nominal[name] = *n
		}
	}
	seats, fits := serverSeats(cfg.PriorityLevels, nominal)
	f.Seats = seats
	switch {
	case len(nominal) == 0:
		f.Seats = 600
		account.Assume("600 seats, since no limit is told (nominal_limit_seats, request_concurrency_limit)")
	case !fits:
		f.Seats = 0
		for _, name := range sortedKeys(nominal) {
			f.Seats += int(nominal[name])
		}
		f.Notes = append(f.Notes, fmt.Sprintf("The nominal limits do not follow from the configuration: %s. Give the objects that were in force with --filename.", limitsText(cfg, nominal)))
		account.Note("the nominal limits do not follow from the configuration: other levels or shares were in force; give them with --filename")
	}
}

// limitsText lists limits.
func limitsText(cfg *scheduler.Config, nominal map[string]int64) string {
	text := ""
	for _, name := range sortedKeys(nominal) {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%s %d", name, nominal[name])
		if !slices.ContainsFunc(cfg.PriorityLevels, func(l scheduler.PriorityLevel) bool { return l.Name == name }) {
			text += " (not in it)"
		}
	}
	return text
}

// source finds who sends the requests of a cell; nil if nobody is found.
func (f *Fitted) source(t *total, cfg *scheduler.Config, who *senders, account *recording.Account) *source {
	name := fmt.Sprintf("flow schema %s, level %s", t.FlowSchema, t.PriorityLevel)
	if t.Arrivals == 0 {
		account.LeaveOut(name + ": no arrivals")
		return nil
	}
	schema := slices.IndexFunc(cfg.FlowSchemas, func(s scheduler.FlowSchema) bool { return s.Name == t.FlowSchema })
	level := slices.IndexFunc(cfg.PriorityLevels, func(l scheduler.PriorityLevel) bool { return l.Name == t.PriorityLevel })
	s, found := who.find(t.FlowSchema)
	switch {
	case schema < 0 || level < 0 || cfg.FlowSchemas[schema].PriorityLevel != t.PriorityLevel:
		account.LeaveOut(fmt.Sprintf("%s: the configuration has no such schema that leads there (%d arrivals)", name, t.Arrivals))
		return nil
	case !found:
		account.LeaveOut(fmt.Sprintf("%s: no request was found that it matches and no schema before it (%d arrivals)", name, t.Arrivals))
		return nil
	}
	src := &source{total: t, level: &cfg.PriorityLevels[level], sender: s, timeout: shortTimeout(t)}
	src.canList = slices.Contains(s.verbs, "list") && s.target.Path == ""
	src.duration = durations(t, account)
	src.assume(f.Release.Minor, account)
	return src
}

// assume counts what is assumed of the requests of a cell.
func (src *source) assume(minor int, account *recording.Account) {
	t := src.total
	account.Assume("the order of arrivals within an interval: at random, as many as were counted, retries among them")
	if t.Width == nil && minor >= 23 {
		account.Assume(fmt.Sprintf("one seat for each request of the flow schema %s, since work_estimated_seats is not told", t.FlowSchema))
	}
	if src.canList {
		return
	}
	for _, w := range src.shares() {
		if w.seats > 1 {
			account.Assume(fmt.Sprintf("one seat for requests of the flow schema %s that took more: no LIST was found that it matches", t.FlowSchema))
		}
	}
}

// renamed gives the clients of a second population names of their own.
func renamed(text string) string {
	if i := indexOf(text); i >= 0 {
		return text[:i] + "light-" + text[i:]
	}
	return text
}

// durations makes the distribution of execution times of requests that are no watches.
func durations(t *total, account *recording.Account) []quantilePoint {
	switch {
	case t.Execution != nil:
		return quantilePoints(t.Execution)
	case t.WatchExecution != nil:
		return quantilePoints(t.WatchExecution)
	}
	account.Assume(fmt.Sprintf("execution times of 10ms for the flow schema %s, since none is told", t.FlowSchema))
	return []quantilePoint{{0, 0.01}, {1, 0.01}}
}

// unended gives a part of the requests of a cell execution times beyond the end, if more execute at
// the last scrape than those that have ended can explain.
func (src *source) unended(o *Observation, f *Fitted) {
	t, now, before := src.total, 0.0, 0.0
	for s := range o.last {
		key := cell{t.PriorityLevel, t.FlowSchema}
		if c := o.last[s].cells[key]; c != nil {
			now += orZero(c.executing)
		}
		if c := o.first[s].cells[key]; c != nil {
			before += orZero(c.executing)
		}
	}
	expected := 0.0
	for _, h := range [...]*recording.ObservedHistogram{t.Execution, t.WatchExecution} {
		if h != nil {
			expected += h.Sum / seconds(f.spans)
		}
	}
	excess := min(now-expected, float64(t.Executed))
	if now < 3*expected+3 || excess < 1 {
		return
	}
	long := (f.Lead + f.Duration).Seconds()
	if t.Execution == nil {
		src.duration = []quantilePoint{{0, long}, {1, long}}
		return
	}
	p := 1 - excess/(excess+float64(t.Execution.Count()))
	for i := range src.duration {
		src.duration[i].p *= p
	}
	src.duration = append(src.duration, quantilePoint{p + step, long}, quantilePoint{1, long})
}

// targets are what the run is compared with: rejections by level, and in which bucket the p99 of
// the wait lies.
func targets(totals []*total) []Target {
	levels := map[string]*total{}
	for _, t := range totals {
		l := levels[t.PriorityLevel]
		if l == nil {
			l = &total{}
			levels[t.PriorityLevel] = l
		}
		for _, reason := range sortedKeys(t.Rejected) {
			if l.Rejected == nil {
				l.Rejected = map[string]int64{}
			}
			l.Rejected[reason] += t.Rejected[reason]
		}
		l.Wait = plus(l.Wait, t.Wait)
	}
	var out []Target
	for _, name := range sortedKeys(levels) {
		l := levels[name]
		// From 400 on 5 % are two standard deviations or more. Who times out at the end of the run still
		// waits in a report, so that many of them are not a figure to hold it against.
		if n := l.Rejections(); n >= 400 && l.Rejected["time-out"]*20 < n {
			out = append(out, Target{Metric: "rejected", Level: name,
				Above: fmt.Sprint(int64(float64(n) * 0.95)), Below: fmt.Sprint(int64(math.Ceil(float64(n) * 1.05)))})
		}
		if l.Wait.Count() < 1000 {
			continue
		}
		low, high := l.Wait.Within(0.99)
		t := Target{Metric: "wait", Level: name, Quantile: 0.99}
		if low > 0 {
			t.Above = durationText(low * 0.9)
		}
		if !math.IsInf(high, 1) && high > 0 {
			t.Below = durationText(high * 1.1)
		}
		if t.Above != "" || t.Below != "" {
			out = append(out, t)
		}
	}
	return out
}
