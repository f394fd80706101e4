package main

import (
	"flag"
	"io"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports/recorder"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload/recording/httplog"
)

var httplogTrips = flag.String("httplog-trips", "", "as -trips, for HTTP lines: those whose names begin so, all, or kinds for one of each kind; a few if it is empty")

// fewTrips are the scenarios whose HTTP lines are replayed in any case.
var fewTrips = []string{"leader-election", "list-storm"}

// httplogTrip is the way of HTTP lines. They tell no users, so that flows come to other queues, and
// nothing of what has not ended. A replay of them is not the same run, and how far it is off is held.
func httplogTrip(perAgent bool) tripLog {
	return tripLog{
		name:   "httplog",
		writer: func(out io.Writer, seed uint64) recorder.Log { return httplog.NewWriter(out, seed) },
		reader: func(cfg *sim.Config) tripReader {
			users := httplog.NewUsers(everInForce(cfg))
			users.PerAgent = perAgent
			r := httplog.NewReader(users, newProcess(nil).FS.Scratch)
			r.Year, r.Zone = roundTripEpoch.Year(), time.UTC
			return tripReader{r, &r.Account, &r.Selection}
		},
	}
}

// everInForce lists the FlowSchemas that are in force at some time of a run: of each the last form.
func everInForce(cfg *sim.Config) []classify.FlowSchema {
	byName := map[string]classify.FlowSchema{}
	take := func(c scheduler.Config) {
		for _, s := range schemasInForce(c) {
			byName[s.Name] = s
		}
	}
	take(cfg.Scheduler)
	for i := range cfg.Changes {
		c := &cfg.Changes[i]
		take(scheduler.Config{PriorityLevels: c.PriorityLevels, FlowSchemas: c.FlowSchemas})
	}
	var all []classify.FlowSchema
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, byName[name])
	}
	return all
}

// fate is what became of a request, whoever sent it and whatever queue it came to. Those that
// arrive together are not told apart: HTTP lines come in the order of the ends.
type fate struct {
	server          int
	arrival         time.Duration
	schema, level   string
	initial, final  int
	outcome, reason string
	dispatched      time.Duration
}

// fates counts the requests of each fate.
func (d *decider) fates() map[fate]int {
	all := map[fate]int{}
	for server := range d.servers {
		for i := range d.servers[server] {
			is := &d.servers[server][i]
			all[fate{server, is.arrival, is.schema, is.level, is.initialSeats, is.finalSeats, is.outcome, is.reason, is.dispatched}]++
		}
	}
	return all
}

// levelTrip is what became of the requests of a level of which the record tells.
type levelTrip struct {
	ended, rejected int
	waits           []time.Duration // ascending, of those that were executed
}

// share is how many of a hundred were rejected.
func (l *levelTrip) share() float64 { return 100 * float64(l.rejected) / float64(max(l.ended, 1)) }

// p99 is the wait that one of a hundred exceeded, 0 if none was executed.
func (l *levelTrip) p99() time.Duration {
	if len(l.waits) == 0 {
		return 0
	}
	return l.waits[int(math.Ceil(0.99*float64(len(l.waits))))-1]
}

// byLevel adds up what became of the requests of each level that flow control limits.
func (d *decider) byLevel() map[string]*levelTrip {
	levels := map[string]*levelTrip{}
	for server := range d.servers {
		for i := range d.servers[server] {
			is := &d.servers[server][i]
			if is.level == "" || is.outcome == "cut" || is.finished < 0 {
				continue
			}
			l := levels[is.level]
			if l == nil {
				l = &levelTrip{}
				levels[is.level] = l
			}
			l.ended++
			if is.outcome == "rejected" {
				l.rejected++
			} else {
				l.waits = append(l.waits, is.dispatched-is.arrival)
			}
		}
	}
	for _, l := range levels {
		slices.Sort(l.waits)
	}
	return levels
}

// waitsTold is of how many waits a p99 is compared.
const waitsTold = 1000

// offBy is how far the replay of HTTP lines is off at most in any level: the share of requests that
// were rejected, in points of a hundred, and the p99 of the wait, in percent where it is more than
// 0.1 s off.
type offBy struct{ points, p99 float64 }

// within tells whether o is not more than most.
func (o offBy) within(most offBy) bool { return o.points <= most.points && o.p99 <= most.p99 }

// worse is the worse of both.
func (o offBy) worse(p offBy) offBy { return offBy{max(o.points, p.points), max(o.p99, p.p99)} }

// usuallyOff is what holds for each scenario that is not listed.
var usuallyOff = offBy{points: 5, p99: 10}

// farOff lists the scenarios whose replays are off by more: by how much, and why. It can only shrink.
// docs/import-httplog.md explains the reasons.
var farOff = map[string]struct {
	most offBy
	why  string
}{
	"connectors-start-at-once-cured":     {offBy{4.5, 82}, otherQueues},
	"low-levels-larger-share-allocation": {offBy{0.4, 10.1}, otherQueues},
	"low-levels-larger-share-cured":      {offBy{3.3, 23}, otherQueues},
	"slow-backend-stall":                 {offBy{1.7, 14}, otherQueues},
	"lists-never-read":                   {offBy{73.2, 100}, neverEnds},
	"lists-never-read-seventh":           {offBy{20.6, 13}, neverEnds},
	"lists-never-read-thirsty":           {offBy{43.4, 19}, neverEnds},
	"nine-hundred-at-once":               {offBy{100, 0}, neverEnds},
	"relist-after-restart":               {offBy{100, 0}, notEnded},
}

const (
	otherQueues = "users have other names, so that other flows share queues"
	notEnded    = "what a server takes with it when it stops has no line"
	neverEnds   = "what holds the seats does not end before the record does, and has no line"
)

// onePerAgent are scenarios with clients at many addresses that are one user.
var onePerAgent = []string{"one-user-floods-global-default"}

// holdHTTPLog holds how far the replay of HTTP lines is off.
func holdHTTPLog(t *testing.T, name string, before, after *decider) {
	t.Helper()
	a, b := before.fates(), after.fates()
	differ, of := 0, 0
	for f, n := range a {
		of += n
		differ += max(n-b[f], 0)
	}
	t.Logf("%d of %d requests (%.1f%%) fare otherwise or are not in the record", differ, of, 100*float64(differ)/float64(of))
	was, is := before.byLevel(), after.byLevel()
	var off offBy
	for _, level := range slices.Sorted(maps.Keys(was)) {
		x, y := was[level], is[level]
		if y == nil {
			y = &levelTrip{}
		}
		here := offBy{points: math.Abs(x.share() - y.share())}
		gap := (x.p99() - y.p99()).Abs()
		if len(x.waits) >= waitsTold && gap > 100*time.Millisecond {
			here.p99 = 100 * float64(gap) / float64(max(x.p99(), y.p99()))
		}
		t.Logf("%s: %d and %d requests, rejected %.2f%% and %.2f%%, p99 of the wait %v and %v", level, x.ended, y.ended, x.share(), y.share(), x.p99(), y.p99())
		off = off.worse(here)
	}
	known, listed := farOff[name]
	if listed == off.within(usuallyOff) || listed && !off.within(known.most) {
		t.Errorf("off by %.2f points and %.2f %%; the list says %+v: %q", off.points, off.p99, known.most, known.why)
	}
}
