package audit

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apfsim/apfsim/workload/recording"
)

// eventWriter appends parts of an event.
type eventWriter struct{ dst []byte }

func (l *eventWriter) raw(s string) { l.dst = append(l.dst, s...) }

// string appends a text as encoding/json does it, which escapes what HTML could misunderstand.
func (l *eventWriter) string(s string) { l.dst = appendQuoted(l.dst, s) }

func appendQuoted(dst []byte, s string) []byte {
	begin := len(dst)
	dst, _ = jsontext.AppendQuote(dst, s)
	for i := begin; i < len(dst); i++ {
		switch c := dst[i]; c {
		case '&', '<', '>':
			const hex = "0123456789abcdef"
			dst = append(dst, 0, 0, 0, 0, 0)
			copy(dst[i+6:], dst[i+1:len(dst)-5])
			copy(dst[i:], `\u00`)
			dst[i+4], dst[i+5] = hex[c>>4], hex[c&15]
		}
	}
	return dst
}

// field appends a field, whose name is given with all around it, unless the text is empty.
func (l *eventWriter) field(name, text string) {
	if text != "" {
		l.raw(name)
		l.string(text)
	}
}

// annotation appends an annotation, and a comma.
func (l *eventWriter) annotation(name, text string) {
	l.string(name)
	l.raw(":")
	l.string(text)
	l.raw(",")
}

// time appends a time as MicroTime of apimachinery has it.
func (l *eventWriter) time(ns int64) {
	l.dst = time.Unix(0, ns).UTC().AppendFormat(l.dst, "2006-01-02T15:04:05.000000Z")
}

// uri appends what was asked for.
func (l *eventWriter) uri(q *recording.Request) {
	begin := len(l.dst)
	l.dst = recording.AppendURI(l.dst, q)
	uri := string(l.dst[begin:]) // quoting needs it apart
	l.dst = appendQuoted(l.dst[:begin], uri)
}

// who appends who asks, and from where.
func (l *eventWriter) who(q *recording.Request) {
	l.raw(`,"user":{"username":`)
	l.string(q.User)
	for i, group := range q.Groups {
		if i == 0 {
			l.raw(`,"groups":[`)
		} else {
			l.raw(",")
		}
		l.string(group)
	}
	if len(q.Groups) > 0 {
		l.raw("]")
	}
	l.raw(`},"sourceIPs":["`)
	l.dst = recording.AppendAddress(l.dst, q)
	l.raw(`"]`)
	l.field(`,"userAgent":`, q.Client)
}

// object appends the reference to what is asked for, as the attributes of the authorizer have it.
func (l *eventWriter) object(q *recording.Request) {
	if q.Path != "" {
		return
	}
	l.raw(`,"objectRef":{"resource":`)
	l.string(q.Resource)
	l.field(`,"namespace":`, q.Namespace)
	l.field(`,"name":`, q.Name)
	l.field(`,"apiGroup":`, q.APIGroup)
	l.raw(`,"apiVersion":"v1"`)
	l.field(`,"subresource":`, q.Subresource)
	l.raw("}")
}

// failures are what handlers answer besides success. Flow control answers with a bare code.
var failures = map[int]string{
	410: `"status":"Failure","message":"too old resource version","reason":"Expired",`,
	429: `"status":"Failure","message":"storage is (re)initializing","reason":"TooManyRequests",`,
	500: `"status":"Failure","message":"Internal error occurred: failed calling webhook","reason":"InternalError",`,
	504: `"status":"Failure","message":"Timeout: request did not complete within requested timeout - context deadline exceeded","reason":"Timeout","details":{},`,
}

// status appends how the request was answered.
func (l *eventWriter) status(q *recording.Request) {
	l.raw(`,"responseStatus":{"metadata":{},`)
	if q.Handled {
		l.raw(failures[q.Code])
	}
	l.raw(`"code":`)
	l.dst = strconv.AppendInt(l.dst, int64(q.Code), 10)
	l.raw("}")
}
