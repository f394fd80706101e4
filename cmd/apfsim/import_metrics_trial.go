package main

import (
	"bytes"
	"io"
	"io/fs"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/exposition"
	"github.com/apfsim/apfsim/scenarios"
	metrics "github.com/apfsim/apfsim/scenarios/observed"
	"github.com/apfsim/apfsim/sim"
)

// A trial has so many requests at most, and all of them together: with more the first guess stays, or the
// best up to then.
const trialRequests, allTrialRequests = 2e6, 12e6

// trySettings runs the scenario with several settings of what metrics do not tell, and keeps those whose metrics are
// nearest to what was observed. name is where the scenario is going to be, for its manifests.
func (p *Process) trySettings(fitted *metrics.Fitted, seen *metrics.Observation, name string) error {
	if fitted.Requests() > trialRequests || fitted.Servers > 1 {
		return nil
	}
	trial := fitted.NewTrial(seen)
	if trial == nil {
		return nil
	}
	for all := 0.0; all < allTrialRequests && trial.Next(); all += fitted.Requests() + 2000 {
		run, err := p.tryRun(fitted, name)
		if err != nil {
			return err
		}
		if run != nil {
			trial.Judge(run)
		}
	}
	trial.Choose()
	return nil
}

// tryRun runs a scenario that is not written yet, and reads what its server would have told. It returns
// nil if the scenario cannot be loaded.
func (p *Process) tryRun(fitted *metrics.Fitted, name string) (*metrics.Observation, error) {
	var text bytes.Buffer
	if err := fitted.Write(&text, "imported"); err != nil {
		return nil, err
	}
	if name == "" {
		name = "imported.yaml"
	}
	s, faults := scenarios.Load(name, overlaid{scenarioFiles{p.FS, p.Stdin}, name, text.Bytes()})
	if faults.HasErrors() {
		return nil, nil
	}
	cfg := s.Config
	looks := []time.Duration{fitted.Lead, fitted.Lead + fitted.Duration}
	if fitted.Lead == 0 {
		looks = looks[1:]
	}
	cfg.Looks = looks
	scrapes := exposition.NewObserver()
	if _, err := sim.Run(&cfg, 0, scrapes, nil); err != nil {
		return nil, err
	}
	result := &reports.Result{Expositions: scrapes.Expositions()}
	var r metrics.Reader
	for _, at := range looks {
		var scraped bytes.Buffer
		if err := exposition.WriteText(&scraped, result, at); err != nil {
			return nil, err
		}
		if err := r.Read("trial", at, &scraped); err != nil {
			return nil, err
		}
	}
	run, problems := r.Observe(0)
	if len(problems) > 0 || !run.Sound() {
		return nil, nil
	}
	return run, nil
}

// overlaid are files with one more, which is not on any disk.
type overlaid struct {
	scenarios.Files
	name string
	text []byte
}

// ReadFile implements scenarios.Files.
func (o overlaid) ReadFile(name string) ([]byte, error) {
	if name == o.name {
		return o.text, nil
	}
	return o.Files.ReadFile(name)
}

// ReadDir implements scenarios.Files.
func (o overlaid) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == o.name {
		return nil, fs.ErrInvalid
	}
	return o.Files.ReadDir(name)
}

// Open implements scenarios.Files.
func (o overlaid) Open(name string) (io.ReadCloser, error) {
	if name == o.name {
		return io.NopCloser(bytes.NewReader(o.text)), nil
	}
	return o.Files.Open(name)
}
