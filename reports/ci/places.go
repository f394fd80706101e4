package ci

import (
	"path"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// file is the name of a file as CI systems want it, relative to the top of the repository and
// with slashes; empty for what is no file, such as the standard input.
func file(name string) string {
	if name == "" || name == "-" || strings.HasPrefix(name, "<") {
		return ""
	}
	return path.Clean(strings.ReplaceAll(name, `\`, "/"))
}

// fileOf and lineOf are where an expectation is written.
func fileOf(j *reports.Judged) string { return file(j.File) }

func lineOf(j *reports.Judged) int {
	if fileOf(j) == "" {
		return 0
	}
	return j.Line
}

// sourceFile is the file of the scenario, if the result tells.
func sourceFile(r *reports.Result) string {
	if r.Source == nil || len(r.Source.Files) == 0 {
		return ""
	}
	return file(r.Source.Files[0].Name)
}
