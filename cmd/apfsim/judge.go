package main

import (
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scenarios"
)

// judge holds a result against what its scenario expects, and leaves the verdicts in it.
func judge(r *reports.Result, s *scenarios.Scenario) {
	for i, v := range reports.Judge(r, expectationsOf(s)) {
		judged, e := v.Judged(), &s.Expect[i]
		judged.File, judged.Line, judged.Column = e.File, e.Line, e.Column
		r.Expectations = append(r.Expectations, judged)
	}
}

// expectationsOf are what a scenario expects, as reports judge it.
func expectationsOf(s *scenarios.Scenario) []reports.Expectation {
	out := make([]reports.Expectation, len(s.Expect))
	for i := range s.Expect {
		out[i] = expectation(&s.Expect[i])
	}
	return out
}

// expectation turns what a scenario expects into what reports judge.
func expectation(e *scenarios.Expectation) reports.Expectation {
	return reports.Expectation{
		Metric:        reports.Metric(e.Metric),
		PriorityLevel: e.PriorityLevel, FlowSchema: e.FlowSchema, Client: e.Client, Holder: e.Holder,
		Flow: e.Flow, Window: reports.Window{From: e.From, Until: e.Until},
		Quantile: e.Quantile, Server: e.Server, At: e.At,
		AllowNoData: e.AllowNoData, Confident: e.Confident,
		Equals: bound(e.Equals), Below: bound(e.Below), Above: bound(e.Above),
	}
}

// bound is the number of a bound, nil if there is none.
func bound(b *scenarios.Bound) *float64 {
	if b == nil {
		return nil
	}
	return &b.Value
}
