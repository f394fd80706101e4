package exposition

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// everything is a rule that matches all requests of a group.
func everything(group string) []scheduler.Rule {
	return []scheduler.Rule{{
		Subjects: []scheduler.SubjectRule{{Kind: scheduler.Group, Name: group}},
		Resources: []scheduler.ResourceRule{{
			Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true,
		}},
	}}
}

// busy is a server with little room, sent writes that many watch, wide lists, exempt and unwelcome requests.
func busy(t testing.TB, minor int, duration time.Duration) *sim.Config {
	t.Helper()
	mean, err := workload.Exponential(50 * time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	clients := func(name string, rate float64, requests ...workload.Template) workload.Population {
		arrivals := workload.Poisson(rate)
		return workload.Population{
			Name: name, Clients: 3, User: name + "-{index}", Groups: []string{name}, Requests: requests, Duration: mean, Open: &arrivals,
		}
	}
	return &sim.Config{
		Scheduler: scheduler.Config{
			Release: release.Version{Minor: minor, Patch: release.Newest}, Seats: 20, RequestTimeout: 20 * time.Second, ConsistentReadsFromCache: true,
			PriorityLevels: []scheduler.PriorityLevel{
				{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
				{Name: scheduler.CatchAll, Shares: 5, BorrowingLimitPercent: 0},
				{Name: "work", Shares: 80, LendablePercent: 50, BorrowingLimitPercent: -1, Queuing: &scheduler.Queuing{Queues: 4, HandSize: 2, QueueLengthLimit: 10}},
			},
			FlowSchemas: []scheduler.FlowSchema{
				{Name: scheduler.Exempt, Precedence: 1, PriorityLevel: scheduler.Exempt, Rules: everything("masters")},
				{Name: "workers", Precedence: 200, PriorityLevel: "work", Distinguisher: scheduler.ByUser, Rules: everything("workers")},
				{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll, Distinguisher: scheduler.ByUser, Rules: everything("*")},
			},
			Objects: []scheduler.ObjectCount{{Resource: "pods", Count: 900, AverageBytes: 1000}},
			Watches: []scheduler.WatchCount{{Resource: "pods", Count: 45}},
		},
		Duration: duration, Warmup: time.Second, Seed: 7,
		Populations: []workload.Population{
			clients("workers", 120,
				workload.Template{Verb: "update", Resource: "pods", Namespace: "default", Name: "x", Weight: 3},
				workload.Template{Verb: "list", Resource: "pods", Weight: 1},
				workload.Template{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 6},
				workload.Template{Verb: "watch", Resource: "pods", Weight: 1}),
			clients("masters", 5, workload.Template{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 1}),
			clients("others", 20, workload.Template{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 1}),
		},
	}
}

// run scrapes a run, and returns its decision log too.
func run(t testing.TB, cfg *sim.Config) (*reports.Result, []decision) {
	t.Helper()
	var text bytes.Buffer
	log, o := reports.NewDecisionLog(&text), NewObserver()
	if _, err := sim.Run(cfg, 0, reports.Tee(log, o), nil); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	var all []decision
	for line := range strings.Lines(text.String()) {
		var d decision
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return &reports.Result{Expositions: o.Expositions()}, all
}

// decision is a line of the decision log.
type decision struct {
	FlowSchema    string            `json:"flowSchema"`
	PriorityLevel string            `json:"priorityLevel"`
	InitialSeats  int               `json:"initialSeats"`
	FinalSeats    int               `json:"finalSeats"`
	Outcome       string            `json:"outcome"`
	Reason        string            `json:"reason"`
	Arrival       *reports.Duration `json:"arrival"`
	Dispatched    *reports.Duration `json:"dispatched"`
	Finished      *reports.Duration `json:"finished"`
}

// parsed reads what is written as Prometheus would, the last scrape of a result.
func parsed(t testing.TB, r *reports.Result) map[string]*dto.MetricFamily {
	t.Helper()
	times := Times(r)
	var text bytes.Buffer
	if err := WriteText(&text, r, times[len(times)-1]); err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(&text)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// find returns the series with these values of labels, whatever their names.
func find(f *dto.MetricFamily, values ...string) *dto.Metric {
next:
	for _, m := range f.GetMetric() {
		for _, v := range values {
			has := false
			for _, l := range m.Label {
				has = has || l.GetValue() == v
			}
			if !has {
				continue next
			}
		}
		return m
	}
	return nil
}

// TestAgainstTheDecisionLog: what histograms and counters count is what the log tells.
func TestAgainstTheDecisionLog(t *testing.T) {
	for _, minor := range []int{20, 22, 24, 27, 28, 37} {
		t.Run(fmt.Sprint("1.", minor), func(t *testing.T) {
			r, log := run(t, busy(t, minor, 30*time.Second))
			families := parsed(t, r)
			for _, c := range []struct{ schema, level string }{{"workers", "work"}, {"catch-all", "catch-all"}, {"exempt", "exempt"}} {
				checkAgainst(t, families, log, minor, c.schema, c.level)
			}
		})
	}
}

// tally is what a decision log tells of a flow schema.
type tally struct {
	dispatched, waited, turnedAway, finished, estimated int
	waits                                               float64
	rejected                                            map[string]int
	buckets                                             map[float64]int
}

func tallyOf(log []decision, schema string) tally {
	c := tally{rejected: map[string]int{}, buckets: map[float64]int{}}
	waited := func(d *decision, until *reports.Duration) {
		wait := time.Duration(*until - *d.Arrival).Seconds()
		c.waited++
		c.waits += wait
		for _, bound := range seconds15 {
			if wait <= bound {
				c.buckets[bound]++
			}
		}
	}
	for i := range log {
		d := &log[i]
		if d.FlowSchema != schema {
			continue
		}
		c.estimated++
		switch {
		case d.Dispatched != nil:
			c.dispatched++
			waited(d, d.Dispatched)
			if d.Finished != nil {
				c.finished++
			}
		case d.Outcome == "rejected":
			c.rejected[d.Reason]++
			if d.Reason == "queue-full" || d.Reason == "concurrency-limit" {
				c.turnedAway++
			} else {
				waited(d, d.Finished)
			}
		}
	}
	return c
}

func checkAgainst(t *testing.T, families map[string]*dto.MetricFamily, log []decision, minor int, schema, level string) {
	t.Helper()
	want := tallyOf(log, schema)
	if want.estimated == 0 {
		t.Fatalf("nothing of %s", schema)
	}
	family := func(name string) *dto.MetricFamily { return families[prefix+name] }
	equal := func(what string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s of %s: %d, want %d", what, schema, got, want)
		}
	}
	equal("dispatched", int(find(family("dispatched_requests_total"), schema, level).GetCounter().GetValue()), want.dispatched)
	for reason, n := range want.rejected {
		if reason == "ejected" {
			n = 0 // no metric counts it
		}
		equal(reason, int(find(family("rejected_requests_total"), schema, level, reason).GetCounter().GetValue()), n)
	}
	executions := 0
	for _, m := range family("request_execution_seconds").GetMetric() {
		if find(&dto.MetricFamily{Metric: []*dto.Metric{m}}, schema) != nil {
			executions += int(m.GetHistogram().GetSampleCount())
		}
	}
	equal("executions", executions, want.finished)
	if minor >= 24 && (schema != "exempt" || minor >= 28) {
		equal("estimates", int(find(family("work_estimated_seats"), schema).GetHistogram().GetSampleCount()), want.estimated)
	}
	if schema == "exempt" {
		if find(family("request_wait_duration_seconds"), schema) != nil {
			t.Errorf("the waits of exempt requests are measured")
		}
		return
	}
	waits := find(family("request_wait_duration_seconds"), schema, "true").GetHistogram()
	equal("waits", int(waits.GetSampleCount()), want.waited)
	equal("turned away", int(find(family("request_wait_duration_seconds"), schema, "false").GetHistogram().GetSampleCount()), want.turnedAway)
	if math.Abs(waits.GetSampleSum()-want.waits) > 1e-6 {
		t.Errorf("waits of %s add up to %v, want %v", schema, waits.GetSampleSum(), want.waits)
	}
	for _, b := range waits.GetBucket() {
		if !math.IsInf(b.GetUpperBound(), 1) {
			equal(fmt.Sprint("waits up to ", b.GetUpperBound()), int(b.GetCumulativeCount()), want.buckets[b.GetUpperBound()])
		}
	}
}

// TestLongSums: a sum of nanoseconds is not bounded by 64 bits.
func TestLongSums(t *testing.T) {
	var c counts
	year := int64(365 * 24 * time.Hour)
	for range 1000 {
		c.observe(bounds{1, year}, year)
	}
	both := c.sum
	both.add(c.sum)
	if got, want := both.float()/1e9, 2000*365*86400.0; got != want {
		t.Errorf("a sum of %v, want %v", got, want)
	}
}

// TestCatchAllBeginsAlone: in 1.23 a level has a seat in use that nobody uses. Until its limit is known it has one seat,
// but the catch-all level, which is there before the others are read, has all 20 seats of the server.
func TestCatchAllBeginsAlone(t *testing.T) {
	for _, c := range []struct {
		minor int
		level string
		// first is how far the ratio moves in the first millisecond. It does not move after that.
		first float64
	}{
		{23, "catch-all", 1.0/2 - 1.0/20}, {23, "work", 1 - 1.0/19}, {24, "catch-all", 0}, {24, "work", 0},
	} {
		cfg := busy(t, c.minor, maintenance)
		cfg.Populations = nil
		r, _ := run(t, cfg)
		marks := parsed(t, r)[prefix+"priority_level_seat_count_watermarks"]
		high, low := find(marks, c.level, "high").GetHistogram(), find(marks, c.level, "low").GetHistogram()
		if n := high.GetSampleCount(); n != 10_000 || low.GetSampleCount() != n {
			t.Errorf("1.%d: %d marks of %s, want one in a millisecond", c.minor, n, c.level)
		}
		if got := high.GetSampleSum() - low.GetSampleSum(); math.Abs(got-c.first) > 1e-6 {
			t.Errorf("1.%d: the ratio of %s moves by %v at first, want %v", c.minor, c.level, got, c.first)
		}
	}
}
