package audit

import (
	"bytes"
	"io"

	"github.com/apfsim/apfsim/workload/recording"
)

// Reader reads audit logs and gives the requests that they tell of, in the order of their
// arrivals. Read all files, then take the requests with Next.
type Reader struct {
	// Account tells what was read, left out and assumed. It is complete once Next has returned
	// false.
	Account recording.Account
	// Selection tells which requests Next gives.
	Selection recording.Selection

	sorter  recording.Sorter
	typical recording.Typical
	file    file
	inner   parser
	locator recording.Locator
	name    string
	server  int32
	line    int64
	// waits tells of each server whether its record holds waits at all, -1 being the only one.
	waits map[int32]bool
	// ends tells likewise of each server whether its record holds ends of requests at all.
	ends    map[int32]bool
	recent  recent
	lives   recording.Lives
	instant instant
	// system tells that a request of the control plane or of a node has come.
	system  bool
	request recording.Request
	// copies hold what stands within objects of log shippers, by depth.
	copies [wrapMax][]byte
}

// NewReader returns a reader that puts what does not fit into memory into a scratch file, which
// open opens if it is needed.
func NewReader(open func() (recording.Scratch, error)) *Reader {
	r := &Reader{waits: map[int32]bool{}, ends: map[int32]bool{}}
	r.sorter.Open = open
	r.sorter.Join = r.join
	return r
}

// Read reads a file of the server with a number, -1 if there is only one. What is wrong with the
// text goes to the account; the error is of the reading itself, of the file or of the scratch
// file.
func (r *Reader) Read(name string, server int32, text io.Reader) error {
	r.name, r.server = name, server
	f := &r.file
	f.source.reset(text)
	f.list, f.lost = false, false
	r.instant = instant{}
	var failed error
	f.fault = func(problem string, text []byte) { r.Account.Fault(name, f.line, problem, text) }
	f.passed = func() { r.Account.Note(notePassed) }
	f.found = func() {
		r.Account.Lines++
		r.line = f.line
		if err := r.event(&f.event, 0); err != nil && failed == nil {
			failed = err
			f.source.err = err
			f.begin = f.end
		}
	}
	err := f.run()
	if failed != nil {
		return failed
	}
	return r.unreadable(err)
}

// unreadable turns damage of compressed text into a fault of the text: what comes before it
// has been read, and is used.
func (r *Reader) unreadable(err error) error {
	problem := recording.Damage(err)
	if problem == "" {
		return err
	}
	r.Account.Fault(r.name, r.file.line, problem, nil)
	return nil
}

// wrapMax is how deep an event may be within objects of log shippers.
const wrapMax = 4

// event takes what was read as an object: an event, or something around one.
func (r *Reader) event(e *event, depth int) error {
	if e.whole() || depth == 0 && e.audited() && e.asText == nil && e.asObject < 0 {
		if depth > 0 {
			r.Account.Note(noteWrapped)
		}
		return r.part(e)
	}
	text := bytes.TrimSpace(e.asText)
	switch {
	case depth == wrapMax:
	case e.cloud:
		r.Account.Fault(r.name, r.line, "an entry of Google Cloud's audit log, which tells no times of stages: it cannot be imported", nil)
		return nil
	case len(text) > 0 && text[0] == '{':
		return r.nested(text, depth)
	case e.asObject >= 0:
		p := r.parserOf(depth)
		return r.nested(p.text[e.asObject:p.at], depth)
	}
	p := r.parserOf(depth)
	head, before := p.head(), r.Account.Malformed
	found, err := r.search(bytes.TrimSpace(p.text[:p.at]), 0)
	if found == 0 && err == nil && r.Account.Malformed == before {
		r.Account.Fault(r.name, r.line, "no audit event: neither auditID nor stage", head)
	}
	r.Account.Lines += max(0, found-1) // the object itself is counted
	return err
}

// parserOf returns the parser that is at work at a depth.
func (r *Reader) parserOf(depth int) *parser {
	if depth == 0 {
		return &r.file.parser
	}
	return &r.inner
}

// head returns the first line of the object that was parsed.
func (p *parser) head() []byte {
	line, _, _ := bytes.Cut(p.text[:p.at], []byte{'\n'})
	return line
}

// nested reads the text within an object of a log shipper.
func (r *Reader) nested(text []byte, depth int) error {
	// A copy, since the text may be in memory of the parser that will read it.
	text = append(r.copies[depth][:0], text...)
	r.copies[depth] = text
	p := &r.inner
	p.text, p.lines, p.at = text, true, 0
	if err := p.object(); err != nil {
		r.Account.Fault(r.name, r.line, "within an object of a log shipper: "+err.Error(), text)
		return nil
	}
	return r.event(&p.event, depth+1)
}

// part takes one audit event: a part of a request.
func (r *Reader) part(e *event) error {
	q := &r.request
	received, ok := recording.ParseTime(e.received)
	if !ok {
		r.Account.Fault(r.name, r.line, "requestReceivedTimestamp is no time", e.received)
		return nil
	}
	*q = recording.Request{
		Received: received, Server: r.server, ID: requestID(e.id, r.server),
		Groups:  q.Groups[:0],
		Client:  recording.View(e.agent),
		Verb:    recording.View(e.verb),
		Code:    e.code,
		Handled: len(e.reason) > 0,
		Waited:  recording.Unknown,
		Started: recording.Unknown, Total: recording.Unknown,
		InitialSeats: -1, FinalSeats: -1,
	}
	if !r.stage(e, q) {
		return nil
	}
	r.who(e, q)
	r.what(e, q)
	r.learn(e, q)
	q.EndsLast = r.instant.endsLast(q)
	return r.sorter.Add(q)
}
