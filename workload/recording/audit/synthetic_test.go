package audit

import (
	"bufio"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// A large log is made and read by
//
//	go test ./workload/recording/audit -run TestLarge -size 5368709120 -v
//
// and with -to FILE the log is left in that file, gzip if its name ends with .gz.
var (
	sizeFlag = flag.Int64("size", 8<<20, "bytes of the synthetic audit log")
	toFlag   = flag.String("to", "", "file for the synthetic audit log")
)

// synthetic writes a log of about so many bytes as a cluster of some hundred clients has it: a
// RequestReceived and a ResponseComplete of each request, some watches, some answers of 429, and
// writes with the object that was sent.
type synthetic struct {
	random *rand.Rand
	now    time.Time
	number int
	open   []string
	size   int64
}

func newSynthetic(size int64) *synthetic {
	return &synthetic{random: rand.New(rand.NewPCG(1, 2)), now: time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC), size: size}
}

const microTime = "2006-01-02T15:04:05.000000Z"

// body is what was sent with a write: some 3 KB of a pod.
var body = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","labels":{"app":"web"},"annotations":{"note":"a \"quoted\" text"}},"spec":{"containers":[` +
	strings.TrimSuffix(strings.Repeat(`{"name":"c","image":"registry.example/app:1.2.3","env":[{"name":"A","value":"b"},{"name":"C","valueFrom":{"fieldRef":{"fieldPath":"status.podIP"}}}],"resources":{"limits":{"cpu":"500m","memory":"1Gi"}}},`, 14), ",") + `]}}`

// request returns the two lines of a request.
func (s *synthetic) request() (received, complete string) {
	s.number++
	s.now = s.now.Add(time.Duration(s.random.ExpFloat64() * float64(2*time.Millisecond)).Truncate(time.Microsecond))
	n := s.random.IntN(400)
	verb, uri, code := "get", fmt.Sprintf("/api/v1/namespaces/team-%d/pods/pod-%d", n%40, s.random.IntN(5000)), 200
	extra := ""
	switch k := s.random.IntN(20); {
	case k < 4:
		verb, uri = "list", fmt.Sprintf("/api/v1/namespaces/team-%d/pods?limit=500\\u0026labelSelector=app%%3Dweb-%d", n%40, n)
	case k < 6:
		verb, extra = "update", `,"requestObject":`+body
	case k == 6:
		verb, uri = "list", "/apis/apps/v1/deployments?resourceVersion=0"
	}
	took := time.Duration(s.random.ExpFloat64() * float64(20*time.Millisecond))
	annotations := `"annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":"RBAC: allowed by ClusterRoleBinding \"admin\" of ClusterRole \"admin\" to User"`
	if s.random.IntN(50) == 0 {
		code = 429
	} else if s.random.IntN(50) == 0 {
		took += 600 * time.Millisecond
		annotations += `,"apiserver.latency.k8s.io/apf-queue-wait":"` + (took / 2).String() + `","apiserver.latency.k8s.io/total":"` + took.String() + `"`
	}
	head := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"` + fmt.Sprintf("%08x-7f0e-4b4c-9d53-%012x", s.random.Uint32(), s.number) + `","stage":"`
	rest := fmt.Sprintf(`","requestURI":"%s","verb":"%s","user":{"username":"system:serviceaccount:team-%d:worker-%d","uid":"0e1f5f3c-5b6d-4d2c-8a57-%012d","groups":["system:serviceaccounts","system:serviceaccounts:team-%d","system:authenticated"],"extra":{"authentication.kubernetes.io/pod-name":["worker-%d-0"]}},"sourceIPs":["10.0.%d.7"],"userAgent":"worker/v1.%d (linux/amd64) kubernetes/abcdef","objectRef":{"resource":"pods","namespace":"team-%d","apiVersion":"v1"}`,
		uri, verb, n%40, n, n, n%40, n, n%200, n%9, n%40)
	times := `,"requestReceivedTimestamp":"` + s.now.Format(microTime) + `","stageTimestamp":"`
	received = head + "RequestReceived" + rest + times + s.now.Format(microTime) + "\"}\n"
	complete = head + "ResponseComplete" + rest + fmt.Sprintf(`,"responseStatus":{"metadata":{},"code":%d}`, code) + extra + times + s.now.Add(took).Format(microTime) + `",` + annotations + "}}\n"
	return received, complete
}

// writeTo writes the log: the end of a request comes some lines after its beginning.
func (s *synthetic) writeTo(w io.Writer) {
	out := bufio.NewWriterSize(w, 1<<16)
	for written := int64(0); written < s.size; {
		received, complete := s.request()
		out.WriteString(received)
		written += int64(len(received) + len(complete))
		s.open = append(s.open, complete)
		for len(s.open) > 30 {
			i := s.random.IntN(len(s.open))
			out.WriteString(s.open[i])
			s.open[i] = s.open[len(s.open)-1]
			s.open = s.open[:len(s.open)-1]
		}
	}
	for _, line := range s.open {
		out.WriteString(line)
	}
	out.Flush()
}

// TestLarge makes a log, reads it as a stream, and holds that each request comes out once, in
// order, with the memory that it takes far below the size of the log.
func TestLarge(t *testing.T) {
	s := newSynthetic(*sizeFlag)
	if *toFlag != "" {
		file, err := os.Create(*toFlag)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		var w io.Writer = file
		if strings.HasSuffix(*toFlag, ".gz") {
			zip, _ := gzip.NewWriterLevel(file, gzip.BestSpeed)
			defer zip.Close()
			w = zip
		}
		s.writeTo(w)
		return
	}
	from, to := io.Pipe()
	go func() {
		s.writeTo(to)
		to.Close()
	}()
	r := NewReader(func() (recording.Scratch, error) { return os.CreateTemp(t.TempDir(), "scratch") })
	r.sorter.Bound = 1 << 20
	if err := r.Read("synthetic", -1, from); err != nil {
		t.Fatal(err)
	}
	var q recording.Request
	last := int64(0)
	for more := true; more; {
		var err error
		if more, err = r.Next(&q); err != nil {
			t.Fatal(err)
		}
		if q.Received < last {
			t.Fatal("out of order")
		}
		last = q.Received
	}
	if r.Close() != nil || r.Account.Requests != int64(s.number) || r.Account.Malformed != 0 || r.Account.Evidence[recording.Derived] == 0 {
		t.Errorf("%d requests of %d, %+v", r.Account.Requests, s.number, r.Account)
	}
}

// BenchmarkRead reads a log that is in memory, and takes the requests.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	newSynthetic(16 << 20).writeTo(&text)
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r := NewReader(nil)
		r.Read("f", -1, strings.NewReader(text.String()))
		var q recording.Request
		for more := true; more; more, _ = r.Next(&q) {
		}
	}
}
