package reports

// APIVersion and Kind identify the result model in its JSON form.
const (
	APIVersion = "apfsim.dev/v1alpha1"
	Kind       = "Result"
)

// Result is what one or more replications of a scenario showed. Its JSON form is the
// machine-readable report. Unless a field says otherwise, counts are sums over the
// replications, averages are over all of their time, and distributions are over all
// of their requests.
type Result struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   Metadata `json:"metadata"`
	// KubernetesVersion is the release that was simulated.
	KubernetesVersion string `json:"kubernetesVersion"`
	Seed              uint64 `json:"seed"`
	// Duration is the virtual time that was asked for; absent when the run was to end with
	// its last request.
	Duration Duration `json:"duration,omitzero"`
	// Warmup is the time at the beginning that is left out of all other figures.
	Warmup Duration `json:"warmup"`
	// Partial tells that the run was interrupted: a replication ended early or is missing.
	Partial bool `json:"partial"`
	// Configuration is a hash of all that configures the server, its APF and its objects.
	Configuration string        `json:"configuration"`
	Replications  []Replication `json:"replications"`
	// FlowControl is what APF is configured with at the beginning.
	FlowControl *FlowControl `json:"flowControl,omitempty"`
	// Changes are those of the configuration during the first replication, if any.
	Changes []Change `json:"changes,omitempty"`
	Server  Server   `json:"server"`
	// Servers are left out for a single server that ran all the time and has no backend. Figures of levels, flow
	// schemas and flows are sums over the servers.
	Servers []ServerUse `json:"servers,omitempty"`
	// Etcd are the members behind the servers; left out without a backend.
	Etcd []MemberUse `json:"etcd,omitempty"`
	// Deadlocks and Inversions are of requests that call for others; left out if there are none.
	Deadlocks  *Deadlocks  `json:"deadlocks,omitempty"`
	Inversions []Inversion `json:"inversions,omitempty"`
	// Caveats say where the result says less than it seems to; left out without any.
	Caveats []Caveat `json:"caveats,omitempty"`
	// Precision is left out unless it was asked for.
	Precision *Precision `json:"precision,omitempty"`
	// Diagnoses say why the populations suffer that do, in the order of the scenario.
	Diagnoses []Diagnosis `json:"diagnoses,omitempty"`
	// PriorityLevels are in the order of their names, FlowSchemas in the order of matching,
	// with those that came during the run after the others, Populations in the order of the
	// scenario. What was deleted during the run is among them. A flow schema that led to
	// several levels is there once for each.
	PriorityLevels []PriorityLevel `json:"priorityLevels"`
	FlowSchemas    []FlowSchema    `json:"flowSchemas"`
	Populations    []Population    `json:"populations"`
	// Traffic tells which population met which flow schema, of those that met.
	Traffic []Traffic `json:"traffic"`
	Flows   Flows     `json:"flows"`
	// Figures are all that expectations can be about, and what each replication has of it.
	Figures Figures `json:"figures"`
	// Timeline is left out of a result that has none.
	Timeline *Timeline `json:"timeline,omitempty"`
	// Expectations are what the scenario expects and what became of it, in its order.
	Expectations []Judged `json:"expectations,omitempty"`
	// Tests are those of the configuration, in the order of the scenario; apfsim test alone runs
	// them. A result of tests alone has no replications, and nothing else.
	Tests []Tested `json:"tests,omitempty"`
	// Coverage is left out unless it was asked for.
	Coverage *Coverage `json:"coverage,omitempty"`
	// Source is what the result was made from; left out if nobody told.
	Source *Source `json:"source,omitempty"`
	// Expositions are what the servers would have told Prometheus, and Dumps what their debug
	// pages would have shown, at the times that were asked for and at the end of the first
	// replication.
	Expositions []Exposition `json:"expositions,omitempty"`
	Dumps       []Dump       `json:"dumps,omitempty"`

	// books are the distributions that the figures were taken from, for quantiles that
	// are not among them, and own those of each replication. A result that was read from JSON
	// has none.
	books *books
	own   []*books
	// parts are the books of parts of the run.
	parts map[Window]*merger
}

// Metadata names the scenario.
type Metadata struct {
	Name string `json:"name"`
}

// Replication is one run of the scenario, with random numbers of its own.
type Replication struct {
	Replication int `json:"replication"`
	// Requests counts all attempts, also in the warm-up.
	Requests int64 `json:"requests"`
	// End is the virtual time at which it ended.
	End     Duration `json:"end"`
	Partial bool     `json:"partial"`
	// Fingerprint stands for the whole trajectory, in 16 hexadecimal digits: runs with the
	// same one took the same decisions at the same times.
	Fingerprint string `json:"fingerprint"`
}

// Server is the API server as a whole, or all of them together.
type Server struct {
	// Seats is the number of requests in flight that it was configured for, each of several.
	Seats          int      `json:"seats"`
	RequestTimeout Duration `json:"requestTimeout"`
	// Requests are those that went through APF.
	Requests Requests `json:"requests"`
	Wait     *Wait    `json:"wait,omitempty"`
	// SeatsUsed is of all levels together.
	SeatsUsed *Number `json:"seatsUsed,omitempty"`
	// LongRunning counts the requests that APF does not concern.
	LongRunning int64 `json:"longRunning"`
	// Panics counts the times at which the real server would have panicked: a level has lost
	// queues, and one of them was removed with requests in it. What the report says of the
	// time after that is what would be if the server went on as before.
	Panics int `json:"panics,omitempty"`
}

// Requests tells what became of requests. Arrivals are the sum of Executed, of the
// rejections, of Waiting, and of Cut.Waiting; Executed is the sum of Finished, Executing and
// Cut.Executing.
type Requests struct {
	// Arrivals counts attempts: a request that is sent again arrives again.
	Arrivals int64 `json:"arrivals"`
	// Executed counts those that were dispatched.
	Executed int64 `json:"executed"`
	// Finished counts those whose execution ended.
	Finished int64    `json:"finished"`
	Rejected Rejected `json:"rejected"`
	// Cut are those that a server took with it when it stopped.
	Cut Cut `json:"cut,omitzero"`
	// Waiting and Executing are still there at the end of the run.
	Waiting   int64 `json:"waiting"`
	Executing int64 `json:"executing"`
}

// Rejected counts rejections by the reason that the server gives in
// apiserver_flowcontrol_rejected_requests_total. In releases up to 1.28.4 those whose timeout
// was over while they waited are Cancelled, and up to 1.22 Ejected, which that metric does
// not count.
type Rejected struct {
	Total            int64 `json:"total"`
	QueueFull        int64 `json:"queueFull"`
	ConcurrencyLimit int64 `json:"concurrencyLimit"`
	TimeOut          int64 `json:"timeOut"`
	Cancelled        int64 `json:"cancelled,omitzero"`
	Ejected          int64 `json:"ejected,omitzero"`
}

// Cut counts the requests in servers that stopped, by what they were doing.
type Cut struct {
	Total     int64 `json:"total"`
	Waiting   int64 `json:"waiting"`
	Executing int64 `json:"executing"`
}

// Wait is the distribution of the time from arrival to dispatch, or to the rejection
// of those that ran out of time in a queue. Requests that were rejected at once did
// not wait and are not in it. It is left out where nothing was measured.
//
// A quantile q is the smallest wait that at least the share q of the requests did not
// exceed, read from a histogram with three significant digits (two for single flows)
// and exact for up to 64 waits.
type Wait struct {
	// Count is the number of requests, Waited that of those which waited at all.
	Count  int64 `json:"count"`
	Waited int64 `json:"waited"`
	// Sum, Mean and Max are exact.
	Sum  Total    `json:"sum"`
	Mean Duration `json:"mean"`
	P50  Duration `json:"p50"`
	P75  Duration `json:"p75"`
	P90  Duration `json:"p90"`
	P95  Duration `json:"p95"`
	P99  Duration `json:"p99"`
	P999 Duration `json:"p999"`
	Max  Duration `json:"max"`
	// FewSamplesFor lists the quantiles that rest on too few requests to be more than a
	// hint: those of which fewer than one request lies beyond.
	FewSamplesFor []string `json:"fewSamplesFor,omitempty"`
	// Distribution is of levels and populations alone.
	Distribution []WaitStep `json:"distribution,omitempty"`
}

// WaitStep is one bucket of a distribution of waits, of which there are eight from any time to
// its double. Empty ones are left out.
type WaitStep struct {
	// LE is the longest wait in the bucket.
	LE Duration `json:"le"`
	// Count is of this bucket alone.
	Count int64 `json:"count"`
}

// WaitBucket is one bucket of apiserver_flowcontrol_request_wait_duration_seconds. The
// counts are of this bucket alone, not cumulative as in the exposition.
type WaitBucket struct {
	// LE is the upper bound in seconds, as the label says it.
	LE string `json:"le"`
	// ExecuteTrue counts those that were dispatched and, as the server does it, those that
	// ran out of time in a queue; ExecuteFalse those that were rejected at once.
	ExecuteTrue  int64 `json:"executeTrue"`
	ExecuteFalse int64 `json:"executeFalse"`
}

// Widths is the distribution of the seats that requests were estimated to occupy: the
// larger of initial and final seats.
type Widths struct {
	Mean Number `json:"mean"`
	Max  int    `json:"max"`
	// Buckets are those of apiserver_flowcontrol_work_estimated_seats, not cumulative;
	// empty ones are left out.
	Buckets []WidthBucket `json:"buckets"`
}

// WidthBucket is one bucket of a distribution of widths.
type WidthBucket struct {
	LE    string `json:"le"`
	Count int64  `json:"count"`
}

// PriorityLevel is what happened in one priority level.
type PriorityLevel struct {
	Name   string `json:"name"`
	Exempt bool   `json:"exempt,omitempty"`
	// Status at the end of the first replication is "quiescing" for a level that was deleted
	// and has requests, "gone" for one that was deleted and has none, and absent otherwise.
	Status string `json:"status,omitempty"`
	// Queuing is left out for a level that rejects at its limit, and for an exempt one.
	Queuing  *Queuing `json:"queuing,omitempty"`
	Requests Requests `json:"requests"`
	// Wait, and WaitHistogram with the real server's buckets, are left out for exempt
	// levels, where nothing waits and the server does not measure.
	Wait          *Wait        `json:"wait,omitempty"`
	WaitHistogram []WaitBucket `json:"waitHistogram,omitempty"`
	Widths        *Widths      `json:"widths,omitempty"`
	Seats         Seats        `json:"seats"`
	// Occupancy is left out if the run ended in its warm-up.
	Occupancy *Occupancy `json:"occupancy,omitempty"`
	// Intervals are left out for a single replication.
	Intervals *Intervals `json:"intervals,omitempty"`
	// Adjustments are those of the first replication, from its very start: all of them, or
	// of a long run every second, every fourth and so on, at most 1000.
	Adjustments []Adjustment `json:"adjustments"`
	// Backlog is left out if nothing ever waited.
	Backlog *Backlog `json:"backlog,omitempty"`
	// Sharding is left out where no flow was told apart.
	Sharding *Sharding `json:"sharding,omitempty"`
	// SaturatedIn is in how many replications the level was saturated: all of its seats were in
	// use, or requests had to wait or were rejected. An exempt level never is.
	SaturatedIn int `json:"saturatedIn,omitzero"`
	// Blame is left out if nothing that counts waited, Fairness if there were not two flows.
	Blame    *Blame    `json:"blame,omitempty"`
	Fairness *Fairness `json:"fairness,omitempty"`
}

// Queuing are the queues of a priority level.
type Queuing struct {
	Queues           int `json:"queues"`
	HandSize         int `json:"handSize"`
	QueueLengthLimit int `json:"queueLengthLimit"`
}

// Seats are the limits of a priority level. Nominal, Min and Max are those that it had last.
type Seats struct {
	Nominal int `json:"nominal"`
	Min     int `json:"min"`
	Max     int `json:"max"`
	// Current is the limit at the end of the first replication, 0 if the level is gone.
	Current int `json:"current"`
	// CurrentLowest and CurrentHighest are the extremes since the warm-up, of all
	// replications, while the level was there.
	CurrentLowest  int `json:"currentLowest"`
	CurrentHighest int `json:"currentHighest"`
}

// Occupancy is how full a priority level was, over time. Only states that lasted count:
// what a state is within one moment does not.
type Occupancy struct {
	// While a level is not there it has a limit of 0.
	//
	// CurrentAverage is the mean limit, SeatsUsedAverage the mean and SeatsUsedPeak the
	// highest number of seats in use, lingering seats included.
	CurrentAverage   Number `json:"currentAverage"`
	SeatsUsedAverage Number `json:"seatsUsedAverage"`
	SeatsUsedPeak    int64  `json:"seatsUsedPeak"`
	// WaitingAverage and WaitingPeak are of the requests in all queues together.
	WaitingAverage Number `json:"waitingAverage"`
	WaitingPeak    int64  `json:"waitingPeak"`
	// LongestQueue is the most requests that waited in one queue.
	LongestQueue int64 `json:"longestQueue"`
}

// Adjustment is a priority level right after its limit was adjusted, be it that ten seconds
// were over or that the configuration had changed. A level that was not there from the
// beginning has its first one when it comes.
type Adjustment struct {
	Time Duration `json:"time"`
	// Gone tells that the level has gone at this time, and has no limit until the next one.
	Gone       bool  `json:"gone,omitempty"`
	Current    int64 `json:"current"`
	SeatsInUse int64 `json:"seatsInUse"`
	Waiting    int64 `json:"waiting"`
	// SeatsPeak is the highest number of seats in use from then to the next adjustment.
	SeatsPeak int64 `json:"seatsPeak"`
}

// FlowSchema is what happened to the requests that matched one flow schema.
type FlowSchema struct {
	Name          string       `json:"name"`
	PriorityLevel string       `json:"priorityLevel"`
	Requests      Requests     `json:"requests"`
	Wait          *Wait        `json:"wait,omitempty"`
	WaitHistogram []WaitBucket `json:"waitHistogram,omitempty"`
	Widths        *Widths      `json:"widths,omitempty"`
	// SeatsUsed is the mean number of seats in use, by the widths estimated on arrival.
	SeatsUsed *Number `json:"seatsUsed,omitempty"`
}

// Population is what happened to one population of clients.
type Population struct {
	Name   string `json:"name"`
	Preset string `json:"preset,omitempty"`
	// Clients is 0 for a trace, which does not tell them apart.
	Clients int `json:"clients"`
	// FirstAttempts counts the arrivals that are no retries.
	FirstAttempts int64 `json:"firstAttempts"`
	// Requests include long-running ones, which LongRunning counts.
	Requests    Requests `json:"requests"`
	LongRunning int64    `json:"longRunning"`
	// Wait covers all requests that went through APF, also at exempt levels.
	Wait *Wait `json:"wait,omitempty"`
	// Retries counts the rejections after which the client decided to send again, GaveUp
	// those after which it did not.
	Retries int64 `json:"retries"`
	GaveUp  int64 `json:"gaveUp"`
	// LeasesRenewed counts renewals in time, LeasesLost missed renew deadlines.
	LeasesRenewed int64      `json:"leasesRenewed"`
	LeasesLost    int64      `json:"leasesLost"`
	SeatsUsed     *Number    `json:"seatsUsed,omitempty"`
	Intervals     *Intervals `json:"intervals,omitempty"`
	// Refused, Operations and Executions are left out where there are none.
	Refused    *Refused    `json:"refused,omitempty"`
	Operations *Operations `json:"operations,omitempty"`
	Executions *Executions `json:"executions,omitempty"`
	// Throttled is how often a client's own limiter has held an attempt back, HeldAtEnd how many
	// of these it would let pass only after the run: no other figure knows of them. Restarts is
	// how often a process has ended and begun anew, Dropped what clients have thrown away:
	// events, or keys of their queues.
	Throttled int64 `json:"throttled,omitzero"`
	HeldAtEnd int64 `json:"heldAtEnd,omitzero"`
	Restarts  int64 `json:"restarts,omitzero"`
	// PlannedRestarts tells that a rollout restarts the processes.
	PlannedRestarts bool  `json:"plannedRestarts,omitzero"`
	Dropped         int64 `json:"dropped,omitzero"`
	// NotReady is of nodes, Sync of informers. Both are left out for other clients.
	NotReady *NotReady `json:"notReady,omitempty"`
	Sync     *Sync     `json:"sync,omitempty"`
	// Backlog is left out if nothing ever waited, Barren if it never got nothing done.
	Backlog *Backlog `json:"backlog,omitempty"`
	Barren  *Barren  `json:"barren,omitempty"`
}

// Traffic is what happened to the requests of one population that matched one flow
// schema.
type Traffic struct {
	Population    string   `json:"population"`
	FlowSchema    string   `json:"flowSchema"`
	PriorityLevel string   `json:"priorityLevel"`
	Requests      Requests `json:"requests"`
	Wait          *Wait    `json:"wait,omitempty"`
	SeatsUsed     *Number  `json:"seatsUsed,omitempty"`
}

// Intervals are confidence intervals of 95 % over the replications, whose figures are
// independent and identically distributed: mean plus and minus Student's t. A
// replication without the figure is left out of it.
type Intervals struct {
	MeanWait *DurationInterval `json:"meanWait,omitempty"`
	P99Wait  *DurationInterval `json:"p99Wait,omitempty"`
	// RejectedFraction is of the arrivals.
	RejectedFraction *Interval `json:"rejectedFraction,omitempty"`
	SeatsUsed        *Interval `json:"seatsUsed,omitempty"`
	// P99Latency is of the operations of clients that succeeded, ErrorRate the part of those
	// that failed; both are of populations alone.
	P99Latency *DurationInterval `json:"p99Latency,omitempty"`
	ErrorRate  *Interval         `json:"errorRate,omitempty"`
}

// Interval is a mean over replications and what it may be off by.
type Interval struct {
	Mean Number `json:"mean"`
	// HalfWidth is left out for a single replication, which tells nothing about it.
	HalfWidth    *Number `json:"halfWidth,omitempty"`
	Replications int     `json:"replications"`
}

// DurationInterval is an Interval of a time.
type DurationInterval struct {
	Mean         Duration  `json:"mean"`
	HalfWidth    *Duration `json:"halfWidth,omitempty"`
	Replications int       `json:"replications"`
}
