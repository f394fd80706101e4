package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/recorder"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/recording"
	"github.com/apfsim/apfsim/workload/recording/audit"
)

var trips = flag.String("trips", "", "the scenarios whose audit logs TestRoundTrip replays: those whose names begin so, or all; some of each kind if it is empty")

// A round trip: a scenario runs in whole microseconds, its servers write audit logs, these are
// imported, and what comes of it is replayed by the same servers under the same configuration.
// All that happens to servers is done to them again; clients, balancer, gateway and backend are
// in the trace, by what came of them.

// decided is what was decided about a request.
type decided struct {
	arrival                          time.Duration
	schema, level, flow              string
	queue                            int32
	initialSeats, finalSeats         int
	latency                          time.Duration
	outcome, reason                  string
	dispatched, finished, retryAfter time.Duration
}

// String returns the decision in a line.
func (d *decided) String() string { return fmt.Sprintf("%+v", *d) }

// decider observes a run and keeps all decisions, by server and in the order of arrival.
type decider struct {
	sim.Silent
	world      *sim.World
	servers    [][]decided
	places     map[int64][2]int
	operations []sim.ServerOperation
}

func (d *decider) Start(w *sim.World) {
	d.world, d.servers, d.places = w, make([][]decided, w.Servers()), map[int64][2]int{}
}

func (d *decider) of(id int64) *decided { p := d.places[id]; return &d.servers[p[0]][p[1]] }

func (d *decider) Arrived(now time.Duration, r *sim.Request) {
	s := d.world.ServerAt(r.Server)
	is := decided{arrival: now, queue: r.Queue, dispatched: -1, finished: -1,
		initialSeats: r.Estimate.InitialSeats, finalSeats: r.Estimate.FinalSeats, latency: r.Estimate.AdditionalLatency}
	if r.Schema >= 0 {
		is.schema, is.level = s.Schemas()[r.Schema], s.Levels()[r.Level].Name
	}
	if r.Flow >= 0 {
		is.flow = s.Flow(r.Flow).Distinguisher
	}
	d.places[r.ID] = [2]int{int(r.Server), len(d.servers[r.Server])}
	d.servers[r.Server] = append(d.servers[r.Server], is)
}

func (d *decider) Dispatched(now time.Duration, r *sim.Request) {
	is := d.of(r.ID)
	is.dispatched, is.outcome = now, "executed"
}

func (d *decider) Finished(now time.Duration, r *sim.Request) { d.of(r.ID).finished = now }

func (d *decider) Rejected(now time.Duration, r *sim.Request) {
	is := d.of(r.ID)
	is.finished, is.outcome, is.reason, is.retryAfter = now, "rejected", r.Reason.String(), time.Duration(r.RetryAfter)
}

func (d *decider) Cut(now time.Duration, r *sim.Request) {
	if is := d.of(r.ID); r.Finished < 0 {
		is.finished, is.outcome = now, "cut"
	}
}

// Server keeps what happens to servers, whoever has done it.
func (d *decider) Server(now time.Duration, e sim.ServerEvent, server int32) {
	o := sim.ServerOperation{At: now, Server: server}
	switch e {
	case sim.ServerStopped:
		o.Kind = sim.Stop
	case sim.ServerDraining:
		o.Kind = sim.Drain
	case sim.ServerStarted:
		o.Kind, o.Release = sim.Start, d.world.ServerAt(server).Version()
	default:
		return
	}
	d.operations = append(d.operations, o)
}

// tripLog is a kind of log that servers write and apfsim imports.
type tripLog struct {
	name   string
	writer func(out io.Writer, seed uint64) recorder.Log
	reader func(cfg *sim.Config) tripReader
}

// logReader reads logs of servers, and gives the requests that they tell of.
type logReader interface {
	Read(name string, server int32, file io.Reader) error
	Next(q *recording.Request) (bool, error)
	Close() error
}

// tripReader reads a kind of log.
type tripReader struct {
	logReader
	account   *recording.Account
	selection *recording.Selection
}

var auditTrip = tripLog{
	name: "audit",
	writer: func(out io.Writer, seed uint64) recorder.Log {
		w := audit.NewWriter(out, seed)
		w.Waits = true
		return w
	},
	reader: func(*sim.Config) tripReader {
		r := audit.NewReader(newProcess(nil).FS.Scratch)
		return tripReader{r, &r.Account, &r.Selection}
	},
}

// written runs a scenario, with the logs of its servers: for each kind one file a server.
func written(t *testing.T, s *scenarios.Scenario, kinds ...tripLog) (*decider, [][]*os.File) {
	t.Helper()
	config := s.Config
	config.Names = true
	files, buffers := make([][]*os.File, len(kinds)), []*bufio.Writer{}
	observer := recorder.New(roundTripEpoch, func(int32) (logs []recorder.Log) {
		for i, kind := range kinds {
			file := tempFile(t, fmt.Sprintf("%s-%d.log", kind.name, len(files[i])))
			buffer := bufio.NewWriterSize(file, 1<<16)
			files[i], buffers = append(files[i], file), append(buffers, buffer)
			logs = append(logs, kind.writer(buffer, config.Seed))
		}
		return logs
	})
	d := &decider{}
	if _, err := sim.Run(&config, 0, reports.Tee(d, observer), nil); err != nil {
		t.Fatal(err)
	}
	for _, buffer := range buffers {
		if err := buffer.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	return d, files
}

// tempFile makes a file that is there until the end of the test.
func tempFile(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

var roundTripEpoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// heard is what logs tell beside their trace: when the last thing was, and which servers seem to have
// stopped.
type heard struct {
	last  time.Duration
	stops []heardStop
}

// heardStop is when a server was silent that seems to have stopped.
type heardStop struct {
	server     int32
	last, next time.Duration
}

// tells tells whether the server has stopped then.
func (s heardStop) tells(o sim.ServerOperation) bool {
	return o.Kind == sim.Stop && o.Server == s.server && s.last <= o.At && o.At <= s.next
}

// heardFrom is what an account tells.
func heardFrom(a *recording.Account, from int64) heard {
	is := heard{last: time.Duration(a.Last - from)}
	for _, s := range a.Stops {
		is.stops = append(is.stops, heardStop{max(s.Server, 0), time.Duration(s.Last - from), time.Duration(s.Next - from)})
	}
	return is
}

// traceOfLogs is the trace of logs, and what else they tell.
func traceOfLogs(t *testing.T, r tripReader, logs []*os.File) (*workload.Trace, heard) {
	t.Helper()
	for i, log := range logs {
		if _, err := log.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		server := int32(i)
		if len(logs) == 1 {
			server = -1
		}
		if err := r.Read(fmt.Sprintf("%d.log", i), server, log); err != nil {
			t.Fatal(err)
		}
	}
	from := roundTripEpoch.UnixNano()
	r.selection.From = from
	file := tempFile(t, "trace.jsonl")
	out := bufio.NewWriterSize(file, 1<<16)
	var line []byte
	var q recording.Request
	for {
		more, err := r.Next(&q)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		line = recording.AppendHead(line[:0], time.Duration(q.Received-from))
		out.Write(append(recording.AppendTail(line, &q), '\n')) // an error stays until Flush
	}
	if err := errors.Join(out.Flush(), r.Close()); err != nil {
		t.Fatal(err)
	}
	if r.account.Malformed > 0 || len(r.account.LeftOut) > 0 {
		t.Errorf("malformed: %v; left out: %v", r.account.Faults, r.account.LeftOut)
	}
	trace, faults := workload.OpenTrace("trace.jsonl", func() (io.ReadCloser, error) { return os.Open(file.Name()) })
	if len(faults) > 0 {
		t.Fatal(faults[0].Error())
	}
	return trace, heardFrom(r.account, from)
}

// replayed runs the trace of logs in place of the clients of a scenario.
func replayed(t *testing.T, s *scenarios.Scenario, kind tripLog, logs []*os.File, operations []sim.ServerOperation) (*decider, heard) {
	t.Helper()
	config := s.Config
	trace, is := traceOfLogs(t, kind.reader(&config), logs)
	// What executed when the record ended is taken to end just after it.
	config.Duration = min(config.Duration, is.last+time.Microsecond)
	config.Populations = []workload.Population{{Name: "recorded", Trace: trace}}
	config.Backend, config.Balancer, config.Gateway = nil, nil, nil
	config.Operations = operations
	d := &decider{}
	if _, err := sim.Run(&config, 0, d, nil); err != nil {
		t.Fatal(err)
	}
	return d, is
}

// TestRoundTrip holds that each decision of each library scenario is the same when its audit log
// is replayed, and what becomes of its requests nearly so when its HTTP lines are. The whole library
// takes minutes, so without -trips and -httplog-trips it takes one scenario of each kind.
func TestRoundTrip(t *testing.T) {
	t.Parallel() // with TestDocs and TestFingerprints, which take long too
	for _, entry := range scenarios.Library() {
		name := entry.Name
		var kinds []tripLog
		if takesTrip(name, *trips, fewAuditTrips()) {
			kinds = append(kinds, auditTrip)
		}
		if takesTrip(name, *httplogTrips, fewTrips) {
			kinds = append(kinds, httplogTrip(slices.Contains(onePerAgent, name)))
		}
		if len(kinds) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s, _ := scenarios.LoadLibrary(name)
			s.Config.Resolution = time.Microsecond
			before, logs := written(t, s, kinds...)
			for i, kind := range kinds {
				t.Run(kind.name, func(t *testing.T) {
					after, is := replayed(t, s, kind, logs[i], before.operations)
					if kind.name == auditTrip.name {
						holdAudit(t, before, after, is)
					} else {
						holdHTTPLog(t, name, before, after)
					}
				})
			}
		})
	}
}

// fewAuditTrips are the scenarios whose audit logs are replayed if none are named.
func fewAuditTrips() []string {
	if *everything {
		return oneOfEachKind
	}
	return []string{"list-storm", "one-server-of-three", "webhook-deadlock"}
}

// takesTrip tells whether a scenario is among those that are wanted, which are few if none are named.
func takesTrip(name, wanted string, few []string) bool {
	switch wanted {
	case "":
		return slices.Contains(few, name)
	case "kinds":
		return slices.Contains(oneOfEachKind, name)
	case "all":
		return true
	}
	return strings.HasPrefix(name, wanted)
}

// holdAudit holds that the decisions of a replay of audit logs are the same, and that servers have
// stopped where their logs are taken to tell so.
func holdAudit(t *testing.T, before, after *decider, is heard) {
	t.Helper()
	differences, of := compareDecisions(t, before, after, is.last)
	t.Logf("%d of %d decisions differ", differences, of)
	if differences > 0 {
		t.Errorf("%d of %d decisions differ", differences, of)
	}
	for _, s := range is.stops {
		if !slices.ContainsFunc(before.operations, s.tells) {
			t.Errorf("no server has stopped as in %+v", s)
		}
	}
}

// compareDecisions counts the decisions that differ up to the end of the record, and logs the
// first ones.
func compareDecisions(t *testing.T, before, after *decider, last time.Duration) (differences, of int) {
	t.Helper()
	for server := range before.servers {
		a, b := before.servers[server], after.servers[server]
		for i := range max(len(a), len(b)) {
			of++
			if i < len(a) && i < len(b) && a[i].until(last) == b[i] {
				continue
			}
			if differences++; differences <= 3 {
				t.Logf("server %d, request %d:\n%v\n%v", server, i, at(a, i), at(b, i))
			}
		}
	}
	return differences, of
}

// until is what was decided up to a time: a record does not tell of a dispatch after its end, nor
// that a server stopped then.
func (d decided) until(last time.Duration) decided {
	if d.outcome == "cut" && d.finished > last {
		d.finished, d.outcome = -1, ""
		if d.dispatched >= 0 {
			d.outcome = "executed"
		}
	}
	if d.dispatched > last {
		d.dispatched, d.outcome = -1, ""
	}
	return d
}

func at(all []decided, i int) *decided {
	if i < len(all) {
		return &all[i]
	}
	return nil
}
