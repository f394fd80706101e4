package main

import (
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/dump"
	"github.com/apfsim/apfsim/reports/exposition"
	"github.com/apfsim/apfsim/sim"
)

// told keeps what the servers of the first replication tell; what nobody asked for is nil.
type told struct {
	scrapes *exposition.Observer
	dumps   *dump.Observer
	records sim.Observer
}

// servers returns what is to be kept of what servers tell.
func (r *runner) servers() (t told) {
	if r.scrapes {
		t.scrapes = exposition.NewObserver()
	}
	if r.dumps {
		t.dumps = dump.NewObserver(r.dumpTimes...)
	}
	if r.records != nil {
		t.records = r.records.observer()
	}
	return t
}

// observers are those of a replication.
func (t told) observers(replication int) (all []sim.Observer) {
	if replication > 0 {
		return nil
	}
	if t.scrapes != nil {
		all = append(all, t.scrapes)
	}
	if t.dumps != nil {
		all = append(all, t.dumps)
	}
	if t.records != nil {
		all = append(all, t.records)
	}
	return all
}

// tell puts what the servers have told into the result.
func (t told) tell(result *reports.Result) {
	if t.scrapes != nil {
		result.Expositions = t.scrapes.Expositions()
	}
	if t.dumps != nil {
		result.Dumps = t.dumps.Dumps()
	}
}
