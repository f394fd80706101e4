package tuning

import (
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/study"
)

// Kind identifies the document.
const Kind = "Proposal"

// The outcomes of a search.
const (
	// Found: the point meets all goals, on fresh replications too.
	Found = "found"
	// Unverified: points met all goals in the search, but none did so on fresh replications.
	Unverified = "unverified"
	// Impossible: no point meets all goals, of those that were looked at.
	Impossible = "impossible"
	// Exhausted: the budget ended before an answer.
	Exhausted = "exhausted"
)

// The verdicts of goals.
const (
	Met     = "met"
	Unclear = "unclear"
	Missed  = "missed"
)

// Proposal is what a search found.
type Proposal struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Program    study.Program    `json:"program"`
	Scenarios  []study.Scenario `json:"scenarios"`
	Search     study.Search     `json:"search"`
	Outcome    string           `json:"outcome"`
	Method     Method           `json:"method"`
	Points     Counts           `json:"points"`
	Runs       Runs             `json:"runs"`
	// Today is the scenario as it is.
	Today Point `json:"today"`
	// Changes are the knobs, today and at the recommended point; left out without one.
	Changes []Change `json:"changes,omitempty"`
	// Recommended is the point to take, absent if there is none.
	Recommended *Point `json:"recommended,omitempty"`
	// Reason says why it is that one.
	Reason string `json:"reason,omitempty"`
	// Verification holds the recommended point, or else the last one that was tried, against the
	// goals on replications that the search has not seen.
	Verification *Verification `json:"verification,omitempty"`
	// Front are the points that no other one is better than by objectives and goals.
	Front []Point `json:"front,omitempty"`
	// Sensitivity is one step of each knob to each side.
	Sensitivity []Step `json:"sensitivity,omitempty"`
	// Obstacles are the goals that stand in the way if there is no answer.
	Obstacles []Obstacle `json:"obstacles,omitempty"`
	// Price is what the recommended point takes, whatever was minimized; absent without one.
	Price *Spent `json:"price,omitempty"`
	// Cost is what the recommended point does to the waits of all levels.
	Cost []Effect `json:"cost,omitempty"`
}

// Change is what becomes of a knob.
type Change struct {
	Path string `json:"path"`
	// Today is "" where that is not known.
	Today string `json:"today,omitempty"`
	Value string `json:"value"`
}

// Spent is what a point takes: the seats of all servers, today and then, of the scenario with the most,
// and how many flow-control objects change.
type Spent struct {
	SeatsToday int64 `json:"seatsToday"`
	Seats      int64 `json:"seats"`
	Objects    int   `json:"objects"`
}

// Method is how was searched, and why so.
type Method struct {
	Name  string   `json:"name"`
	Why   string   `json:"why"`
	Notes []string `json:"notes,omitempty"`
}

// Counts is how many points there are.
type Counts struct {
	// All is how many the knobs make, Screened how many of them were looked at without a run, and
	// Candidates how many of these were left.
	All        int `json:"all"`
	Screened   int `json:"screened"`
	Candidates int `json:"candidates"`
	// Run is how many were run.
	Run int `json:"run"`
	// Invalid and Missed tell why screened points were left out.
	Invalid []Reason `json:"invalid,omitempty"`
	Missed  []Reason `json:"missed,omitempty"`
}

// Reason is why points were left out.
type Reason struct {
	Why    string `json:"why"`
	Points int    `json:"points"`
}

// Runs counts replications of one scenario.
type Runs struct {
	// Budget bounds Search; Grid is how many it takes to run all points in full.
	Budget int `json:"budget"`
	Search int `json:"search"`
	Grid   int `json:"grid"`
	// Fresh is how many were made beside, of the scenario as it is and to verify.
	Fresh int `json:"fresh"`
	// Replications is how many a point has in full.
	Replications int `json:"replications"`
	// Requests is how many requests were simulated in all records that count.
	Requests int64 `json:"requests"`
}

// Point is one point and how it does.
type Point struct {
	// Settings are none of the scenario as it is.
	Settings []study.Setting `json:"settings"`
	// Verdict is over all goals.
	Verdict string `json:"verdict"`
	// Why says why it cannot be, or which goal it misses for certain.
	Why          string  `json:"why,omitempty"`
	Replications int     `json:"replications"`
	Prices       []Price `json:"prices,omitempty"`
	// Goals are those of each scenario.
	Goals []Judged `json:"goals,omitempty"`
}

// Price is one objective.
type Price struct {
	Objective string `json:"objective"`
	// Metric gives it its unit; absent of one that is known without a run.
	Metric    reports.Metric `json:"metric,omitempty"`
	Value     reports.Value  `json:"value"`
	HalfWidth *reports.Value `json:"halfWidth,omitempty"`
}

// Judged is a goal held against a point.
type Judged struct {
	Goal     string         `json:"goal"`
	Scenario string         `json:"scenario,omitempty"`
	Verdict  string         `json:"verdict"`
	Metric   reports.Metric `json:"metric,omitempty"`
	// Value is the mean over the replications, of an extreme the worst of them; absent without
	// data, and Why says why.
	Value     *reports.Value `json:"value,omitempty"`
	HalfWidth *reports.Value `json:"halfWidth,omitempty"`
	Why       string         `json:"why,omitempty"`
	// Spare is how far the worst end of the interval is from the bound, as a part of the bound, or
	// as it is where that is 0; negative where it lies beyond, and least of all without data.
	Spare float64 `json:"spare"`
	// FewSamples tells that a quantile rests on too few requests to be more than a hint.
	FewSamples bool `json:"fewSamples,omitzero"`

	excess []float64
}

// Verification is a point on fresh replications.
type Verification struct {
	Verdict string `json:"verdict"`
	// First is the number of the first replication.
	First        int `json:"first"`
	Replications int `json:"replications"`
	// Refuted counts the points before it that failed here.
	Refuted int      `json:"refuted,omitzero"`
	Goals   []Judged `json:"goals"`
	// Worst is the goal that has the least to spare.
	Worst int `json:"worst"`
}

// Step is a neighbour of the recommended point.
type Step struct {
	Path  string `json:"path"`
	From  string `json:"from"`
	To    string `json:"to"`
	Point Point  `json:"point"`
}

// Obstacle is a goal that could not be met.
type Obstacle struct {
	Goal     string `json:"goal"`
	Scenario string `json:"scenario,omitempty"`
	// Alone tells that some point meets it, but none all of them.
	Alone bool `json:"alone,omitzero"`
	// Best is what comes nearest, at a point.
	Best Judged          `json:"best"`
	At   []study.Setting `json:"at"`
	// Ends are the knobs that are at an end of their values there, and Binds says what is used up.
	Ends  []string `json:"ends,omitempty"`
	Binds []string `json:"binds,omitempty"`
}

// Effect is what becomes of the waits of a level: before, after, and the difference pair by pair, on fresh
// replications.
type Effect struct {
	Scenario            string         `json:"scenario"`
	PriorityLevel       string         `json:"priorityLevel"`
	Metric              reports.Metric `json:"metric"`
	Quantile            float64        `json:"quantile,omitzero"`
	Before              reports.Value  `json:"before"`
	After               reports.Value  `json:"after"`
	Difference          reports.Value  `json:"difference"`
	DifferenceHalfWidth *reports.Value `json:"differenceHalfWidth,omitempty"`
}
