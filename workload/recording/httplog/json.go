package httplog

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apfsim/apfsim/workload/recording"
)

// object reads objects that hold lines: those of Docker and of shippers, with the line in a member,
// and those that klog itself writes with --logging-format=json.
type object struct {
	reader  bytes.Reader
	decoder *jsontext.Decoder
	// text is the line within, nil if there is none, and tag that of a container runtime.
	text   []byte
	before int64
	stream byte
	more   bool
	// http tells that the object is an HTTP line itself, and at when it was written.
	http bool
	at   int64
	// nested is an object that may hold the line.
	nested  []byte
	scratch []byte
}

// parse reads an object; the pairs of an HTTP line go to e. The problem is "" if it is JSON.
func (o *object) parse(line []byte, e *entry) (problem string) {
	o.reader.Reset(line)
	if o.decoder == nil {
		o.decoder = jsontext.NewDecoder(&o.reader, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	} else {
		o.decoder.Reset(&o.reader, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	}
	o.text, o.before, o.stream, o.more, o.http, o.at, o.nested = nil, 0, stderr, false, false, 0, nil
	o.scratch = o.scratch[:0]
	d := o.decoder
	if _, err := d.ReadToken(); err != nil {
		return notJSON
	}
	for d.PeekKind() == '"' {
		raw, err := d.ReadValue()
		if err != nil {
			return notJSON
		}
		name := o.string(raw)
		value, err := d.ReadValue()
		if err != nil {
			return notJSON
		}
		if problem := o.member(name, value, e); problem != "" {
			return problem
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return notJSON
	}
	return ""
}

const notJSON = "no JSON, or cut off"

// string returns a string of JSON, copied.
func (o *object) string(raw []byte) []byte {
	begin := len(o.scratch)
	o.scratch, _ = jsontext.AppendUnquote(o.scratch, raw)
	return o.scratch[begin:]
}

// copy returns a copy of a value.
func (o *object) copy(value []byte) []byte {
	begin := len(o.scratch)
	o.scratch = append(o.scratch, value...)
	return o.scratch[begin:]
}

// dockerMax is where Docker cuts lines.
const dockerMax = 16 << 10

// member takes a member.
func (o *object) member(name, value []byte, e *entry) (problem string) {
	quoted := value[0] == '"'
	switch string(name) {
	case "log", "message", "MESSAGE", "line", "textPayload", "msg", "@message":
		if quoted {
			o.line(name, o.string(value))
		}
	case "time", "timestamp", "@timestamp":
		if quoted {
			o.before, _ = recording.ParseTime(o.string(value))
		}
	case "ts":
		o.at = moment(value)
	case "__REALTIME_TIMESTAMP":
		if n, ok := whole(bytes.Trim(value, `"`)); ok && quoted && n < 1<<53 {
			o.before = n * 1000
		}
	case "logtag":
		o.more = string(value) == `"P"`
	case "stream":
		if string(value) == `"stdout"` {
			o.stream = stdout
		}
	case "_source", "jsonPayload", "fields":
		if value[0] == '{' {
			o.nested = o.copy(value)
		}
	case "verb", "URI", "latency", "userAgent", "srcIP", "resp", "hijacked",
		"apf_pl", "apf_fs", "apf_iseats", "apf_fseats", "apf_additionalLatency", "apf_init_latency", "apf_execution_time":
		if quoted {
			return e.set(name, o.string(value))
		}
		return e.set(name, o.copy(value))
	}
	return ""
}

// line takes the text of a line.
func (o *object) line(name, text []byte) {
	if string(name) == "msg" && string(text) == "HTTP" {
		o.http = true
		return
	}
	whole := len(text) > 0 && text[len(text)-1] == '\n'
	if string(name) == "log" && !whole && len(text) == dockerMax {
		o.more = true
	}
	o.text = bytes.TrimRight(text, "\r\n")
}

// moment reads the time that klog writes: milliseconds since 1970 with decimals, or a text.
func moment(value []byte) int64 {
	if len(value) > 0 && value[0] == '"' {
		t, _ := recording.ParseTime(bytes.Trim(value, `"`))
		return t
	}
	front, fraction, _ := bytes.Cut(value, []byte{'.'})
	n, ok := whole(front)
	if !ok {
		return 0
	}
	unit := int64(1e6)
	if n < 1e11 { // seconds
		unit = 1e9
	}
	if n > 1<<62/unit {
		return 0
	}
	t := n * unit
	for _, c := range fraction {
		if unit /= 10; c < '0' || c > '9' {
			break
		}
		t += int64(c-'0') * unit
	}
	return t
}
