package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/apfsim/apfsim/reports"
)

// APIVersion, StudyKind and RecordKind identify the documents in a folder of results, and SweepKind
// the table of a sweep.
const (
	APIVersion = "apfsim.dev/v1alpha1"
	StudyKind  = "Study"
	RecordKind = "StudyRecord"
	SweepKind  = "Sweep"
)

// Study is what is tried: some scenarios at some points.
type Study struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Program is what makes the records: others may take other decisions.
	Program Program `json:"program"`
	// Command makes all of it, as one types it, without where it goes and which part of it.
	Command string `json:"command,omitempty"`
	// Scenarios are run at each point.
	Scenarios []Scenario `json:"scenarios"`
	// Factors are what is varied, and Points are what each of them has at each point, as numbers
	// of its values from 0. Both are left out where a search chooses the points.
	Factors []Factor `json:"factors,omitempty"`
	Points  [][]int  `json:"points,omitempty"`
	// Columns are the figures that are shown first.
	Columns []Column `json:"columns"`
	// Search tells what is searched for; left out of a sweep.
	Search *Search `json:"search,omitempty"`
}

// Program tells which apfsim it was.
type Program struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
}

// Scenario is one of those that are run.
type Scenario struct {
	Name string `json:"name"`
	// Digest is of all that it is made of: its text, the manifests and traces.
	Digest string `json:"digest"`
	Seed   uint64 `json:"seed"`
	// Replications is how many runs each point has.
	Replications int `json:"replications"`
}

// Factor is one thing that is varied, and its values in YAML.
type Factor struct {
	Path   string   `json:"path"`
	Values []string `json:"values"`
}

// Column is a figure that is shown.
type Column struct {
	// Text is as the user has written it.
	Text string `json:"text"`
	// Scenario is the only one that has it; absent, all have.
	Scenario string `json:"scenario,omitempty"`
	// Better tells which values are better; left out where that depends.
	Better Direction `json:"better,omitempty"`
	// Goals are what scenarios expect of it.
	Goals []Goal `json:"goals,omitempty"`
}

// Direction is where the better values of a figure lie.
type Direction string

// The directions.
const (
	Lower  Direction = "lower"
	Higher Direction = "higher"
)

// Goal is what one scenario expects of a figure.
type Goal struct {
	Scenario string `json:"scenario"`
	// Op is <, > or =, and Value the bound in the base unit of the figure.
	Op    string        `json:"op"`
	Value reports.Value `json:"value"`
	// Text is both for people: "< 100ms".
	Text string `json:"text"`
	// AllowNoData tells that the goal is met where there is no figure.
	AllowNoData bool `json:"allowNoData,omitempty"`
}

// Search is what a search is for.
type Search struct {
	Goals    []string `json:"goals"`
	Knobs    []Factor `json:"knobs"`
	Minimize []string `json:"minimize"`
	// Budget is left out of what is kept in a folder: a search may go on with another one.
	Budget int64 `json:"budget,omitzero"`
}

// Setting is the value of one path.
type Setting struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Record is what some replications of a scenario with some settings showed.
type Record struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Of is what was run.
	Of Run `json:"of"`
	// Invalid says why it cannot be run; all that follows is left out then.
	Invalid string `json:"invalid,omitempty"`
	// Configuration is a hash of all that configures the servers.
	Configuration string `json:"configuration,omitempty"`
	// Seats is the number of seats of all servers, and Requests of how many requests were simulated.
	Seats    int64 `json:"seats,omitzero"`
	Requests int64 `json:"requests,omitzero"`
	// Fingerprints stand for the trajectories of the replications.
	Fingerprints []string `json:"fingerprints,omitempty"`
	// Asked are the figures of Of.Asked, and Figures those that every result has, but for who
	// is to blame.
	Asked   []Asked         `json:"asked,omitempty"`
	Figures reports.Figures `json:"figures,omitempty"`
	// Checksum is of all else, where the record is in a file.
	Checksum string `json:"checksum,omitempty"`
}

// Run is a number of replications of a scenario with settings in place of what it says.
type Run struct {
	// Scenario and Digest are as in Scenario.
	Scenario string    `json:"scenario"`
	Digest   string    `json:"digest"`
	Settings []Setting `json:"settings"`
	Seed     uint64    `json:"seed"`
	// First is the number of the first replication, and Replications how many they are.
	First        int `json:"first"`
	Replications int `json:"replications"`
	// Asked are figures that are wanted, as expectations are written.
	Asked []string `json:"asked,omitempty"`
}

// Asked is a figure, or why there is none.
type Asked struct {
	*reports.Figure `json:",omitempty"`
	Why             string `json:"why,omitempty"`
}

// Key names a run: the same for the same run and no other. It is the name of its file.
func (r *Run) Key() string {
	return hash(r)
}

// Slim leaves out what a table does not need.
func (r *Record) Slim() {
	r.Figures, r.Fingerprints = nil, nil
}

// Sum is the checksum of all but the checksum itself.
func (r *Record) Sum() string {
	plain := *r
	plain.Checksum = ""
	return hash(&plain)
}

// hash is a hash of a value in JSON.
func hash(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("study: %v", err))
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:10])
}

// NewRecord makes the record of a result, which was just made. The expectations are those of
// run.Asked.
func NewRecord(run Run, result *reports.Result, asked []reports.Expectation) *Record {
	r := &Record{APIVersion: APIVersion, Kind: RecordKind, Of: run, Configuration: result.Configuration}
	servers := int64(max(len(result.Servers), 1))
	r.Seats = servers * int64(result.Server.Seats)
	for i := range result.Replications {
		r.Requests += result.Replications[i].Requests
		r.Fingerprints = append(r.Fingerprints, result.Replications[i].Fingerprint)
	}
	for _, e := range asked {
		f, why := result.Measure(e)
		if why != "" {
			r.Asked = append(r.Asked, Asked{Why: why})
			continue
		}
		r.Asked = append(r.Asked, Asked{Figure: &f})
	}
	for _, f := range result.Figures {
		if f.Metric != reports.MetricBlame {
			r.Figures = append(r.Figures, f)
		}
	}
	return r
}

// NotRunnable makes the record of a run whose settings do not go together.
func NotRunnable(run Run, why string) *Record {
	return &Record{APIVersion: APIVersion, Kind: RecordKind, Of: run, Invalid: why}
}
