package scenarios

import (
	"bytes"
	"regexp"
	"strings"
)

// reportSyntax reports the syntax error of a chunk that the YAML library refused.
func reportSyntax(file string, ch chunk, c *collector) {
	if at := templateAt(ch.text); at >= 0 {
		line, column := position(ch.text, at)
		c.error(Place{file, ch.line + line - 1, column}, templateFault("the file"))
		return
	}
	problem, line := locate(ch.text)
	if loc := shellMark.FindIndex(lineOf(ch.text, line)); loc != nil {
		_, column := position(lineOf(ch.text, line), loc[0])
		c.error(Place{file, ch.line + line - 1, column}, templateFault("the file"))
		return
	}
	line += ch.line - 1
	column := c.column(file, line)
	f := fault{code: CodeSyntax, message: "not valid YAML: " + problem}
	if known, ok := syntaxProblems[problem]; ok {
		f.message, f.hint = "not valid YAML: "+known.message, known.hint
	}
	if name, ok := strings.CutPrefix(problem, "unknown anchor '"); ok {
		name = strings.TrimSuffix(name, "' referenced")
		f.message = "not valid YAML: the alias *" + name + " has no anchor &" + name + " before it"
		f.hint = "text that begins with * needs quotes"
		if i := bytes.Index(ch.text, []byte("*"+name)); i >= 0 {
			var l int
			l, column = position(ch.text, i)
			line = ch.line + l - 1
		}
	}
	c.error(Place{file, line, column}, f)
}

// syntaxProblems says in other words what the library's most common complaints mean.
var syntaxProblems = map[string]struct{ message, hint string }{
	"did not find expected key": {
		"this line does not continue the mapping above it",
		"look for wrong indentation, or for text after a closing quote"},
	"did not find expected '-' indicator": {
		"this line does not continue the list above it",
		`look for wrong indentation, or a missing "- "`},
	"could not find expected ':'": {
		"a key without a value",
		`write "key: value", with a space after the colon`},
	"mapping values are not allowed in this context": {
		"a second key on the line, or a key where a value is open",
		`look for wrong indentation, or a missing colon above; text that holds ": " needs quotes`},
	"found character that cannot start any token": {
		"a value begins with a character that is special in YAML",
		"tabs do not indent; text that begins with @, ` or % needs quotes"},
	"found a tab character that violates indentation": {
		"a tab where indentation is expected",
		"indent with spaces"},
	"did not find expected ',' or ']'": {
		"a list that is opened with [ here is not closed, or a comma is missing in it",
		"within [ ] and { } text that holds any of , [ ] { } needs quotes"},
	"did not find expected ',' or '}'": {
		"a mapping that is opened with { here is not closed, or a comma is missing in it",
		`within [ ] and { } text that holds any of , [ ] { } needs quotes: "bot-{index}"`},
	"found unexpected end of stream": {
		"text in quotes that begins here is not closed", ""},
	"did not find expected node content": {
		"a value is missing, or begins with a character that is special in YAML", "text that begins with }, ] or , needs quotes"},
	"found unknown escape character": {
		"an unknown escape in text in double quotes",
		`write \\ for a backslash, or use single quotes`},
}

var lineOfProblem = regexp.MustCompile(`^yaml: (?:line \d+: )?`)

// probeBudget bounds the bytes that locate may parse, so that an error in a huge file
// does not take for ever.
const probeBudget = 8 << 20

// locate returns the library's problem with a text, and the line where it begins,
// from 1. The library stops at most one token behind the problem; from there lines
// are taken away from the end while the rest still has the same problem.
func locate(text []byte) (problem string, line int) {
	problem, consumed := probeYAML(text)
	bare := lineOfProblem.ReplaceAllString(problem, "")
	if bare == "" {
		return "the document cannot be read", 1
	}
	read := text[:consumed]
	line = bytes.Count(bytes.TrimRight(read, "\r\n\t "), []byte("\n")) + 1
	for budget := probeBudget; line > 1; line-- {
		prefix := firstLines(text, line-1)
		if budget -= len(prefix); budget < 0 {
			break
		}
		before, _ := probeYAML(prefix)
		if lineOfProblem.ReplaceAllString(before, "") != bare {
			break
		}
	}
	return bare, line
}

// firstLines returns the first n lines of a text.
func firstLines(text []byte, n int) []byte {
	at := 0
	for ; n > 0; n-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return text
		}
		at += i + 1
	}
	return text[:at]
}

// lineOf returns a line of a text, from 1, with its end.
func lineOf(text []byte, line int) []byte {
	before := firstLines(text, line-1)
	return firstLines(text[len(before):], 1)
}

// position returns the line and column, from 1, of a byte of a text.
func position(text []byte, at int) (line, column int) {
	before := text[:at]
	line = bytes.Count(before, []byte("\n")) + 1
	start := bytes.LastIndexByte(before, '\n') + 1
	return line, len([]rune(string(before[start:]))) + 1
}

// The marks of the template languages that configuration is written in: Helm and Go
// templates, the shell and envsubst, ERB and EJS, Jinja.
var (
	templateMark = regexp.MustCompile(`\{\{|\{%|<%`)
	// shellMark says so only in the line that is no YAML: texts may hold it elsewhere.
	shellMark    = regexp.MustCompile(`\$\{[A-Za-z_]`)
	templateText = regexp.MustCompile(`\{\{.*\}\}|\{%.*%\}|<%.*%>|\$\{[A-Za-z_][^}]*\}|\$\([A-Za-z_][A-Za-z0-9_]*\)|^\$[A-Za-z_][A-Za-z0-9_]*$`)
)

// templateAt returns where a text that is not YAML shows that it is a template, -1
// if it does not.
func templateAt(text []byte) int {
	if loc := templateMark.FindIndex(text); loc != nil {
		return loc[0]
	}
	return -1
}

func templateFault(what string) fault {
	return fault{code: CodeTemplate, message: what + " is a template, not its result",
		hint: "render it first: helm template, kustomize build, envsubst"}
}
