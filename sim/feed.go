package sim

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload"
)

// traceFeed is a trace that is being replayed: one line read ahead, and what its
// interned subjects, targets and options are for the server.
type traceFeed struct {
	population int32
	reader     *workload.TraceReader
	// record is the line read ahead. Its texts are the reader's, until the next line.
	record workload.Record
	// subjects, targets and options grow with the reader's tables, which number them.
	subjects []scheduler.SubjectID
	targets  []tracedTarget
	options  []tracedOptions
	// selectors are not in a table of the reader: nothing bounds how many there are.
	selectors selectorCache
}

// tracedTarget is a target with what the feed itself has to know of it.
type tracedTarget struct {
	id     scheduler.TargetID
	verb   string
	method workload.Method
}

// tracedOptions are without selectors, which each line has for itself: parsed is good for
// a line without them, as most are, and raw is what selectors are added to.
type tracedOptions struct {
	parsed scheduler.ListOptions
	raw    *workload.RawOptions
}

// tracedRequest is a rejected request of a trace that its client sends again.
type tracedRequest struct {
	population int32
	request    scheduler.Request
	method     workload.Method
	list       bool
	// endsLast tells that its execution ends as classLast.
	endsLast bool
	// server is the one that it was recorded at, none if the trace does not tell.
	server int32
	// life is how long its watch is open, from its arrival on.
	life time.Duration
	// raw are its options as they are in the trace.
	raw *workload.RawOptions
}

// openTrace starts to replay the trace of a population.
func (w *World) openTrace(populationIndex int32) error {
	def := w.populations[populationIndex].def
	reader, err := def.Trace.Reader()
	if err != nil {
		return err
	}
	w.traces = append(w.traces, traceFeed{population: populationIndex, reader: reader})
	if w.numbersLines() {
		w.nextID = def.Trace.Lines()
	}
	w.readAhead(int32(len(w.traces) - 1))
	return w.err
}

// numbersLines tells whether ids are the line numbers of the trace: if it is all that
// there is. Requests sent again then get the numbers after the last line.
func (w *World) numbersLines() bool { return len(w.cfg.Populations) == 1 }

func (w *World) closeTraces() {
	for i := range w.traces {
		w.traces[i].reader.Close()
	}
}

// readAhead reads the next line of a trace and schedules its arrival. One line is held
// back in this way, whatever the size of the trace; if its lines are out of order, the
// reader holds as many as it takes to put them in order.
func (w *World) readAhead(i int32) {
	f := &w.traces[i]
	more, err := f.reader.Next(&f.record)
	if err != nil {
		w.err = err
		return
	}
	if !more {
		return
	}
	w.intern(f)
	w.queue.push(f.record.Arrival, classArrive, actTrace, i)
}

// intern makes known to the server what the reader has met for the first time. The reader
// numbers subjects, targets and sets of options as they come, so that a line is three
// small numbers and a few times, and nothing but selectors is looked up by its text here.
func (w *World) intern(f *traceFeed) {
	for _, s := range f.reader.Subjects()[len(f.subjects):] {
		id := w.subject(s.User, s.Groups)
		w.connectUser(w.populations[f.population].def.Name, s.User, id)
		f.subjects = append(f.subjects, id)
	}
	for _, t := range f.reader.Targets()[len(f.targets):] {
		f.targets = append(f.targets, tracedTarget{
			id:     w.target(scheduler.Target(t)),
			verb:   t.Verb,
			method: workload.MethodOf(t.Verb),
		})
	}
	for _, o := range f.reader.Options()[len(f.options):] {
		f.options = append(f.options, tracedOptions{
			parsed: scheduler.ParseListOptions(rawOptions(o)),
			raw:    &o,
		})
	}
}

// traceArrival sends the request of the line that is due.
func (w *World) traceArrival(i int32) {
	f := &w.traces[i]
	rec := &f.record
	target, options := &f.targets[rec.Target], f.listOptions(rec)
	t := tracedRequest{
		population: f.population,
		method:     target.method,
		list:       target.verb == "list",
		server:     rec.Server,
		life:       rec.Life,
		endsLast:   rec.EndsLast,
		raw:        options.raw,
		request: scheduler.Request{
			Subject: f.subjects[rec.Subject],
			Target:  target.id,
			Name:    w.tracedName(f, rec, options.name),
			Options: options.options,
			Timeout: rec.Timeout,
		},
	}
	id := rec.Line
	if !w.numbersLines() {
		id = w.nextID
		w.nextID++
	}
	d := draft{errand: errand{began: w.now, operation: none}, execution: w.queue.whole(rec.Duration)}
	if rec.Left > 0 {
		d.patience = w.now + rec.Left
	}
	// The record is read over now, so all that is needed of it has been taken.
	w.readAhead(i)
	w.sendTrace(&t, id, &d)
}

// listOptions returns what the server reads in the options of a line, with its selectors.
func (f *traceFeed) listOptions(rec *workload.Record) selected {
	options := &f.options[rec.Options]
	if len(rec.FieldSelector) == 0 && len(rec.LabelSelector) == 0 {
		return selected{options: options.parsed, raw: options.raw}
	}
	s, known := f.selectors.find(rec.Options, rec.FieldSelector, rec.LabelSelector)
	if !known {
		texts := *options.raw
		raw := rawOptions(texts)
		raw.FieldSelector, raw.LabelSelector = string(rec.FieldSelector), string(rec.LabelSelector)
		// Only lists and watches have selectors, and the name comes from them in the same
		// way, so the verb is no part of the key.
		s = selected{
			options: scheduler.ParseListOptions(raw),
			name:    scheduler.RequestName(f.targets[rec.Target].verb, "", raw),
		}
		texts.FieldSelector, texts.LabelSelector = raw.FieldSelector, raw.LabelSelector
		s.raw = &texts
		f.selectors.keep(selectorKey{rec.Options, raw.FieldSelector, raw.LabelSelector}, s)
	}
	return s
}

// tracedName returns the name of a traced request: that of the line, or else the one that
// its field selector asks for. The reader's bytes are good only until the next line, and a
// copy costs an allocation, so that they are copied only where the name makes a difference.
//
// The name of a written object matters once somebody watches a single object; for a
// request that may be sent again, somebody may by then.
func (w *World) tracedName(f *traceFeed, rec *workload.Record, asked string) string {
	if len(rec.Name) == 0 {
		return asked
	}
	verb := f.targets[rec.Target].verb
	again := w.populations[f.population].def.Retry.Policy != workload.RetryNone
	if w.cfg.Names || verb == "list" || verb == "watch" || again || w.namedWatches() {
		return string(rec.Name)
	}
	return ""
}

// sendTrace makes a traced request arrive now.
func (w *World) sendTrace(t *tracedRequest, id int64, d *draft) {
	slot := w.newRecord()
	r := &w.slots[slot]
	r.ID = id
	r.Population, r.Client, r.Template, r.Attempt = t.population, 0, none, d.attempt
	r.Execution, r.errand = d.execution, d.errand
	r.method, r.watch, r.list, r.endsLast = t.method, t.method == workload.MethodWatch, t.list, t.endsLast
	r.target, r.options, r.name = t.request.Target, t.request.Options, t.request.Name
	r.subject, r.lives = t.request.Subject, livesUntil(w.now, t.life)
	r.Options, r.Timeout = t.raw, t.request.Timeout
	if r.recordedAt = t.server; r.recordedAt != none {
		w.submitTo(slot, r.recordedAt)
		return
	}
	w.submit(slot)
}

// tracedAgain keeps what is needed to send a rejected request of a trace again.
func (w *World) tracedAgain(r *slotRecord) *tracedRequest {
	return &tracedRequest{population: r.Population, method: r.method, list: r.list, endsLast: r.endsLast, server: r.recordedAt, life: max(r.lives-r.Arrival, 0), raw: r.Options, request: r.traced()}
}

// sendTraced sends a rejected request of a trace again, under a new id.
func (w *World) sendTraced(d draft) {
	id := w.nextID
	w.nextID++
	w.sendTrace(d.traced, id, &d)
}
