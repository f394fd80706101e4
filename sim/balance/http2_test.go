package balance

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// The connections of the model are held against those of Go's own HTTP/2 client and server,
// which are what client-go and kube-apiserver use: the same requests, answers and pauses must
// come by the same connections. They talk over pipes in a bubble, so that the 90 s of an idle
// connection are exact.

// numbered is a connection with the number of its dialling.
type numbered struct {
	net.Conn
	number int
}

// pipes is a listener that hands over what is dialled.
type pipes struct {
	dialled int
	accept  chan net.Conn
	closed  chan struct{}
}

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	p.dialled++
	p.accept <- numbered{server, p.dialled}
	return client, nil
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.IPAddr{} }

// exchange is one request: what the test tells the handler to do, and by which connection it
// came.
type exchange struct {
	arrived chan int
	// answer is told whether to send a GOAWAY with the headers, end ends the body.
	answer chan bool
	end    chan struct{}
	over   chan error
}

type exchangeKey struct{}

// rig is a client and a server of net/http.
type rig struct {
	pipes    pipes
	server   http.Server
	client   http.Client
	requests chan *exchange
}

func newRig(t *testing.T, streams int) *rig {
	r := &rig{pipes: pipes{accept: make(chan net.Conn, 1), closed: make(chan struct{})}, requests: make(chan *exchange, 1)}
	r.server = http.Server{
		Handler:     http.HandlerFunc(r.handle),
		IdleTimeout: DefaultIdleTimeout,
		HTTP2:       &http.HTTP2Config{MaxConcurrentStreams: streams},
		TLSConfig:   &tls.Config{Certificates: []tls.Certificate{certificate(t)}},
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, exchangeKey{}, c.(*tls.Conn).NetConn().(numbered).number)
		},
	}
	r.client.Transport = &http.Transport{
		DialContext:       r.pipes.dial,
		ForceAttemptHTTP2: true,
		IdleConnTimeout:   DefaultIdleTimeout,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
	}
	go func() {
		if err := r.server.ServeTLS(&r.pipes, "", ""); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	return r
}

// certificate makes a certificate that nobody looks at.
func certificate(t *testing.T) tls.Certificate {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err := x509.CreateCertificate(nil, template, template, public, private)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}
}

func (r *rig) handle(w http.ResponseWriter, q *http.Request) {
	e := <-r.requests
	e.arrived <- q.Context().Value(exchangeKey{}).(int)
	if <-e.answer {
		w.Header().Set("Connection", "close") // as pkg/server/filters/goaway.go does
	}
	w.(http.Flusher).Flush()
	<-e.end
}

// send sends a request and returns it with the connection by which it came.
func (r *rig) send() (*exchange, int) {
	e := &exchange{arrived: make(chan int), answer: make(chan bool), end: make(chan struct{}), over: make(chan error, 1)}
	r.requests <- e
	go func() {
		answer, err := r.client.Get("https://server/")
		if err == nil {
			_, err = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
		e.over <- err
	}()
	return e, <-e.arrived
}

// flight is a request in both worlds.
type flight struct {
	*exchange
	Stream
	answered bool
}

// TestConnectionsAreThoseOfGo drives both with the same random operations.
func TestConnectionsAreThoseOfGo(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) { compareWithGo(t, workload.NewStream(seed, 1), 1+int(seed%3)) })
	}
}

func compareWithGo(t *testing.T, random workload.Stream, streams int) {
	r := newRig(t, streams)
	b := New(&Config{Streams: streams}, allUp(1))
	b.AddClients(1)
	start := time.Now()
	numbers, dialled := map[int32]int{}, 0
	var open []*flight
	draw := func(n int) int { return int(random.Uint64() % uint64(n)) }
	for step := range 150 {
		now := time.Since(start)
		switch what := draw(10); {
		case what < 4:
			before := b.Connections(now, 0)
			s, _ := b.Open(now, 0, &random)
			if b.Connections(now, 0) > before {
				dialled++
				numbers[s.connection] = dialled
			}
			e, number := r.send()
			if want := numbers[s.connection]; number != want {
				t.Fatalf("step %d at %v: net/http uses connection %d, the model %d", step, now, number, want)
			}
			open = append(open, &flight{exchange: e, Stream: s})
		case what < 6 && len(open) > 0:
			if f := open[draw(len(open))]; !f.answered {
				f.respond(b, draw(4) == 0)
			}
		case what < 9 && len(open) > 0:
			i := draw(len(open))
			f := open[i]
			open = append(open[:i], open[i+1:]...)
			f.finish(t, b, now, draw(4) == 0)
		default:
			pauses := [...]time.Duration{time.Second, 30 * time.Second, 89 * time.Second, 90 * time.Second, 91 * time.Second}
			time.Sleep(pauses[draw(len(pauses))])
		}
		synctest.Wait()
	}
	for _, f := range open {
		f.finish(t, b, time.Since(start), false)
	}
	r.client.CloseIdleConnections()
	if err := r.server.Close(); err != nil {
		t.Error(err)
	}
	time.Sleep(time.Minute) // the goroutines of net/http end
}

// respond lets the headers come.
func (f *flight) respond(b *Balancer, goaway bool) {
	f.answered, f.goaway = true, goaway
	f.answer <- goaway
	b.Answered(f.Stream)
}

// finish lets the answer come to its end, with its headers if they have not come.
func (f *flight) finish(t *testing.T, b *Balancer, now time.Duration, goaway bool) {
	if !f.answered {
		f.respond(b, goaway)
	}
	close(f.end)
	if err := <-f.over; err != nil {
		t.Fatal(err)
	}
	b.Done(now, f.Stream)
}
