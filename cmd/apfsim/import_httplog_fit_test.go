package main

import (
	"encoding/json"
	"maps"
	"math"
	"testing"
	"time"
)

// levelFigures are those of a level of a result that a fit is held against.
type levelFigures struct {
	Name     string `json:"name"`
	Requests struct {
		Arrivals float64 `json:"arrivals"`
		Rejected struct {
			Total float64 `json:"total"`
		} `json:"rejected"`
	} `json:"requests"`
	Wait struct {
		P99 string `json:"p99"`
	} `json:"wait"`
}

// figuresOf runs a scenario once and returns the figures of its levels.
func figuresOf(t *testing.T, files map[string]string, args ...string) map[string]levelFigures {
	t.Helper()
	p := newProcess(files, append([]string{"run", "--replications", "1", "-o", "json=result.json"}, args...)...)
	if code := run(&p.Process); code > 1 {
		t.Fatalf("%v: %s", args, p.err.String())
	}
	maps.Copy(files, p.fs.files)
	var result struct {
		Levels []levelFigures `json:"priorityLevels"`
	}
	if err := json.Unmarshal([]byte(files["result.json"]), &result); err != nil {
		t.Fatal(err)
	}
	levels := map[string]levelFigures{}
	for _, l := range result.Levels {
		levels[l.Name] = l
	}
	return levels
}

// TestHTTPLogFitsAreReproduced writes the HTTP lines of scenarios, fits scenarios to them and runs these:
// what arrives is off by some percent, what is rejected by some of a hundred requests, and the p99 of the
// wait by some percent.
func TestHTTPLogFitsAreReproduced(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		scenario, level, per       string
		arrivals, rejected, longer float64
	}{
		{"list-storm", "workload-low", userPerAddress, 3, 1, 5},
		{"one-user-floods-global-default", "global-default", userPerAgent, 3, 3, 10},
		{"leader-election", "workload-low", userPerAddress, 5, 8, 3},
	} {
		t.Run(c.scenario, func(t *testing.T) {
			files := map[string]string{}
			show := newProcess(files, "scenarios", "show", c.scenario)
			if code := run(&show.Process); code != 0 {
				t.Fatal(show.err.String())
			}
			files["config.yaml"] = show.out.String()
			was := figuresOf(t, files, c.scenario, "-o", "httplog=server.log")[c.level]
			p := newProcess(files, "import", "httplog", "server.log", "--year", "2020", "--user-per", c.per, "--config", "config.yaml", "-o", "scenario=fit.yaml")
			if code := run(&p.Process); code != 0 {
				t.Fatal(p.err.String())
			}
			maps.Copy(files, p.fs.files)
			is := figuresOf(t, files, "fit.yaml")[c.level]
			off := func(what string, a, b, of, most float64) {
				t.Logf("%s: %.6g, of which the record is %.6g", what, b, a)
				if 100*math.Abs(a-b)/of > most {
					t.Errorf("%s: %v, fitted to %v", what, b, a)
				}
			}
			off("arrivals", was.Requests.Arrivals, is.Requests.Arrivals, was.Requests.Arrivals, c.arrivals)
			off("rejected", was.Requests.Rejected.Total, is.Requests.Rejected.Total, was.Requests.Arrivals, c.rejected)
			a, errA := time.ParseDuration(was.Wait.P99)
			b, errB := time.ParseDuration(is.Wait.P99)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			off("p99 of the wait", a.Seconds(), b.Seconds(), a.Seconds(), c.longer)
		})
	}
}
