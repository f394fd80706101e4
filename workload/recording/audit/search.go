package audit

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// searchMax is how deep events are searched for in an object that is not known: results of CloudWatch Insights, of
// Loki and Splunk, tables of Azure's Log Analytics.
const searchMax = 12

// auditID is what every event has in it, as text of an event too.
var auditID = []byte("auditID")

// search takes all events within a value, which stand there as objects or as strings. It returns how many there were.
func (r *Reader) search(value jsontext.Value, depth int) (found int64, err error) {
	if depth > searchMax || !bytes.Contains(value, auditID) {
		return 0, nil
	}
	switch value.Kind() {
	case '"':
		text, err := jsontext.AppendUnquote(nil, value)
		if text = bytes.TrimSpace(text); err != nil || !jsontext.Value(text).IsValid(lenient) {
			return 0, nil
		}
		return r.search(text, depth+1)
	case '{':
		p := &r.inner
		p.text, p.lines, p.at = value, true, 0
		if p.object() == nil && p.event.audited() {
			r.Account.Note(noteWrapped)
			return 1, r.part(&p.event)
		}
	}
	d := jsontext.NewDecoder(bytes.NewReader(value), lenient)
	if _, err := d.ReadToken(); err != nil {
		return 0, nil
	}
	for d.PeekKind() > 0 && d.PeekKind() != '}' && d.PeekKind() != ']' {
		inner, broken := d.ReadValue() // a name too, in which there is no event
		if broken != nil {
			return found, nil
		}
		n, err := r.search(inner, depth+1)
		if found += n; err != nil {
			return found, err
		}
	}
	return found, nil
}

// lenient is how loosely JSON of log shippers is read.
var lenient = jsontext.AllowInvalidUTF8(true)
