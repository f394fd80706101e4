package scheduler

import (
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
)

// What follows is for those who measure a server. Nothing that the server decides depends on it.

// Version returns the version of kube-apiserver that the server behaves as.
func (s *Server) Version() release.Version { return s.cfg.version() }

// LastArrival returns what the last call of Arrive has made of its request. It is valid until the
// next one.
func (s *Server) LastArrival() *Arrival { return &s.arrival }

// RecordDispatches makes Progress tell of dispatches, from now on.
func (s *Server) RecordDispatches() {
	s.recording = true
	for i := range s.sets {
		s.sets[i].RecordDispatches()
	}
}

// Progress returns what the queue set of a level tells of its virtual time, the last one of a level that is gone.
// It returns false if the level has had none in the life of this process.
func (s *Server) Progress(level int) (fairqueue.Progress, bool) {
	var p fairqueue.Progress
	known := false
	for i := range s.sets {
		if int(s.sets[i].level) == level {
			advances, faults := p.EpochAdvances, p.EpochFaults
			p, known = s.sets[i].Progress(), true
			p.EpochAdvances += advances
			p.EpochFaults += faults
		}
	}
	return p, known
}

// FairFrac returns the fair fraction of the last adjustment.
func (s *Server) FairFrac() float64 { return s.fairFrac }

// Refusals tells how often it was the turn of a request of this level and schema that did not fit, so that
// nothing was dispatched, since the process has started.
func (s *Server) Refusals(level, schema int) uint64 {
	if refusals := s.levels[level].refusals; schema < len(refusals) {
		return refusals[schema]
	}
	return 0
}

// noteSchema keeps the schema of a request that has arrived.
func (l *levelSet) noteSchema(h fairqueue.Handle, schema int32) {
	for int(h) >= len(l.schemas) {
		l.schemas = append(l.schemas, -1)
	}
	l.schemas[h] = schema
}

// noteRefused counts a request that did not fit when it was its turn.
func (s *Server) noteRefused(set int32, h fairqueue.Handle) {
	from := &s.sets[set]
	l, schema := &s.levels[from.level], from.schemas[h]
	for int(schema) >= len(l.refusals) {
		l.refusals = append(l.refusals, 0)
	}
	l.refusals[schema]++
}

// Seats is the concurrency limit of the server.
func (s *Server) Seats() int { return s.cfg.Seats }

// Exempt tells whether the requests of a level are never limited.
func (s *Server) Exempt(level int) bool { return s.levels[level].info.Exempt }
