package clientgo

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/apfsim/apfsim/workload"
)

// newClient makes client-go's rest client for a configuration. What it sends goes to the
// configuration's Transport.
func newClient(t *testing.T, config *rest.Config) *rest.RESTClient {
	t.Helper()
	config.Host = "http://api.test"
	config.APIPath = "/api"
	config.GroupVersion = &schema.GroupVersion{Version: "v1"}
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	client, err := rest.RESTClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// breakages are the errors of connections, as net and net/http word them.
var breakages = []struct {
	err    error
	status workload.Status
	// endsWatch tells that client-go does not retry a watch after it, although it retries other
	// reads: the ping of HTTP/2 was not answered.
	endsWatch bool
}{
	{err: io.EOF, status: workload.Lost},
	{err: io.ErrUnexpectedEOF, status: workload.Lost},
	{err: &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, status: workload.Lost},
	{err: errors.New("http2: server sent GOAWAY and closed the connection; LastStreamID=5"), status: workload.Lost},
	{err: errors.New("read tcp 10.0.0.1:443: use of closed network connection"), status: workload.Lost},
	{err: errors.New("http2: client connection lost"), status: workload.Lost, endsWatch: true},
	{err: &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, status: workload.Refused},
}

// upstream plays a scene with client-go's rest client, a goroutine for each request.
func (s *scene) upstream(t *testing.T) []outcome {
	out := make([]outcome, len(s.asks))
	synctest.Test(t, func(t *testing.T) {
		server := &written{scene: s, start: time.Now(), out: out}
		config := &rest.Config{QPS: -1, Timeout: s.timeout, Transport: server}
		if s.limiter != nil {
			config.QPS, config.Burst = s.limiter.QPS, s.limiter.Burst
		}
		client := newClient(t, config)
		var all sync.WaitGroup
		for i := range s.asks {
			all.Go(func() {
				a := &s.asks[i]
				time.Sleep(a.at)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if a.cancelled > 0 {
					time.AfterFunc(a.cancelled-a.at, cancel)
				}
				err := s.call(ctx, client, i)
				if last := len(out[i].sent); a.method == workload.MethodWatch && err == nil && a.replies[last-1].code == 0 {
					// After the last retry, client-go hides a broken connection behind a watch that
					// has ended. We call that a failure.
					err = breakages[a.replies[last-1].broken].err
				}
				out[i].ended, out[i].ok = time.Since(server.start), err == nil
			})
		}
		all.Wait()
	})
	return out
}

// call makes one request.
func (s *scene) call(ctx context.Context, client *rest.RESTClient, i int) error {
	name := strconv.Itoa(i)
	var r *rest.Request
	if m := s.asks[i].method; m == workload.MethodWrite {
		r = client.Post().Body([]byte("{}"))
	} else {
		r = client.Get()
	}
	r = r.Resource("pods").Name(name)
	switch {
	case s.retry.Policy == workload.RetryNone:
		r = r.MaxRetries(0)
	case s.retry.MaxRetries > 0:
		r = r.MaxRetries(s.retry.MaxRetries)
	}
	if s.asks[i].method != workload.MethodWatch {
		return r.Do(ctx).Error()
	}
	w, err := r.Watch(ctx)
	if err != nil {
		return err
	}
	w.Stop()
	return nil
}

// written is the server of a scene.
type written struct {
	*scene
	start time.Time
	out   []outcome
}

// RoundTrip answers as the scene says. Like net/http's transport it sends nothing where the
// context has ended, and waits for no answer after that.
func (s *written) RoundTrip(q *http.Request) (*http.Response, error) {
	if err := q.Context().Err(); err != nil {
		return nil, err
	}
	i, err := strconv.Atoi(q.URL.Path[strings.LastIndex(q.URL.Path, "/")+1:])
	if err != nil {
		return nil, err
	}
	reply := s.asks[i].replies[len(s.out[i].sent)]
	s.out[i].sent = append(s.out[i].sent, time.Since(s.start))
	select {
	case <-q.Context().Done():
		return nil, q.Context().Err()
	case <-time.After(reply.latency):
	}
	if reply.code == 0 {
		return nil, breakages[reply.broken].err
	}
	response := &http.Response{
		StatusCode: reply.code, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body(reply.code))), Request: q,
	}
	if reply.header != "" {
		response.Header.Set("Retry-After", reply.header)
	}
	return response, nil
}

// body is what a server answers with.
func body(code int) string {
	if code == http.StatusOK {
		return `{"kind":"Pod","apiVersion":"v1"}`
	}
	return `{"kind":"Status","apiVersion":"v1","status":"Failure","code":` + strconv.Itoa(code) + `}`
}
