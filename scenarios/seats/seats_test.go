package seats

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
)

// memory is a folder of files.
type memory map[string]string

var _ scenarios.Files = memory{}

func (m memory) ReadFile(name string) ([]byte, error) {
	text, ok := m[filepath.ToSlash(name)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

func (m memory) ReadDir(name string) ([]fs.DirEntry, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a directory")}
}

func (m memory) Open(name string) (io.ReadCloser, error) {
	text, err := m.ReadFile(name)
	return io.NopCloser(strings.NewReader(string(text))), err
}

// input loads a configuration: manifests over the built-in objects.
func input(t testing.TB, version string, reads, writes int, manifests ...string) Input {
	t.Helper()
	v, err := release.Parse(version)
	if err != nil {
		t.Fatal(err)
	}
	files := memory{}
	var names []string
	for i, text := range manifests {
		name := fmt.Sprintf("%d.yaml", i)
		files[name] = text
		names = append(names, name)
	}
	c, faults := scenarios.LoadConfiguration(names, files, scenarios.ConfigurationOptions{Release: v})
	if faults.HasErrors() {
		t.Fatal(faults)
	}
	cfg := c.Compile()
	cfg.Release = c.Release
	cfg.Seats, cfg.RequestTimeout, cfg.ConsistentReadsFromCache = reads+writes, scenarios.DefaultRequestTimeout, true
	return Input{
		Configuration: c, Scheduler: cfg, BytesPerRequest: DefaultBytesPerRequest,
		Server: Server{Seats: reads + writes, MaxRequestsInflight: reads, MaxMutatingRequestsInflight: writes},
	}
}

// table makes a table.
func table(t testing.TB, in Input) *Table {
	t.Helper()
	made, err := For(in)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// row is what the reference tables list.
type row struct {
	Name                           string
	Shares, Lend                   int32
	Nominal, Min, Max, Idle, Alone int
	List                           int
}

// rows puts a table into that form, without the exempt level.
func rows(t *Table) []row {
	var out []row
	for _, l := range t.Levels {
		if l.Type != Exempt {
			out = append(out, row{l.Name, l.Shares, l.LendablePercent, l.Nominal, l.Min, l.Max, *l.Idle, *l.Alone, l.WidestList})
		}
	}
	return out
}

// The figures of a stock server: derived by hand from upstream's rules, and those of
// "alone" for global-default also seen on a live one (kubernetes-sigs/kueue#2973).
func TestStockServer(t *testing.T) {
	want := []row{
		{"catch-all", 5, 0, 13, 13, 613, 30, 357, 100},
		{"global-default", 20, 50, 49, 24, 649, 56, 368, 8},
		{"leader-election", 10, 0, 25, 25, 625, 58, 369, 4},
		{"node-high", 40, 25, 98, 73, 698, 170, 417, 15},
		{"system", 30, 33, 74, 50, 674, 117, 394, 12},
		{"workload-high", 40, 50, 98, 49, 698, 114, 393, 15},
		{"workload-low", 100, 90, 245, 24, 845, 56, 368, 37},
	}
	got := table(t, input(t, "1.37", 400, 200))
	if diff := cmp.Diff(want, rows(got)); diff != "" {
		t.Error(diff)
	}
	if got.Sums != (Sums{245, 602, 258}) {
		t.Errorf("sums: %+v", got.Sums)
	}
}

// The limits of the first release: other shares, and no lending. Every request is of one
// seat.
func TestOldServer(t *testing.T) {
	want := []row{
		{"catch-all", 5, 0, 15, 15, 15, 15, 15, 1},
		{"global-default", 20, 0, 59, 59, 59, 59, 59, 1},
		{"leader-election", 10, 0, 30, 30, 30, 30, 30, 1},
		{"system", 30, 0, 88, 88, 88, 88, 88, 1},
		{"workload-high", 40, 0, 118, 118, 118, 118, 118, 1},
		{"workload-low", 100, 0, 293, 293, 293, 293, 293, 1},
	}
	got := table(t, input(t, "1.20", 400, 200))
	if diff := cmp.Diff(want, rows(got)); diff != "" {
		t.Error(diff)
	}
	for _, l := range got.Levels {
		if l.Type == Exempt && (l.WidestList != 0 || l.WidestWatch != 0) || l.WidestWatch != 0 {
			t.Errorf("%s: APF concerns %+v", l.Name, l)
		}
	}
}

// An upgrade from 1.33 to 1.34 removes two FlowSchemas, which moves some requests, and
// estimates LISTs by their bytes, which widens some and narrows others.
func TestUpgradeTo134(t *testing.T) {
	d := compare(t, input(t, "1.33", 400, 200), input(t, "1.34", 400, 200), nil)
	var objects, moved []string
	for _, o := range d.Objects {
		objects = append(objects, string(o.Change)+" "+o.Name)
	}
	for _, c := range d.Requests.Changed {
		if c.Before.PriorityLevel != c.After.PriorityLevel {
			moved = append(moved, fmt.Sprintf("%s: %s → %s", c.What, c.Before.PriorityLevel, c.After.PriorityLevel))
		}
	}
	if diff := cmp.Diff([]string{"removed endpoint-controller", "removed workload-leader-election"}, objects); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"the cluster autoscaler updates its config map: leader-election → workload-high",
		"system:serviceaccount:kube-system:default: get endpoints in default: leader-election → workload-high",
	}, moved); diff != "" {
		t.Error(diff)
	}
	wider := CostChange{"LIST 5,000 × 4 kB, RV exact", []string{"workload-low"}, Cost{InitialSeats: 10}, Cost{InitialSeats: 37}}
	narrower := CostChange{"LIST 50,000 × 1 kB, limit=500", []string{"global-default"}, Cost{InitialSeats: 8}, Cost{InitialSeats: 5}}
	for _, want := range []CostChange{wider, narrower} {
		if !slices.ContainsFunc(d.Costs.Changed, func(c CostChange) bool { return cmp.Equal(c, want) }) {
			t.Errorf("%+v is not among %+v", want, d.Costs.Changed)
		}
	}
}

// At 800 seats the widest LISTs of two levels are stated in kubernetes#132233.
func TestLargerServer(t *testing.T) {
	got := map[string]int{}
	for _, r := range rows(table(t, input(t, "1.37", 600, 200))) {
		got[r.Name] = r.List
	}
	if got["global-default"] != 10 || got["workload-low"] != 50 {
		t.Errorf("widest LIST: %v", got)
	}
}

// What an exempt level, one that queues and one that rejects have.
func TestTypes(t *testing.T) {
	got := map[string]Level{}
	for _, l := range table(t, input(t, "1.37", 400, 200)).Levels {
		got[l.Name] = l
	}
	e, c, g := got["exempt"], got["catch-all"], got["global-default"]
	if e.Type != Exempt || e.Idle != nil || e.Alone != nil || e.Queuing != nil {
		t.Errorf("exempt: %+v", e)
	}
	if c.Type != Reject || c.Queuing != nil || !c.BuiltIn || c.WidestWrite != 10 || c.WidestWatch != 10 {
		t.Errorf("catch-all: %+v", c)
	}
	want := &Queuing{Queues: 128, HandSize: 6, QueueLengthLimit: 50, QueuedByOneFlow: 300, QueuedInAll: 6400,
		Bytes: 6400 * DefaultBytesPerRequest, WaitLimit: Duration(15 * time.Second)}
	if diff := cmp.Diff(want, g.Queuing); g.Type != Queue || diff != "" {
		t.Errorf("global-default: %s\n%s", g.Type, diff)
	}
}

// A level reaches its limit alone in a scheduler too that is kept full of requests of one
// seat: queues or none, shares or none, borrowing bounded or not.
func TestAloneIsWhatTheSchedulerReaches(t *testing.T) {
	const manifests = `
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: bounded}
spec: {type: Limited, limited: {nominalConcurrencyShares: 15, lendablePercent: 40, borrowingLimitPercent: 150, limitResponse: {type: Reject}}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: jail}
spec: {type: Limited, limited: {nominalConcurrencyShares: 0, limitResponse: {type: Reject}}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: cell}
spec: {type: Limited, limited: {nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: {type: Queue, queuing: {}}}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: exempt}
spec: {type: Exempt, exempt: {nominalConcurrencyShares: 10, lendablePercent: 50}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: one-short-queue}
spec: {type: Limited, limited: {nominalConcurrencyShares: 7, limitResponse: {type: Queue, queuing: {queues: 1, handSize: 1, queueLengthLimit: 1}}}}
`
	for _, version := range []string{"1.25", "1.26", "1.28", "1.30", "1.31", "1.37"} {
		in := input(t, "1.37", 400, 200, manifests)
		in.Scheduler.Release, _ = release.Parse(version)
		for i, l := range table(t, in).Levels {
			if l.Type == Exempt {
				continue
			}
			if got := saturate(t, in.Scheduler, i); got != *l.Alone {
				t.Errorf("%s, %s: alone %d, and the scheduler reaches %d", version, l.Name, *l.Alone, got)
			}
		}
	}
}

// saturate keeps a level full for half an hour, and returns its limit then.
func saturate(t *testing.T, cfg scheduler.Config, level int) int {
	p, err := newProbe(cfg, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, name := p.server, p.levels[level].Name
	r := &scheduler.Request{Subject: s.Subject(name, nil), Target: s.Target(scheduler.Target{Verb: "get", Resource: "things"})}
	fill := func(now time.Duration) {
		for rejected := false; !rejected && s.LevelState(level).Waiting < 1000; {
			_, decisions := s.Arrive(now, r)
			rejected = len(decisions) > 0 && decisions[0].Kind == scheduler.Rejected
		}
	}
	for now := time.Duration(0); now < 30*time.Minute; now += 10 * time.Second {
		if now > 0 {
			s.Adjust(now)
		}
		fill(now)
	}
	return s.Levels()[level].Current
}

// A server that cannot be is an error and no panic.
func TestNoSeats(t *testing.T) {
	if _, err := For(input(t, "1.37", 0, 0)); err == nil {
		t.Error("a server without seats has a table")
	}
}
