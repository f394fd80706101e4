package fullrun

import (
	"fmt"
	"strings"
)

// maxReported bounds the differences that are written out.
const maxReported = 10

// CompareDecisions returns "" if the two logs agree on every field that both of
// them hold, for every request, or else a text with the first differences.
func CompareDecisions(want, got []Decision) string {
	var d differences
	if len(want) != len(got) {
		d.add("%d decisions, want %d", len(got), len(want))
	}
	for i := range min(len(want), len(got)) {
		if fields := differentFields(&want[i], &got[i]); len(fields) > 0 {
			d.add("request %d: %s", want[i].ID, strings.Join(fields, ", "))
		}
	}
	return d.String()
}

// differentFields names the fields in which two decisions differ, with the values.
func differentFields(want, got *Decision) []string {
	var fields []string
	field := func(name string, want, got any) {
		if want != got {
			fields = append(fields, fmt.Sprintf("%s %v, want %v", name, got, want))
		}
	}
	field("id", want.ID, got.ID)
	field("arrival", want.Arrival, got.Arrival)
	field("flowSchema", want.FlowSchema, got.FlowSchema)
	field("priorityLevel", want.PriorityLevel, got.PriorityLevel)
	field("initialSeats", want.InitialSeats, got.InitialSeats)
	field("finalSeats", want.FinalSeats, got.FinalSeats)
	field("additionalLatency", want.AdditionalLatency, got.AdditionalLatency)
	field("outcome", want.Outcome, got.Outcome)
	field("dispatched", want.Dispatched, got.Dispatched)
	field("finished", want.Finished, got.Finished)
	field("retryAfter", want.RetryAfter, got.RetryAfter)
	// The filter does not tell these three, so a recorded log has none of them.
	if want.Reason != "" && got.Reason != "" {
		field("reason", want.Reason, got.Reason)
	}
	if want.Flow != nil && got.Flow != nil {
		field("flow", *want.Flow, *got.Flow)
	}
	if want.Queue != nil && got.Queue != nil {
		field("queue", *want.Queue, *got.Queue)
	}
	return fields
}

// CompareRuns does the same for whole runs: decisions, and adjustments as far as the
// shorter run goes. Every float must agree to the last bit.
func CompareRuns(want, got *Run) string {
	var d differences
	for i := range min(len(want.Adjustments), len(got.Adjustments)) {
		if w, g := want.Adjustments[i], got.Adjustments[i]; w != g {
			d.add("adjustment\n\t     %v\n\twant %v", g, w)
		}
	}
	return CompareDecisions(want.Decisions, got.Decisions) + d.String()
}

// differences collects what differs and counts what it no longer keeps.
type differences struct {
	kept  []string
	count int
}

func (d *differences) add(format string, args ...any) {
	if d.count++; len(d.kept) < maxReported {
		d.kept = append(d.kept, fmt.Sprintf(format, args...))
	}
}

func (d *differences) String() string {
	if d.count == 0 {
		return ""
	}
	return fmt.Sprintf("%d differences:\n%s", d.count, strings.Join(d.kept, "\n"))
}
