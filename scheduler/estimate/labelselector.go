package estimate

import (
	"regexp"
	"strconv"
	"strings"
)

// validLabels tells whether the server can parse a label selector. That is all that
// matters of one here: a server that cannot parse it forgets the field selector beside
// it, and with that the name of the object or of the node that the request is for.
//
// The language is that of apimachinery's labels.Parse (pkg/labels/selector.go):
//
//	selector    = "" | requirement { "," requirement }
//	requirement = "!" key | key | key ("=" | "==" | "!=" | ">" | "<") value
//	            | key ("in" | "notin") "(" [ value ] { "," [ value ] } ")"
//
// where a value may be empty except after "<" and ">", which want an integer. It is
// spelt out here, and not approximated, because either mistake changes a width: a good
// selector taken for bad makes the LIST of one object as wide as that of all.
func validLabels(selector string) bool {
	p := labelParser{rest: selector}
	p.advance()
	if p.kind == end {
		return true
	}
	for p.requirement() {
		if p.kind == end {
			return true
		}
		if !p.take(comma) {
			return false
		}
	}
	return false
}

// tokenKind is the kind of a token of a label selector. The keywords "in" and "notin"
// have none: they are words, and operators by their place alone, so that a label may be
// named like them.
type tokenKind uint8

const (
	end tokenKind = iota
	word
	comma
	not
	equals   // = == !=
	compares // < >
	open
	closed
)

// labelParser reads a selector with one token of look-ahead.
type labelParser struct {
	rest string
	kind tokenKind
	text string // of a word
}

// advance reads the next token. Upstream's lexer takes a zero byte for the end of the
// text, but reads over it where it ends a token; so does this.
func (p *labelParser) advance() {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	p.kind, p.text = end, ""
	if p.rest == "" || p.rest[0] == 0 {
		return
	}
	var n int
	if p.kind, n = operator(p.rest); n == 0 {
		// A word is all up to here, whatever it is made of: whether it can be a key or a
		// value is judged where it stands.
		n = strings.IndexAny(p.rest, "\x00 \t\r\n=!(),><")
		if n < 0 {
			n = len(p.rest)
		}
		p.kind, p.text = word, p.rest[:n]
	}
	p.rest = strings.TrimPrefix(p.rest[n:], "\x00")
}

// operator returns the kind and the length of the operator that s begins with, 0 if
// it begins with none. The longest one counts, so that "a===b" is "==" and then a "="
// in the place of a value, which is a fault.
func operator(s string) (tokenKind, int) {
	switch {
	case strings.HasPrefix(s, "=="), strings.HasPrefix(s, "!="):
		return equals, 2
	case s[0] == '=':
		return equals, 1
	case s[0] == '!':
		return not, 1
	case s[0] == '<', s[0] == '>':
		return compares, 1
	case s[0] == ',':
		return comma, 1
	case s[0] == '(':
		return open, 1
	case s[0] == ')':
		return closed, 1
	}
	return end, 0
}

// take reads over a token of that kind, if it is the next one.
func (p *labelParser) take(kind tokenKind) bool {
	if p.kind != kind {
		return false
	}
	p.advance()
	return true
}

// requirement reads one requirement and tells whether it is valid. After "!" there can
// be no operator: "!a" says all that it can say.
func (p *labelParser) requirement() bool {
	negated := p.take(not)
	key := p.text
	if !p.take(word) || !validLabelKey(key) {
		return false
	}
	if negated || p.kind == end || p.kind == comma {
		return true
	}
	switch {
	case p.take(equals):
		value, ok := p.value()
		return ok && validLabelValue(value)
	case p.take(compares):
		// The number has to be legal as the value of a label as well, which no sign is.
		value, ok := p.value()
		_, err := strconv.ParseInt(value, 10, 64)
		return ok && err == nil && validLabelValue(value)
	case p.kind == word && (p.text == "in" || p.text == "notin"):
		p.advance()
		return p.take(open) && p.values()
	}
	return false
}

// value reads the one value of a comparison, which ends at a comma or with the text. There
// may be nothing before that: "a=" wants the label to be there and empty.
func (p *labelParser) value() (string, bool) {
	if p.kind == end || p.kind == comma {
		return "", true
	}
	text := p.text
	return text, p.take(word)
}

// values reads the rest of a set of values, up to and with its closing bracket. Where a
// value is left out, between commas or between the brackets, the empty one is meant.
func (p *labelParser) values() bool {
	for {
		text := p.text
		if p.take(word) && !validLabelValue(text) {
			return false
		}
		if p.take(closed) {
			return true
		}
		if !p.take(comma) {
			return false
		}
	}
}

// labelName and dnsName are the patterns of the parts of a label's key; the values
// look like the names, or are empty. The lengths are limited besides
// (k8s.io/apimachinery/pkg/util/validation: IsQualifiedName, IsValidLabelValue).
var (
	labelName = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`)
	dnsName   = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

const (
	labelNameMax = 63
	dnsNameMax   = 253
)

// validLabelKey judges a name, or a DNS subdomain, a slash and a name.
func validLabelKey(key string) bool {
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		name = key
	} else if len(prefix) > dnsNameMax || !dnsName.MatchString(prefix) {
		return false
	}
	return len(name) <= labelNameMax && labelName.MatchString(name)
}

// validLabelValue judges a value after any operator.
func validLabelValue(value string) bool {
	return value == "" || len(value) <= labelNameMax && labelName.MatchString(value)
}
