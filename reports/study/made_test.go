package study

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/apfsim/apfsim/reports"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// checkGolden compares with a file in testdata, or writes it.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nand this came out\n%s", file, want, got)
	}
}

// asked is a figure with the values of some replications.
func asked(metric reports.Metric, quantile float64, samples ...float64) Asked {
	f := &reports.Figure{Metric: metric, Quantile: quantile, Client: "mice"}
	for _, x := range samples {
		f.Replications = append(f.Replications, new(reports.Value(x)))
	}
	return Asked{Figure: f}
}

// madeStudy is a study of two factors of three values, and of as many points.
func madeStudy() *Study {
	s := &Study{
		APIVersion: APIVersion, Kind: StudyKind, Program: Program{Version: "v1", Revision: "abc"},
		Command:   "apfsim sweep small --vary priorityLevel/workload-low.handSize=2,4,8 --vary priorityLevel/workload-low.queues=4,16,64",
		Scenarios: []Scenario{{Name: "small", Digest: "d", Seed: 7, Replications: 2}},
		Factors: []Factor{
			{Path: "priorityLevel/workload-low.handSize", Values: []string{"2", "4", "8"}},
			{Path: "priorityLevel/workload-low.queues", Values: []string{"4", "16", "64"}},
		},
		Columns: []Column{
			{Text: "wait p99 of client mice", Better: Lower, Goals: []Goal{{Scenario: "small", Op: "<", Value: 0.1, Text: "< 100ms"}}},
			{Text: "executed of client mice"},
			{Text: "lostLeases of client leaders", Better: Lower},
		},
	}
	for i := range 9 {
		s.Points = append(s.Points, []int{i / 3, i % 3})
	}
	return s
}

// madeFind has a record for each point: the waits fall with the queues, a hand of 8 cannot be dealt from 4
// of them, one point is missing, and one is like the scenario.
func madeFind(s *Study) Find {
	return func(scenario, point int) *Record {
		r := &Record{Of: Run{Scenario: s.Scenarios[scenario].Name}, Seats: 60, Configuration: "c" + strconv.Itoa(point), Fingerprints: []string{"1", "2"}}
		wait := 0.02
		if point != AsItIs {
			wait = 3 / float64(1+s.Points[point][1]*s.Points[point][1]*s.Points[point][1]*8) / float64(1+s.Points[point][0])
		}
		switch point {
		case 5:
			return nil
		case 6:
			r.Invalid = "a hand of 8 cannot be dealt from 4 queues"
			return r
		case 8:
			wait, r.Configuration = 0.02, "c-1"
		}
		r.Asked = []Asked{
			asked(reports.MetricWait, 0.99, wait, wait*1.01), asked(reports.MetricExecuted, 0, 1000, 1002+float64(max(point, 0))),
			asked(reports.MetricLostLeases, 0, 0, 0),
		}
		if point == 2 {
			r.Asked[0].FewSamples = true
		}
		if point == 7 {
			r.Asked[0] = Asked{Why: "nobody waited"}
		}
		return r
	}
}

// madeTable is the table of both.
func madeTable() *Table {
	s := madeStudy()
	return NewTable(s, madeFind(s))
}
