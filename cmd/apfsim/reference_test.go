package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/explain"
)

// referencePages are made from the code: what a verb, a field or a code is, is said there.
var referencePages = []struct {
	file string
	make func(b *strings.Builder)
}{
	{"verbs.md", verbsPage},
	{"scenario.md", func(b *strings.Builder) {
		fieldsPage(b, "scenario", "Scenario files", "All fields of a scenario file. [How to write one](../scenarios.md) explains them by example.")
	}},
	{"flowschema.md", func(b *strings.Builder) {
		fieldsPage(b, "flowschema", "FlowSchema", "The fields of a FlowSchema, and what APF makes of them.")
	}},
	{"prioritylevelconfiguration.md", func(b *strings.Builder) {
		fieldsPage(b, "prioritylevelconfiguration", "PriorityLevelConfiguration", "The fields of a PriorityLevelConfiguration, and what APF makes of them.")
	}},
	{"codes.md", codesPage},
	{"exit-codes.md", exitCodesPage},
}

const referenceHead = "<!-- Made from the code by: go test ./cmd/apfsim -run TestReference -update -->\n\n"

// TestReference holds that the pages of the reference are what the code says.
func TestReference(t *testing.T) {
	for _, page := range referencePages {
		var b strings.Builder
		b.WriteString(referenceHead)
		page.make(&b)
		name := "../../docs/reference/" + page.file
		if *update {
			if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != b.String() {
			t.Errorf("docs/reference/%s is not what the code says; run: go test ./cmd/apfsim -run TestReference -update", page.file)
		}
	}
}

// verbsPage shows the help of each verb.
func verbsPage(b *strings.Builder) {
	b.WriteString("# Verbs\n\n`apfsim VERB --help` prints the same. [The command line](../command-line.md) shows them by example.\n\n")
	root := newRoot(&newProcess(nil).Process)
	b.WriteString("| verb | what it does |\n|---|---|\n")
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			fmt.Fprintf(b, "| [%s](#%s) | %s |\n", c.Name(), strings.ReplaceAll(c.CommandPath(), " ", "-"), cell(c.Short))
		}
	}
	for _, c := range root.Commands() {
		verbSections(b, c)
	}
}

// verbSections writes a section for a verb and for each of its own verbs.
func verbSections(b *strings.Builder, c *cobra.Command) {
	if !c.IsAvailableCommand() {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n```text\n%s\n\n%s\n```\n", c.CommandPath(), c.UseLine(), strings.TrimSpace(c.Long))
	if c.Example != "" {
		fmt.Fprintf(b, "\nExamples:\n\n```\n%s\n```\n", unindented(c.Example))
	}
	rows := false
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if !rows {
			b.WriteString("\n| flag | meaning |\n|---|---|\n")
			rows = true
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", name, cell(usage))
	})
	for _, sub := range c.Commands() {
		verbSections(b, sub)
	}
}

// unindented takes the indent of examples away.
func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	}
	return strings.Join(lines, "\n")
}

// cell makes a text fit into a cell of a table of Markdown.
func cell(text string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;").Replace(text)
}

// fieldsPage shows a kind of object, mapping by mapping.
func fieldsPage(b *strings.Builder, root, title, text string) {
	fmt.Fprintf(b, "# %s\n\n%s `apfsim explain %s` prints the same, field by field.\n", title, text, root)
	mappings := []string{root}
	for len(mappings) > 0 {
		f, err := scenarios.ExplainField(mappings[0])
		if err != nil {
			panic(err)
		}
		mappings = mappings[1:]
		fmt.Fprintf(b, "\n## %s\n\n", f.Path)
		if f.Text != "" {
			fmt.Fprintf(b, "%s\n\n", cell(f.Text))
		}
		b.WriteString("| field | type | default | meaning |\n|---|---|---|---|\n")
		for i := range f.Fields {
			inner := &f.Fields[i]
			_, name, _ := strings.Cut(strings.TrimPrefix(inner.Path, f.Path), ".")
			meaning := inner.Text
			if inner.Legal != "" {
				meaning += " Legal: " + inner.Legal + "."
			}
			if whole, err := scenarios.ExplainField(inner.Path); err == nil && len(whole.Fields) > 0 {
				mappings = append(mappings, inner.Path)
				name = fmt.Sprintf("[%s](#%s)", name, strings.ToLower(strings.ReplaceAll(inner.Path, ".", "")))
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", name, cell(inner.Type), cell(inner.Default), cell(strings.TrimSpace(meaning)))
		}
	}
}

// codesPage lists the codes of faults and of advice.
func codesPage(b *strings.Builder) {
	b.WriteString("# Codes\n\nEvery fault and every advice has a code that does not change. `apfsim explain CODE` says more of those that have a severity, with an example.\n\n| code | severity | meaning |\n|---|---|---|\n")
	for _, c := range explain.Codes() {
		fmt.Fprintf(b, "| %s | %s | %s |\n", c.Code, c.Severity, cell(c.Title))
	}
}

// exitCodesPage lists the exit codes.
func exitCodesPage(b *strings.Builder) {
	b.WriteString("# Exit codes\n\nThey are the same for every verb, and never change their meaning.\n\n| exit code | meaning |\n|--:|---|\n")
	for _, e := range exitCodes {
		fmt.Fprintf(b, "| %d | %s |\n", e.code, cell(e.meaning))
	}
}
