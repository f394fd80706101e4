package pure

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	endpointfilters "k8s.io/apiserver/pkg/endpoints/filters"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/utils/clock"

	"github.com/apfsim/apfsim/scheduler"
)

// TestWaitLimitEqualsUpstream asks the real filters for a request's deadline and
// for what that lets it wait, in the order in which the server's chain has them.
func TestWaitLimitEqualsUpstream(t *testing.T) {
	r := random(t, 20)
	// The deadlines have to be ahead of the real clock that contexts look at.
	received := time.Now().Add(24 * time.Hour)
	var limited, bounded int
	for range 20_000 * *times {
		requestTimeout := pick(r, time.Minute, time.Duration(1+r.Int64N(int64(time.Hour))), time.Duration(1+r.IntN(20)))
		timeout := pick(r, 0, requestTimeout, requestTimeout+1, requestTimeout-1, time.Duration(r.Int64N(int64(2*requestTimeout))), time.Duration(r.IntN(9)))
		verb := pick(r, "get", "list", "create", "watch", "watch")
		want := realWaitLimit(t, requestTimeout, timeout, verb, received)
		if got := ourWaitLimit(t, requestTimeout, timeout, verb); got != want {
			t.Fatalf("%s with timeout %v of at most %v waits for %v, want %v", verb, timeout, requestTimeout, got, want)
		}
		if want == time.Minute {
			bounded++
		} else if want == timeout/4 {
			limited++
		}
	}
	if limited < 1000 || bounded < 1000 {
		t.Errorf("%d requests limited by their own deadline, %d by the minute", limited, bounded)
	}
}

func realWaitLimit(t *testing.T, requestTimeout, timeout time.Duration, verb string, received time.Time) time.Duration {
	t.Helper()
	var limit time.Duration
	handler := http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		ctx, cancel := getRequestWaitContext(req.Context(), requestTimeout/4, clock.RealClock{})
		defer cancel()
		deadline, ok := ctx.Deadline()
		if !ok {
			t.Fatal("a request that may wait for ever")
		}
		limit = deadline.Sub(received)
	})
	u := &url.URL{Path: "/"}
	if timeout != 0 {
		u.RawQuery = url.Values{"timeout": {timeout.String()}}.Encode()
	}
	req := &http.Request{Method: http.MethodGet, URL: u}
	ctx := apirequest.WithRequestInfo(t.Context(), &apirequest.RequestInfo{IsResourceRequest: true, Verb: verb, Resource: "pods"})
	ctx = apirequest.WithReceivedTimestamp(ctx, received)
	endpointfilters.WithRequestDeadline(handler, nil, nil, longRunning, nil, requestTimeout).ServeHTTP(nil, req.WithContext(ctx))
	return limit
}

func ourWaitLimit(t *testing.T, requestTimeout, timeout time.Duration, verb string) time.Duration {
	t.Helper()
	s := newScheduler(t, scheduler.Config{Seats: 100, RequestTimeout: requestTimeout})
	arrival, _ := s.Arrive(0, &scheduler.Request{
		Subject: s.Subject("anyone", nil),
		Target:  s.Target(scheduler.Target{Verb: verb, Resource: "pods"}),
		Timeout: timeout,
	})
	return arrival.WaitLimit
}

// newScheduler returns a server with the mandatory objects besides those given.
func newScheduler(t *testing.T, cfg scheduler.Config) *scheduler.Server {
	t.Helper()
	s, err := scheduler.New(withMandatory(cfg), 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// withMandatory adds the two mandatory levels and the schema that catches the rest.
func withMandatory(cfg scheduler.Config) scheduler.Config {
	cfg.PriorityLevels = append(cfg.PriorityLevels,
		scheduler.PriorityLevel{Name: scheduler.CatchAll, Shares: 5, BorrowingLimitPercent: -1},
		scheduler.PriorityLevel{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1})
	cfg.FlowSchemas = append(cfg.FlowSchemas, scheduler.FlowSchema{
		Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll,
	})
	return cfg
}
