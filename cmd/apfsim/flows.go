package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// flowsReader reads a file of flows and gathers its faults.
type flowsReader struct {
	file   string
	text   []byte
	flows  []flowName
	line   map[flowName]int // where each flow was first
	faults scenarios.Diagnostics
}

// readFlows reads the file of --flows: lines, CSV or JSON, told apart by how it begins.
func readFlows(p *Process, file string) ([]flowName, error) {
	text, err := readInput(p, file)
	if err != nil {
		return nil, inputf("", "%s: cannot read the file: %s", file, fileReason(err))
	}
	r := &flowsReader{file: inputName(file), text: text, line: map[flowName]int{}}
	if bad := invalidUTF8(text); bad >= 0 {
		r.fault(bad, scenarios.CodeEncoding, "the file is not text in UTF-8", "")
	} else {
		r.read()
	}
	if len(r.flows) == 0 && len(r.faults) == 0 {
		r.fault(0, scenarios.CodeEmpty, "the file holds no flow", "one flow a line: the flow schema, a tab or spaces, and the distinguisher")
	}
	if r.faults.HasErrors() {
		return nil, badInput{r.faults}
	}
	fmt.Fprint(p.Stderr, r.faults)
	return r.flows, nil
}

// readInput reads a file, or the standard input for "-".
func readInput(p *Process, file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(p.Stdin)
	}
	return p.FS.ReadFile(file)
}

// inputName is how positions name an input.
func inputName(file string) string {
	if file == "-" {
		return "<stdin>"
	}
	return file
}

// invalidUTF8 is the offset of the first bytes that are no character, -1 for none.
func invalidUTF8(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// csvHeader begins a file in CSV.
const csvHeader = "flowSchema,"

// read chooses the form.
func (r *flowsReader) read() {
	start := bytes.TrimLeft(r.text, " \t\r\n")
	switch {
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[")):
		r.json()
	case bytes.HasPrefix(start, []byte(csvHeader)):
		r.csv()
	default:
		r.lines()
	}
}

// add takes a flow, unless it is there already: a flow has one hand.
func (r *flowsReader) add(offset int, f flowName) {
	line, _ := r.position(offset)
	switch first, known := r.line[f]; {
	case f.FlowSchema == "":
		r.fault(offset, scenarios.CodeMissing, "the flow has no flow schema", "the name of a FlowSchema")
	case strings.ContainsAny(f.FlowSchema, " \t"):
		r.fault(offset, scenarios.CodeNotLegal, fmt.Sprintf("%q is no name of a FlowSchema", f.FlowSchema), "a name without spaces")
	case known:
		r.fault(offset, scenarios.CodeSameName, fmt.Sprintf("the flow is on line %d already, and counts once", first), "")
		r.faults[len(r.faults)-1].Severity = scenarios.Warning
	default:
		r.line[f] = line
		r.flows = append(r.flows, f)
	}
}

// lines reads one flow a line. Empty lines and lines that begin with # are left out.
func (r *flowsReader) lines() {
	offset := 0
	for raw := range bytes.Lines(r.text) {
		line := strings.TrimRight(string(raw), "\r\n")
		trimmed := strings.TrimLeft(line, " \t")
		if trimmed != "" && trimmed[0] != '#' {
			r.add(offset+len(line)-len(trimmed), splitFlow(trimmed))
		}
		offset += len(raw)
	}
}

// splitFlow cuts a line at its first tab, or else at its first space. The name of a
// schema has no space; a user's name may, and is kept as it is.
func splitFlow(line string) flowName {
	if schema, rest, ok := strings.Cut(line, "\t"); ok {
		return flowName{schema, rest}
	}
	schema, rest, _ := strings.Cut(line, " ")
	return flowName{schema, strings.TrimLeft(rest, " ")}
}

// csv reads a table with a header. Columns other than the two are left out, so that
// what shuffle writes can be read again.
func (r *flowsReader) csv() {
	c := csv.NewReader(bytes.NewReader(r.text))
	header, err := c.Read()
	if err != nil {
		r.csvFault(err)
		return
	}
	column := slices.Index(header, "distinguisher")
	if column < 0 {
		r.fault(0, scenarios.CodeMissing, "the table has no column distinguisher", "a header with the columns flowSchema and distinguisher")
		return
	}
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			r.csvFault(err)
			return
		}
		line, _ := c.FieldPos(0)
		r.add(r.offset(line), flowName{row[0], row[column]})
	}
}

// csvFault places an error of the CSV reader.
func (r *flowsReader) csvFault(err error) {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		panic(fmt.Sprintf("reading CSV from memory: %v", err))
	}
	r.fault(r.offset(parse.Line)+parse.Column-1, scenarios.CodeSyntax, "the file is not CSV: "+parse.Err.Error(), "")
}

// json reads objects, one after another or in one array.
func (r *flowsReader) json() {
	d := jsontext.NewDecoder(bytes.NewReader(r.text))
	inArray := d.PeekKind() == '['
	if inArray {
		if _, err := d.ReadToken(); err != nil {
			r.jsonFault(err)
			return
		}
	}
	for {
		if inArray && d.PeekKind() == ']' {
			r.jsonEnd(d)
			return
		}
		start := r.next(int(d.InputOffset()))
		var f flowName
		err := json.UnmarshalDecode(d, &f, json.RejectUnknownMembers(true))
		if errors.Is(err, io.EOF) && !inArray {
			return
		}
		if err != nil {
			r.jsonFault(err)
			return
		}
		r.add(start, f)
	}
}

// jsonEnd reads the end of the array, after which nothing may come.
func (r *flowsReader) jsonEnd(d *jsontext.Decoder) {
	if _, err := d.ReadToken(); err != nil {
		r.jsonFault(err)
		return
	}
	if rest := r.next(int(d.InputOffset())); rest < len(r.text) {
		r.fault(rest, scenarios.CodeSyntax, "the file goes on after the end of the array", "one array, or objects one after another")
	}
}

// next skips what stands between two values.
func (r *flowsReader) next(offset int) int {
	return offset + len(r.text[offset:]) - len(bytes.TrimLeft(r.text[offset:], " \t\r\n,"))
}

// jsonFault places an error of the JSON reader.
func (r *flowsReader) jsonFault(err error) {
	var syntax *jsontext.SyntacticError
	var meaning *json.SemanticError
	const legal = `objects with flowSchema and distinguisher, both text`
	switch {
	case errors.As(err, &syntax):
		r.fault(int(syntax.ByteOffset), scenarios.CodeSyntax, "the file is not JSON: "+syntax.Err.Error(), legal)
	case errors.As(err, &meaning) && errors.Is(meaning.Err, json.ErrUnknownName):
		r.fault(int(meaning.ByteOffset), scenarios.CodeUnknownField,
			fmt.Sprintf("a flow has no field %q", meaning.JSONPointer.LastToken()), legal)
	case errors.As(err, &meaning):
		r.fault(int(meaning.ByteOffset), scenarios.CodeWrongType,
			fmt.Sprintf("%s is of the wrong type", fieldName(meaning.JSONPointer)), legal)
	default:
		r.fault(len(r.text), scenarios.CodeSyntax, "the file ends too early", legal)
	}
}

// fieldName names the place of a JSON fault: a field of a flow, or the flow.
func fieldName(p jsontext.Pointer) string {
	if name := p.LastToken(); strings.ContainsFunc(name, unicode.IsLetter) {
		return name
	}
	return "the flow"
}

// position turns an offset into a line and a column, counted from 1, in characters.
func (r *flowsReader) position(offset int) (line, column int) {
	before := r.text[:min(offset, len(r.text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// offset is where a line begins.
func (r *flowsReader) offset(line int) int {
	offset := 0
	for raw := range bytes.Lines(r.text) {
		if line--; line == 0 {
			return offset
		}
		offset += len(raw)
	}
	return offset
}

// fault records a fault at an offset.
func (r *flowsReader) fault(offset int, code scenarios.Code, message, legal string) {
	line, column := r.position(offset)
	r.faults = append(r.faults, scenarios.Diagnostic{
		File: r.file, Line: line, Column: column, Code: code, Severity: scenarios.Error, Message: message, Legal: legal,
	})
}
