package markdown

import (
	"regexp"
	"strings"
)

// specials are the characters that mean something in GitHub's Markdown, with how they are
// written to stand for themselves. An @ and what follows would send somebody a message.
var specials = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "[", `\[`, "]", `\]`, "#", `\#`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@&#8203;", "\r", " ", "\n", " ",
)

// Escape makes a text that shows as it is, in one line.
func Escape(text string) string { return escape(text) }

// Code writes a text as code in a line, also in a cell of a table.
func Code(text string) string { return code(text) }

// Block writes a text as a block of code.
func Block(text string) string { return block("", text) }

// escape makes a text that shows as it is, in one line.
func escape(text string) string { return specials.Replace(text) }

// listMark is what would begin a list within an item.
var listMark = regexp.MustCompile(`^(\d+)([.)])(\s|$)|^([-+=])`)

// item makes a text the item of a list.
func item(text string) string { return "- " + listMark.ReplaceAllString(text, `$1\$2$4$3`) + "\n" }

// code writes a text as code in a line, with a fence that is longer than any row of backticks in
// it. A pipe would end a cell of a table, also in code.
func code(text string) string {
	text = strings.NewReplacer("\r", " ", "\n", " ", "|", `\|`).Replace(text)
	fence := fenceFor(text, 1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// block writes a text as a block of code in a language.
func block(language, text string) string {
	fence := fenceFor(text, 3)
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// fenceFor is a row of backticks that does not occur in a text, of so many at least.
func fenceFor(text string, least int) string {
	fence := strings.Repeat("`", least)
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}
