package main

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// documents are what saved files hold: results, or one comparison or sweep.
type documents struct {
	results  []*reports.Result
	compared *compare.Comparison
	swept    *study.Table
}

// readDocuments reads the results that files hold, in their order: each file one result or a list,
// or a comparison or a sweep, which stands alone. All files are read before a fault in any of them is an error.
func readDocuments(p *Process, files []string) (*documents, error) {
	all := &documents{}
	var faults scenarios.Diagnostics
	stdin := false
	for _, file := range files {
		if file == "" {
			return nil, usagef("is a variable of the shell empty?", "a result has no name")
		}
		if file == "-" && stdin {
			return nil, usagef("", "- is there twice, and the standard input can be read once")
		}
		stdin = stdin || file == "-"
		text, err := readInput(p, file)
		if err != nil {
			faults = append(faults, scenarios.Diagnostic{
				File: inputName(file), Line: 1, Column: 1, Code: scenarios.CodeUnreadable, Severity: scenarios.Error,
				Message: "cannot read the file: " + fileReason(err), Legal: "what apfsim run -o json writes",
			})
			continue
		}
		r := &savedReader{file: inputName(file), text: text, alone: true}
		all.results = append(all.results, r.read()...)
		faults = append(faults, r.faults...)
		if what := r.what(); what != "" && len(files) > 1 {
			return nil, usagef("report it alone", "%s is a %s, and there are other files", inputName(file), what)
		}
		all.compared, all.swept = r.compared, r.swept
	}
	if len(faults) > 0 {
		return nil, badInput{faults}
	}
	return all, nil
}

// what names a document that stands alone, "" for results.
func (r *savedReader) what() string {
	switch {
	case r.compared != nil:
		return "comparison"
	case r.swept != nil:
		return "sweep"
	}
	return ""
}

// savedReader reads one file of results.
type savedReader struct {
	file   string
	text   []byte
	faults scenarios.Diagnostics
	// alone tells that the file may hold what stands alone: a comparison or a sweep.
	alone    bool
	compared *compare.Comparison
	swept    *study.Table
}

// savedHead is what tells what a document is.
type savedHead struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// read reads the file. After a fault it returns what there is of it.
func (r *savedReader) read() []*reports.Result {
	if bad := invalidUTF8(r.text); bad >= 0 {
		r.fault(bad, scenarios.CodeEncoding, "the file is not text in UTF-8", "", "")
		return nil
	}
	if len(bytes.TrimSpace(r.text)) == 0 {
		r.fault(0, scenarios.CodeEmpty, "the file holds nothing", "what apfsim run -o json writes", "")
		return nil
	}
	var head savedHead
	if err := json.Unmarshal(r.text, &head); err != nil {
		r.jsonFault(err)
		return nil
	}
	kinds := []string{reports.Kind, reports.ListKind}
	if r.alone {
		kinds = append(kinds, compare.Kind, study.SweepKind)
	}
	switch {
	case !r.known("", head, kinds...):
		return nil
	case head.Kind == compare.Kind:
		r.comparison()
		return nil
	case head.Kind == study.SweepKind:
		r.sweep()
		return nil
	case head.Kind == reports.ListKind:
		return r.list()
	}
	result := &reports.Result{}
	if err := json.Unmarshal(r.text, result, json.RejectUnknownMembers(true)); err != nil {
		r.jsonFault(err)
		return nil
	}
	r.whole("", result)
	return []*reports.Result{result}
}

// list reads a list of results, of which there must be one.
func (r *savedReader) list() []*reports.Result {
	var heads struct {
		Items []savedHead `json:"items"`
	}
	if err := json.Unmarshal(r.text, &heads); err != nil {
		r.jsonFault(err)
		return nil
	}
	if len(heads.Items) == 0 {
		r.fault(r.offset("/items"), scenarios.CodeEmpty, "the list holds no result", "", "")
		return nil
	}
	for i, head := range heads.Items {
		if !r.known(jsontext.Pointer(fmt.Sprintf("/items/%d", i)), head, reports.Kind) {
			return nil
		}
	}
	var list reports.ResultList
	if err := json.Unmarshal(r.text, &list, json.RejectUnknownMembers(true)); err != nil {
		r.jsonFault(err)
		return nil
	}
	for i, result := range list.Items {
		r.whole(jsontext.Pointer(fmt.Sprintf("/items/%d", i)), result)
	}
	return list.Items
}

// comparison reads a comparison, with the two results that it is of.
func (r *savedReader) comparison() {
	c := &compare.Comparison{}
	if err := json.Unmarshal(r.text, c, json.RejectUnknownMembers(true)); err != nil {
		r.jsonFault(err)
		return
	}
	if len(c.Results) != 2 || c.Results[0] == nil || c.Results[1] == nil {
		r.fault(r.offset("/results"), scenarios.CodeMissing, fmt.Sprintf("results are the two that are compared, got %d", len(c.Results)), "what apfsim compare -o json writes", "")
		return
	}
	for i, result := range c.Results {
		r.whole(jsontext.Pointer(fmt.Sprintf("/results/%d", i)), result)
	}
	r.compared = c
}

// sweep reads the table of a sweep.
func (r *savedReader) sweep() {
	t := &study.Table{}
	if err := json.Unmarshal(r.text, t, json.RejectUnknownMembers(true)); err != nil {
		r.jsonFault(err)
		return
	}
	if what := t.Faulty(); what != "" {
		r.fault(r.offset("/rows"), scenarios.CodeMissing, what, "what apfsim sweep -o json writes", "")
		return
	}
	r.swept = t
}

// known tells whether the document at a pointer is of a kind and version that can be read, and
// reports if not.
func (r *savedReader) known(at jsontext.Pointer, head savedHead, kinds ...string) bool {
	before := len(r.faults)
	check := func(field, got string, legal ...string) {
		pointer := at.AppendToken(field)
		for _, l := range legal {
			if got == l {
				return
			}
		}
		name, all := fieldPath(pointer), strings.Join(legal, ", ")
		if got == "" {
			r.fault(r.offset(pointer), scenarios.CodeMissing, name+" is missing", all, "results are what apfsim run -o json writes")
			return
		}
		hint := ""
		if best, ok := suggest.Nearest(got, legal); ok {
			hint = fmt.Sprintf("did you mean %q?", best)
		}
		r.fault(r.offset(pointer), scenarios.CodeNotLegal, fmt.Sprintf("%s cannot be %q", name, got), all, hint)
	}
	check("kind", head.Kind, kinds...)
	check("apiVersion", head.APIVersion, reports.APIVersion)
	return len(r.faults) == before
}

// whole reports what no result lacks.
func (r *savedReader) whole(at jsontext.Pointer, result *reports.Result) {
	missing := func(field jsontext.Pointer, legal string) {
		r.fault(r.offset(at+field), scenarios.CodeMissing, fieldPath(at+field)+" is missing", legal, "")
	}
	if result.Metadata.Name == "" {
		missing("/metadata/name", "the name of the scenario")
	}
	if len(result.Replications) == 0 && len(result.Tests) == 0 {
		missing("/replications", "at least one replication, or tests of a configuration")
	}
}

// jsonFault reports the error of the JSON reader.
func (r *savedReader) jsonFault(err error) {
	var syntax *jsontext.SyntacticError
	var meaning *json.SemanticError
	switch {
	case errors.As(err, &syntax) && syntax.ByteOffset < int64(len(r.text)):
		hint := ""
		if bytes.HasPrefix(bytes.TrimSpace(r.text), []byte("apiVersion:")) {
			hint = "save results with -o json to read them again"
		}
		r.fault(int(syntax.ByteOffset), scenarios.CodeSyntax, "the file is not JSON: "+syntax.Err.Error(), "what apfsim run -o json writes", hint)
	case errors.As(err, &meaning) && errors.Is(meaning.Err, json.ErrUnknownName):
		pointer := meaning.JSONPointer
		word := pointer.LastToken()
		hint := "was the file written by a newer apfsim?"
		if best, ok := suggest.Nearest(word, jsonNames(meaning.GoType)); ok {
			hint = fmt.Sprintf("did you mean %q?", best)
		}
		r.fault(r.offset(pointer), scenarios.CodeUnknownField, fmt.Sprintf("%s has no field %q", fieldPath(pointer.Parent()), word), strings.Join(jsonNames(meaning.GoType), ", "), hint)
	case errors.As(err, &meaning):
		message := fieldPath(meaning.JSONPointer) + " is of the wrong type"
		if meaning.Err != nil {
			message += ": " + meaning.Err.Error()
		}
		r.fault(r.offset(meaning.JSONPointer), scenarios.CodeWrongType, message, "", "")
	default:
		r.fault(len(r.text), scenarios.CodeSyntax, "the file ends too early", "what apfsim run -o json writes", "")
	}
}

// jsonNames lists the names of the fields of a struct, those of embedded ones included.
func jsonNames(t reflect.Type) []string {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// fieldPath writes a pointer as a path: priorityLevels[3].seats.
func fieldPath(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		switch {
		case strings.Trim(token, "0123456789") == "" && token != "":
			b.WriteString("[" + token + "]")
		case b.Len() > 0:
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	if b.Len() == 0 {
		return "the result"
	}
	return b.String()
}

// offset is where the value at a pointer begins, or the nearest value around it: of a member
// its name.
func (r *savedReader) offset(p jsontext.Pointer) int {
	places := map[jsontext.Pointer]int{}
	d := jsontext.NewDecoder(bytes.NewReader(r.text))
	for {
		start := int(d.InputOffset())
		if _, err := d.ReadToken(); err != nil {
			break
		}
		if at := d.StackPointer(); at == p || strings.HasPrefix(string(p), string(at)+"/") || at == "" {
			if _, seen := places[at]; !seen {
				places[at] = start + len(r.text[start:]) - len(bytes.TrimLeft(r.text[start:], " \t\r\n,:"))
			}
		}
	}
	for {
		if at, ok := places[p]; ok || p == "" {
			return at
		}
		p = p.Parent()
	}
}

// fault records a fault at an offset, with the line as long as it is short.
func (r *savedReader) fault(offset int, code scenarios.Code, message, legal, hint string) {
	before := r.text[:min(offset, len(r.text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	line, _, _ := bytes.Cut(r.text[start:], []byte("\n"))
	d := scenarios.Diagnostic{
		File: r.file, Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(before[start:]) + 1,
		Code: code, Severity: scenarios.Error, Message: message, Legal: legal, Hint: hint,
	}
	const most = 120
	if len(line) <= most {
		d.Snippet = strings.TrimRight(string(line), "\r")
	}
	r.faults = append(r.faults, d)
}
