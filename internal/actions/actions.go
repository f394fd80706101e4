// Package actions writes the workflow commands by which GitHub Actions annotates files.
package actions

import (
	"strconv"
	"strings"
)

// Level is how much an annotation matters.
type Level string

// The levels, as the commands name them.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
	LevelNotice  Level = "notice"
)

// Most is how many annotations of a level GitHub takes from a step. It drops the others without
// a word.
const Most = 10

// titleMost is how many characters of a title it shows.
const titleMost = 255

// Annotation is a message, at a line of a file if one is known.
type Annotation struct {
	Level Level
	// File is relative to the top of the repository; Line and Column begin with 1, and are 0 if
	// nobody knows.
	File         string
	Line, Column int
	Title        string
	Message      string
}

// The escapes. In properties two characters more are special.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// String is the workflow command, without a newline at the end.
func (a Annotation) String() string {
	var properties []string
	add := func(name, value string) {
		properties = append(properties, name+"="+propertyEscapes.Replace(value))
	}
	if a.File != "" {
		add("file", a.File)
		if a.Line > 0 {
			add("line", strconv.Itoa(a.Line))
		}
		if a.Line > 0 && a.Column > 0 {
			add("col", strconv.Itoa(a.Column))
		}
	}
	if a.Title != "" {
		add("title", shortened(a.Title))
	}
	return "::" + string(a.Level) + " " + strings.Join(properties, ",") + "::" + dataEscapes.Replace(a.Message)
}

// shortened cuts a title to what is shown.
func shortened(title string) string {
	if r := []rune(title); len(r) > titleMost {
		return string(r[:titleMost-3]) + "..."
	}
	return title
}

// Plain makes a text one line of a log that holds no command of either syntax, wherever it
// comes from.
func Plain(text string) string {
	text = strings.NewReplacer("\r", " ", "\n", " ", "##[", "## [").Replace(text)
	if strings.HasPrefix(strings.TrimLeft(text, " \t"), "::") {
		return "- " + text
	}
	return text
}
