package recording

import (
	"bytes"
	"strconv"
	"time"
)

// Locator takes request URIs apart as kube-apiserver does (RequestInfoFactory.NewRequestInfo in
// pkg/endpoints/request/requestinfo.go). What it returns is valid until the next call.
type Locator struct {
	parts   [][]byte
	scratch []byte
}

// Locate fills in what is asked for: the target and options of a request with a verb, which is
// already set.
func (l *Locator) Locate(uri []byte, r *Request) {
	l.scratch = l.scratch[:0]
	path, query, _ := bytes.Cut(uri, []byte{'?'})
	if i := bytes.Index(path, []byte("://")); i >= 0 { // the absolute form, which proxies send
		path = path[i+3:]
		path = path[max(bytes.IndexByte(path, '/'), 0):]
	}
	path = l.unescape(path, false)
	if !l.resource(path, r) {
		r.Path = View(path)
	}
	l.options(query, r)
}

// The parts of a path below which the requests for resources are: the core group has none of its
// own.
const (
	groupless = "api"
	grouped   = "apis"
)

// resource reads a path as that of a resource, and returns false if it is none.
func (l *Locator) resource(path []byte, r *Request) bool {
	parts := l.split(path)
	if len(parts) < 3 {
		return false
	}
	switch string(parts[0]) {
	case groupless:
		parts = parts[2:]
	case grouped:
		if len(parts) < 4 {
			return false
		}
		r.APIGroup = View(parts[1])
		parts = parts[3:]
	default:
		return false
	}
	special := string(parts[0]) == "proxy" || string(parts[0]) == "watch"
	if special && len(parts) > 1 {
		parts = parts[1:]
	}
	if string(parts[0]) == "namespaces" && len(parts) > 1 {
		r.Namespace = View(parts[1])
		if len(parts) > 2 && string(parts[2]) != "status" && string(parts[2]) != "finalize" {
			parts = parts[2:]
		}
	}
	r.Resource = View(parts[0])
	if len(parts) > 1 {
		r.Name = View(parts[1])
	}
	if len(parts) > 2 && r.Verb != "proxy" {
		r.Subresource = View(parts[2])
	}
	return true
}

// split cuts a path at its slashes, without those at its ends.
func (l *Locator) split(path []byte) [][]byte {
	l.parts = l.parts[:0]
	path = bytes.Trim(path, "/")
	for len(path) > 0 {
		i := bytes.IndexByte(path, '/')
		if i < 0 {
			l.parts = append(l.parts, path)
			break
		}
		l.parts = append(l.parts, path[:i])
		path = path[i+1:]
		if len(path) == 0 {
			l.parts = append(l.parts, nil)
		}
	}
	return l.parts
}

// options reads what matters of a query: the options of a list or watch, and the deadline of
// anything but a watch. Of a parameter that is there twice the first counts.
func (l *Locator) options(query []byte, r *Request) {
	lists := r.Path == "" && (r.Verb == "list" || r.Verb == "watch")
	seen := 0
	for len(query) > 0 {
		var pair []byte
		pair, query, _ = bytes.Cut(query, []byte{'&'})
		name, value, _ := bytes.Cut(pair, []byte{'='})
		bit := parameter(l.unescape(name, true))
		if bit == 0 || seen&bit != 0 {
			continue
		}
		seen |= bit
		value = l.unescape(value, true)
		switch {
		case bit == parameterTimeout && r.Verb != "watch":
			if d, err := time.ParseDuration(View(value)); err == nil && d > 0 {
				r.Timeout = d
			}
		case lists:
			setOption(&r.Options, bit, value)
		}
	}
}

// The parameters that matter, as bits.
const (
	parameterLimit = 1 << iota
	parameterVersion
	parameterMatch
	parameterContinue
	parameterFields
	parameterLabels
	parameterInitial
	parameterTimeout
)

func parameter(name []byte) int {
	switch string(name) {
	case "limit":
		return parameterLimit
	case "resourceVersion":
		return parameterVersion
	case "resourceVersionMatch":
		return parameterMatch
	case "continue":
		return parameterContinue
	case "fieldSelector":
		return parameterFields
	case "labelSelector":
		return parameterLabels
	case "sendInitialEvents":
		return parameterInitial
	case "timeout":
		return parameterTimeout
	}
	return 0
}

func setOption(o *Options, bit int, value []byte) {
	text := View(value)
	switch bit {
	case parameterLimit:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			o.Limit = n
		}
	case parameterVersion:
		o.ResourceVersion = text
	case parameterMatch:
		o.ResourceVersionMatch = text
	case parameterContinue:
		o.Continue = text
	case parameterFields:
		o.FieldSelector = text
	case parameterLabels:
		o.LabelSelector = text
	case parameterInitial: // as Convert_Slice_string_To_bool of apimachinery
		o.SendInitialEvents = !bytes.EqualFold(value, []byte("false")) && text != "0"
	}
}

// unescape undoes percent-encoding, and in a query the plus for a space. What is no encoding
// stays as it is.
func (l *Locator) unescape(text []byte, query bool) []byte {
	if bytes.IndexByte(text, '%') < 0 && !(query && bytes.IndexByte(text, '+') >= 0) {
		return text
	}
	begin := len(l.scratch)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '+' && query:
			c = ' '
		case c == '%' && i+2 < len(text) && hex(text[i+1]) < 16 && hex(text[i+2]) < 16:
			c = hex(text[i+1])<<4 | hex(text[i+2])
			i += 2
		}
		l.scratch = append(l.scratch, c)
	}
	return l.scratch[begin:]
}

// hex returns the value of a hexadecimal digit, 16 for another byte.
func hex(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 16
}
