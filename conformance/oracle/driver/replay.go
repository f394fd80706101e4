package driver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	epmetrics "k8s.io/apiserver/pkg/endpoints/metrics"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"

	"github.com/apfsim/apfsim/conformance/oracle/driver/scrape"
	"github.com/apfsim/apfsim/conformance/oracle/driver/traffic"
)

// adjustmentPeriod is the controller's borrowing period, from 1.26 on.
const adjustmentPeriod = 10 * time.Second

// The header names are the same in every version of the API.
const (
	schemaHeader = "X-Kubernetes-PF-FlowSchema-UID"
	levelHeader  = "X-Kubernetes-PF-PriorityLevel-UID"
)

// replayCase sends the case's trace through the real server. Time 0 is a whole second at
// which the controller has put the configuration into force and adjusted the limits once.
func replayCase(t *testing.T, release *Release, c *Case) (*Run, error) {
	run := new(Run)
	var err error
	epmetrics.Register()
	before := rejections()
	around := release.Around
	if around == nil {
		around = func(_ *Case, f func()) { f() }
	}
	around(c, func() {
		synctest.Test(t, func(*testing.T) { err = replay(release, c, run) })
	})
	run.Rejections = rejections()
	for key, n := range before {
		if run.Rejections[key] -= n; run.Rejections[key] == 0 {
			delete(run.Rejections, key)
		}
	}
	return run, err
}

// replayer is one replay in its bubble.
type replayer struct {
	server   *Server
	objects  *objects
	start    time.Time
	attempts []attempt
	trace    []Request
	running  sync.WaitGroup
}

func replay(release *Release, c *Case, run *Run) error {
	beginSamples(release.Samplers)
	objects, err := newObjects(release, c)
	if err != nil {
		return err
	}
	start(release, c, objects, nil).end() // writes the conditions of the schemas
	p := &replayer{objects: objects, trace: c.Trace, attempts: make([]attempt, len(c.Trace))}
	running := start(release, c, objects, http.HandlerFunc(p.execute))
	p.server, p.start = running.Server, running.start
	p.server.openWatches(c.Watches)
	scrapes := p.scrapeAt(release, c.Scrapes)

	done := make(chan struct{})
	adjustments := make(chan []Adjustment)
	if len(c.Scrapes) == 0 { // what is scraped tells of the limits, too
		go p.sample(c.Changes, done, adjustments)
	}
	go p.carryOut(c.Changes, apiVersion(c), done)
	p.send()
	p.running.Wait()
	close(done)
	if len(c.Scrapes) == 0 {
		run.Adjustments = <-adjustments
	}
	run.Scrapes = <-scrapes
	p.drain()
	running.end()
	for i := range p.attempts {
		run.Decisions = append(run.Decisions, p.attempts[i].decision(int64(i), time.Duration(c.Trace[i].Arrival)))
	}
	return nil
}

// running is a server whose controller runs.
type running struct {
	*Server
	start         time.Time
	stop, stopped chan struct{}
}

// start starts a server at a whole second: Retry-After counts wall-clock seconds. It
// returns when the controller has done all that it does at once.
func start(release *Release, c *Case, o *objects, execute http.Handler) *running {
	factory := o.informers()
	r := &running{Server: release.New(c, o.client, factory, execute), stop: make(chan struct{}), stopped: make(chan struct{})}
	factory.Start(r.stop)
	factory.WaitForCacheSync(r.stop)
	now := time.Now()
	time.Sleep(now.Truncate(time.Second).Add(time.Second).Sub(now))
	r.start = time.Now()
	go func() {
		defer close(r.stopped)
		if err := r.Run(r.stop); err != nil {
			panic(err)
		}
	}()
	synctest.Wait()
	return r
}

// end ends every goroutine of the server.
func (r *running) end() {
	close(r.stop)
	<-r.stopped
	// The informers' work queues look only now and then whether they are to end.
	time.Sleep(time.Minute)
}

func (p *replayer) now() time.Duration { return time.Since(p.start) }

// sample collects the outcome of every adjustment and of every change a nanosecond after
// it, until done.
func (p *replayer) sample(changes []Change, done <-chan struct{}, result chan<- []Adjustment) {
	var all []Adjustment
	for tick := time.Duration(0); ; {
		next := tick
		if len(changes) > 0 && time.Duration(changes[0].At) < tick {
			next, changes = time.Duration(changes[0].At), changes[1:]
		} else {
			tick += adjustmentPeriod
		}
		select {
		case <-done:
			result <- all
			return
		case <-time.After(next + 1 - p.now()):
			all = append(all, p.server.adjustments(next)...)
		}
	}
}

// carryOut makes the changes at their times, until done. It writes object by object, and
// goes on when nothing in the bubble can do anything more at that instant: the controller
// has been told, has digested its configuration, has written conditions, and has digested
// it again.
func (p *replayer) carryOut(changes []Change, apiVersion string, done <-chan struct{}) {
	carried := func(err error) {
		if err != nil {
			panic(err)
		}
		synctest.Wait()
	}
	for _, c := range changes {
		select {
		case <-done:
			return
		case <-time.After(time.Duration(c.At) - p.now()):
		}
		for _, text := range c.Write {
			carried(p.objects.write(text))
		}
		for _, what := range c.Delete {
			carried(p.objects.remove(apiVersion, what))
		}
	}
}

// apiVersion returns the version of the case's objects, which all have the same.
func apiVersion(c *Case) string {
	var o struct{ APIVersion string }
	if len(c.FlowControl) > 0 {
		if err := json.Unmarshal(c.FlowControl[0], &o); err != nil {
			panic(err)
		}
	}
	return o.APIVersion
}

// send starts a goroutine for each request at its arrival.
func (p *replayer) send() {
	order := make([]int, len(p.trace))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return p.trace[order[i]].Arrival < p.trace[order[j]].Arrival })
	for _, i := range order {
		time.Sleep(time.Duration(p.trace[i].Arrival) - p.now())
		p.running.Add(1)
		go p.serve(i)
	}
}

// serve takes one request through the filters. The headers tell the level of a request
// that was never before a queue set.
func (p *replayer) serve(i int) {
	defer p.running.Done()
	a := &p.attempts[i]
	w := traffic.NewResponse()
	ctx := context.WithValue(context.Background(), attemptKey{}, a)
	ctx = context.WithValue(ctx, indexKey{}, i)
	p.server.Handler.ServeHTTP(w, traffic.HTTP(ctx, &p.trace[i]))
	if level := w.Headers.Get(levelHeader); level != "" {
		a.schema, a.level = w.Headers.Get(schemaHeader), level
	}
	if a.executed {
		return
	}
	if w.Status != http.StatusTooManyRequests {
		panic(fmt.Sprintf("request %d was not executed and answered with status %d", i, w.Status))
	}
	a.finished = p.now()
	a.retryAfter = w.Headers.Get("Retry-After")
}

// drain waits until no seat lingers: a bubble ends only when its goroutines have.
func (p *replayer) drain() {
	var longest time.Duration
	for i := range p.attempts {
		e := &p.attempts[i].estimate
		// Final seats above the limit are fewer for longer, down to one.
		longest = max(longest, time.Duration(e.Final)*(e.AdditionalLatency+1))
	}
	time.Sleep(longest)
	synctest.Wait()
}

// indexKey is the context's key of a request's index in the trace.
type indexKey struct{}

// execute is the server behind the filters: it takes the traced time. What it does for
// a watch is the initialisation, after which the watch ends.
func (p *replayer) execute(_ http.ResponseWriter, r *http.Request) {
	i := r.Context().Value(indexKey{}).(int)
	a := &p.attempts[i]
	a.executed, a.dispatched = true, p.now()
	time.Sleep(time.Duration(p.trace[i].Duration))
	a.finished = p.now()
	if p.trace[i].Verb == "watch" && p.server.WatchInitialized != nil {
		p.server.WatchInitialized(r.Context())
	}
}

// rejections reads the process's counters of rejected requests.
func rejections() map[string]int {
	metrics.Register()
	families := scrape.Gather()
	counts := map[string]int{}
	for _, family := range families {
		if family.GetName() != "apiserver_flowcontrol_rejected_requests_total" {
			continue
		}
		for _, m := range family.GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			key := labels["priority_level"] + "/" + labels["flow_schema"] + "/" + labels["reason"]
			counts[key] += int(m.GetCounter().GetValue())
		}
	}
	return counts
}
