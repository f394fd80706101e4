package httplog

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// stack is a line whose values go over several lines, as klog prints them since 2.9.
var stack = strings.Replace(ok, "resp=200", `resp=500 statusStack=<`, 1) + "\n\t" + `
	goroutine 1 [running]:
	I1130 10:00:09.000000       1 httplog.go:1] "HTTP" verb="GET" URI="/no" latency="1s" resp=200
 > addedInfo=<

	logging error output: "{\"kind\":\"Status\"}\n"
 >`

const failed = `"1s","duration":"100ms","verb":"list","resource":"pods","code":500`

// prefixed puts a text before each line.
func prefixed(prefix, text string) string {
	return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix)
}

// docker wraps each line as Docker's driver json-file does.
func docker(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		text, _ := json.Marshal(line)
		fmt.Fprintf(&b, `{"log":%s,"stream":"stderr","time":"2026-11-30T10:00:01.1001Z"}`+"\n", text)
	}
	return b.String()
}

// klogJSON is ok with --logging-format=json.
const klogJSON = `{"ts":1796032801100.0000,"caller":"httplog/httplog.go:132","msg":"HTTP","v":3,"verb":"LIST","URI":"/api/v1/pods","latency":"100ms","userAgent":"a/1","audit-ID":"x","srcIP":"10.0.0.1:4","apf_pl":"global-default","apf_fs":"global-default","apf_iseats":1,"apf_fseats":0,"apf_additionalLatency":"0s","apf_execution_time":"100ms","resp":200}`

// What others put before and around lines.
func TestWraps(t *testing.T) {
	const cri = "2026-11-30T10:00:01.100123456Z stderr F "
	both := ok + "\n" + stack
	want := []string{okRequest, failed}
	continued := []string{"7: " + noteContinued, "recorded 2"}
	run(t, []trap{
		{"plain", both, want, continued},
		{"lines that end with carriage returns", strings.ReplaceAll(both, "\n", "\r\n"), want, continued},
		{"a byte order mark", "\xef\xbb\xbf" + ok, []string{okRequest}, nil},
		{"CRI", prefixed(cri, both), want, continued},
		{"kubectl logs --timestamps", prefixed("2026-11-30T10:00:01.100123456Z ", both), want, continued},
		{"kubectl logs --prefix", prefixed("[pod/kube-apiserver-cp-1/kube-apiserver] ", both), want, continued},
		{"kubectl logs --prefix --timestamps", prefixed("[pod/kube-apiserver-cp-1/kube-apiserver] 2026-11-30T10:00:01.100123456Z ", both), want, continued},
		{"journalctl", prefixed("Nov 30 10:00:01 cp-1 kube-apiserver[4711]: ", both), want, continued},
		{"journalctl -o short-iso", prefixed("2026-11-30T11:00:01+0100 cp-1 kube-apiserver[4711]: ", both), want, continued},
		{"syslog", prefixed("<14>1 2026-11-30T10:00:01.1Z cp-1 kube-apiserver 4711 - - ", ok), []string{okRequest}, nil},
		{"docker", docker(strings.SplitAfter(both+"\n", "\n")...), want, nil},
		{"klog's JSON", klogJSON, []string{okRequest}, []string{"recorded 1"}},
		{"klog's JSON with a stack", strings.Replace(klogJSON, `"resp":200`, `"resp":500,"statusStack":"\ngoroutine 1"`, 1), []string{failed}, nil},
		{"klog's JSON in CRI", cri + klogJSON, []string{okRequest}, nil},
		{"klog's JSON in docker", docker(klogJSON + "\n"), []string{okRequest}, nil},
		{"CRI in a shipper's object", `{"_source":{"@timestamp":"2026-11-30T10:00:02Z","message":` + quoted(cri+ok) + `}}`, []string{okRequest}, nil},
		{"journalctl -o json", `{"__REALTIME_TIMESTAMP":"1796032801100200","_PID":"1","MESSAGE":` + quoted(ok) + `}`, []string{okRequest}, nil},
		{"Google Cloud", `{"insertId":"x","timestamp":"2026-11-30T10:00:01.1Z","jsonPayload":{"message":` + quoted(ok) + `}}`, []string{okRequest}, nil},
		{"CSV", "@timestamp,@message\n2026-11-30 10:00:01.100,\"" + strings.ReplaceAll(ok, `"`, `""`) + "\",x\n", []string{okRequest}, []string{"1: " + noteForeign}},
		{"CSV of klog's JSON", `"` + strings.ReplaceAll(klogJSON, `"`, `""`) + `"`, []string{okRequest}, nil},
		{"a wrapper's file", strings.Replace(ok, "httplog.go:131", "trace.go:236", 1), []string{okRequest}, nil},
		{"other lines", "Flag --x has been deprecated\n" + `I1130 10:00:01.000000       1 trace.go:236] Trace[1]: "List" (total time: 500ms):` + "\n" + `I1130 10:00:01.000000       1 httplog.go:131] "HTTPS" verb="GET"` + "\n" + ok,
			[]string{okRequest}, []string{"2: " + noteOther, "1: " + noteForeign}},
		{"quoted stacks of old releases", strings.Replace(ok, "resp=200", `resp=500 statusStack="\ngoroutine 1 [running]:\n\t/go/x.go:1" addedInfo="\nlogging error output: \"a b\"\n"`, 1), []string{failed}, nil},
		{"a stack that was cut off", strings.Replace(ok, "resp=200", `resp=500 statusStack="\ngoroutine 1 [run`, 1) + "\n" + ok, []string{failed, okRequest}, nil},
		{"several lines that do not end", stack[:strings.Index(stack, " >")] + ok, []string{failed, okRequest}, nil},
		{"several lines of another line", "I1130 10:00:01.000000       1 x.go:1] \"x\" body=<\n\t" + ok + "\n >\n" + ok, []string{okRequest}, []string{"1: " + noteOther, "2: " + noteContinued}},
	})
}

func quoted(text string) string {
	q, _ := json.Marshal(text)
	return string(q)
}

// Container runtimes cut long lines.
func TestPieces(t *testing.T) {
	long := strings.Replace(ok, `URI="/api/v1/pods"`, `URI="/api/v1/pods?labelSelector=`+strings.Repeat("x", 20000)+`"`, 1)
	want := []string{`"1s","duration":"100ms","verb":"list","resource":"pods","labelSelector":"` + strings.Repeat("x", 20000) + `","code":200`, okRequest}
	const time = "2026-11-30T10:00:01.1Z "
	cut := func(stream, text string, at int) string {
		return time + stream + " P " + text[:at] + "\n" + time + stream + " F " + text[at:] + "\n"
	}
	run(t, []trap{
		{"CRI", cut("stderr", long, 8000) + time + "stderr F " + ok, want, nil},
		{"CRI with tags", time + "stderr P:x " + long[:9] + "\n" + time + "stderr F:x " + long[9:] + "\n" + time + "stderr F " + ok, want, nil},
		{"another stream between", strings.Replace(cut("stderr", long, 8000), "\n", "\n"+time+"stdout F hello\n", 1) + time + "stderr F " + ok, want, []string{"1: " + noteForeign}},
		{"docker", docker(long[:16384], long[16384:]+"\n", ok+"\n"), want, nil},
		{"logtag", `{"logtag":"P","log":` + quoted(long[:99]) + "}\n" + `{"logtag":"F","log":` + quoted(long[99:]) + "}\n" + `{"logtag":"F","log":` + quoted(ok) + "}", want, nil},
		{"no end", ok + "\n" + time + "stderr P " + long[:99], []string{okRequest}, []string{"file-0:3: " + noPiece}},
	})
}

func TestCompressed(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	fmt.Fprint(w, ok+"\n")
	w.Flush()
	fmt.Fprint(w, ok)
	w.Close()
	run(t, []trap{
		{"whole", b.String(), []string{okRequest, okRequest}, nil},
		{"cut off", b.String()[:b.Len()-12], []string{okRequest}, []string{"file-0:2: the compressed text is cut off"}},
	})
}

// Lines have neither a year nor a time zone.
func TestClock(t *testing.T) {
	line := func(date string) string { return strings.Replace(ok, "I1130 10:00:01.100000", "I"+date, 1) }
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		year       int
		zone       *time.Location
		want       string
		told       string
	}{
		{"New Year", line("1231 23:59:59.500000") + "\n" + line("0101 00:00:00.500000"), 2026, nil, "2026-12-31T23:59:59.4Z 2027-01-01T00:00:00.5Z", noteUTC},
		{"a request over New Year", strings.Replace(line("0101 00:00:00.500000"), `latency="100ms"`, `latency="1s"`, 1), 2027, nil, "2026-12-31T23:59:59.5Z 2027-01-01T00:00:00.5Z", noteYear},
		{"New Year, out of order", line("0101 00:00:00.500000") + "\n" + line("1231 23:59:59.500000"), 2027, nil, "2026-12-31T23:59:59.4Z 2027-01-01T00:00:00.5Z", noteYear},
		{"no year", line("0229 10:00:00.000000"), 0, nil, "2000-02-29T09:59:59.9Z 2000-02-29T10:00:00Z", noteYearUnknown},
		{"the head of the file", "Log file created at: 2024/02/29 09:00:00\n" + line("0229 10:00:00.000000"), 0, nil, "2024-02-29T09:59:59.9Z 2024-02-29T10:00:00Z", noteYearCreated},
		{"a time before the line", "2024-12-31T23:30:00.01Z " + line("0101 00:30:00.000000"), 1999, nil, "2024-12-31T23:29:59.9Z 2024-12-31T23:30:00Z", noteShifted},
		{"a time before other lines", "2024-11-30T10:00:01Z hello\n2024-11-30T10:00:01Z " + ok + "\n" + line("1130 10:00:03.000000"), 0, nil, "2024-11-30T10:00:01Z 2024-11-30T10:00:03Z", noteYearBefore},
		{"a shipper that was late", "2024-11-30T10:31:17Z " + ok, 0, nil, "2024-11-30T10:00:01Z 2024-11-30T10:00:01.1Z", ""},
		{"a zone", line("0701 12:00:00.100000"), 2026, berlin, "2026-07-01T10:00:00Z 2026-07-01T10:00:00.1Z", noteYear},
		{"a zone in winter", line("1201 12:00:00.100000"), 2026, berlin, "2026-12-01T11:00:00Z 2026-12-01T11:00:00.1Z", noteYear},
		{"the hour after the clocks went forward", line("0329 03:30:00.100000"), 2026, berlin, "2026-03-29T01:30:00Z 2026-03-29T01:30:00.1Z", noteYear},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewReader(NewUsers(schemas()), nil)
			r.Year, r.Zone = c.year, c.zone
			trace(t, r, c.text)
			stamp := func(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }
			if got := stamp(r.Account.First) + " " + stamp(r.Account.Last); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if c.told != "" && !strings.Contains(told(r), c.told) {
				t.Errorf("got %s without %s", told(r), c.told)
			}
		})
	}
}

// TestColumns takes the time from a column that tells a zone, and from no other.
func TestColumns(t *testing.T) {
	for row, want := range map[string]int64{
		`2026-11-30 10:00:01.1,"x ""HTTP"""`:              0,
		`"a, b","2026-11-30T11:00:01+01:00","x ""HTTP"""`: 1796032801000000000,
		`1,2026-11-30T10:00:01Z,"x ""HTTP""",1970-01-02`:  1796032801000000000,
		`"x ""HTTP""",2026-11-30T10:00:01Z`:               0,
	} {
		if field, time := fieldOfCSV([]byte(row)); string(field) != `x "HTTP"` || time != want {
			t.Errorf("%s: %s, %d, want %d", row, field, time, want)
		}
	}
	for _, row := range []string{`1,"x "HTTP" y"`, `"x ""HTTP"" y`, "x"} {
		if field, _ := fieldOfCSV([]byte(row)); field != nil {
			t.Errorf("%s: %s", row, field)
		}
	}
}
