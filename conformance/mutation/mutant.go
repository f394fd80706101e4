package mutation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Mutant is one wrong product.
type Mutant struct {
	// Name tells mutants apart; it is part of an import path.
	Name string
	// Detail says what is right, in a sentence that the mutant makes false.
	Detail string
	// Edits make it wrong.
	Edits []Edit
	// Package and Run name the test that notices, for a mutant outside of the queue
	// set: a package of this module ("./pure") or of the product's ("../scheduler/..."),
	// and a pattern of tests.
	Package, Run string
}

// Edit replaces text in a file of the product.
type Edit struct {
	// File is the path in the repository.
	File string
	// Old occurs exactly once in the file, New takes its place.
	Old, New string
}

// apply makes the edit in the text of its file.
func (e Edit) apply(text string) (string, error) {
	if n := strings.Count(text, e.Old); n != 1 {
		return "", fmt.Errorf("%s: found %d times instead of once: %q", e.File, n, e.Old)
	}
	return strings.Replace(text, e.Old, e.New, 1), nil
}

// patched returns the files that a mutant changes, by path in the repository.
func (m *Mutant) patched(root string) (map[string]string, error) {
	files := map[string]string{}
	for _, e := range m.Edits {
		text, ok := files[e.File]
		if !ok {
			data, err := os.ReadFile(filepath.Join(root, e.File))
			if err != nil {
				return nil, fmt.Errorf("mutant %s: %w", m.Name, err)
			}
			text = string(data)
		}
		text, err := e.apply(text)
		if err != nil {
			return nil, fmt.Errorf("mutant %s: %w", m.Name, err)
		}
		files[e.File] = text
	}
	return files, nil
}

// Table is the list of all mutants as a document.
func Table() string {
	var b strings.Builder
	b.WriteString(tableHead)
	write := func(title string, mutants []Mutant) {
		fmt.Fprintf(&b, "\n## %s\n\n| mutant | the detail that it gets wrong | noticed by |\n|---|---|---|\n", title)
		for _, m := range mutants {
			by := "`queueset`, random operations"
			if m.Package != "" {
				by = fmt.Sprintf("`%s` in `%s`", strings.ReplaceAll(m.Run, "|", `\|`), strings.TrimPrefix(m.Package, "../"))
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Name, m.Detail, by)
		}
	}
	for _, g := range QueueSet {
		write("Queue set: "+g.Title, g.Mutants)
	}
	for _, g := range Others {
		write(g.Title, g.Mutants)
	}
	return b.String()
}

// Group is some mutants with something in common.
type Group struct {
	Title   string
	Mutants []Mutant
}

const tableHead = `# What has been built wrong, and what notices

Each row is a product with one detail changed. The tests of this package build every one of them and fail if its tests still
pass. The table is written from the list of the mutants: ` + "`go test ./mutation -run Table -update`" + `.
`
