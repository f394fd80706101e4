package httplog

import (
	"bytes"
	"io"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// Reader reads logs of kube-apiserver and gives the requests that their HTTP lines tell of, in the
// order of their arrivals. Read all files, then take the requests with Next.
type Reader struct {
	// Account tells what was read, left out and assumed. It is complete once Next has returned
	// false.
	Account recording.Account
	// Selection tells which requests Next gives.
	Selection recording.Selection
	// Year is that of the first line, 0 if nobody knows, and Zone the time zone of the lines, nil
	// if nobody knows. Users makes up the users. All are set before the first file is read.
	Year  int
	Zone  *time.Location
	Users *Users

	sorter  recording.Sorter
	typical recording.Typical
	locator recording.Locator
	text    text
	clock   clock
	object  object
	entry   entry
	request recording.Request
	name    string
	server  int32
	// year is what the account says of the year of lines.
	year string
	// open tells that the last line ended within a value of several lines.
	open bool
	// pieces hold the lines of streams that a container runtime has cut, until their ends come.
	pieces [2]piece
	// copies hold what stands within objects, by depth.
	copies [wrapMax][]byte
	// classes and times tell of each server whether its lines tell schemas and execution times.
	classes, times map[int32]bool
}

// piece is the beginning of a line that was cut.
type piece struct {
	text   []byte
	before int64
	more   bool
}

// NewReader returns a reader that puts what does not fit into memory into a scratch file, which
// open opens if it is needed.
func NewReader(users *Users, open func() (recording.Scratch, error)) *Reader {
	r := &Reader{Users: users, classes: map[int32]bool{}, times: map[int32]bool{}}
	r.sorter.Open = open
	return r
}

// Close removes the scratch file.
func (r *Reader) Close() error { return r.sorter.Close() }

// Read reads a file of the server with a number, -1 if there is only one. What is wrong with the
// text goes to the account; the error is of the reading itself, of the file or of the scratch
// file.
func (r *Reader) Read(name string, server int32, file io.Reader) error {
	r.name, r.server, r.open = name, server, false
	r.clock.zone = r.Zone
	err := r.text.reset(file)
	for err == nil {
		var line []byte
		if line, err = r.text.next(); err == nil {
			r.Account.Lines++
			if r.text.cut {
				r.fault("a line of more than 4 MiB", line)
				continue
			}
			err = r.line(line, 0, 0)
		}
	}
	for i := range r.pieces {
		if p := &r.pieces[i]; p.more {
			p.more = false
			r.fault(noPiece, p.text)
		}
	}
	if err == io.EOF {
		return nil
	}
	if problem := recording.Damage(err); problem != "" {
		r.fault(problem, nil)
		return nil
	}
	return err
}

// fault counts what is malformed in the last line.
func (r *Reader) fault(problem string, line []byte) {
	r.Account.Fault(r.name, max(r.text.line, 1), problem, line)
}

// wrapMax is how deep a line may be within objects of shippers and prefixes.
const wrapMax = 4

// line takes a line, or a text within an object. before is the time that stood before it.
func (r *Reader) line(line []byte, before int64, depth int) error {
	if len(line) > 0 && line[0] == '{' && depth < wrapMax {
		return r.json(line, before, depth)
	}
	if field, time := fieldOfCSV(line); field != nil && depth < wrapMax {
		if time == 0 {
			time = before
		}
		return r.line(field, time, depth+1)
	}
	w := unwrap(line)
	if w.before == 0 {
		w.before = before
	}
	whole, ok := r.whole(&w)
	if !ok {
		return nil
	}
	if len(whole) > 0 && whole[0] == '{' && depth < wrapMax {
		return r.json(whole, w.before, depth+1)
	}
	return r.klog(whole, w.before)
}

// whole puts together what a container runtime has cut. ok is false if the end is still to come.
func (r *Reader) whole(w *wrapped) (text []byte, ok bool) {
	p := &r.pieces[0]
	if w.stream == stdout {
		p = &r.pieces[1]
	}
	if !p.more && !w.more {
		return w.text, true
	}
	if !p.more {
		p.text, p.before = p.text[:0], w.before
	}
	if len(p.text)+len(w.text) <= LineMax {
		p.text = append(p.text, w.text...)
	}
	p.more = w.more
	w.before = p.before
	return p.text, !w.more
}

// json takes an object.
func (r *Reader) json(line []byte, before int64, depth int) error {
	o := &r.object
	if depth > 0 { // a copy, since the line is in the memory of what will read it
		line = append(r.copies[depth-1][:0], line...)
		r.copies[depth-1] = line
	}
	r.entry.reset()
	if problem := o.parse(line, &r.entry); problem != "" {
		r.fault(problem, line)
		return nil
	}
	if o.before != 0 {
		before = o.before
	}
	switch {
	case o.http:
		return r.objectLine(line, before)
	case o.text != nil:
		w := wrapped{text: o.text, before: before, stream: o.stream, more: o.more}
		whole, ok := r.whole(&w)
		if !ok {
			return nil
		}
		return r.line(whole, w.before, depth+1)
	case o.nested != nil && depth < wrapMax:
		return r.json(o.nested, before, depth+1)
	}
	r.Account.Note(noteOther)
	return nil
}

// objectLine takes an HTTP line that is an object.
func (r *Reader) objectLine(line []byte, before int64) error {
	t := r.object.at
	if t == 0 {
		t = before
	}
	problem := r.entry.incomplete()
	if t == 0 {
		problem = "no time"
	}
	if problem != "" {
		r.fault(problem, line)
		return nil
	}
	return r.add(t)
}

// klog takes a line of klog as it was printed, or a line between.
func (r *Reader) klog(line []byte, before int64) error {
	if r.continued(line) {
		return nil
	}
	h, rest, ok := parseHead(line)
	if !ok {
		r.foreign(line)
		return nil
	}
	rest, ok = bytes.CutPrefix(rest, []byte(message))
	if !ok {
		r.open = opens(line)
		r.Account.Note(noteOther)
		return nil
	}
	r.entry.reset()
	open, problem := r.entry.parse(rest)
	r.open = open
	if problem != "" {
		r.fault(problem, line)
		return nil
	}
	return r.add(r.when(&h, before))
}

// continued tells whether a line is one of a value of several lines.
func (r *Reader) continued(line []byte) bool {
	if !r.open {
		return false
	}
	switch {
	case continues(line), len(line) == 0: // some tools cut white space off
	case closes(line):
		r.open = opens(line)
	default:
		r.open = false
		return false
	}
	r.Account.Note(noteContinued)
	return true
}

// foreign takes a line that has no head of klog.
func (r *Reader) foreign(line []byte) {
	if t, ok := createdAt(line); ok && r.Year == 0 {
		r.clock.near, r.clock.known, r.year = t, true, noteYearCreated
	}
	if bytes.Contains(line, []byte(message+"verb=")) {
		r.fault("an HTTP line without the head of klog", line)
		return
	}
	r.Account.Note(noteForeign)
}
