package audit

import "bytes"

// searchMax is how deep events are searched for in an object that is not known: results of CloudWatch Insights, of
// Loki and Splunk, tables of Azure's Log Analytics.
const searchMax = 12

// auditID is what every event has in it, as text of an event too.
var auditID = []byte("auditID")

// search takes all events within a value, which stand there as objects or as strings. It returns how many there were. What
// looks like an event and cannot be read is a fault.
func (r *Reader) search(value []byte, depth int) (found int64, err error) {
	if !bytes.Contains(value, auditID) {
		return 0, nil
	}
	if depth > searchMax {
		r.Account.Fault(r.name, r.line, "too deep within an object of a log shipper", value)
		return 0, nil
	}
	switch value[0] {
	case '"':
		within := scanner{text: value}
		text, _ := within.string()          // it has been gone through already
		begin := bytes.IndexByte(text, '{') // a container runtime may have put a time before it
		if begin < 0 || bytes.Contains(text[:begin], auditID) {
			return 0, nil // a text about events, such as a query
		}
		return r.search(text[begin:], depth+1)
	case '{':
		p := &r.inner
		p.text, p.lines, p.at = value, true, 0
		if p.object() == nil && p.event.whole() {
			r.Account.Note(noteWrapped)
			return 1, r.part(&p.event)
		}
	case '[':
	default:
		return 0, nil
	}
	return r.elements(value, depth)
}

// elements searches the members of an object, or the elements of an array.
func (r *Reader) elements(value []byte, depth int) (found int64, err error) {
	s := scanner{text: value, at: 1}
	for first := true; ; first = false {
		more, broken := s.next(value[0] == '{', first)
		begin := s.at
		if more && broken == nil {
			broken = s.skip()
		}
		if broken != nil {
			r.Account.Fault(r.name, r.line, "within an object of a log shipper: "+broken.Error(), value[begin:])
		}
		if !more || broken != nil {
			return found, nil
		}
		n, err := r.search(value[begin:s.at], depth+1)
		if found += n; err != nil {
			return found, err
		}
	}
}

// next goes to the value of the next member of an object, or to the next element of an array. It returns false at the end.
func (s *scanner) next(object, first bool) (bool, error) {
	if object {
		name, err := s.member(first)
		return name != nil, err
	}
	if s.space() == ']' {
		return false, nil
	}
	if first {
		return true, nil
	}
	err := s.expect(',', "no comma between two elements")
	s.space()
	return err == nil, err
}
