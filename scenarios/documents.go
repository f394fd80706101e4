package scenarios

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// document is one YAML document of a file.
type document struct {
	root  *node
	place Place // of its first value
}

// readDocuments splits the text of a file into its documents. A document with a
// syntax error is reported and left out; the others are still read. Documents without
// a value are left out too: files from the field begin or end with "---".
func readDocuments(file string, text []byte, c *collector) []document {
	text, ok := decodeText(file, text, c)
	if !ok {
		return nil
	}
	var docs []document
	for _, ch := range chunks(text) {
		report := func(line, column int, f fault) { c.error(Place{file, line, column}, f) }
		roots, err := parseYAML(ch.text, ch.line, report)
		for _, r := range roots {
			if !r.null() {
				docs = append(docs, document{r, Place{file, r.line, r.column}})
			}
		}
		if err != nil {
			reportSyntax(file, ch, c)
		}
	}
	return docs
}

// decodeText checks the encoding of a file, and returns its text without a byte
// order mark.
func decodeText(file string, text []byte, c *collector) ([]byte, bool) {
	if bytes.HasPrefix(text, []byte{0xFF, 0xFE}) || bytes.HasPrefix(text, []byte{0xFE, 0xFF}) {
		c.error(Place{file, 1, 1}, fault{code: CodeEncoding, message: "the file is in UTF-16", legal: "text in UTF-8",
			hint: "PowerShell's > writes UTF-16; use | Out-File -Encoding utf8"})
		return nil, false
	}
	if bytes.HasPrefix(text, []byte{0x1F, 0x8B}) {
		c.error(Place{file, 1, 1}, fault{code: CodeEncoding, message: "the file is compressed with gzip", legal: "text in UTF-8", hint: "unpack it first"})
		return nil, false
	}
	text = bytes.TrimPrefix(text, []byte{0xEF, 0xBB, 0xBF})
	c.source(file, text)
	line, column := 1, 1
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			c.error(Place{file, line, column}, fault{code: CodeEncoding, message: fmt.Sprintf("the byte 0x%02X is not UTF-8", text[i]), legal: "text in UTF-8"})
			return nil, false
		case r == '\n':
			line, column = line+1, 0
		case forbidden(r):
			c.error(Place{file, line, column}, fault{code: CodeEncoding, message: fmt.Sprintf("the control character %U is not allowed in YAML", r)})
			return nil, false
		}
		column++
		i += size
	}
	return text, true
}

// forbidden tells whether YAML bans the character everywhere (YAML 1.2, chapter 5.1).
func forbidden(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r == 0x85:
		return false
	case r < 0x20, r >= 0x7F && r < 0xA0, r == 0xFFFE, r == 0xFFFF:
		return true
	}
	return false
}

// chunk is a part of a file that holds one document, but for files that separate
// documents by "..." alone.
type chunk struct {
	text []byte
	line int // of its first line in the file
}

// chunks cuts a file before each document marker, so that a syntax error in one
// document does not hide the others. A "---" at the start of a line is a marker
// wherever it stands, also within a block of text (YAML 1.2, chapter 9.1.2). A file
// with directives stays whole: they belong to the document that follows.
func chunks(text []byte) []chunk {
	out := []chunk{{line: 1}}
	begin, line := 0, 1
	for at := 0; at < len(text); line++ {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		this := text[at:end]
		if this[0] == '%' {
			return []chunk{{text, 1}}
		}
		if marker(this) && at > begin {
			out[len(out)-1].text = text[begin:at]
			out = append(out, chunk{line: line})
			begin = at
		}
		at = end
	}
	out[len(out)-1].text = text[begin:]
	return out
}

func marker(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("---"))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}
