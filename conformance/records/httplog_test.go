package records

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/server/httplog"
	"k8s.io/klog/v2"

	"github.com/apfsim/apfsim/reports/recorder"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/sim"
	ours "github.com/apfsim/apfsim/workload/recording/httplog"
)

// pairs finds the keys of a line and their values, which are quoted or words.
var pairs = regexp.MustCompile(` ([A-Za-z_-]+)=("(?:[^"\\]|\\.)*"|\S+)`)

// unlike are the keys whose values the real logger takes from a clock or a context that is not
// there: only that they are there, and where, is compared.
var unlike = sets.New("latency", "audit-ID")

// scenariosOfToday are of the newest release, whose logger it is that is compared with.
var scenariosOfToday = []string{
	"elephants-and-mice", "leader-election", "list-storm", "one-user-floods-global-default", "webhook-deadlock",
}

// maxLines bounds how many lines of a scenario are looked at.
const maxLines = 3000

// TestHTTPLines sends what a line tells through the real logger (pkg/server/httplog) again: the
// method of its verb, the URI, the client and its address, the keys that flow control adds, with
// values of its types, and the status. The line that klog prints then has to be the same, but for
// the time and the line of the source.
func TestHTTPLines(t *testing.T) {
	for _, name := range scenariosOfToday {
		t.Run(name, func(t *testing.T) {
			seen := 0
			for line := range strings.Lines(httpLog(t, name)) {
				if seen++; seen > maxLines {
					break
				}
				got, want := comparable(line), comparable(logged(t, line))
				if got != want {
					t.Fatalf("line %d:\n got %s\nwant %s", seen, got, want)
				}
			}
			if seen == 0 {
				t.Error("no line")
			}
		})
	}
}

// comparable is what is compared of a line.
func comparable(line string) string {
	_, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "] ")
	return pairs.ReplaceAllStringFunc(text, func(pair string) string {
		if key := pairs.FindStringSubmatch(pair)[1]; unlike.Has(key) {
			return " " + key + "="
		}
		return pair
	})
}

// methods are those of the verbs in lines.
var methods = map[string]string{
	"LIST": "GET", "GET": "GET", "WATCH": "GET", "POST": "POST", "PUT": "PUT", "PATCH": "PATCH", "APPLY": "PATCH",
	"DELETE": "DELETE", "DELETECOLLECTION": "DELETE", "CONNECT": "GET",
}

// logged is what the real logger prints of the request that a line tells of.
func logged(t *testing.T, line string) string {
	t.Helper()
	values := map[string]string{}
	var added []string
	for _, m := range pairs.FindAllStringSubmatch(line, -1) {
		value := m[2]
		if unquoted, err := strconv.Unquote(value); err == nil {
			value = unquoted
		}
		values[m[1]] = value
		if strings.HasPrefix(m[1], "apf_") {
			added = append(added, m[1])
		}
	}
	method, known := methods[values["verb"]]
	if !known {
		t.Fatalf("no method is known for the verb of %s", line)
	}
	r := httptest.NewRequest(method, values["URI"], nil)
	r.RemoteAddr = values["srcIP"]
	r.Header.Set("User-Agent", values["userAgent"])
	info, err := (&request.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}).NewRequestInfo(r)
	if err != nil {
		t.Fatal(err)
	}
	r = r.WithContext(request.WithRequestInfo(context.Background(), info))
	status, err := strconv.Atoi(values["resp"])
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, key := range added {
			httplog.AddKeyValue(r.Context(), key, typed(key, values[key]))
		}
		w.WriteHeader(status)
	})
	var out bytes.Buffer
	klog.SetOutput(&out)
	httplog.WithLogging(handler, func(int) bool { return false }).ServeHTTP(httptest.NewRecorder(), r)
	klog.Flush()
	klog.SetOutput(io.Discard)
	return out.String()
}

// typed gives a value the type that flow control logs it with.
func typed(key, value string) any {
	switch key {
	case "apf_pl", "apf_fs":
		return value
	case "apf_iseats", "apf_fseats":
		n, _ := strconv.ParseUint(value, 10, 64)
		return n
	}
	d, _ := time.ParseDuration(value)
	return d
}

// httpLog runs a scenario and returns what its servers log.
func httpLog(t *testing.T, name string) string {
	t.Helper()
	var logs []bytes.Buffer
	runScenario(t, name, func(servers int, seed uint64) func(int32) []recorder.Log {
		logs = make([]bytes.Buffer, servers)
		return func(server int32) []recorder.Log {
			return []recorder.Log{ours.NewWriter(&logs[server], seed)}
		}
	})
	var all strings.Builder
	for i := range logs {
		all.Write(logs[i].Bytes())
	}
	return all.String()
}

// runScenario runs the first minutes of a scenario of the library with the logs that open opens
// for its servers.
func runScenario(t *testing.T, name string, open func(servers int, seed uint64) func(int32) []recorder.Log) {
	t.Helper()
	s, known := scenarios.LoadLibrary(name)
	if !known {
		t.Fatalf("no scenario %s in the library", name)
	}
	config := s.Config
	config.Names = true
	config.Duration = min(config.Duration, 3*time.Minute)
	observer := recorder.New(time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC), open(max(config.Servers, 1), config.Seed))
	if _, err := sim.Run(&config, 0, observer, nil); err != nil {
		t.Fatal(err)
	}
}
