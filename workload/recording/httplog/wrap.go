package httplog

import (
	"bytes"

	"github.com/apfsim/apfsim/workload/recording"
)

// wrapped is a line without what container runtimes and shippers have put around it.
type wrapped struct {
	text []byte
	// before is the time that stood before it, 0 if none did.
	before int64
	// more tells that the line goes on in the next one of the stream.
	more   bool
	stream byte
}

// The streams of a container.
const (
	stdout byte = 'o'
	stderr byte = 'e'
)

// unwrap takes off what is known to stand before lines: the name of a pod in brackets (kubectl
// logs --prefix), a time (--timestamps), the stream and the tag of a container runtime, and
// whatever else has a head of klog behind it.
func unwrap(line []byte) wrapped {
	w := wrapped{text: line}
	if shaped(line) {
		return w
	}
	if len(line) > 0 && line[0] == '[' {
		if end := bytes.Index(line[:min(len(line), prefixMax)], []byte("] ")); end > 0 {
			w.text = line[end+2:]
		}
	}
	w.time()
	if w.runtime() || shaped(w.text) || w.continued() {
		return w
	}
	rest := syslogged(w.text)
	if at := findHead(w.text); at > 0 && !continues(rest) {
		w.inside(w.text[:at])
		w.text = w.text[at:]
	} else if rest != nil {
		w.text = rest
	}
	return w
}

// time takes off a time of RFC 3339.
func (w *wrapped) time() {
	end := bytes.IndexByte(w.text[:min(len(w.text), 48)], ' ')
	if end < 0 {
		end = len(w.text)
	}
	if t, ok := recording.ParseTime(w.text[:end]); ok {
		w.before = t
		w.text = w.text[min(end+1, len(w.text)):]
	}
}

// runtime takes off the stream and the tag of a container runtime, as in "stderr F ". Tags may be
// several, of which the first tells whether the line is whole.
func (w *wrapped) runtime() bool {
	rest, ok := bytes.CutPrefix(w.text, []byte("stderr "))
	stream := stderr
	if !ok {
		rest, ok = bytes.CutPrefix(w.text, []byte("stdout "))
		stream = stdout
	}
	if !ok || len(rest) == 0 || rest[0] != 'F' && rest[0] != 'P' || len(rest) > 1 && rest[1] != ' ' && rest[1] != ':' {
		return false
	}
	w.stream, w.more = stream, rest[0] == 'P'
	_, w.text, _ = bytes.Cut(rest, []byte{' '})
	return true
}

// continued tells whether the text is a line of a value of several lines.
func (w *wrapped) continued() bool { return continues(w.text) || closes(w.text) }

// inside looks for a time within what stands before a head: syslog of RFC 5424 has it second.
func (w *wrapped) inside(prefix []byte) {
	for w.before == 0 && len(prefix) > 0 {
		var word []byte
		word, prefix, _ = bytes.Cut(prefix, []byte{' '})
		if t, ok := recording.ParseTime(word); ok {
			w.before = t
		}
	}
}

// syslogged returns what follows the name and the number of the process, as in
// "Nov 30 10:00:00 host kube-apiserver[1]: ", nil if there is none.
func syslogged(line []byte) []byte {
	if i := bytes.Index(line[:min(len(line), prefixMax)], []byte("]: ")); i > 0 {
		return line[i+3:]
	}
	return nil
}

// fieldOfCSV returns the HTTP line within a row of a CSV file, where quotes are written twice, and the time with a zone that
// another column before it has, 0 if none has; nil if there is no such line in it.
func fieldOfCSV(row []byte) (field []byte, time int64) {
	if !bytes.Contains(row, []byte(`""HTTP""`)) {
		return nil, 0
	}
	for at := 0; at < len(row); {
		end := endOfField(row[at:])
		cell := row[at : at+end]
		if quoted := len(cell) > 1 && cell[0] == '"' && cell[len(cell)-1] == '"'; quoted && bytes.Contains(cell, []byte(`""HTTP""`)) {
			return bytes.ReplaceAll(cell[1:len(cell)-1], []byte(`""`), []byte(`"`)), time
		}
		if t, ok := recording.ParseTime(bytes.Trim(cell, `"`)); ok && time == 0 {
			time = t
		}
		at += end + 1
	}
	return nil, 0
}

// endOfField returns where the first field of a row of a CSV file ends: at a comma that is not between quotes.
func endOfField(row []byte) int {
	within := false
	for i, c := range row {
		if c == '"' {
			within = !within
		} else if c == ',' && !within {
			return i
		}
	}
	return len(row)
}

// Values of several lines have each line behind a tabulator, and end with a line that begins so.
func continues(line []byte) bool { return len(line) > 0 && line[0] == '\t' }
func closes(line []byte) bool    { return len(line) > 1 && line[0] == ' ' && line[1] == '>' }

// opens tells whether a line ends with the beginning of a value of several lines.
func opens(line []byte) bool { return bytes.HasSuffix(line, []byte("=<")) }
