package calibration

import (
	"strconv"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/recording"
)

// serverName is what a server of a run is called.
func serverName(number int32) string { return "server " + strconv.Itoa(int(number)) }

// tooMany is the status code of a rejection.
const tooMany = 429

// Survey is what has to be known of a trace before it is counted.
type Survey struct {
	// Requests are its lines, Answered those that tell the status of the answer.
	Requests, Answered int64
	// Classified are those that tell the level that the server gave them to.
	Classified int64
	// Last is the last arrival, and End when the record ends: the last end of a request, if it tells
	// of any.
	Last, End time.Duration
	// Told is of which requests it tells the wait, Slow how many requests took long enough that an
	// audit log would have told it.
	Told Told
	Slow int64
}

// SurveyTrace reads a trace once.
func SurveyTrace(t *workload.Trace) (*Survey, error) {
	r, err := t.Observed()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s := &Survey{Last: t.LastArrival()}
	var o workload.Observed
	told, hidden := int64(0), int64(0)
	for {
		more, err := r.Next(&o)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		s.Requests++
		if len(o.PriorityLevel) > 0 {
			s.Classified++
		}
		if o.Code == 0 {
			continue
		}
		s.Answered++
		total := max(o.Waited, 0)
		if o.Code != tooMany {
			total += o.Duration
		}
		s.End = max(s.End, o.Arrival+total)
		if total > SlowRequest {
			s.Slow++
		}
		switch {
		case o.Code == tooMany:
		case o.Waited >= 0:
			told++
		default:
			hidden++
		}
	}
	s.End = max(s.End, s.Last)
	switch {
	case told == 0:
		s.Told = ToldNone
	case hidden > 0:
		s.Told = ToldSlow
	}
	return s, nil
}

// Recorded counts what a trace tells of what became of its requests. It observes a run in which the trace
// is replayed alone, which tells where a request goes and how wide it is; what became of it is
// what the trace tells.
type Recorded struct {
	sim.Silent
	*book
	reader *workload.ObservedReader
	world  *sim.World
	// ahead are lines that have been read, and whose requests have not arrived yet.
	ahead map[int64]fact
	next  int64
	err   error
	// named finds the sums of levels and schemas by their names, and words keeps each name once.
	named map[[2]string]place
	words map[string]string
	// moved counts requests that the server gave to another schema or level than the configuration
	// does.
	moved map[Move]int64
	// narrow counts LISTs of resources of whose stored objects nothing is known.
	narrow int64
}

// Move is how a request is classified by the recorded server and by the configuration.
type Move struct{ RecordedLevel, RecordedSchema, Level, Schema string }

// fact is what a line tells.
type fact struct {
	duration, waited time.Duration
	code             int32
	level, schema    string
}

var _ sim.Observer = (*Recorded)(nil)

// NewRecorded returns what counts a trace.
func NewRecorded(t *workload.Trace, v View) (*Recorded, error) {
	reader, err := t.Observed()
	if err != nil {
		return nil, err
	}
	return &Recorded{book: newBook(v), reader: reader, ahead: map[int64]fact{}, named: map[[2]string]place{}, words: map[string]string{}, moved: map[Move]int64{}}, nil
}

// Start learns the limits.
func (o *Recorded) Start(w *sim.World) { o.world = w }

// fact finds what the trace tells of the request of a line.
func (o *Recorded) fact(line int64) fact {
	var q workload.Observed
	for o.next <= line && o.err == nil {
		more, err := o.reader.Next(&q)
		if o.err = err; !more || err != nil {
			break
		}
		o.next = q.Line + 1
		f := fact{duration: q.Duration, waited: q.Waited, code: q.Code}
		if len(q.PriorityLevel) > 0 {
			f.level, f.schema = o.name(q.PriorityLevel), o.name(q.FlowSchema)
		}
		o.ahead[q.Line] = f
	}
	f := o.ahead[line]
	delete(o.ahead, line)
	return f
}

// name is a name of the record, as a text that is kept once.
func (o *Recorded) name(text []byte) string {
	if s, known := o.words[string(text)]; known {
		return s
	}
	s := string(text)
	o.words[s] = s
	return s
}

// place finds the sums of a request: by the names of the record, or else by where the
// configuration takes it.
func (o *Recorded) place(r *sim.Request, f *fact) place {
	p := o.cell(r.Level, r.Schema, func() (string, string) {
		s := o.world.ServerAt(r.Server)
		return s.Levels()[r.Level].Name, s.Schemas()[r.Schema]
	})
	if f.level != "" {
		p = o.classified(r, f, p)
	}
	o.by(&p, o.world, r)
	return p
}

// classified finds the sums by the names of the record, and notes where they are not those of the
// configuration.
func (o *Recorded) classified(r *sim.Request, f *fact, configured place) place {
	key := [2]string{f.level, f.schema}
	p, known := o.named[key]
	if !known {
		p = place{name: f.level, level: o.of(Subject{OfLevel, f.level, ""}), schema: o.of(Subject{OfSchema, f.schema, f.level})}
		o.named[key] = p
	}
	if schema := o.world.ServerAt(r.Server).Schemas()[r.Schema]; f.level != configured.name || f.schema != schema {
		o.moved[Move{f.level, f.schema, configured.name, schema}]++
	}
	return p
}

// Arrived counts a request with all that the record tells of it.
func (o *Recorded) Arrived(now time.Duration, r *sim.Request) {
	f := o.fact(r.ID)
	if r.Level < 0 {
		return
	}
	p := o.place(r, &f)
	o.arrived(&p, now)
	o.noteNarrow(r)
	if f.code == 0 {
		return
	}
	q := seen{arrival: now, waited: f.waited, execution: f.duration, alone: f.duration, seats: int(r.Estimate.InitialSeats), watch: r.Watch}
	q.rejected = f.code == tooMany && !evicts(o.world, r)
	if o.view.Told == ToldNone {
		q.waited = recording.Unknown
	}
	o.longest(p.name, f.waited)
	o.ended(&p, &q)
}

// noteNarrow counts a LIST whose width is unknown, since the number of objects is not told.
func (o *Recorded) noteNarrow(r *sim.Request) {
	server := o.world.ServerAt(r.Server)
	asked := server.Asked(r.Target)
	if asked.Verb != "list" || asked.Resource == "" {
		return
	}
	if n, _ := server.StoredObjects(asked.APIGroup, asked.Resource); n == 0 {
		o.narrow++
	}
}

// evicts tells whether a request asks for an eviction, to which the handler answers 429 if a budget
// does not allow it.
func evicts(w *sim.World, r *sim.Request) bool {
	return w.ServerAt(r.Server).Asked(r.Target).Subresource == "eviction"
}

// Close ends the reading of the trace, and returns what went wrong with it.
func (o *Recorded) Close() error {
	o.reader.Close()
	return o.err
}

// Fill makes what was counted the recorded side of a comparison.
func (o *Recorded) Fill(in *Input) {
	in.Recorded, in.Moved, in.Narrow = o.Side, o.moved, o.narrow
}
