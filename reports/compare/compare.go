package compare

import (
	"fmt"
	"slices"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/stats"
)

// Input is a result and what to call it.
type Input struct {
	Name   string
	Result *reports.Result
}

// Compare holds B against A.
func Compare(a, b Input) *Comparison {
	m := match(a.Result, b.Result)
	c := &Comparison{
		APIVersion: reports.APIVersion, Kind: Kind, A: newSide(a), B: newSide(b),
		Method: m.method, Why: m.why, Confidence: stats.Confidence,
		Configuration: configuration(a.Result, b.Result), Moved: moved(a.Result, b.Result),
		Rows: []Row{},
	}
	c.Identical = identical(a.Result, b.Result, m)
	for _, e := range subjects(a.Result, b.Result) {
		c.Rows = append(c.Rows, m.row(e))
	}
	order(c.Rows)
	for i := range c.Rows {
		c.Counts.add(c.Rows[i].Verdict)
	}
	return c
}

func newSide(in Input) Side {
	r := in.Result
	s := Side{
		Name: in.Name, Scenario: r.Metadata.Name, KubernetesVersion: r.KubernetesVersion, Seats: r.Server.Seats,
		Seed: r.Seed, Replications: len(r.Replications), Partial: r.Partial,
	}
	s.Expected = len(r.Expectations)
	for i := range r.Expectations {
		if r.Expectations[i].Outcome == reports.Passed {
			s.Passed++
		}
	}
	if r.Source != nil {
		s.Command = r.Source.Command
	}
	return s
}

func (c *Counts) add(v Verdict) {
	switch v {
	case Better:
		c.Better++
	case Worse:
		c.Worse++
	case Changed:
		c.Changed++
	case Unclear:
		c.Unclear++
	case Same:
		c.Same++
	}
}

// matching is which replications of two results belong together.
type matching struct {
	a, b   *reports.Result
	method Method
	why    string
	// pairs are the indices of replications with the same number.
	pairs [][2]int
}

// match finds out how two results can be compared.
func match(a, b *reports.Result) *matching {
	m := &matching{a: a, b: b, method: Paired}
	for i := range a.Replications {
		for j := range b.Replications {
			if a.Replications[i].Replication == b.Replications[j].Replication {
				m.pairs = append(m.pairs, [2]int{i, j})
			}
		}
	}
	if m.why = apart(a, b); m.why == "" && len(m.pairs) == 0 {
		m.why = "the results have no replication in common"
	}
	switch {
	case m.why == "" && len(m.pairs) < 2:
		m.method, m.why = Single, "one replication cannot tell how much of a difference is chance"
	case m.why != "" && min(len(a.Replications), len(b.Replications)) < 2:
		m.method, m.why = Single, m.why+", and one replication cannot tell how much of a difference is chance"
	case m.why != "":
		m.method = Unpaired
	}
	return m
}

// apart says why two results share no random numbers, "" if they do.
func apart(a, b *reports.Result) string {
	switch {
	case a.Seed != b.Seed:
		return fmt.Sprintf("the seeds differ: %d and %d", a.Seed, b.Seed)
	case a.Duration != b.Duration || a.Warmup != b.Warmup:
		return "the times of the runs differ"
	}
	for i := range a.Populations {
		name := a.Populations[i].Name
		if slices.ContainsFunc(b.Populations, func(p reports.Population) bool { return p.Name == name }) {
			return ""
		}
	}
	return "the results have no population of clients in common"
}

// identical tells whether all replications took the same decisions.
func identical(a, b *reports.Result, m *matching) bool {
	if len(m.pairs) != len(a.Replications) || len(m.pairs) != len(b.Replications) {
		return false
	}
	for _, p := range m.pairs {
		if a.Replications[p[0]].Fingerprint != b.Replications[p[1]].Fingerprint {
			return false
		}
	}
	return len(m.pairs) > 0
}

// subjects lists what the figures of both results are about, each once: those of A, and of B
// what A has not.
func subjects(a, b *reports.Result) []reports.Expectation {
	var out []reports.Expectation
	known := map[key]bool{}
	for _, figures := range [][]reports.Figure{a.Figures, b.Figures} {
		for i := range figures {
			e := figures[i].Expectation()
			if k := keyOf(&e); !known[k] {
				known[k] = true
				out = append(out, e)
			}
		}
	}
	return out
}

// key is what a figure is about, as a value that can be compared.
type key struct {
	metric                                    reports.Metric
	priorityLevel, flowSchema, client, holder string
	server                                    int
	quantile                                  float64
}

func keyOf(e *reports.Expectation) key {
	k := key{e.Metric, e.PriorityLevel, e.FlowSchema, e.Client, e.Holder, -1, e.Quantile}
	if e.Server != nil {
		k.server = *e.Server
	}
	return k
}
