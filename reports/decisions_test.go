package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/sim"
)

// logged is a line of a decision log as a reader sees it.
type logged struct {
	ID                                 *int64
	Arrival, FlowSchema, PriorityLevel string
	Flow                               *string
	Queue                              *int32
	InitialSeats, FinalSeats           int
	AdditionalLatency, Outcome, Reason string
	Dispatched, Finished, RetryAfter   string
}

// fields are the names in the order of the contract.
var fields = []string{"id", "arrival", "flowSchema", "priorityLevel", "flow", "queue", "initialSeats", "finalSeats",
	"additionalLatency", "outcome", "reason", "dispatched", "finished", "retryAfter"}

// text writes a time as a reader expects it, "" for one that did not come.
func timeText(d time.Duration) string {
	if d < 0 {
		return ""
	}
	return d.String()
}

// The log of a run has each request once, in the order of id, with what the world says.
func TestDecisionLogOfARun(t *testing.T) {
	var out bytes.Buffer
	l, d := &ledger{}, NewDecisionLog(&out)
	if _, err := sim.Run(crowdedConfig(t, 20*time.Second), 0, Tee(l, d), nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(l.requests) {
		t.Fatalf("%d lines for %d requests", len(lines), len(l.requests))
	}
	outcomes := map[string]int{}
	server := l.world.Server()
	for i, line := range lines {
		var got logged
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&got); err != nil {
			t.Fatalf("line %d: %v: %s", i, err, line)
		}
		r := l.requests[int64(i)]
		outcome, retry := "", ""
		if r.Dispatched >= 0 {
			outcome = "executed"
		}
		if r.Reason != 0 {
			outcome, retry = "rejected", fmt.Sprint(r.RetryAfter)
		}
		outcomes[outcome+got.Reason]++
		if *got.ID != r.ID || got.Arrival != timeText(r.Arrival) || got.Dispatched != timeText(r.Dispatched) || got.Finished != timeText(r.Finished) ||
			got.Outcome != outcome || got.Reason != r.Reason.String() || got.RetryAfter != retry ||
			got.InitialSeats != r.Estimate.InitialSeats || got.FinalSeats != r.Estimate.FinalSeats ||
			got.FlowSchema != server.Schemas()[r.Schema] || got.PriorityLevel != server.Levels()[r.Level].Name {
			t.Fatalf("line %d is %s\nof %+v", i, line, r)
		}
		if (got.Flow == nil) != (r.Flow < 0) || got.Flow != nil && *got.Flow != server.Flow(r.Flow).Distinguisher ||
			(got.Queue == nil) != (r.Queue < 0) || got.Queue != nil && *got.Queue != r.Queue {
			t.Fatalf("line %d is %s\nof %+v", i, line, r)
		}
		checkOrder(t, line)
	}
	for _, kind := range []string{"", "executed", "rejectedqueue-full", "rejectedconcurrency-limit"} {
		if outcomes[kind] == 0 {
			t.Errorf("no request with outcome %q", kind)
		}
	}
}

// checkOrder holds that the fields of a line come in the order of the contract.
func checkOrder(t *testing.T, line string) {
	t.Helper()
	last := -1
	for _, f := range fields {
		if at := strings.Index(line, `"`+f+`":`); at >= 0 {
			if at < last {
				t.Fatalf("%s is too early in %s", f, line)
			}
			last = at
		}
	}
}

// Whatever the order in which requests arrive and end, lines come in the order of id,
// and each as soon as those before it have ended.
func TestReorder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3*pageSize).Draw(t, "n")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var written []int64
		o := newReorder(func(id int64, _ *entry) { written = append(written, id) })
		spread := rapid.SampledFrom([]int{1, 10, 1000}).Draw(t, "spread")
		arrived, ended := random.Perm(n), make([]bool, n)
		if spread == 1 {
			for i := range arrived {
				arrived[i] = i
			}
		}
		var inFlight []int64
		for len(arrived) > 0 || len(inFlight) > 0 {
			if len(arrived) > 0 && (len(inFlight) == 0 || random.IntN(spread+1) > 0) {
				o.open(0, int64(arrived[0])).state = present
				inFlight, arrived = append(inFlight, int64(arrived[0])), arrived[1:]
				continue
			}
			i := random.IntN(len(inFlight))
			id := inFlight[i]
			inFlight[i] = inFlight[len(inFlight)-1]
			inFlight = inFlight[:len(inFlight)-1]
			o.at(id).state = settled
			ended[id] = true
			o.flush(id)
			for due := len(written); due < n && ended[due]; due++ {
				t.Fatalf("request %d and all before it have ended, but %d lines are written", due, len(written))
			}
		}
		for i, id := range written {
			if int64(i) != id {
				t.Fatalf("line %d is of request %d", i, id)
			}
		}
		if len(written) != n || len(o.pages) > 1 {
			t.Fatalf("%d of %d lines, %d pages left", len(written), n, len(o.pages))
		}
	})
}

// Blank lines of a trace have numbers that no request has. They hold nothing up for long:
// memory stays bounded, no line is lost, none is written out of order.
func TestReorderPassesOverBlankLines(t *testing.T) {
	const lateness = 50
	random := rand.New(rand.NewPCG(1, 2))
	var written []int64
	o := newReorder(func(id int64, _ *entry) { written = append(written, id) })
	o.numbersLines(lateness)
	// Line i arrives at i, or up to lateness earlier or later in such a way that none comes
	// more than lateness before one above it.
	const lines = 100_000
	var order []int64
	for block := int64(0); block < lines; block += lateness / 2 {
		for _, i := range random.Perm(lateness / 2) {
			if id := block + int64(i); id%97 != 0 { // every 97th line is blank
				order = append(order, id)
			}
		}
	}
	most := 0
	for i, id := range order {
		now := time.Duration(i)
		e := o.open(now, id)
		*e = entry{arrival: now, state: settled}
		o.flush(id)
		most = max(most, len(o.pages))
	}
	o.drain()
	if len(written) != len(order) {
		t.Fatalf("%d of %d lines", len(written), len(order))
	}
	for i := 1; i < len(written); i++ {
		if written[i] <= written[i-1] {
			t.Fatalf("request %d is written after %d", written[i], written[i-1])
		}
	}
	if most > 3*minCheck {
		t.Errorf("%d pages at once", most)
	}
}

// A retry has a number after the last line; that it has arrived tells nothing of lines.
func TestReorderDoesNotTakeRetriesForLines(t *testing.T) {
	var written []int64
	o := newReorder(func(id int64, _ *entry) { written = append(written, id) })
	o.numbersLines(0)
	const lines = 10_000
	for i := range int64(10 * pageSize) { // retries, while the lines are still to come
		*o.open(time.Duration(i), lines+i) = entry{arrival: time.Duration(i), again: true, state: settled}
	}
	for i := range int64(lines) {
		*o.open(time.Hour, i) = entry{arrival: time.Hour, state: settled}
		o.flush(i)
	}
	o.drain()
	if len(written) != lines+10*pageSize || written[0] != 0 || written[lines] != lines {
		t.Errorf("%d lines", len(written))
	}
}

func TestDecisionLogReportsErrors(t *testing.T) {
	for _, requests := range []time.Duration{6 * time.Second, 20 * time.Second} { // fits the buffer, does not
		d := NewDecisionLog(broken{})
		if _, err := sim.Run(crowdedConfig(t, requests), 0, d, nil); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != errBroken {
			t.Errorf("Close: %v", err)
		}
	}
	if err := NewDecisionLog(io.Discard).Close(); err != nil {
		t.Errorf("an empty log: %v", err)
	}
}
