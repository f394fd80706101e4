package traceline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/internal/suggest"
)

// durationMax bounds each of the durations; it is workload.MaxDuration, which tells why. An
// arrival and a duration together are half of what a time.Duration holds.
const durationMax = time.Duration(1) << 61

// resourceVerbs are the verbs that the API server's RequestInfo gives to requests for
// resources (pkg/endpoints/request/requestinfo.go).
var resourceVerbs = []string{
	"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "proxy",
}

// pathVerbs are those for other paths: the methods of HTTP in lower case.
var pathVerbs = []string{"get", "head", "post", "put", "patch", "delete", "options"}

// ResourceVerbs returns the verbs of requests for resources, in a fixed order.
func ResourceVerbs() []string { return slices.Clone(resourceVerbs) }

// PathVerbs returns the verbs of requests for other paths, in a fixed order.
func PathVerbs() []string { return slices.Clone(pathVerbs) }

// check notes what does not make sense in a line whose syntax is good.
func (p *Parser) check(l *Line) {
	l.Arrival = p.duration(l, Arrival)
	l.Duration = p.duration(l, Duration)
	l.Timeout = p.duration(l, Timeout)
	l.Left = p.duration(l, Left)
	l.Life = p.duration(l, Life)
	if len(l.Text[Waited]) > 0 {
		l.Waited = p.duration(l, Waited)
	}
	if len(l.Text[FlowHash]) > 0 {
		p.checkHash(l)
	}
	for _, f := range [...]Field{Arrival, User, Verb} {
		if len(l.Text[f]) == 0 {
			p.missing(l, f)
		}
	}
	if len(l.Text[Path]) > 0 {
		p.checkPath(l)
		return
	}
	if len(l.Text[Resource]) == 0 && !p.typeFault(l, Resource) && !p.typeFault(l, Path) {
		p.fault(p.lastByte(), MissingField, "neither resource nor path", "the resource that is asked for, or a path")
	}
	p.checkVerb(l, resourceVerbs, "of a resource")
}

// hashDigits is how many hexadecimal digits a hash has.
const hashDigits = 16

// checkHash reads the hash of a flow: the name of a FlowSchema, a slash, and the hash.
func (p *Parser) checkHash(l *Line) {
	text := l.Text[FlowHash]
	name, digits, ok := bytes.Cut(text, []byte{'/'})
	hash := uint64(0)
	for _, c := range digits {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), c)
		ok = ok && digit >= 0
		hash = hash<<4 | uint64(digit&15)
	}
	if !ok || len(name) == 0 || len(digits) != hashDigits {
		p.fault(int(l.start[FlowHash]), BadHash, fmt.Sprintf("flowHash: %q is no hash of a flow", text),
			"the name of a FlowSchema, a slash and 16 hexadecimal digits, as in service-accounts/00c0ffee00c0ffee")
		return
	}
	l.HashSchema, l.Hash = name, hash
}

// checkPath checks a line that is not for a resource.
func (p *Parser) checkPath(l *Line) {
	for _, f := range [...]Field{APIGroup, Resource, Subresource, Namespace, Name} {
		if len(l.Text[f]) > 0 {
			p.fault(int(l.start[f]), Conflict, fmt.Sprintf("both path and %s", f), "a path or a resource, not both")
			break
		}
	}
	if l.Text[Path][0] != '/' {
		p.fault(int(l.start[Path]), BadPath, fmt.Sprintf("path: %q does not begin with a slash", l.Text[Path]), "a path, as in /healthz")
	}
	p.checkVerb(l, pathVerbs, "of a path")
}

func (p *Parser) checkVerb(l *Line, legal []string, what string) {
	for _, v := range legal {
		if v == string(l.Text[Verb]) {
			return
		}
	}
	verb := string(l.Text[Verb])
	if verb == "" {
		return // missing, or of the wrong type
	}
	p.fault(int(l.start[Verb]), BadVerb, fmt.Sprintf("verb: %q is no verb %s", verb, what), strings.Join(legal, ", "))
	if slices.Contains(resourceVerbs, verb) || slices.Contains(pathVerbs, verb) {
		p.hint("requests for a path have verbs of HTTP, those for a resource have verbs of the API")
	} else if near, ok := suggest.Nearest(verb, legal); ok {
		p.hint("did you mean %q?", near)
	}
}

// missing notes that a field is absent or empty, unless it has had a fault already.
func (p *Parser) missing(l *Line, f Field) {
	const legal = "a line needs arrival, user and verb"
	switch at := int(l.start[f]); {
	case at < 0:
		p.fault(p.lastByte(), MissingField, f.String()+" is missing", legal)
	case !p.typeFault(l, f):
		p.fault(at, MissingField, f.String()+" is empty", legal)
	}
}

// typeFault tells whether a string field has had a value of another type.
func (p *Parser) typeFault(l *Line, f Field) bool {
	at := l.start[f]
	return at >= 0 && p.text[at] != '"'
}

// lastByte is where to point for something that is not there: the end of the object.
func (p *Parser) lastByte() int { return max(len(bytes.TrimRight(p.text, " \t\r\n"))-1, 0) }

// duration returns the value of a field in Go's duration syntax, 0 if it is absent.
func (p *Parser) duration(l *Line, f Field) time.Duration {
	text := l.Text[f]
	if len(text) == 0 {
		return 0
	}
	d, ok := parseDuration(text)
	switch {
	case !ok:
		p.fault(int(l.start[f]), BadDuration, fmt.Sprintf("%s: %q is no duration", f, text), "a Go duration, as in 12.000345678s or 1m30s")
	case d < 0:
		p.fault(int(l.start[f]), BadDuration, fmt.Sprintf("%s: %s is negative", f, text), "0 or more")
	case d > durationMax:
		p.fault(int(l.start[f]), BadDuration, fmt.Sprintf("%s: %s is too long", f, text), "at most "+durationMax.String())
	}
	return d
}
