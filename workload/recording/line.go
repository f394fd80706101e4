package recording

import (
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apfsim/apfsim/workload/traceline"
)

// AppendHead appends the beginning of a trace line: the arrival, and the comma after it. It is
// apart from the rest since a reader learns only at its end when the record began.
func AppendHead(dst []byte, arrival time.Duration) []byte {
	dst = append(dst, `{"arrival":"`...)
	dst = append(dst, arrival.String()...)
	return append(dst, `",`...)
}

// AppendTail appends all of a trace line but its head, without the newline. What is not known
// is left out.
func AppendTail(dst []byte, r *Request) []byte {
	l := lineWriter{dst}
	l.text(traceline.User, r.User)
	l.duration(traceline.Duration, r.Execution)
	l.duration(traceline.Timeout, r.Timeout)
	l.duration(traceline.Left, r.Left)
	if r.Verb == "watch" {
		l.duration(traceline.Life, r.Total)
	}
	if r.EndsLast {
		l.name(traceline.EndsLast)
		l.dst = append(l.dst, "true,"...)
	}
	l.groups(r.Groups)
	l.text(traceline.Verb, r.Verb)
	l.text(traceline.APIGroup, r.APIGroup)
	l.text(traceline.Resource, r.Resource)
	l.text(traceline.Subresource, r.Subresource)
	l.text(traceline.Namespace, r.Namespace)
	l.text(traceline.Name, r.Name)
	l.text(traceline.Path, r.Path)
	l.options(&r.Options)
	l.observed(r)
	return append(l.dst[:len(l.dst)-1], '}') // the last comma becomes the end
}

func (l *lineWriter) options(o *Options) {
	l.number(traceline.Limit, o.Limit)
	l.text(traceline.ResourceVersion, o.ResourceVersion)
	l.text(traceline.ResourceVersionMatch, o.ResourceVersionMatch)
	l.text(traceline.Continue, o.Continue)
	l.text(traceline.FieldSelector, o.FieldSelector)
	l.text(traceline.LabelSelector, o.LabelSelector)
	if o.SendInitialEvents {
		l.name(traceline.SendInitialEvents)
		l.dst = append(l.dst, "true,"...)
	}
}

// observed writes what does not act on a replay, and the server, which does.
func (l *lineWriter) observed(r *Request) {
	if r.Server >= 0 {
		l.name(traceline.Server)
		l.dst = append(strconv.AppendInt(l.dst, int64(r.Server), 10), ',')
	}
	l.number(traceline.StatusCode, int64(r.Code))
	if r.Waited != Unknown {
		l.name(traceline.Waited)
		l.string(r.Waited.String())
	}
	l.text(traceline.ClientName, r.Client)
	l.text(traceline.FlowSchema, r.FlowSchema)
	l.text(traceline.PriorityLevel, r.PriorityLevel)
	if r.HashSchema != "" {
		l.name(traceline.FlowHash)
		l.dst = fmt.Appendf(l.dst, `"%s/%016x",`, r.HashSchema, r.Hash)
	}
}

// lineWriter appends fields of JSON, each with a comma after it.
type lineWriter struct{ dst []byte }

func (l *lineWriter) name(f traceline.Field) {
	l.dst = append(l.dst, '"')
	l.dst = append(l.dst, f.String()...)
	l.dst = append(l.dst, `":`...)
}

// string appends a text as JSON; bytes that are not UTF-8 are replaced as encoding/json does it.
func (l *lineWriter) string(s string) {
	l.dst, _ = jsontext.AppendQuote(l.dst, s)
	l.dst = append(l.dst, ',')
}

// text leaves out an empty text, which means the same.
func (l *lineWriter) text(f traceline.Field, s string) {
	if s != "" {
		l.name(f)
		l.string(s)
	}
}

// number leaves out 0, which means the same.
func (l *lineWriter) number(f traceline.Field, n int64) {
	if n != 0 {
		l.name(f)
		l.dst = append(strconv.AppendInt(l.dst, n, 10), ',')
	}
}

// duration leaves out 0, which means the same.
func (l *lineWriter) duration(f traceline.Field, d time.Duration) {
	if d > 0 {
		l.name(f)
		l.string(d.String())
	}
}

func (l *lineWriter) groups(groups []string) {
	if len(groups) == 0 {
		return
	}
	l.name(traceline.Groups)
	l.dst = append(l.dst, '[')
	for _, g := range groups {
		l.string(g)
	}
	l.dst = append(l.dst[:len(l.dst)-1], "],"...)
}
