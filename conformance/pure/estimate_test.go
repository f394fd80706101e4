package pure

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/feature"
	"k8s.io/apiserver/pkg/util/flowcontrol"
	"k8s.io/apiserver/pkg/util/flowcontrol/request"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// TestEstimateEqualsUpstream sends random URLs through the real RequestInfoFactory
// and the real work estimator, with an etcd that reports watch progress and with one
// that does not, while watches come and go in the real tracker.
func TestEstimateEqualsUpstream(t *testing.T) {
	for i, consistentReads := range []bool{true, false} {
		r := random(t, 40+uint64(i))
		setWatchProgress(t, consistentReads)
		seen := map[fairqueue.Estimate]int{}
		for range 300 * *times {
			p := newEstimatePair(r, consistentReads)
			for range 400 {
				p.step(t, r, seen)
			}
		}
		var wide, final, latency int
		for e, n := range seen {
			if e.InitialSeats > 1 {
				wide++
			}
			if e.FinalSeats > 1 && n > 10 {
				final++
			}
			if e.AdditionalLatency > 0 {
				latency++
			}
		}
		if wide < 90 || final < 9 || latency < 20 {
			t.Errorf("only %d widths, %d final seats and %d additional latencies came up", wide, final, latency)
		}
	}
}

// setWatchProgress replaces the process-wide checker of what etcd supports.
func setWatchProgress(t *testing.T, supported bool) {
	old := feature.DefaultFeatureSupportChecker
	feature.DefaultFeatureSupportChecker = watchProgress{old, supported}
	t.Cleanup(func() { feature.DefaultFeatureSupportChecker = old })
}

type watchProgress struct {
	feature.FeatureSupportChecker
	supported bool
}

func (w watchProgress) Supports(f storage.Feature) bool {
	if f == storage.RequestWatchProgress {
		return w.supported
	}
	return w.FeatureSupportChecker.Supports(f)
}

// estimatePair is the real estimator with its tracker, and our server.
type estimatePair struct {
	estimator request.WorkEstimatorFunc
	tracker   flowcontrol.WatchTracker
	ours      *scheduler.Server
	now       time.Duration
	seats     map[string]int
	open      []openWatch
	stats     map[string]realStats
}

type realStats struct {
	storage.Stats
	err error
}

// openWatch is a watch that both trackers count.
type openWatch struct {
	forget  flowcontrol.ForgetWatchFunc
	target  scheduler.TargetID
	name    string
	options scheduler.ListOptions
}

// estimatedLevels are the levels of an estimatePair with a cap on the width each;
// the user "u-X" belongs to level X.
var estimatedLevels = []string{"tiny", "small", "middle", "large"}

func newEstimatePair(r *rand.Rand, consistentReads bool) *estimatePair {
	p := &estimatePair{tracker: flowcontrol.NewWatchTracker(), seats: map[string]int{}, stats: map[string]realStats{}}
	cfg := scheduler.Config{Seats: 2000, RequestTimeout: 60e9, ConsistentReadsFromCache: consistentReads}
	for i, name := range estimatedLevels {
		cfg.PriorityLevels = append(cfg.PriorityLevels, scheduler.PriorityLevel{
			Name: name, Shares: []int32{2, 20, 200, 1000}[i], BorrowingLimitPercent: -1,
			Queuing: &scheduler.Queuing{Queues: 64, HandSize: int32(1 + r.IntN(10)), QueueLengthLimit: 50},
		})
		cfg.FlowSchemas = append(cfg.FlowSchemas, scheduler.FlowSchema{
			Name: name, Precedence: 1, PriorityLevel: name,
			Rules: []scheduler.Rule{{
				Subjects:     []scheduler.SubjectRule{{Name: "u-" + name}},
				Resources:    []scheduler.ResourceRule{{Verbs: star, APIGroups: star, Resources: star, Namespaces: star, ClusterScope: true}},
				NonResources: []scheduler.NonResourceRule{{Verbs: star, URLs: star}},
			}},
		})
	}
	for _, group := range apiGroups {
		for _, resource := range append(resources, "serviceaccounts") {
			p.addObjects(r, &cfg, group, resource)
		}
	}
	s, err := scheduler.New(withMandatory(cfg), 0)
	if err != nil {
		panic(err)
	}
	p.ours = s
	for _, l := range s.Levels() {
		p.seats[l.Name] = l.MaxSeats
	}
	p.estimator = request.NewWorkEstimator(
		func(key string) (storage.Stats, error) {
			if s, ok := p.stats[key]; ok {
				return s.Stats, s.err
			}
			return storage.Stats{}, request.ObjectCountNotFoundErr
		},
		p.tracker.GetInterestedWatchCount, request.DefaultWorkEstimatorConfig(),
		func(level string) uint64 { return uint64(p.seats[level]) })
	return p
}

var star = []string{"*"}

// addObjects draws what the server knows of the objects of a resource, if anything.
func (p *estimatePair) addObjects(r *rand.Rand, cfg *scheduler.Config, group, resource string) {
	o := scheduler.ObjectCount{
		Group: group, Resource: resource, Stale: oneIn(r, 8),
		Count:        r.Int64N(pick[int64](r, 2, 100, 100_000, 1_000_000_000)),
		AverageBytes: r.Int64N(pick[int64](r, 2, 1000, 20_000, 1_500_001)),
	}
	if oneIn(r, 2) && o.AverageBytes > 0 { // where the width is neither 1 nor the limit
		o.Count = r.Int64N(12_000_000) / o.AverageBytes
	}
	if oneIn(r, 6) {
		return
	}
	cfg.Objects = append(cfg.Objects, o)
	s := realStats{Stats: storage.Stats{ObjectCount: o.Count, EstimatedAverageObjectSizeBytes: o.AverageBytes}}
	if o.Stale {
		s.err = request.ObjectCountStaleErr
	}
	key := resource
	if group != "" {
		key += "." + group
	}
	p.stats[key] = s
}

// step does one of three things: open a watch, end one, estimate a request.
func (p *estimatePair) step(t *testing.T, r *rand.Rand, seen map[fairqueue.Estimate]int) {
	t.Helper()
	level := pick(r, append(estimatedLevels, scheduler.CatchAll)...)
	switch r.IntN(10) {
	case 0, 1:
		p.openWatches(t, drawURL(r, http.MethodGet, true), 1+r.IntN(pick(r, 2, 150)))
	case 2:
		if len(p.open) > 0 {
			p.closeWatches(min(len(p.open), 1+r.IntN(300)))
		}
	default:
		method := pick(r, http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete)
		p.compare(t, drawURL(r, method, oneIn(r, 5)), level, seen)
	}
}

// openWatches counts a request n times, if it is a watch.
func (p *estimatePair) openWatches(t *testing.T, req *urlRequest, n int) {
	t.Helper()
	httpRequest, info := req.resolve(t)
	if info.Verb != "watch" {
		return
	}
	target := p.ours.Target(ourTarget(info))
	name := scheduler.RequestName(info.Verb, req.name, req.options)
	options := scheduler.ParseListOptions(req.options)
	for range n {
		p.open = append(p.open, openWatch{p.tracker.RegisterWatch(httpRequest), target, name, options})
		p.ours.OpenWatch(target, name, options)
	}
}

// closeWatches ends the n watches that have been open longest.
func (p *estimatePair) closeWatches(n int) {
	for _, w := range p.open[:n] {
		w.forget()
		p.ours.CloseWatch(w.target, w.name, w.options)
	}
	p.open = p.open[n:]
}

func (p *estimatePair) compare(t *testing.T, req *urlRequest, level string, seen map[fairqueue.Estimate]int) {
	t.Helper()
	httpRequest, info := req.resolve(t)
	if longRunning(httpRequest, info) && info.Verb != "watch" {
		return
	}
	work := p.estimator(httpRequest, level, level)
	want := fairqueue.Estimate{InitialSeats: int(work.InitialSeats), FinalSeats: int(work.FinalSeats), AdditionalLatency: work.AdditionalLatency}
	name := scheduler.RequestName(info.Verb, req.name, req.options)
	if name != info.Name {
		t.Fatalf("%v: name %q, want %q", httpRequest.URL, name, info.Name)
	}
	user := "u-" + level
	if level == scheduler.CatchAll {
		user = "nobody"
	}
	arrival, decisions := p.ours.Arrive(p.now, &scheduler.Request{
		Subject: p.ours.Subject(user, nil), Target: p.ours.Target(ourTarget(info)), Name: name,
		Options: scheduler.ParseListOptions(req.options),
	})
	if arrival.Estimate != want {
		t.Fatalf("%s %v at %s (at most %d seats, %+v): %+v, want %+v",
			info.Verb, httpRequest.URL, level, p.seats[level], p.stats, arrival.Estimate, want)
	}
	seen[want]++
	if len(decisions) != 1 || decisions[0].Kind != scheduler.Dispatched {
		t.Fatalf("an idle server did not dispatch %v at once: %+v", httpRequest.URL, decisions)
	}
	if freeAt, lingers, _ := p.ours.Finish(p.now, arrival.ID); lingers {
		p.now = freeAt
		p.ours.Release(p.now, arrival.ID)
	}
}

// urlRequest is a request as a client makes it.
type urlRequest struct {
	method, path string
	name         string // in the path
	options      scheduler.RawListOptions
	watch        bool
}

var infoFactory = &apirequest.RequestInfoFactory{
	APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api"),
}

// resolve returns the request as the server has it after its first filters.
func (u *urlRequest) resolve(t *testing.T) (*http.Request, *apirequest.RequestInfo) {
	t.Helper()
	q := url.Values{}
	set := func(key, value string) {
		if value != "" {
			q.Set(key, value)
		}
	}
	if u.options.Limit != 0 {
		q.Set("limit", strconv.FormatInt(u.options.Limit, 10))
	}
	if u.options.SendInitialEvents {
		q.Set("sendInitialEvents", "true")
	}
	if u.watch {
		q.Set("watch", "true")
	}
	set("resourceVersion", u.options.ResourceVersion)
	set("resourceVersionMatch", u.options.ResourceVersionMatch)
	set("continue", u.options.Continue)
	set("fieldSelector", u.options.FieldSelector)
	set("labelSelector", u.options.LabelSelector)
	req := &http.Request{Method: u.method, URL: &url.URL{Path: u.path, RawQuery: q.Encode()}}
	info, err := infoFactory.NewRequestInfo(req)
	if err != nil {
		t.Fatal(err)
	}
	return req.WithContext(apirequest.WithRequestInfo(t.Context(), info)), info
}

// drawURL draws a path, of a resource mostly, and the options.
func drawURL(r *rand.Rand, method string, watch bool) *urlRequest {
	u := &urlRequest{method: method, watch: watch && method == http.MethodGet}
	if oneIn(r, 20) {
		u.path = pick(r, paths...)
		return u
	}
	u.path = "/api/v1"
	if group := pick(r, apiGroups...); group != "" {
		u.path = "/apis/" + group + "/v1"
	}
	if !oneIn(r, 3) {
		u.path += "/namespaces/" + pick(r, namespaces...)
	}
	u.path += "/" + pick(r, "pods", "pods", "nodes", "leases", "serviceaccounts", "unheard-of")
	if oneIn(r, pick(r, 2, 8)) || u.method == http.MethodPut || u.method == http.MethodPatch {
		u.name = pick(r, "a", "b", "c")
		u.path += "/" + u.name
		if oneIn(r, 3) {
			u.path += "/" + pick(r, "status", "token", "log", "eviction")
		}
	}
	u.options = scheduler.RawListOptions{
		Limit:                pick(r, 0, 0, 1, 500, r.Int64N(1_000_000_000), -1),
		ResourceVersion:      pick(r, "", "0", "7", "00", "x"),
		ResourceVersionMatch: pick(r, "", "", "Exact", "NotOlderThan", "exact"),
		Continue:             pick(r, "", "", "", "token"),
		FieldSelector:        drawFieldSelector(r),
		LabelSelector:        drawLabelSelector(r),
		SendInitialEvents:    oneIn(r, 4),
	}
	return u
}

// drawFieldSelector draws good selectors and, out of their pieces, bad ones.
func drawFieldSelector(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return "metadata.name=" + pick(r, "a", "b", "c")
	case 1:
		return "spec.nodeName=" + pick(r, "", "n", "<unset>")
	case 2, 3:
		pieces := []string{"metadata.name", "spec.nodeName", "=", "=", "==", "!=", ",", ",", `\`, "a", "b", "/", ".", "%", " ", "é"}
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(pick(r, pieces...))
		}
		return b.String()
	default:
		return ""
	}
}

func drawLabelSelector(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return pick(r, "app=web", "app in (a,b)", "!app", "app", "x/y!=z", "a>1")
	case 1:
		pieces := []string{"app", "a.b/c", "=", "==", "!=", "!", " in ", " notin ", "(", ")", ",", ",", " ", "1", "-", "_", ">", "<", "/", "\x00", "\t"}
		var b strings.Builder
		for range 1 + r.IntN(10) {
			b.WriteString(pick(r, pieces...))
		}
		return b.String()
	default:
		return ""
	}
}

// TestWatchCountsEqualUpstream compares the counts themselves, which the estimate
// shows only by tens.
func TestWatchCountsEqualUpstream(t *testing.T) {
	r := random(t, 50)
	counts := map[int]int{}
	for range 300 * *times {
		tracker := flowcontrol.NewWatchTracker()
		var ours estimate.WatchCounts
		var forget []func()
		for range 500 {
			if u := drawURL(r, http.MethodGet, true); !oneIn(r, 4) {
				req, info := u.resolve(t)
				if info.Verb != "watch" {
					continue
				}
				scope, options := ours.Scope(info.APIGroup, info.Resource, info.Namespace), u.options.Parse()
				ours.Register(scope, info.Name, options)
				real := tracker.RegisterWatch(req)
				forget = append(forget, func() { real(); ours.Forget(scope, info.Name, options) })
				if oneIn(r, 2) {
					continue // let them grow
				}
			} else if len(forget) > 0 {
				i := r.IntN(len(forget))
				forget[i]()
				forget = append(forget[:i], forget[i+1:]...)
			}
			u := drawURL(r, pick(r, http.MethodPost, http.MethodPut, http.MethodDelete), false)
			_, info := u.resolve(t)
			want := tracker.GetInterestedWatchCount(info)
			scope := ours.Scope(info.APIGroup, info.Resource, info.Namespace)
			if got := ours.Interested(scope, info.Name); got != want {
				t.Fatalf("%s %s: %d watches, want %d", u.method, u.path, got, want)
			}
			counts[want]++
		}
	}
	if len(counts) < 10 {
		t.Errorf("only these counts came up: %v", counts)
	}
}
