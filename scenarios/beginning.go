package scenarios

import (
	"fmt"
	"io"
	"time"

	"github.com/apfsim/apfsim/scenarios/start"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/recording/dump"
)

// startSpec is what the servers are doing when the run begins.
type startSpec struct {
	Dump     []string          `json:"dump"`
	At       *string           `json:"at,omitempty"`
	Duration *distributionSpec `json:"duration,omitempty"`
}

// PresentName is the name of the population that the requests count to which are present when a
// run begins.
const PresentName = "present"

// begin makes the start of a run whose scheduler is configured, and the population of its requests.
func (l *loader) begin(s *startSpec, cfg *sim.Config) {
	if s == nil {
		return
	}
	if l.require("start", "dump", "files with debug pages of a server, and a scrape of its metrics if there is one") && len(s.Dump) == 0 {
		l.refuse("start.dump", fault{code: CodeMissing, message: "start.dump is empty", legal: "files with debug pages"})
	}
	for i := range l.spec.Clients {
		if l.spec.Clients[i].Name == PresentName {
			l.refuse(join(index("clients", i), "name"), fault{code: CodeSameName,
				message: fmt.Sprintf("clients[%d] has the name %q, to which the requests count that are present at the start", i, PresentName)})
		}
	}
	var duration workload.Distribution
	if s.Duration != nil {
		duration = l.distribution("start.duration", s.Duration)
	}
	at := l.startTime(s)
	files := l.startFiles(s)
	if l.c.errors() {
		return
	}
	moment, faults, _ := dump.Read(files)
	state, more, _ := start.Of(moment, start.Options{Scheduler: &cfg.Scheduler, Servers: cfg.Servers, At: at})
	for _, f := range append(faults, more...) {
		l.fail("start.dump", Place(f.Place), fault{code: CodeDump, message: f.Problem, legal: f.Legal, hint: f.Hint})
	}
	if l.c.errors() {
		return
	}
	state.Duration, state.Population = duration, int32(len(cfg.Populations))
	l.durationsTold(s, state)
	cfg.Start = state
	cfg.Populations = append(cfg.Populations, workload.Population{Name: PresentName, Present: true})
}

// startTime reads when the pages were made, zero if that is not told.
func (l *loader) startTime(s *startSpec) time.Time {
	if s.At == nil {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, *s.At)
	if err != nil {
		l.refuse("start.at", fault{code: CodeNotLegal, message: fmt.Sprintf("start.at is no time: %q", shorten(*s.At)), legal: "a time as in 2026-01-02T15:04:05.123Z"})
	}
	return at
}

// startFiles reads the pages. As traces they are not among the sources of a scenario.
func (l *loader) startFiles(s *startSpec) []dump.File {
	var files []dump.File
	for i, entry := range s.Dump {
		path := index("start.dump", i)
		if entry == "" {
			l.refuse(path, fault{code: CodeMissing, message: path + " is empty", legal: "the name of a file"})
			continue
		}
		name := resolve(l.file, entry)
		text, err := l.readAll(name)
		if err != nil {
			l.fail(path, l.at(path), unreadable(l.files, name, err))
			continue
		}
		files = append(files, dump.File{Name: name, Text: text})
	}
	return files
}

func (l *loader) readAll(name string) ([]byte, error) {
	r, err := l.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// durationsTold reports that nothing tells how long the present requests execute.
func (l *loader) durationsTold(s *startSpec, state *sim.StartState) {
	if s.Duration != nil {
		return
	}
	for i := range state.Servers {
		for j := range state.Servers[i].Levels {
			for _, r := range state.Servers[i].Levels[j].Requests {
				if r.Rest < 0 {
					l.refuse("start.duration", fault{code: CodeMissing, message: "start.duration is missing, and the pages do not tell for how long requests execute",
						legal: "a distribution", hint: "for example {lognormal: {p50: 40ms, p99: 2s}}: of those that execute already it is drawn how much longer they do"})
					return
				}
			}
		}
	}
}
