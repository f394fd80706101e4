package main

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"

	"github.com/apfsim/apfsim/reports/markdown"
)

// stepSummary is the variable in which GitHub Actions names the file for the summary of a step.
const stepSummary = "GITHUB_STEP_SUMMARY"

// openSummary begins the summary of the step, if annotations for GitHub are asked for and GitHub
// names a file. What earlier commands of the step have written there stays, and counts in the
// limit.
func (o *runOutput) openSummary() error {
	name := o.process.Env(stepSummary)
	if name == "" || !slices.ContainsFunc(o.targets, func(t target) bool { return t.form == formGitHub }) {
		return nil
	}
	before, err := o.process.FS.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return inputf("", "%s: cannot read the file of %s: %s", name, stepSummary, fileReason(err))
	}
	if len(before) > 0 {
		before = append(bytes.TrimRight(before, "\n"), "\n\n"...)
	}
	w, err := o.files.create(name)
	if err != nil {
		return err
	}
	o.summary, o.summaryRoom = w, max(0, markdown.SummaryMax-len(before))
	if _, err := w.Write(before); err != nil {
		return cannotWrite(name, err)
	}
	return nil
}
