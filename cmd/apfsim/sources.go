package main

import (
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scenarios"
)

// sourceMax is how much of a file a result keeps.
const sourceMax = 64 << 10

// sourceOf tells what a result is made from: the files, and the command line with the flags
// that stand in place of what the scenario says.
func sourceOf(s *scenarios.Scenario, overrides []string) *reports.Source {
	name := s.File
	switch {
	case name == stdinName:
		name = "-"
	case s.InLibrary:
		name = s.Name
	}
	out := &reports.Source{Command: shellCommand(append([]string{"apfsim", "run", name}, overrides...))}
	for _, file := range s.Sources {
		text := strings.ToValidUTF8(string(file.Text), "\uFFFD")
		cut := len(text) > sourceMax
		if cut {
			text = strings.ToValidUTF8(text[:sourceMax], "")
		}
		out.Files = append(out.Files, reports.SourceFile{Name: file.Name, Text: text, Cut: cut})
	}
	return out
}

// shellCommand is a command as one types it.
func shellCommand(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = shellWord(word)
	}
	return strings.Join(quoted, " ")
}

// shellWord quotes a word for a shell if it needs that.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
