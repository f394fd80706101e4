package workload

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// traceOf makes a trace of a text; it fails the test if the text has faults.
func traceOf(t testing.TB, text string) *Trace {
	t.Helper()
	trace, faults := OpenTrace("trace.jsonl", opener([]byte(text)))
	if len(faults) > 0 {
		t.Fatal(faults[0].Error())
	}
	return trace
}

func opener(text []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
}

// zip compresses a text.
func zip(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.Bytes()
}

// readAll returns copies of all records.
func readAll(t testing.TB, trace *Trace) (*TraceReader, []Record) {
	t.Helper()
	r, err := trace.Reader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []Record
	for {
		var rec Record
		more, err := r.Next(&rec)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return r, all
		}
		rec.Name = slices.Clone(rec.Name)
		rec.FieldSelector, rec.LabelSelector = slices.Clone(rec.FieldSelector), slices.Clone(rec.LabelSelector)
		all = append(all, rec)
	}
}

// simple is a line that arrives at a time.
func simple(at time.Duration) string {
	return fmt.Sprintf(`{"arrival":"%v","user":"u","verb":"get","resource":"pods","name":"at-%d"}`, at, at)
}

func TestTraceRecord(t *testing.T) {
	trace := traceOf(t, `{"arrival":"2s","duration":"3ms","timeout":"1m","user":"u","groups":["a","b"],"verb":"list","apiGroup":"apps",`+
		`"resource":"deployments","subresource":"scale","namespace":"n","name":"x","limit":500,"resourceVersion":"0"}`+"\n"+
		`{"arrival":"1s","user":"u","verb":"get","path":"/healthz"}`)
	if trace.Requests() != 2 || trace.LastArrival() != 2*time.Second || trace.Lateness() != time.Second || trace.Name() != "trace.jsonl" {
		t.Errorf("got %+v", trace)
	}
	r, all := readAll(t, trace)
	want := []Record{
		{Line: 1, Arrival: time.Second, Subject: 1, Target: 1, Server: -1, Waited: -1},
		{Line: 0, Arrival: 2 * time.Second, Duration: 3 * ms, Timeout: time.Minute, Options: 1, Server: -1, Waited: -1, Name: []byte("x")},
	}
	if got := fmt.Sprintf("%+v", all); got != fmt.Sprintf("%+v", want) {
		t.Errorf("got %+v, want %+v", all, want)
	}
	if got := fmt.Sprintf("%+v", r.Subjects()); got != "[{User:u Groups:[a b]} {User:u Groups:[]}]" {
		t.Errorf("the subjects are %s", got)
	}
	if want := []TraceTarget{{"list", "apps", "deployments", "scale", "n", ""}, {Verb: "get", Path: "/healthz"}}; !slices.Equal(r.Targets(), want) {
		t.Errorf("the targets are %+v", r.Targets())
	}
	if want := []RawOptions{{}, {Limit: 500, ResourceVersion: "0"}}; !slices.Equal(r.Options(), want) {
		t.Errorf("the options are %+v", r.Options())
	}
}

// TestTraceForms holds that the same lines come out of every form of file: with and
// without a last newline, with carriage returns and blank lines, plain, compressed, and
// compressed in two members.
func TestTraceForms(t *testing.T) {
	a, b := simple(1), simple(2)
	for name, c := range map[string]struct {
		file  []byte
		lines []int64
	}{
		"plain":                  {[]byte(a + "\n" + b + "\n"), []int64{0, 1}},
		"no last newline":        {[]byte(a + "\n" + b), []int64{0, 1}},
		"carriage returns":       {[]byte(a + "\r\n" + b + "\r\n"), []int64{0, 1}},
		"blank lines count":      {[]byte("\n" + a + "\n \t\n\r\n" + b + "\n\n"), []int64{1, 4}},
		"gzip":                   {zip(a + "\n" + b + "\n"), []int64{0, 1}},
		"gzip, two members":      {append(zip(a+"\n"), zip(b)...), []int64{0, 1}},
		"gzip, split in a line":  {append(zip(a[:20]), zip(a[20:]+"\n"+b)...), []int64{0, 1}},
		"empty":                  {nil, nil},
		"only blank lines":       {[]byte("\n\n"), nil},
		"gzip of nothing at all": {zip(""), nil},
	} {
		trace, faults := OpenTrace(name, opener(c.file))
		if len(faults) > 0 {
			t.Errorf("%s: %v", name, faults[0].Error())
			continue
		}
		var lines []int64
		_, all := readAll(t, trace)
		for _, rec := range all {
			lines = append(lines, rec.Line)
		}
		if !slices.Equal(lines, c.lines) || trace.Requests() != int64(len(c.lines)) {
			t.Errorf("%s: the lines are %v, want %v; %d requests", name, lines, c.lines, trace.Requests())
		}
	}
}

// TestTraceFaults holds what a user is told, and where.
func TestTraceFaults(t *testing.T) {
	good := simple(1) + "\n"
	zipped := zip(strings.Repeat(good, 1000))
	damaged := slices.Clone(zipped)
	damaged[len(damaged)-6] ^= 1
	const whole = "; legal: a whole gzip file; copy or compress it again; gzip -t FILE tests it"
	for _, c := range []struct {
		name string
		file []byte
		want []string
	}{
		{"line and column", []byte(good + "\n" + `{"arrival":"1s","user":"é","vreb":"get","resource":"pods"}`), []string{
			`f:3:28: unknown field "vreb"; legal: the fields of a trace line; did you mean "verb"?`,
			`f:3:58: verb is missing; legal: a line needs arrival, user and verb`}},
		{"not JSON", []byte(good + "hello\n" + good), []string{
			`f:2:1: not JSON: invalid character 'h' at start of value; legal: one JSON object on each line`}},
		{"cut off", zipped[:len(zipped)/2], []string{"the compressed text is cut off" + whole}},
		{"cut off in the header", zipped[:5], []string{"f: the compressed text is cut off" + whole}},
		{"cut off before the sum", zipped[:len(zipped)-3], []string{"f:1001:1: the compressed text is cut off" + whole}},
		{"damaged", damaged, []string{"f:1001:1: the compressed text is damaged: gzip: invalid checksum" + whole}},
		{"something after it", append(slices.Clone(zipped), "and more text than a header has"...), []string{
			"f:1001:1: the compressed text is damaged: gzip: invalid header" + whole}},
		{"no compression after all", []byte("\x1f\x8b{} is not how gzip begins"), []string{"f: the compressed text is damaged: gzip: invalid header" + whole}},
		{"a long line", []byte(good + strings.Repeat("x", 3*LineMax) + "\n{}\n"), []string{
			"f:2:1: the line has more than 1048576 bytes; legal: one JSON object on each line",
			"f:3:2: arrival is missing; legal: a line needs arrival, user and verb",
			"f:3:2: user is missing; legal: a line needs arrival, user and verb",
			"f:3:2: verb is missing; legal: a line needs arrival, user and verb",
			"f:3:2: neither resource nor path; legal: the resource that is asked for, or a path"}},
		{"a long last line", []byte(good + strings.Repeat("x", 2*LineMax)), []string{
			"f:2:1: the line has more than 1048576 bytes; legal: one JSON object on each line"}},
	} {
		trace, faults := OpenTrace("f", opener(c.file))
		var got []string
		for _, f := range faults {
			got = append(got, f.Error())
		}
		matches := func(got, want string) bool { return strings.HasSuffix(got, want) }
		if trace != nil || !slices.EqualFunc(got, c.want, matches) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestTraceFaultsAreCounted holds that a hopeless file does not fill the screen.
func TestTraceFaultsAreCounted(t *testing.T) {
	_, faults := OpenTrace("f", opener([]byte(strings.Repeat("[]\n", 1000))))
	if len(faults) != 21 || faults[19].Line != 20 {
		t.Fatalf("%d faults, the twentieth on line %d", len(faults), faults[19].Line)
	}
	if got := faults[20].Error(); got != "f: and 980 more faults" || faults[20].Code != TraceMoreFaults {
		t.Errorf("got %q", got)
	}
}

var errDisk = errors.New("the disk is on fire")

// failing reads a text and then fails.
type failing struct{ io.Reader }

func (f failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err == io.EOF {
		err = errDisk
	}
	return n, err
}

func (failing) Close() error { return nil }

func TestTraceUnreadable(t *testing.T) {
	for want, open := range map[string]func() (io.ReadCloser, error){
		"f: the disk is on fire; legal: a file that can be read": func() (io.ReadCloser, error) { return nil, errDisk },
		"f:2:1: the disk is on fire; legal: a file that can be read": func() (io.ReadCloser, error) {
			return failing{strings.NewReader(simple(1) + "\n" + simple(2))}, nil
		},
	} {
		if _, faults := OpenTrace("f", open); len(faults) != 1 || faults[0].Error() != want || faults[0].Code != TraceUnreadable {
			t.Errorf("got %+v, want %s", faults, want)
		}
	}
}

// TestTooManyOptions holds that the table of options has a bound.
func TestTooManyOptions(t *testing.T) {
	var b strings.Builder
	for limit := range optionsMax + 5 {
		fmt.Fprintf(&b, `{"arrival":"1s","user":"u","verb":"list","resource":"pods","limit":%d}`+"\n", limit)
	}
	_, faults := OpenTrace("f", opener([]byte(b.String())))
	if len(faults) != 1 || faults[0].Code != TraceOptionCount || faults[0].Line != optionsMax+1 {
		t.Errorf("got %+v", faults)
	}
}

// vector is a line of the recorded trace, as encoding/json reads it.
type vector struct {
	Arrival, Duration, User, Verb, APIGroup, Resource, Namespace, Name string
	Groups                                                             []string
	Limit                                                              int64
	ResourceVersion                                                    string
}

// TestRecordedTrace reads a recorded trace and compares each record with encoding/json.
func TestRecordedTrace(t *testing.T) {
	open := func() (io.ReadCloser, error) { return os.Open("testdata/small.jsonl.gz") }
	trace, faults := OpenTrace("small", open)
	if len(faults) > 0 {
		t.Fatal(faults[0].Error())
	}
	file, err := open()
	if err != nil {
		t.Fatal(err)
	}
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(text)
	r, all := readAll(t, trace)
	for i, rec := range all {
		var v vector
		if err := lines.Decode(&v); err != nil {
			t.Fatal(err)
		}
		arrival, _ := time.ParseDuration(v.Arrival)
		duration, _ := time.ParseDuration(v.Duration)
		s, target := r.Subjects()[rec.Subject], r.Targets()[rec.Target]
		options := RawOptions{}
		if v.Verb == "list" {
			options = RawOptions{Limit: v.Limit, ResourceVersion: v.ResourceVersion}
		}
		same := rec.Line == int64(i) && rec.Arrival == arrival && rec.Duration == duration && string(rec.Name) == v.Name &&
			s.User == v.User && slices.Equal(s.Groups, v.Groups) &&
			target == TraceTarget{Verb: v.Verb, APIGroup: v.APIGroup, Resource: v.Resource, Namespace: v.Namespace} &&
			r.Options()[rec.Options] == options
		if !same {
			t.Fatalf("line %d: got %+v %+v %+v %+v, want %+v", i, rec, s, target, r.Options()[rec.Options], v)
		}
	}
	if len(all) != 2097 || trace.LastArrival() != all[2096].Arrival {
		t.Errorf("%d records, the last at %v of %v", len(all), all[len(all)-1].Arrival, trace.LastArrival())
	}
}
