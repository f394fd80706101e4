package main

import (
	"fmt"
	"strings"

	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/vary"
)

// checkedValues is how many values of a factor are read before anything runs.
const checkedValues = 100

// checkDesign refuses a design before anything runs: for a path that leads nowhere and a value
// that no scenario can have, and if there is no point that can be run at all. Single points
// whose settings do not go together, such as more cards than queues, are rows that say so.
func checkDesign(sources []*studied, d *vary.Design) error {
	if err := checkFactors(sources, varyFlag, d.Factors, nil); err != nil {
		return err
	}
	return anyRunnable(sources, d)
}

// checkFactors refuses paths that lead nowhere and values that no scenario can have. Positions begin
// with the flag, or are where place puts the fault of a factor.
func checkFactors(sources []*studied, flag string, factors []vary.Factor, place func(factor int, d scenarios.Diagnostic) scenarios.Diagnostic) error {
	var faults scenarios.Diagnostics
	seen := map[string]bool{}
	for _, s := range sources {
		for i := range factors {
			for _, v := range spread(len(factors[i].Values), checkedValues) {
				_, found := s.with([]scenarios.Setting{factors[i].Setting(flag, v)})
				for _, fault := range found {
					// A fault of the path is there with each value, and told once.
					key := fmt.Sprint(fault.Column, fault.Code, fault.Message)
					if malformed(fault, flag) && !seen[key] {
						seen[key] = true
						if place != nil {
							fault = place(i, fault)
						}
						faults = append(faults, fault)
					}
				}
			}
		}
	}
	if len(faults) > 0 {
		return badInput{faults}
	}
	return nil
}

// malformed tells whether a fault is of a setting that is searched, and not of objects whose fields do not go
// together.
func malformed(d scenarios.Diagnostic, flag string) bool {
	return d.Severity == scenarios.Error && d.File == flag && strings.HasPrefix(string(d.Code), "SC")
}

// anyRunnable refuses a design without a point that can be run, with the faults of the first one.
func anyRunnable(sources []*studied, d *vary.Design) error {
	var first scenarios.Diagnostics
	for _, s := range sources {
		for _, p := range spread(len(d.Points), checkedValues) {
			_, found := s.with(d.Settings(varyFlag, d.Points[p]))
			if !found.HasErrors() {
				return nil
			}
			if first == nil {
				first = found
			}
		}
	}
	if len(d.Points) > checkedValues || first == nil {
		return nil
	}
	return badInput{first}
}

// spread lists at most so many of the numbers from 0 to n-1, the first and the last among them.
func spread(n, most int) []int {
	var out []int
	if n <= most {
		for i := range n {
			out = append(out, i)
		}
		return out
	}
	for i := range most {
		out = append(out, i*(n-1)/(most-1))
	}
	return out
}

// newStudy is what a study of scenarios says of the program and of them.
func newStudy(p *Process, sources []*studied) *study.Study {
	out := &study.Study{APIVersion: study.APIVersion, Kind: study.StudyKind,
		Program: study.Program{Version: p.Build.Version, Revision: p.Build.Revision}}
	for _, s := range sources {
		out.Scenarios = append(out.Scenarios, s.id)
	}
	return out
}
