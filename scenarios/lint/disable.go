package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/scenarios"
)

// Comments that disable advice:
//
//	# apfsim:disable=APF012,APF014
//
// on a line, or in the comment right above it, holds for what is said of that line; on
// the first line of an object, or right above it, for the whole object.

// directive matches the comment.
var directive = regexp.MustCompile(`(?:^|\s)#\s*apfsim:([^\s=]*)(?:=\s*([^\s,]+(?:\s*,\s*[^\s,]+)*))?`)

// remark is one code that a comment names.
type remark struct {
	code scenarios.Code
	at   scenarios.Place
}

// remarks reads the comments of a line. Codes that do not exist are among them; what
// cannot be read at all is reported.
func (c *checker) remarks(file string, number int, line string) []remark {
	m := directive.FindStringSubmatchIndex(line)
	if m == nil {
		return nil
	}
	column := func(offset int) scenarios.Place {
		return scenarios.Place{File: file, Line: number, Column: 1 + utf8.RuneCountInString(line[:offset])}
	}
	if verb := line[m[2]:m[3]]; verb != "disable" || m[4] < 0 {
		c.misread(column(m[2]), fmt.Sprintf("the comment apfsim:%s is not understood, and disables nothing", verb), "write # apfsim:disable=APF012")
		return nil
	}
	var out []remark
	offset := m[4]
	for _, word := range strings.SplitAfter(line[m[4]:m[5]], ",") {
		code := strings.Trim(word, " \t,")
		out = append(out, remark{scenarios.Code(code), column(offset + strings.Index(word, code))})
		offset += len(word)
	}
	return out
}

// misread gives the advice that a comment does not do what it is for.
func (c *checker) misread(at scenarios.Place, message, hint string) {
	r, _ := Lookup("APF031")
	c.found = append(c.found, c.cfg.Diagnose(at, scenarios.Diagnostic{Code: r.Code, Severity: r.Severity, Message: message, Hint: hint}))
}

// Codes lists all codes that can be disabled, in order: those of the advice, and those of
// what the reading of manifests warns of.
func Codes() []string {
	var out []string
	for _, r := range Catalogue() {
		out = append(out, string(r.Code))
	}
	for _, e := range scenarios.Explanations() {
		out = append(out, string(e.Code))
	}
	return out
}

// disabled holds for which lines of which file a code is disabled.
type disabled map[scenarios.Place]map[scenarios.Code]bool

// comments reads the comments of all files.
func (c *checker) comments() disabled {
	d := disabled{}
	codes := Codes()
	for _, file := range c.cfg.Files() {
		lines := c.cfg.Lines(file)
		for i, line := range lines {
			for _, r := range c.remarks(file, i+1, line) {
				if !slices.Contains(codes, string(r.code)) {
					hint := "each finding ends with its code"
					if best, ok := suggest.Nearest(string(r.code), codes); ok {
						hint = "did you mean " + best + "?"
					}
					c.misread(r.at, fmt.Sprintf("there is no code %s, so this comment disables nothing", r.code), hint)
					continue
				}
				d.add(scenarios.Place{File: file, Line: i + 1}, r.code)
				d.add(scenarios.Place{File: file, Line: target(lines, i)}, r.code)
			}
		}
	}
	return d
}

// target is the number of the line that the comment of a line with an index is about:
// that line, or the first one after it that is neither a comment nor the end of the
// document before.
func target(lines []string, i int) int {
	for i < len(lines)-1 && (strings.HasPrefix(strings.TrimSpace(lines[i]), "#") || strings.TrimSpace(lines[i]) == "---") {
		i++
	}
	return i + 1
}

func (d disabled) add(line scenarios.Place, code scenarios.Code) {
	if d[line] == nil {
		d[line] = map[scenarios.Code]bool{}
	}
	d[line][code] = true
}

// has tells whether a comment disables a code at a line.
func (d disabled) has(file string, line int, code scenarios.Code) bool {
	return d[scenarios.Place{File: file, Line: line}][code]
}

// enabled is what was found without what comments and options disable. Errors stay.
func (c *checker) enabled(comments disabled, o Options) scenarios.Diagnostics {
	sources := c.written()
	return slices.DeleteFunc(slices.Clone(c.found), func(d scenarios.Diagnostic) bool {
		if d.Severity == scenarios.Error {
			return false
		}
		if slices.Contains(o.Disable, d.Code) || comments.has(d.File, d.Line, d.Code) {
			return true
		}
		if len(comments) == 0 {
			return false // as in most files, and to look at all objects takes long
		}
		return slices.ContainsFunc(sources, func(s scenarios.Source) bool {
			begin, end := s.Extent()
			return begin.File == d.File && begin.Line <= d.Line && d.Line <= end.Line &&
				comments.has(d.File, begin.Line, d.Code)
		})
	})
}
