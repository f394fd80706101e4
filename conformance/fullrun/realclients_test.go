package fullrun

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/apfsim/apfsim/conformance/oracle/driver/traffic"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// sendAll runs real clients against the real server: they want what the simulated clients of a
// diary wanted, at the same times.
func sendAll(t *testing.T, sc *Scenario, config *sim.Config, d *diary) map[who]*life {
	out := map[who]*life{}
	withWatchProgress(sc.ConsistentReads, func() {
		synctest.Test(t, func(t *testing.T) {
			server := newServer(sc, http.HandlerFunc(executeErrand))
			w := &realWorld{server: server, start: server.begin(sc.Watches), config: config}
			for id, l := range d.lives {
				l.sort()
				out[id] = w.live(t, id, l)
			}
			w.running.Wait()
			time.Sleep(time.Minute) // until no seat lingers
			synctest.Wait()
			server.shutdown()
		})
	})
	return out
}

// realWorld is a server and its clients.
type realWorld struct {
	server  *realServer
	start   time.Time
	config  *sim.Config
	running sync.WaitGroup
}

func (w *realWorld) now() time.Duration { return time.Since(w.start) }

// errand is something that a real client wants done.
type errand struct {
	world     *realWorld
	client    *realClient
	template  *workload.Template
	execution time.Duration
	attempts  int32
}

// realClient is one rest client.
type realClient struct {
	population *workload.Population
	index      int
	rest       *rest.RESTClient
	mu         sync.Mutex
	life       life
}

// live makes a client and lets it do what a simulated one did.
func (w *realWorld) live(t *testing.T, id who, ours *life) *life {
	p := &w.config.Populations[id.population]
	c := &realClient{population: p, index: int(id.client)}
	config := &rest.Config{
		Host: "http://api.test", APIPath: "/api", QPS: -1, Timeout: p.Timeout, Transport: transport{},
		ContentConfig: rest.ContentConfig{GroupVersion: &schema.GroupVersion{Version: "v1"}, NegotiatedSerializer: scheme.Codecs.WithoutConversion()},
	}
	if p.Limiter != nil {
		config.QPS, config.Burst = p.Limiter.QPS, p.Limiter.Burst
	}
	var err error
	if c.rest, err = rest.RESTClientFor(config); err != nil {
		t.Fatal(err)
	}
	for i, o := range ours.Operations {
		e := &errand{world: w, client: c, template: &p.Requests[ours.templates[i]], execution: ours.executions[i]}
		w.running.Go(func() {
			time.Sleep(o.Began - w.now())
			e.run()
		})
	}
	return &c.life
}

// errandKey is the context's key of an *errand, clientKey that of the client's own context.
type (
	errandKey struct{}
	clientKey struct{}
)

// run carries out an operation.
func (e *errand) run() {
	began := e.world.now()
	verb := map[string]string{"get": "GET", "list": "GET", "create": "POST", "update": "PUT"}[e.template.Verb]
	r := e.client.rest.Verb(verb).AbsPath("/api/v1/any")
	switch retry := e.client.population.Retry; {
	case retry.Policy == workload.RetryNone:
		r = r.MaxRetries(0)
	case retry.MaxRetries > 0:
		r = r.MaxRetries(retry.MaxRetries)
	}
	err := r.Do(context.WithValue(context.Background(), errandKey{}, e)).Error()
	e.client.mu.Lock()
	defer e.client.mu.Unlock()
	e.client.life.Operations = append(e.client.life.Operations, wanted{began, e.world.now(), e.attempts, err == nil})
}

// transport is the wire: no latency, and a client that closes its connection is noticed at once.
type transport struct{}

// RoundTrip sends a request through the server's filters.
func (transport) RoundTrip(q *http.Request) (*http.Response, error) {
	if err := q.Context().Err(); err != nil {
		return nil, err
	}
	e := q.Context().Value(errandKey{}).(*errand)
	a := &served{attempted: attempted{Number: e.attempts, Arrival: e.world.now(), Dispatched: -1}, errand: e}
	e.attempts++
	answered := make(chan *traffic.Response, 1)
	go e.world.serve(q, a, answered)
	select {
	case w := <-answered:
		if err := q.Context().Err(); err != nil {
			return nil, err
		}
		w.Headers.Set("Content-Type", "application/json")
		return &http.Response{StatusCode: w.Status, Header: w.Headers, Body: io.NopCloser(strings.NewReader(`{"kind":"Pod","apiVersion":"v1"}`)), Request: q}, nil
	case <-q.Context().Done():
		return nil, q.Context().Err()
	}
}

// served is an attempt in the server.
type served struct {
	attempted
	errand *errand
}

// servedKey is the context's key of a *served.
type servedKey struct{}

// serve takes a request through the filters, and answers its client.
func (w *realWorld) serve(q *http.Request, a *served, answered chan<- *traffic.Response) {
	e, c := a.errand, a.errand.client
	t := e.template
	request := Request{
		User: workload.Expand(c.population.User, c.index), Groups: c.population.Groups,
		Verb: t.Verb, Resource: t.Resource, Namespace: t.Namespace, Name: t.Name,
	}
	if text := q.URL.Query().Get("timeout"); text != "" {
		timeout, err := time.ParseDuration(text)
		if err != nil {
			panic(err)
		}
		request.Timeout = Duration(timeout)
	}
	// What goes over a wire is that the client has gone, and not when it will.
	ctx, cancel := context.WithCancel(context.WithoutCancel(q.Context()))
	defer cancel()
	defer context.AfterFunc(q.Context(), cancel)()
	ctx = context.WithValue(ctx, attemptKey{}, &attempt{})
	ctx = context.WithValue(ctx, servedKey{}, a)
	ctx = context.WithValue(ctx, clientKey{}, q.Context())
	out := traffic.NewResponse()
	w.server.handler.ServeHTTP(out, traffic.HTTP(ctx, &request))
	a.Finished = w.now()
	if text := out.Headers.Get("Retry-After"); text != "" {
		seconds, err := strconv.Atoi(text)
		if err != nil {
			panic(err)
		}
		a.RetryAfter = int32(seconds)
	}
	c.mu.Lock()
	c.life.Attempts = append(c.life.Attempts, a.attempted)
	c.mu.Unlock()
	answered <- out
}

// executeErrand is the server behind the filters: it takes its time, unless the client goes.
func executeErrand(_ http.ResponseWriter, r *http.Request) {
	a := r.Context().Value(servedKey{}).(*served)
	a.Dispatched = a.errand.world.now()
	gone := r.Context().Value(clientKey{}).(context.Context).Done()
	select {
	case <-time.After(a.errand.execution):
	case <-gone:
	}
}
