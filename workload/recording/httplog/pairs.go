package httplog

import (
	"bytes"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/apfsim/apfsim/workload/recording"
)

// entry is what an HTTP line says, as far as it matters. Its texts are valid until the next line
// is read.
type entry struct {
	verb, uri, agent, address, level, schema []byte
	latency, execution, initial, additional  time.Duration
	iseats, fseats                           int64
	code                                     int
	hijacked                                 bool
	has                                      keys
	// scratch holds the texts that are not literally in the line.
	scratch []byte
}

// keys is a set of keys of a line.
type keys uint8

const (
	hasLatency keys = 1 << iota
	hasExecution
	hasInitial
	hasCode
	hasSeats
	// garbled tells of a duration of flow control that makes no sense.
	garbled
)

// reset makes e an empty entry, and keeps its memory.
func (e *entry) reset() { *e = entry{scratch: e.scratch[:0], iseats: -1, fseats: -1} }

// latencyMax is more than any request takes: what is longer comes of a clock that jumped.
const latencyMax = 366 * 24 * time.Hour

// message is the message of HTTP lines, as klog prints it.
const message = `"HTTP" `

// What is wrong with an HTTP line.
const (
	cutOff      = "the line is cut off"
	noVerb      = "no verb"
	noURI       = "no URI"
	noLatency   = "no latency"
	noCode      = "neither resp nor hijacked"
	badLatency  = "latency is no duration"
	badCode     = "resp is no status code"
	strangeText = "no key and = where they must be"
)

// parse reads the pairs of keys and values of a line of klog. open tells that the line ends within
// a value of several lines. The problem is "" if the line is good.
func (e *entry) parse(line []byte) (open bool, problem string) {
	for {
		line = bytes.TrimLeft(line, " ")
		if len(line) == 0 {
			return false, e.incomplete()
		}
		equals := bytes.IndexByte(line, '=')
		if equals < 1 || bytes.IndexByte(line[:equals], ' ') >= 0 {
			if e.complete() {
				return false, ""
			}
			return false, strangeText
		}
		key := line[:equals]
		line = line[equals+1:]
		if len(line) == 1 && line[0] == '<' { // the value is on the lines that follow
			return true, e.incomplete()
		}
		value, rest, ok := e.value(line)
		if !ok {
			// What comes last are stacks and bodies of answers, which nobody needs.
			if e.complete() {
				return false, ""
			}
			return false, cutOff
		}
		if problem := e.set(key, value); problem != "" {
			return false, problem
		}
		line = rest
	}
}

// complete tells whether all is there that a request needs.
func (e *entry) complete() bool { return e.incomplete() == "" }

// incomplete tells what a request lacks, "" if nothing.
func (e *entry) incomplete() string {
	switch {
	case len(e.verb) == 0:
		return noVerb
	case len(e.uri) == 0:
		return noURI
	case e.has&hasLatency == 0:
		return noLatency
	case e.has&hasCode == 0 && !e.hijacked:
		return noCode
	}
	return ""
}

// value returns the value that a line begins with, and the rest of the line. ok is false if the
// value does not end.
func (e *entry) value(line []byte) (value, rest []byte, ok bool) {
	if len(line) == 0 || line[0] != '"' {
		value, rest, _ = bytes.Cut(line, []byte{' '})
		return value, rest, true
	}
	escaped := false
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			value = line[1:i]
			if escaped {
				value = e.unquote(value)
			}
			return value, line[i+1:], true
		}
	}
	return nil, nil, false
}

// unquote undoes the escapes of a Go string. What is no escape stays as it is.
func (e *entry) unquote(text []byte) []byte {
	begin := len(e.scratch)
	for len(text) > 0 {
		plain := bytes.IndexByte(text, '\\')
		if plain < 0 {
			plain = len(text)
		}
		e.scratch = append(e.scratch, text[:plain]...)
		if text = text[plain:]; len(text) == 0 {
			break
		}
		c, multibyte, tail, err := strconv.UnquoteChar(recording.View(text), '"')
		switch {
		case err != nil:
			e.scratch = append(e.scratch, text[0])
			text = text[1:]
			continue
		case multibyte:
			e.scratch = utf8.AppendRune(e.scratch, c)
		default:
			e.scratch = append(e.scratch, byte(c))
		}
		text = text[len(text)-len(tail):]
	}
	return e.scratch[begin:]
}

// set takes a value.
func (e *entry) set(key, value []byte) (problem string) {
	switch string(key) {
	case "verb":
		e.verb = value
	case "URI":
		e.uri = value
	case "userAgent":
		e.agent = value
	case "srcIP":
		e.address = value
	case "apf_pl":
		e.level = value
	case "apf_fs":
		e.schema = value
	case "hijacked":
		e.hijacked = string(value) == "true"
	case "latency":
		if !e.duration(&e.latency, value, hasLatency) || e.latency > latencyMax {
			return badLatency
		}
	case "resp":
		n, ok := whole(value)
		if !ok || n > 999 {
			return badCode
		}
		e.code = int(n)
		e.has |= hasCode
	default:
		e.flowControl(key, value)
	}
	return ""
}

// flowControl takes a value that flow control has added. What makes no sense is noted.
func (e *entry) flowControl(key, value []byte) {
	ok := true
	switch string(key) {
	case "apf_execution_time":
		ok = e.duration(&e.execution, value, hasExecution)
	case "apf_init_latency":
		ok = e.duration(&e.initial, value, hasInitial)
	case "apf_additionalLatency":
		ok = e.duration(&e.additional, value, 0)
	case "apf_iseats":
		ok = e.seats(&e.iseats, value)
	case "apf_fseats":
		ok = e.seats(&e.fseats, value)
	}
	if !ok {
		e.has |= garbled
	}
}

func (e *entry) seats(to *int64, value []byte) bool {
	n, ok := whole(value)
	if ok {
		*to = n
		e.has |= hasSeats
	}
	return ok
}

// duration takes a duration, which a request has if it is not negative.
func (e *entry) duration(to *time.Duration, value []byte, key keys) bool {
	d, err := time.ParseDuration(recording.View(value))
	if err != nil || d < 0 {
		return false
	}
	*to = d
	e.has |= key
	return true
}

// whole returns the value of digits.
func whole(text []byte) (int64, bool) {
	if len(text) == 0 || len(text) > 15 {
		return 0, false
	}
	n := int64(0)
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}
