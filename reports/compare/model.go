package compare

import "github.com/apfsim/apfsim/reports"

// Kind identifies a comparison in its JSON form, with reports.APIVersion.
const Kind = "Comparison"

// Comparison is what differs between two results, A before and B after.
type Comparison struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	A          Side   `json:"a"`
	B          Side   `json:"b"`
	// Method is how figures are compared, and Why says why it is not paired.
	Method Method `json:"method"`
	Why    string `json:"why,omitempty"`
	// Confidence is the level of the intervals.
	Confidence float64 `json:"confidence"`
	// Identical tells that all replications took the same decisions at the same times.
	Identical bool `json:"identical"`
	// Notes are what else there is to know about the comparison.
	Notes []string `json:"notes,omitempty"`
	// Configuration is what differs in what the servers and clients are configured with, Moved
	// the requests that only one of the sides sends to a flow schema and level.
	Configuration []Setting `json:"configuration"`
	Moved         []Moved   `json:"moved,omitempty"`
	Counts        Counts    `json:"counts"`
	// Rows are all figures of either side, in the order of importance within a subject.
	Rows []Row `json:"rows"`
	// Conditions are what must not be, and what became of each.
	Conditions []Judgment `json:"conditions,omitempty"`
	// Results are A and B themselves, for the charts, if the comparison has kept them.
	Results []*reports.Result `json:"results,omitempty"`
}

// Side is one of the two results.
type Side struct {
	Name string `json:"name"`
	// Scenario is the name of the scenario, Command what makes the result again, if it is known.
	Scenario          string `json:"scenario"`
	Command           string `json:"command,omitempty"`
	KubernetesVersion string `json:"kubernetesVersion"`
	Seats             int    `json:"seats"`
	Seed              uint64 `json:"seed"`
	Replications      int    `json:"replications"`
	// Expected is how many expectations the scenario has, and Passed how many of them hold.
	Expected int `json:"expected"`
	Passed   int `json:"passed"`
	// Partial tells that the run was interrupted.
	Partial bool `json:"partial,omitzero"`
}

// Method is how the figures of two results are compared.
type Method string

// The methods: by the differences of pairs that share their random numbers, by the difference
// of means that share nothing, and not at all, since one replication tells nothing about how
// much chance there is in a figure.
const (
	Paired   Method = "paired"
	Unpaired Method = "unpaired"
	Single   Method = "single"
)

// Setting is something that is configured otherwise. The values are absent where a side does
// not have it.
type Setting struct {
	// Path is as --set has it where it can be set, else in words.
	Path string `json:"path"`
	A    string `json:"a,omitempty"`
	B    string `json:"b,omitempty"`
}

// Moved are the requests of a population that matched a flow schema on one side alone, in the
// mean over the replications.
type Moved struct {
	Client        string         `json:"client"`
	FlowSchema    string         `json:"flowSchema"`
	PriorityLevel string         `json:"priorityLevel,omitempty"`
	A             reports.Number `json:"a"`
	B             reports.Number `json:"b"`
}

// Counts is how many rows have which verdict.
type Counts struct {
	Better  int `json:"better"`
	Worse   int `json:"worse"`
	Changed int `json:"changed"`
	Unclear int `json:"unclear"`
	Same    int `json:"same"`
}

// Verdict is what can be said of a figure.
type Verdict string

// The verdicts. Unclear is written as ~: the interval of the difference includes 0, or there
// is none. Same are figures that are equal in every replication. Changed is neither good nor
// bad, as the seats in use.
const (
	Better  Verdict = "better"
	Worse   Verdict = "worse"
	Changed Verdict = "changed"
	Unclear Verdict = "~"
	Same    Verdict = "same"
)

// Row is one figure on both sides.
type Row struct {
	Metric        reports.Metric `json:"metric"`
	PriorityLevel string         `json:"priorityLevel,omitempty"`
	FlowSchema    string         `json:"flowSchema,omitempty"`
	Client        string         `json:"client,omitempty"`
	Holder        string         `json:"holder,omitempty"`
	Server        *int           `json:"server,omitempty"`
	Quantile      float64        `json:"quantile,omitzero"`
	// A and B are the means over the replications that are compared, absent without data.
	A *reports.Value `json:"a,omitempty"`
	B *reports.Value `json:"b,omitempty"`
	// Difference is B - A, and HalfWidth what it may be off by; they are absent where there is
	// no interval. Relative and RelativeHalfWidth are the same as parts of A, absent if that is 0.
	Difference        *reports.Value  `json:"difference,omitempty"`
	HalfWidth         *reports.Value  `json:"halfWidth,omitempty"`
	Relative          *reports.Number `json:"relative,omitempty"`
	RelativeHalfWidth *reports.Number `json:"relativeHalfWidth,omitempty"`
	Verdict           Verdict         `json:"verdict"`
	// Replications is how many pairs, or how many of each side, the row rests on.
	Replications int `json:"replications"`
	// Needed is about how many replications it would take to tell a difference of this size
	// from none; absent if there is a verdict, or if no number up to 10,000 is enough.
	Needed int `json:"needed,omitzero"`
	// FewSamples tells that a quantile rests on too few requests on one of the sides.
	FewSamples bool `json:"fewSamples,omitzero"`
	// Why says why there is no interval, or no value on one side.
	Why string `json:"why,omitempty"`
}
