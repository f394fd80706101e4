package audit

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// scanner reads JSON from bytes, as far as an audit event needs it: it finds members of objects,
// returns strings as they are in the text, and skips what nobody asks for as fast as it can find
// its end. It does not look whether what it skips is good JSON within.
type scanner struct {
	text []byte
	at   int
	// lines allows line breaks in the text, which then must not be in a string. Without it the
	// text is one line.
	lines bool
	// unescaped holds the strings that are not literally in the text.
	unescaped []byte
}

// problem is what is wrong with a text.
type problem string

func (p problem) Error() string { return string(p) }

// errShort tells that the text ends within a value. More text may mend that.
const errShort = problem("the text ends within an object")

// space goes to the next byte that is no white space, and returns it, 0 at the end.
func (s *scanner) space() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// expect goes past a byte, which white space may come before.
func (s *scanner) expect(c byte, missing problem) error {
	switch s.space() {
	case c:
		s.at++
		return nil
	case 0:
		if s.at == len(s.text) {
			return errShort
		}
	}
	return missing
}

// enter goes past the beginning of an object.
func (s *scanner) enter() error { return s.expect('{', "not an object") }

// member goes to the value of the next member of an object, and returns its name; nil at the end
// of the object, which it goes past. first is true for the first member.
func (s *scanner) member(first bool) ([]byte, error) {
	c := s.space()
	if c == '}' {
		s.at++
		return nil, nil
	}
	if !first {
		if err := s.expect(',', "no comma between two members"); err != nil {
			return nil, err
		}
		c = s.space()
	}
	if c == 0 && s.at == len(s.text) {
		return nil, errShort
	}
	if c != '"' {
		return nil, problem("no name where one must be")
	}
	name, err := s.string()
	if err != nil {
		return nil, err
	}
	if err := s.expect(':', "no colon after a name"); err != nil {
		return nil, err
	}
	s.space()
	if name == nil {
		name = []byte{}
	}
	return name, nil
}

// raw goes past a string, and returns what stands between its quotes.
func (s *scanner) raw() ([]byte, error) {
	begin := s.at + 1
	for i := begin; ; i++ {
		n := bytes.IndexByte(s.text[i:], '"')
		if n < 0 {
			if s.lines && bytes.IndexByte(s.text[begin:], '\n') >= 0 {
				return nil, problem("a line ends within a string")
			}
			return nil, errShort
		}
		i += n
		if s.escapedAt(begin, i) {
			continue
		}
		if s.lines && bytes.IndexByte(s.text[begin:i], '\n') >= 0 {
			return nil, problem("a line ends within a string")
		}
		s.at = i + 1
		return s.text[begin:i], nil
	}
}

// escapedAt tells whether an odd number of backslashes stands before a byte.
func (s *scanner) escapedAt(begin, i int) bool {
	n := i
	for n > begin && s.text[n-1] == '\\' {
		n--
	}
	return (i-n)%2 != 0
}

// string goes past a string and returns its value, which is valid as long as the text is and
// until unescaped is used again.
func (s *scanner) string() ([]byte, error) {
	begin := s.at
	content, err := s.raw()
	if err != nil || bytes.IndexByte(content, '\\') < 0 {
		return content, err
	}
	old := len(s.unescaped)
	value, err := jsontext.AppendUnquote(s.unescaped, s.text[begin:s.at])
	if err != nil && !validBut(content) {
		return nil, problem("a string with an escape that JSON does not have")
	}
	s.unescaped = value
	return value[old:], nil
}

// validBut tells whether a string that could not be unquoted is good but for bytes that are not
// UTF-8, for which jsontext puts U+FFFD and yet returns an error.
func validBut(content []byte) bool {
	value := jsontext.Value(append(append([]byte{'"'}, content...), '"'))
	return value.IsValid(jsontext.AllowInvalidUTF8(true))
}

// text goes past a value that should be a string, and returns it; any other value is nil.
func (s *scanner) stringOrSkip() ([]byte, error) {
	if s.at < len(s.text) && s.text[s.at] == '"' {
		return s.string()
	}
	return nil, s.skip()
}

// The classes of bytes that matter for skipping.
const (
	other = iota
	quote
	opening
	closing
)

var classes = [256]uint8{'"': quote, '{': opening, '[': opening, '}': closing, ']': closing}

// skip goes past a value.
func (s *scanner) skip() error {
	switch s.space() {
	case '"':
		_, err := s.raw()
		return err
	case '{', '[':
		return s.skipNested()
	}
	begin := s.at
	for s.at < len(s.text) && literal(s.text[s.at]) {
		s.at++
	}
	switch {
	case s.at == len(s.text):
		return errShort
	case s.at == begin:
		return problem("no value where one must be")
	}
	return nil
}

// skipNested goes past an object or an array.
func (s *scanner) skipNested() error {
	depth := 0
	for i := s.at; i < len(s.text); i++ {
		switch classes[s.text[i]] {
		case quote:
			s.at = i
			if _, err := s.raw(); err != nil {
				return err
			}
			i = s.at - 1
		case opening:
			depth++
		case closing:
			if depth--; depth == 0 {
				s.at = i + 1
				return nil
			}
		}
	}
	return errShort
}

// literal tells whether a byte may be in a number, true, false or null.
func literal(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E'
}

// integer goes past a value that should be a small whole number, and returns it; any other value
// is 0.
func (s *scanner) integer() (int, error) {
	begin := s.at
	if err := s.skip(); err != nil {
		return 0, err
	}
	n := 0
	for _, c := range s.text[begin:s.at] {
		if c < '0' || c > '9' || n > 1e6 {
			return 0, nil
		}
		n = n*10 + int(c-'0')
	}
	return n, nil
}

// strings goes past a value that should be an array of strings, and appends these.
func (s *scanner) strings(dst [][]byte) ([][]byte, error) {
	if s.at >= len(s.text) || s.text[s.at] != '[' {
		return dst, s.skip()
	}
	s.at++
	for first := true; ; first = false {
		c := s.space()
		if c == ']' {
			s.at++
			return dst, nil
		}
		if !first {
			if err := s.expect(',', "no comma between two elements"); err != nil {
				return dst, err
			}
			s.space()
		}
		text, err := s.stringOrSkip()
		if err != nil {
			return dst, err
		}
		dst = append(dst, text)
	}
}
