package main

import (
	"fmt"
	"strings"
)

// The exit codes, one per kind of outcome, the same for every verb. Scripts and CI
// systems rely on them: a code never changes its meaning.
const (
	exitOK          = 0
	exitExpectation = 1
	exitUsage       = 2
	exitInput       = 3
	exitLimit       = 5
	exitInternal    = 70
	exitInterrupted = 130
)

// exitCodes says in one place what each code means. `apfsim --help` and the reference
// in docs/ show this table.
var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "fine"},
	{exitExpectation, "the command worked; an expectation or a condition of compare failed, calibrate --within or diff has a difference, lint --strict a warning, or tune no answer"},
	{exitUsage, "the command line is wrong: an unknown verb or flag, or a bad value"},
	{exitInput, "a file is wrong, missing, or cannot be written; every fault is printed"},
	{exitLimit, "a limit was reached: of the replications that --until may take, of the budget of tune, or of apfsim itself"},
	{exitInternal, "a fault of apfsim itself"},
	{exitInterrupted, "interrupted; what was printed is partial, and says so"},
}

// exitCodesText is the table as help texts show it.
func exitCodesText() string {
	var b strings.Builder
	for _, e := range exitCodes {
		fmt.Fprintf(&b, "  %3d  %s\n", e.code, e.meaning)
	}
	return b.String()
}
