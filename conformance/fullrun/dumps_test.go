package fullrun

import (
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/dump"
	"github.com/apfsim/apfsim/sim"
	"k8s.io/apiserver/pkg/server/mux"
)

// pages are the debug pages, and what the simulator says they show.
var pages = []struct {
	path string
	ours func(*reports.Dump) string
}{
	{"dump_priority_levels", func(d *reports.Dump) string { return d.PriorityLevels }},
	{"dump_queues", func(d *reports.Dump) string { return d.Queues }},
	{"dump_requests", func(d *reports.Dump) string { return d.Requests }},
	{"dump_requests?includeRequestDetails=1", func(d *reports.Dump) string { return d.RequestsWithDetails }},
}

// dumpReal asks the real server for its debug pages at times, at which nothing else may happen.
// Times of day are told from time 0 of the run, as the simulator tells them.
func dumpReal(t *testing.T, v *vector, times []time.Duration) [][]string {
	t.Helper()
	var all [][]string
	withWatchProgress(v.scenario.ConsistentReads, func() {
		synctest.Test(t, func(t *testing.T) {
			asked := make(chan struct{})
			replay(v.scenario, v.trace, func(p *replayer) {
				m := mux.NewPathRecorderMux("debug")
				p.server.controller.Install(m)
				go func() {
					defer close(asked)
					for _, at := range times {
						time.Sleep(at - p.now())
						var then []string
						for _, page := range pages {
							w := httptest.NewRecorder()
							m.ServeHTTP(w, httptest.NewRequest("GET", "/debug/api_priority_and_fairness/"+page.path, nil))
							then = append(then, rows(t, w.Body.String(), p.start))
						}
						all = append(all, then)
					}
				}()
			})
			<-asked
		})
	})
	return all
}

// rows takes a page apart into cells and puts its rows in order, under their head: the real server
// shows levels and executing requests in the order of maps. Columns are padded by the longest
// text of the page, so that what follows the times of day may be elsewhere. Those are told from start.
// The path of a request for a resource is left out: a trace does not have it.
func rows(t *testing.T, page string, start time.Time) string {
	t.Helper()
	var all []string
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), ",")
		for i, c := range cells {
			cells[i] = strings.TrimLeft(c, " ")
			if at, err := time.Parse(time.RFC3339Nano, cells[i]); err == nil && !at.IsZero() {
				cells[i] = at.Sub(start).String()
			}
		}
		const path, resource = 12, 16
		if len(cells) > resource && cells[resource] != "" {
			cells[path] = ""
		}
		all = append(all, strings.Join(cells, ", "))
	}
	if len(all) == 0 {
		t.Fatal("an empty page")
	}
	slices.Sort(all[1:])
	return strings.Join(all, "\n")
}

// TestDebugPages compares what the debug pages of the simulator and of the real server show.
func TestDebugPages(t *testing.T) {
	names := []string{"small", "watch", "reject", "timeouts", "options", "custom"}
	if !testing.Short() {
		names = append(names, "borrow")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(vectorFolder, name)
			v := loadVector(t, folder)
			times := ScrapeTimes(v.trace)
			config, err := LoadOurs(folder)
			if err != nil {
				t.Fatal(err)
			}
			config.Looks = times
			o := dump.NewObserver(times...)
			if _, err := sim.Run(config, 0, o, nil); err != nil {
				t.Fatal(err)
			}
			theirs := dumpReal(t, v, times)
			for i, at := range times {
				ours := o.Dumps()[i]
				for j, page := range pages {
					if d := lineDifferences(theirs[i][j], rows(t, page.ours(&ours), dump.Epoch)); d != "" {
						t.Errorf("%s at %v: %s", page.path, at, d)
					}
				}
			}
		})
	}
}

// lineDifferences returns "" if two texts are equal.
func lineDifferences(want, got string) string {
	var d differences
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		w, g := "nothing", "nothing"
		if i < len(a) {
			w = a[i]
		}
		if i < len(b) {
			g = b[i]
		}
		if w != g {
			d.add("%s", fmt.Sprintf("row %d:\n%s, want\n%s", i, g, w))
		}
	}
	return d.String()
}
