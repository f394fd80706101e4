package fullrun

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// LoadOurs reads the scenario of a folder as `apfsim run` does.
func LoadOurs(folder string) (*sim.Config, error) {
	s, diagnostics := scenarios.Load(filepath.Join(folder, scenarioFile), osFiles{})
	if s == nil {
		return nil, fmt.Errorf("the simulator refuses the scenario:\n%s", diagnostics)
	}
	return &s.Config, nil
}

// osFiles gives the simulator the real file system.
type osFiles struct{}

var _ scenarios.Files = osFiles{}

// ReadFile is os.ReadFile.
func (osFiles) ReadFile(name string) ([]byte, error) { return os.ReadFile(name) }

// ReadDir is os.ReadDir.
func (osFiles) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// Open is os.Open.
func (osFiles) Open(name string) (io.ReadCloser, error) { return os.Open(name) }

// Simulated is what the simulator did with a trace.
type Simulated struct {
	Run
	// Events are everything that happened at a time of its own, in order of time.
	Events []Event
	// Changes counts what became of priority levels and flow schemas.
	Changes map[scheduler.ChangeKind]int
	// Panics counts the times at which the real server would have panicked.
	Panics int
}

// Simulate runs the first replication of a configuration.
func Simulate(config *sim.Config) (*Simulated, error) {
	var text bytes.Buffer
	log := reports.NewDecisionLog(&text)
	watcher := &watcher{}
	if _, err := sim.Run(config, 0, reports.Tee(log, watcher), nil); err != nil {
		return nil, err
	}
	if err := log.Close(); err != nil {
		return nil, err
	}
	decisions, err := parseLines[Decision](&text)
	if err != nil {
		return nil, fmt.Errorf("the simulator's decision log: %w", err)
	}
	panics := watcher.world.Server().Panics()
	return &Simulated{Run{decisions, watcher.adjustments}, watcher.events.inOrder(), watcher.changes, panics}, nil
}

// withTrace returns a configuration of which the server, with its changes, is sent just
// this trace.
func withTrace(config *sim.Config, trace []Request) (*sim.Config, error) {
	var text bytes.Buffer
	if err := WriteTrace(&text, trace); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text.Bytes())), nil }
	opened, faults := workload.OpenTrace(traceFile, open)
	if len(faults) > 0 {
		return nil, fmt.Errorf("the simulator refuses the trace: %v", faults[0])
	}
	return &sim.Config{
		Scheduler:   config.Scheduler,
		Changes:     config.Changes,
		Populations: []workload.Population{{Name: "recorded", Trace: opened}},
	}, nil
}
