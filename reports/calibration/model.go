package calibration

import "github.com/apfsim/apfsim/reports"

// DocumentKind identifies a calibration in its JSON form, with reports.APIVersion.
const DocumentKind = "Calibration"

// Calibration is what was simulated, held against what was recorded.
type Calibration struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Scenario and Record are what was compared, and Source is the kind of the record: "trace" or
	// "metrics".
	Scenario string `json:"scenario"`
	Record   string `json:"record"`
	Source   string `json:"source"`
	// From and Until are the time that is compared, since the start of the run.
	From              reports.Duration `json:"from"`
	Until             reports.Duration `json:"until"`
	KubernetesVersion string           `json:"kubernetesVersion"`
	// Seats are those of all servers, and Servers is how many there are.
	Seats        int    `json:"seats"`
	Servers      int    `json:"servers"`
	Seed         uint64 `json:"seed"`
	Replications int    `json:"replications"`
	// Within is the tolerance, as a part of what was recorded.
	Within reports.Number `json:"within"`
	// Counts is how many figures agree.
	Counts Counts `json:"counts"`
	// Reasons are why the two disagree, the surest first.
	Reasons []Reason `json:"reasons"`
	// Notes say what the record does not tell, and what was done about it.
	Notes []string `json:"notes,omitempty"`
	// Rows are all figures: by subject, first of the whole time and then, of priority levels, of
	// each span.
	Rows []Row `json:"rows"`
}

// Counts is how many figures of levels, schemas, users and servers over the whole time have which
// verdict.
type Counts struct {
	// Agree, Differ and TooFew count the verdicts of these names.
	Agree  int `json:"agree"`
	Differ int `json:"differ"`
	TooFew int `json:"tooFew"`
}

// Metric is what a figure is.
type Metric string

// The metrics. Rejected is of all reasons unless the row has one; Wait and Execution are a
// quantile in seconds, or without one the distance of the distributions; Seats are those in use,
// on average over time.
const (
	Rate      Metric = "requestsPerSecond"
	Rejected  Metric = "rejected"
	Wait      Metric = "wait"
	Execution Metric = "execution"
	Seats     Metric = "seats"
)

// Verdict is what can be said of a figure.
type Verdict string

// The verdicts. TooFew stands where too few requests were recorded for a quantile.
const (
	Agrees  Verdict = "agrees"
	Differs Verdict = "differs"
	TooFew  Verdict = "too few"
)

// Row is one figure on both sides.
type Row struct {
	// PriorityLevel, FlowSchema, Users and Server are what the figure is of. Users are those whose
	// names differ in a number alone, which is {index}.
	PriorityLevel string `json:"priorityLevel,omitempty"`
	FlowSchema    string `json:"flowSchema,omitempty"`
	Users         string `json:"users,omitempty"`
	Server        string `json:"server,omitempty"`
	Metric        Metric `json:"metric"`
	// Reason is that of the rejections, "" for all.
	Reason   string  `json:"reason,omitempty"`
	Quantile float64 `json:"quantile,omitzero"`
	// From and Until are of a span; both are absent for the whole time.
	From  *reports.Duration `json:"from,omitempty"`
	Until *reports.Duration `json:"until,omitempty"`
	// Recorded and Simulated are the figures, the second one as the mean of the replications;
	// absent without data. Of a distance there are none.
	Recorded  *reports.Number `json:"recorded,omitempty"`
	Simulated *reports.Number `json:"simulated,omitempty"`
	// Spread is how far from Simulated one more replication would be, in 95 of 100 cases; absent
	// for a single replication.
	Spread *reports.Number `json:"spread,omitempty"`
	// Relative is the difference as a part of what was recorded; absent if that is 0.
	Relative *reports.Number `json:"relative,omitempty"`
	// Distance is the Kolmogorov-Smirnov distance, and Chance what it may be by chance.
	Distance *reports.Number `json:"distance,omitempty"`
	Chance   *reports.Number `json:"chance,omitempty"`
	// Requests is how many recorded requests the row rests on.
	Requests int64   `json:"requests"`
	Verdict  Verdict `json:"verdict"`

	subject Subject
	span    int // -1 for the whole time
}

// Reason is why the two disagree, as far as the figures show.
type Reason struct {
	// Code is stable. PriorityLevel is the level that it is about, "" if it is about more.
	Code          Code   `json:"code"`
	PriorityLevel string `json:"priorityLevel,omitempty"`
	// What says what is likely, Evidence which figures show it, and Remedy what to do.
	What     string `json:"what"`
	Evidence string `json:"evidence"`
	Remedy   string `json:"remedy,omitempty"`
}

// Agrees tells whether no figure of the whole time differs.
func (c *Calibration) Agrees() bool { return c.Counts.Differ == 0 }
