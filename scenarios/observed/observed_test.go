package observed

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload/recording"
)

// scrapeText is what a server told that had dispatched and rejected so many.
func scrapeText(dispatched, rejected int, nanos string) string {
	return fmt.Sprintf(`# HELP apiserver_flowcontrol_dispatched_requests_total x
# TYPE apiserver_flowcontrol_dispatched_requests_total counter
apiserver_flowcontrol_dispatched_requests_total{flow_schema="service-accounts",priority_level="workload-low"} %d
apiserver_flowcontrol_rejected_requests_total{flow_schema="service-accounts",priority_level="workload-low",reason="queue-full"} %d
apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"} 245
apiserver_flowcontrol_priority_level_seat_utilization_count{phase="executing",priority_level="workload-low"} %s
apiserver_flowcontrol_request_execution_seconds_bucket{flow_schema="service-accounts",priority_level="workload-low",type="regular",le="0.1"} %d
apiserver_flowcontrol_request_execution_seconds_bucket{flow_schema="service-accounts",priority_level="workload-low",type="regular",le="+Inf"} %d
apiserver_flowcontrol_request_execution_seconds_sum{flow_schema="service-accounts",priority_level="workload-low",type="regular"} %d
apiserver_flowcontrol_request_execution_seconds_count{flow_schema="service-accounts",priority_level="workload-low",type="regular"} %d
rest_client_requests_total{code="200"} 7
`, dispatched, rejected, nanos, dispatched/2, dispatched, dispatched, dispatched)
}

// read reads scrapes without times.
func read(t testing.TB, texts ...string) *Reader {
	t.Helper()
	r := &Reader{}
	for i, text := range texts {
		if err := r.Read(fmt.Sprintf("f%d", i), -1, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestIntervals(t *testing.T) {
	r := read(t, scrapeText(100, 10, "6e+10"), scrapeText(400, 50, "1.2e+11"))
	o, problems := r.Observe(0)
	if len(problems) > 0 || len(o.Servers) != 1 || len(o.Servers[0].Intervals) != 1 {
		t.Fatalf("%v %+v", problems, o)
	}
	v := o.Servers[0].Intervals[0]
	want := recording.ObservedCell{
		FlowSchema: "service-accounts", PriorityLevel: "workload-low", Arrivals: 340, Executed: 300,
		Rejected:  map[string]int64{"queue-full": 40},
		Execution: &recording.ObservedHistogram{Bounds: []float64{0.1}, Counts: []int64{150, 150}, Sum: 300},
	}
	if diff := cmp.Diff(want, v.Cells[0]); diff != "" || time.Duration(v.Until) != time.Minute {
		t.Errorf("%v, - want + got:\n%s", v.Until, diff)
	}
}

func TestSingleScrape(t *testing.T) {
	r := read(t, scrapeText(100, 10, "6e+10"))
	o, _ := r.Observe(0)
	if v := o.Servers[0].Intervals[0]; time.Duration(v.Until) != time.Minute || v.Cells[0].Arrivals != 110 {
		t.Errorf("%+v", v)
	}
	if _, problems := read(t, scrapeText(1, 1, "0")).Observe(0); len(problems) == 0 {
		t.Error("the age of the server is not known, and that is no problem")
	}
}

func TestReset(t *testing.T) {
	r := read(t, scrapeText(100, 10, "6e+10"), scrapeText(30, 2, "4.5e+10"))
	o, _ := r.Observe(time.Minute)
	v := o.Servers[0].Intervals[0]
	if v.Cells[0].Arrivals != 32 || time.Duration(v.From) != 15*time.Second || time.Duration(v.Until) != time.Minute {
		t.Errorf("%v to %v: %+v", v.From, v.Until, v.Cells[0])
	}
	if r.Account.Notes[noteReset] != 1 {
		t.Errorf("%v", r.Account.Notes)
	}
}

const rangeText = `{"status":"success","data":{"resultType":"matrix","result":[
 {"metric":{"__name__":"apiserver_flowcontrol_dispatched_requests_total","flow_schema":"global-default","priority_level":"global-default","instance":"a"},"values":[[1700000000,"5"],[1700000030.5,"25"],[1700000060,"65"]]},
 {"metric":{"__name__":"apiserver_flowcontrol_dispatched_requests_total","flow_schema":"global-default","priority_level":"global-default","instance":"b"},"values":[[1700000000,"1"],[1700000060,"2"]]}]}}`

func TestRange(t *testing.T) {
	r := read(t, rangeText)
	o, problems := r.Observe(0)
	if len(problems) > 0 || len(o.Servers) != 2 || o.Servers[1].Name != "b" || o.Start != 1700000000e9 {
		t.Fatalf("%v %+v", problems, o)
	}
	a := o.Servers[0].Intervals
	if len(a) != 2 || a[0].Cells[0].Arrivals != 20 || a[1].Cells[0].Arrivals != 40 || time.Duration(a[0].Until) != 30500*time.Millisecond {
		t.Errorf("%+v", a)
	}
	r = &Reader{Instance: "b"}
	if err := r.Read("f", -1, strings.NewReader(rangeText)); err != nil || len(r.Instances()) != 1 || r.Account.LeftOut[leftOther] != 3 {
		t.Errorf("%v %v %v", err, r.Instances(), r.Account.LeftOut)
	}
}

func TestMalformed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"apiserver_flowcontrol_x{a=b} 1\n", "f0:1: the value of the label a is not in quotes"},
		{"a 1\n\napiserver_flowcontrol_x{a=\"b\"}\n", "f0:3: after the labels come a value and, if at all, a timestamp"},
		{"apiserver_flowcontrol_x{a=\"b\"} one\n", `f0:1: "one" is no value`},
		{"apiserver_flowcontrol_x 1 never\n", `f0:1: "never" is no timestamp`},
		{"apiserver_flowcontrol_x 1\napiserver_flowcontrol_x{a=\"b\"} 12", "f0:2: the file ends within a line"},
		{"<html>\n", "f0:1: it begins with no name of a metric"},
		{"{\"status\":\n\"success\",,", "f0:2: not JSON: invalid character ',' looking for beginning of object key string"},
		{`{"status":"error","error":"boom"}`, `f0:1: no answer of Prometheus to a query that succeeded (status "error", error "boom")`},
		{`{"status":"success","data":{"resultType":"scalar"}}`, `f0:1: the result is a "scalar": ask query_range, for a matrix`},
		{`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"2"]]}]}}`,
			"f0:1: 1 series have no name: ask for the metrics themselves, not for a rate() or sum() of them"},
		{"\x1f\x8bxxxxxxxxxxxx", "f0:1: not gzip: gzip: invalid header"},
	} {
		r := read(t, c.text)
		if r.Account.Malformed != 1 {
			t.Errorf("%q: %d malformed", c.text, r.Account.Malformed)
			continue
		}
		if f := r.Account.Faults[0]; fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Problem) != c.want {
			t.Errorf("%q: %s:%d: %s, want %s", c.text, f.File, f.Line, f.Problem, c.want)
		}
	}
}

func TestGzip(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprint(z, scrapeText(1, 2, "1e9"))
	z.Close()
	if r := read(t, b.String()); r.Account.Requests != 8 || r.Account.Malformed != 0 {
		t.Errorf("%+v", r.Account)
	}
	if r := read(t, b.String()[:b.Len()-30]); r.Account.Malformed == 0 {
		t.Error("a gzip that was cut short is taken for whole")
	}
}

// TestSenders looks for a sender for each schema of each release, and asks the classifier.
func TestSenders(t *testing.T) {
	for minor := release.First.Minor; minor <= release.Last.Minor; minor++ {
		c, faults := scenarios.LoadConfiguration(nil, nil, scenarios.ConfigurationOptions{Release: release.Version{Minor: minor, Patch: release.Newest}})
		if faults.HasErrors() {
			t.Fatal(faults)
		}
		cfg := c.Compile()
		who := newSenders(cfg.FlowSchemas)
		for _, s := range cfg.FlowSchemas {
			got, found := who.find(s.Name)
			if !found {
				t.Errorf("1.%d: nobody is matched by %s", minor, s.Name)
			}
			if s.Name == "service-accounts" && (!got.many || got.verbs[0] != "get") {
				t.Errorf("1.%d: %+v", minor, got)
			}
		}
	}
}

func TestServerSeats(t *testing.T) {
	c, _ := scenarios.LoadConfiguration(nil, nil, scenarios.ConfigurationOptions{})
	levels := c.Compile().PriorityLevels
	for _, seats := range []int{100, 600, 1000, 3000} {
		sum, nominal := 0.0, map[string]int64{}
		for _, l := range levels {
			sum += float64(l.Shares)
		}
		for _, l := range levels {
			if l.Shares > 0 {
				nominal[l.Name] = int64(math.Ceil(float64(seats) * float64(l.Shares) / sum))
			}
		}
		if got, fits := serverSeats(levels, nominal); !fits || got < seats || got > seats+2 {
			t.Errorf("%d seats: %d, %v", seats, got, fits)
		}
		nominal["workload-low"] += 40
		if _, fits := serverSeats(levels, nominal); fits {
			t.Errorf("%d seats: limits that no server has fit", seats)
		}
	}
}

// TestQuantilePoints draws histograms: the distribution has their shares and, if values can, their mean.
func TestQuantilePoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &recording.ObservedHistogram{Bounds: []float64{0, 0.1, 1, 5}}
		low, high := 0.0, 0.0
		for i := range 5 {
			n := rapid.Int64Range(0, 1000).Draw(t, "count")
			h.Counts = append(h.Counts, n)
			below := []float64{0, 0, 0.1, 1, 5}[i]
			low += float64(n) * below
			high += float64(n) * []float64{0, 0.1, 1, 5, 9}[i]
		}
		if h.Count() == 0 {
			return
		}
		h.Sum = low + (high-low)*rapid.Float64Range(0.3, 0.7).Draw(t, "mean")
		points := quantilePoints(h)
		mean := 0.0
		for i := 1; i < len(points); i++ {
			a, b := points[i-1], points[i]
			if b.p < a.p || b.value < a.value {
				t.Fatalf("%v", points)
			}
			mean += (b.p - a.p) * (a.value + b.value) / 2
		}
		if want := h.Sum / float64(h.Count()); math.Abs(mean-want) > 1e-3+0.26*want*boolTo(h.Counts[4] > 0) {
			t.Fatalf("mean %v, want %v: %v", mean, want, points)
		}
	})
}

func boolTo(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestWidths(t *testing.T) {
	h := &recording.ObservedHistogram{Bounds: []float64{1, 2, 4, 8, 16}, Counts: []int64{90, 0, 0, 0, 10, 0}, Sum: 90 + 105}
	if diff := cmp.Diff([]widthShare{{1, 0.9}, {10, 0.05}, {11, 0.05}}, widths(h), cmp.AllowUnexported(widthShare{}),
		cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })); diff != "" {
		t.Error(diff)
	}
}

func TestCrowds(t *testing.T) {
	level := &scheduler.PriorityLevel{Queuing: &scheduler.Queuing{Queues: 128, HandSize: 6, QueueLengthLimit: 50}}
	// One flow fills its 6 queues of 50; a tenth of the arrivals sees short queues.
	cell := &total{waiting: 295}
	cell.Arrivals = 1000
	cell.QueueLength = &recording.ObservedHistogram{Bounds: []float64{0, 10, 25, 50}, Counts: []int64{0, 100, 0, 400, 0}, Sum: 400*49 + 200}
	got := crowds(cell, level, true, 0, 10)
	if len(got) != 2 || got[0].flows != 1 || got[1].share != 0.1 {
		t.Errorf("%+v", got)
	}
	if got := crowds(cell, level, true, 7, 10); got[0].flows != 7 || got[0].why != whyGiven {
		t.Errorf("%+v", got)
	}
}

// FuzzText holds the parser against that of Prometheus: what both take is the same.
func FuzzText(f *testing.F) {
	f.Add(scrapeText(3, 4, "5"))
	f.Add("apiserver_flowcontrol_x{a=\"\\\\\\n\\\"\",b=\"\"} +Inf 1700000000000\n")
	f.Fuzz(func(t *testing.T, text string) {
		text += "\n"
		var ours []sample
		faults := 0
		if _, err := readText(strings.NewReader(text), func(int64, string, []byte) { faults++ }, func(s sample) { ours = append(ours, s) }); err != nil {
			t.Fatal(err)
		}
		parser := expfmt.NewTextParser(model.LegacyValidation)
		families, err := parser.TextToMetricFamilies(strings.NewReader(text))
		if err != nil || faults > 0 || strings.Contains(text, " # ") {
			return
		}
		theirs := 0
		for name, family := range families {
			if wanted(name) && family.GetType() == dto.MetricType_UNTYPED {
				theirs += len(family.Metric)
			}
		}
		untyped := 0
		for i := range ours {
			if f := families[ours[i].name]; f != nil && f.GetType() == dto.MetricType_UNTYPED {
				untyped++
			}
		}
		if untyped != theirs {
			t.Fatalf("%q: %d samples, Prometheus has %d", text, untyped, theirs)
		}
	})
}

// scenarioFile is a file system with a scenario.
type scenarioFile struct{ fstest.MapFS }

// Open implements scenarios.Files.
func (f scenarioFile) Open(name string) (io.ReadCloser, error) { return f.MapFS.Open(name) }

// tooMuch tells that all that is wrong with a scenario is that a number is beyond what the format has.
func tooMuch(faults scenarios.Diagnostics) bool {
	for _, d := range faults {
		if d.Code != scenarios.CodeOutOfRange {
			return false
		}
	}
	return true
}

// odd gives a level of a scrape, of which only the limit is known, a name with a character that YAML
// does not allow.
func odd(scrape string) string {
	const limit = `limit_seats{priority_level="`
	return strings.Replace(scrape, limit, limit+"\x7f", 1)
}

// FuzzReader reads anything, and goes on with it as far as it leads.
func FuzzReader(f *testing.F) {
	f.Add(scrapeText(100, 10, "6e+10"), scrapeText(400, 50, "1.2e+11"))
	f.Add(rangeText, "")
	f.Add(scrapeText(100, 10, "6e+10"), scrapeText(4, 5, "1e+300"))
	f.Add(odd(scrapeText(100, 10, "6e+10")), odd(scrapeText(400, 50, "1.2e+11")))
	c, _ := scenarios.LoadConfiguration(nil, nil, scenarios.ConfigurationOptions{})
	f.Fuzz(func(t *testing.T, first, second string) {
		r := read(t, first, second)
		if r.Account.Requests == 0 {
			return
		}
		o, problems := r.Observe(time.Minute)
		if len(problems) > 0 || !o.Sound() {
			return
		}
		fitted := o.Fit(&Options{Configuration: c, Lead: time.Minute}, &r.Account)
		if len(fitted.Populations) == 0 {
			return
		}
		loads(t, fitted)
		for _, s := range []setting{
			{flows: 2, light: 0.5, together: true, from: 0.2, over: 0.3, backlog: 0.95, retries: true},
			{flows: 0.3, light: 1, together: true, over: 1, held: 3},
			{flows: 1, light: 1, from: 0.9, backlog: 0.1, whole: true},
		} {
			fitted.settings = map[string]setting{}
			for _, src := range fitted.sources {
				fitted.settings[src.total.PriorityLevel] = s
			}
			if fitted.build(); len(fitted.Populations) > 0 {
				loads(t, fitted)
			}
		}
	})
}

// loads holds that what is written can be loaded.
func loads(t *testing.T, fitted *Fitted) {
	t.Helper()
	var b bytes.Buffer
	if err := fitted.Write(&b, "fuzzed"); err != nil {
		t.Fatal(err)
	}
	files := scenarioFile{fstest.MapFS{"s.yaml": {Data: b.Bytes()}}}
	if _, faults := scenarios.Load("s.yaml", files); faults.HasErrors() && !tooMuch(faults) {
		t.Fatalf("%v\n%s", faults, b.String())
	}
}
