package audit

import (
	"bytes"
	"io"
)

// file goes through the text of one file: which objects there are, where they end, and where to
// go on after text that is none.
//
// The texts that occur are lines with an object each, which is what kube-apiserver writes; objects
// over several lines; lists of objects, at the top or within an object; and lines with something
// before the object, such as a time. A line is tried first on its own, so that one that was cut
// off cannot swallow the lines after it.
type file struct {
	source
	parser
	// list tells that the text is within a list, and around is how many objects are around it.
	list   bool
	around int
	// fault is told of text that is no event, and found of each object that was read.
	fault func(problem string, text []byte)
	found func()
	// lost tells that the text is behind a fault, and passed is told of each line that is passed
	// over to find the next object.
	lost   bool
	passed func()
	// field holds the event of a line of a CSV file.
	field []byte
}

// run reads the whole file. It returns what the reading failed with, nil at the end.
func (f *file) run() error {
	f.skipMark()
	for {
		c := f.peek()
		switch {
		case c == 0 && f.source.err == io.EOF:
			return nil
		case c == 0:
			return f.source.err
		case f.list && c == ']':
			f.take(1)
			f.endOfList()
		case f.list && c == ',':
			f.take(1)
		case c == '{':
			f.object()
		case c == '[' && !f.list && f.startsList():
			f.take(1)
			f.list, f.around = true, 0
		default:
			f.strayLine()
		}
	}
}

// skipMark goes past a byte order mark.
func (f *file) skipMark() {
	for len(f.window()) < 3 && f.more() {
	}
	if bytes.HasPrefix(f.window(), []byte("\xef\xbb\xbf")) {
		f.take(3)
	}
}

// peek goes past white space and returns the byte after it, 0 at the end of the file.
func (f *file) peek() byte {
	for {
		w := f.window()
		for i, c := range w {
			if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
				f.take(i)
				return c
			}
		}
		f.take(len(w))
		if !f.more() {
			return 0
		}
	}
}

// lineEnd returns where the line that the window begins with ends, with what is in the window;
// -1 if its end is not there yet.
func (f *file) lineEnd(from int) int {
	if from > f.end-f.begin {
		return -1
	}
	i := bytes.IndexByte(f.window()[from:], '\n')
	if i < 0 {
		return -1
	}
	return from + i
}

// errLine tells of a line that was cut off.
const errLine = problem("the line ends within an object")

// object reads the object that the window begins with.
func (f *file) object() {
	searched := 0
	for {
		end := f.lineEnd(searched)
		f.lines = f.list || end < 0
		f.text = f.window()
		if !f.lines {
			f.text = f.window()[:end+1]
		}
		err := f.try()
		if err == errShort && end >= 0 && !f.list {
			// Not all of it is on the line: it goes over several lines, or is cut off.
			f.lines, f.text = true, f.window()
			if err = f.try(); err != nil && err != errShort && err != errList {
				err = errLine
			}
		}
		if err != errShort {
			f.took(err)
			return
		}
		if searched = end; end < 0 {
			searched = len(f.window())
		}
		if !f.grow() {
			f.cutOff()
			return
		}
	}
}

// grow makes the window half as long again, so that an object is tried a few times only however
// small the pieces are in which its text comes. It returns false if there is no more text.
func (f *file) grow() bool {
	before := len(f.window())
	for len(f.window()) < before+before/2+1 {
		if !f.more() {
			break
		}
	}
	return len(f.window()) > before
}

// try parses the text from its beginning.
func (f *file) try() error {
	f.at = 0
	return f.parser.object()
}

// took goes past what was parsed, or past the line that it begins with if there is a fault in it.
func (f *file) took(err error) {
	switch {
	case err == nil:
		f.lost = false
		f.found()
		f.take(f.at)
	case err == errList && !f.list:
		f.list, f.around = true, f.depth
		f.take(f.at)
	default:
		f.lose(err.Error())
	}
}

// lose tells of a fault in the object that the window begins with, and goes past the line.
func (f *file) lose(problem string) {
	f.fault(problem, f.firstLine())
	f.skipLine()
	f.lost = true
}

// cutOff tells of an object that does not end.
func (f *file) cutOff() {
	what := errShort.Error()
	if f.source.err == nil {
		what = "an object of more than 32 MiB"
	}
	f.lose(what)
}

// shown is how much of a line is shown at most.
const shown = 200

// firstLine returns the line that the window begins with, as far as it is shown.
func (f *file) firstLine() []byte {
	for f.lineEnd(0) < 0 && len(f.window()) < shown && f.more() {
	}
	w := f.window()
	if end := f.lineEnd(0); end >= 0 {
		w = w[:end]
	}
	return bytes.TrimRight(w, "\r")
}

// skipLine goes past the line that the window begins with.
func (f *file) skipLine() {
	for {
		if end := f.lineEnd(0); end >= 0 {
			f.take(end + 1)
			return
		}
		f.take(len(f.window()))
		if !f.more() {
			return
		}
	}
}

// startsList tells whether the bracket that the window begins with is that of a list of objects,
// and not the beginning of a line of another log.
func (f *file) startsList() bool {
	for {
		rest := bytes.TrimLeft(f.window()[1:], " \t\r\n")
		if len(rest) > 0 {
			return rest[0] == '{' || rest[0] == ']'
		}
		if !f.more() {
			return false
		}
	}
}

// strayLine handles a line that does not begin with an object: one may come later in it.
func (f *file) strayLine() {
	end := f.lineEnd(0)
	for end < 0 && f.more() {
		end = f.lineEnd(0)
	}
	header := f.line == 1 && end >= 0 && f.fieldFollows(end)
	line := f.firstLine()
	at := bytes.IndexByte(line, '{')
	switch {
	case header && at < 0:
	case f.rowOfCSV(line):
		f.lost = false
		f.found()
	case f.lost: // most likely the rest of an object that is at fault
		f.passed()
	case f.list || at < 0:
		f.fault("not JSON", line)
	default:
		f.lines, f.text = false, line[at:]
		if err := f.try(); err == nil {
			f.found()
		} else {
			f.fault("not JSON", line)
		}
	}
	f.skipLine()
}

// idOfCSV is in each event that is a field of a CSV file, where quotes are written twice. It is in no good JSON.
var idOfCSV = []byte(`""auditID""`)

// fieldFollows tells whether the next line has an event as a field of a CSV file: then this one names the columns.
func (f *file) fieldFollows(end int) bool {
	next := f.lineEnd(end + 1)
	for next < 0 && f.more() {
		next = f.lineEnd(end + 1)
	}
	rest := f.window()[end+1:]
	if next >= 0 {
		rest = f.window()[end+1 : next]
	}
	return bytes.Contains(rest, idOfCSV)
}

// rowOfCSV reads the event that a row of a CSV file has in one of its fields. It tells whether there is one.
func (f *file) rowOfCSV(line []byte) bool {
	if !bytes.Contains(line, idOfCSV) {
		return false
	}
	for at := 0; at < len(line); {
		if line[at] != '"' || at > 0 && line[at-1] != ',' {
			at++
			continue
		}
		var rest []byte
		f.field, rest = appendField(f.field[:0], line[at+1:])
		at = len(line) - len(rest)
		if begin := bytes.IndexByte(f.field, '{'); begin >= 0 && bytes.Contains(f.field, auditID) {
			f.lines, f.text = false, f.field[begin:]
			if f.try() == nil && f.parser.event.whole() {
				return true
			}
		}
	}
	return false
}

// appendField appends a field of a CSV file as it was before its quotes were doubled, up to its closing quote. It returns
// what follows that.
func appendField(to, line []byte) (field, rest []byte) {
	for {
		n := bytes.IndexByte(line, '"')
		if n < 0 {
			return append(to, line...), nil
		}
		to = append(to, line[:n]...)
		if n+1 == len(line) || line[n+1] != '"' {
			return to, line[n+1:]
		}
		to, line = append(to, '"'), line[n+2:]
	}
}

// endOfList goes past the end of the objects that are around a list.
func (f *file) endOfList() {
	f.list = false
	for f.around > 0 {
		f.lines, f.text, f.at = true, f.window(), 0
		err := f.endOfObject()
		switch {
		case err == nil:
			f.take(f.at)
			f.around--
		case err == errShort && f.more():
		default:
			f.lose(err.Error())
			return
		}
	}
}

// endOfObject goes past the members of an object that are left.
func (f *file) endOfObject() error {
	for {
		name, err := f.member(false)
		if name == nil || err != nil {
			return err
		}
		if err := f.skip(); err != nil {
			return err
		}
	}
}
