package traceline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/apfsim/apfsim/internal/suggest"
)

// Parser parses lines one after another. The zero value is ready. In the steady state it
// does not allocate for a line without faults.
type Parser struct {
	decoder jsontext.Decoder
	input   bytes.Buffer
	// text is the line being parsed. literal tells that no string in it is escaped or has
	// to be mended, which one look at the whole line shows for almost all lines.
	text    []byte
	literal bool
	// unescaped holds the strings of the line that are not literally in it.
	unescaped []byte
	faults    []Fault
}

// Parse parses one line, without its newline, into l, and returns its faults. A line with a
// fault of syntax has no others after it. The result is valid until the next call.
func (p *Parser) Parse(text []byte, l *Line) []Fault {
	if p.decode(text, l) {
		p.check(l)
	}
	return p.faults
}

// decode reads the JSON of a line. It returns false if the syntax was at fault.
func (p *Parser) decode(text []byte, l *Line) bool {
	l.reset()
	p.text, p.unescaped, p.faults = text, p.unescaped[:0], p.faults[:0]
	p.literal = isLiteral(text)
	p.input = *bytes.NewBuffer(text)
	// Duplicate names are found here, by a bit for each field, and bytes that are not UTF-8
	// are replaced as encoding/json does it.
	p.decoder.Reset(&p.input, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

	first, err := p.decoder.ReadToken()
	if err != nil {
		return p.syntax(err)
	}
	if first.Kind() != '{' {
		at := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
		p.fault(at, Syntax, kindName(first.Kind())+" and not an object", "one JSON object on each line")
		return false
	}
	var seen uint32
	for p.decoder.PeekKind() == '"' {
		name, err := p.decoder.ReadValue()
		if err != nil {
			return p.syntax(err)
		}
		f := p.field(name, &seen)
		if f == noField {
			err = p.decoder.SkipValue()
		} else {
			err = p.value(f, l)
		}
		if err != nil {
			return p.syntax(err)
		}
	}
	if _, err := p.decoder.ReadToken(); err != nil {
		return p.syntax(err)
	}
	return p.end()
}

// field returns the field of a name, given as JSON, or notes a fault and returns noField.
func (p *Parser) field(name []byte, seen *uint32) Field {
	at := p.start(name)
	text := p.text[at+1 : at+len(name)-1]
	f := fieldOf(text)
	if f == noField { // rarely, because it is escaped
		text = p.unquote(name, at)
		f = fieldOf(text)
	}
	if f == noField {
		p.fault(at, UnknownField, fmt.Sprintf("unknown field %q", text), "the fields of a trace line")
		if near, ok := suggest.Nearest(string(text), fieldNames[:]); ok {
			p.hint("did you mean %q?", near)
		}
		return noField
	}
	if *seen&(1<<f) != 0 {
		p.fault(at, DuplicateField, fmt.Sprintf("field %q is there twice", text), "each field once")
	}
	*seen |= 1 << f
	return f
}

// value reads the value of a field. The error is one of syntax; a wrong type is noted.
func (p *Parser) value(f Field, l *Line) error {
	if f == Groups && p.decoder.PeekKind() == '[' {
		return p.groups(l)
	}
	raw, err := p.decoder.ReadValue()
	if err != nil {
		return err
	}
	at := p.start(raw)
	kind := raw.Kind()
	if kind == 'n' {
		return nil
	}
	l.start[f] = int32(at)
	switch {
	case f < Groups && kind == '"':
		l.Text[f] = p.unquote(raw, at)
	case f == SendInitialEvents && (kind == 't' || kind == 'f'):
		l.SendInitialEvents = kind == 't'
	case f == EndsLast && (kind == 't' || kind == 'f'):
		l.EndsLast = kind == 't'
	case f == Limit && kind == '0':
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil {
			p.fault(at, WrongType, fmt.Sprintf("limit: %s is not a whole number of 64 bits", raw), "a whole number, as in 500")
		}
		l.Limit = n
	case f == Server && kind == '0':
		l.Server = p.number(raw, at, f, serverMax, "the number of an API server, counted from 0")
	case f == StatusCode && kind == '0':
		l.Code = p.number(raw, at, f, codeMax, "a status code of HTTP, as in 200")
	default:
		p.wrongType(f, kind, at)
	}
	return nil
}

// The largest numbers of a server and of a status code. 999 leaves room for the codes that
// proxies make up.
const (
	serverMax = 999
	codeMax   = 999
)

// number returns the value of a small whole number, or notes a fault.
func (p *Parser) number(raw []byte, at int, f Field, most int64, legal string) int32 {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < 0 || n > most {
		p.fault(at, WrongType, fmt.Sprintf("%s: %s is not a whole number from 0 to %d", f, raw, most), legal)
		return 0
	}
	return int32(n)
}

// groups reads an array of strings. As in encoding/json, a null among them is "".
func (p *Parser) groups(l *Line) error {
	if _, err := p.decoder.ReadToken(); err != nil {
		return err
	}
	l.start[Groups] = int32(p.start([]byte{'['}))
	for kind := p.decoder.PeekKind(); kind != ']'; kind = p.decoder.PeekKind() {
		raw, err := p.decoder.ReadValue()
		if err != nil {
			return err
		}
		at := p.start(raw)
		switch kind {
		case '"':
			l.Groups = append(l.Groups, p.unquote(raw, at))
		case 'n':
			l.Groups = append(l.Groups, nil)
		default:
			p.wrongType(Groups, kind, at)
		}
	}
	_, err := p.decoder.ReadToken()
	return err
}

// end makes sure that nothing follows the object.
func (p *Parser) end() bool {
	at := int(p.decoder.InputOffset())
	rest := bytes.TrimLeft(p.text[at:], " \t\r\n")
	if len(rest) > 0 {
		p.fault(len(p.text)-len(rest), Syntax, "text after the end of the object", "one JSON object on each line")
	}
	return len(rest) == 0
}

// start returns where a value that has just been read begins in the line.
func (p *Parser) start(raw []byte) int { return int(p.decoder.InputOffset()) - len(raw) }

// unquote returns the text of a JSON string that begins at an offset of the line. Almost
// all are in the line as they are.
func (p *Parser) unquote(raw []byte, at int) []byte {
	content := p.text[at+1 : at+len(raw)-1]
	if p.literal || isLiteral(content) {
		return content
	}
	begin := len(p.unescaped)
	// The syntax is known to be good, so the only error tells of bytes that are not UTF-8.
	p.unescaped, _ = jsontext.AppendUnquote(p.unescaped, raw)
	return p.unescaped[begin:]
}

// isLiteral tells whether a text has no backslash and is UTF-8.
func isLiteral(text []byte) bool { return bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) }

func (p *Parser) fault(at int, code Code, problem, legal string) {
	p.faults = append(p.faults, Fault{Offset: at, Code: code, Problem: problem, Legal: legal})
}

// hint adds a hint to the latest fault.
func (p *Parser) hint(format string, args ...any) {
	p.faults[len(p.faults)-1].Hint = fmt.Sprintf(format, args...)
}

func (p *Parser) wrongType(f Field, kind jsontext.Kind, at int) {
	legal := "a string"
	switch f {
	case Groups:
		legal = "an array of strings"
	case Server, StatusCode:
		legal = "a whole number"
	case Limit:
		legal = "a whole number, as in 500"
	case SendInitialEvents, EndsLast:
		legal = "true or false"
	}
	p.fault(at, WrongType, fmt.Sprintf("%s: a value of the wrong type: %s", f, kindName(kind)), legal)
}

// kindName names a kind of JSON value.
func kindName(k jsontext.Kind) string {
	switch k {
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 'n':
		return "null"
	}
	return "a boolean"
}

// syntax notes a fault of syntax, and returns false.
func (p *Parser) syntax(err error) bool {
	at := len(p.text)
	problem := "the line ends within the object"
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && !errors.Is(err, io.ErrUnexpectedEOF) {
		at, problem = int(syntactic.ByteOffset), "not JSON: "+syntactic.Err.Error()
	}
	p.fault(at, Syntax, problem, "one JSON object on each line")
	switch {
	case bytes.HasPrefix(p.text, []byte("\xef\xbb\xbf")):
		p.hint("the file begins with a byte order mark: save it as plain UTF-8")
	case at == len(p.text):
		p.hint("if an object spans several lines, write it on one: jq -c . FILE")
	}
	return false
}
