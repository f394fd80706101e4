package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes the result as indented JSON, in which lists of numbers and words take one
// line each. The same result gives the same bytes.
func WriteJSON(w io.Writer, r *Result) error { return WriteIndented(w, r) }

// WriteIndented writes a value as WriteJSON writes a result.
func WriteIndented(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("writing a result as JSON: %w", err)
	}
	_, err := w.Write(flattenLists(b.Bytes()))
	return err
}

// flattenLists puts each list without braces or lists in it into one line. It takes text that
// is indented, in which such a list begins with a bracket at the end of a line, and ends with
// one at the beginning.
func flattenLists(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		out = append(out, line...)
		text = rest
		if bytes.HasSuffix(line, []byte("[")) {
			out, text = flattenList(out, text)
		}
		out = append(out, '\n')
	}
	return out
}

// flattenList appends the items of a list that has begun, and its end, unless one of them is
// more than a number or a word. Then it appends nothing.
func flattenList(out, text []byte) (flat, rest []byte) {
	flat, rest = out, text
	for {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		item := bytes.TrimLeft(line, " ")
		if bytes.HasSuffix(item, []byte("{")) || bytes.HasSuffix(item, []byte("[")) {
			return out, text
		}
		if item[0] == ']' {
			return append(flat, item...), after
		}
		if len(flat) > len(out) {
			flat = append(flat, ' ')
		}
		flat, rest = append(flat, item...), after
	}
}

// ReadJSON reads what WriteJSON wrote, and nothing else: an unknown field, another
// version and trailing data are errors.
func ReadJSON(r io.Reader) (*Result, error) {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	result := &Result{}
	if err := decoder.Decode(result); err != nil {
		return nil, fmt.Errorf("reading a result: %w", err)
	}
	if result.APIVersion != APIVersion || result.Kind != Kind {
		return nil, fmt.Errorf("reading a result: apiVersion %q and kind %q, but only %q and %q are known",
			result.APIVersion, result.Kind, APIVersion, Kind)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("reading a result: there is more after its end, at byte %d", decoder.InputOffset())
	}
	return result, nil
}
