package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/spf13/cobra"
)

// stdinName is how positions name the standard input.
const stdinName = "<stdin>"

// scenarioFiles gives the loader the file system, and the standard input under its
// name. The input is read once.
type scenarioFiles struct {
	FS
	stdin io.Reader
}

var _ scenarios.Files = scenarioFiles{}

// ReadFile reads a file.
func (f scenarioFiles) ReadFile(name string) ([]byte, error) {
	if name == stdinName {
		return io.ReadAll(f.stdin)
	}
	return f.FS.ReadFile(name)
}

// loadAll reads the scenarios that the arguments name. All faults of all of them are
// printed; if any is an error, nothing runs.
func loadAll(p *Process, args []string) ([]*scenarios.Scenario, error) {
	return loadAnyWith(p, args, scenarios.Options{})
}

// loadAllWith reads the scenarios likewise, with options in place of what they say, and refuses
// those in which nothing happens.
func loadAllWith(p *Process, args []string, o scenarios.Options) ([]*scenarios.Scenario, error) {
	loaded, err := loadAnyWith(p, args, o)
	if err == nil {
		err = onlyTraffic(loaded)
	}
	return loaded, err
}

func loadAnyWith(p *Process, args []string, o scenarios.Options) ([]*scenarios.Scenario, error) {
	var loaded []*scenarios.Scenario
	var faults scenarios.Diagnostics
	stdin := false
	for _, arg := range args {
		if arg == "" {
			return nil, usagef("is a variable of the shell empty?", "a scenario has no name")
		}
		if arg == "-" && stdin {
			return nil, usagef("", "- is there twice, and the standard input can be read once")
		}
		stdin = stdin || arg == "-"
		s, found := loadOne(p, arg, o)
		loaded = append(loaded, s)
		faults = append(faults, found...)
		if s != nil {
			_, found = readBlock(s)
			faults = append(faults, found...)
		}
	}
	if faults.HasErrors() {
		return nil, badInput{faults}
	}
	fmt.Fprint(p.Stderr, faults)
	return loaded, nil
}

// onlyTraffic refuses scenarios in which nothing happens.
func onlyTraffic(loaded []*scenarios.Scenario) error {
	for _, s := range loaded {
		if !s.HasTraffic() {
			return inputf("apfsim test "+shellWord(s.File)+" runs them", "%s: the scenario has no clients, only tests of its configuration", s.File)
		}
	}
	return nil
}

// loadOne reads one scenario: of the standard input, of the library, or of a file. A
// name of the library wins over a file in the current folder; ./NAME is the file.
func loadOne(p *Process, arg string, o scenarios.Options) (*scenarios.Scenario, scenarios.Diagnostics) {
	files := scenarioFiles{p.FS, p.Stdin}
	if arg == "-" {
		return scenarios.LoadWith(stdinName, files, o)
	}
	if s, found, ok := scenarios.LoadLibraryWith(arg, o); ok {
		return s, found
	}
	s, faults := scenarios.LoadWith(arg, files, o)
	if missing(p, arg) {
		faults = unknownScenario(faults, arg)
	}
	return s, faults
}

// missing tells whether an argument is no file at all.
func missing(p *Process, arg string) bool {
	_, err := p.FS.Stat(arg)
	return err != nil
}

// unknownScenario adds to the faults of a missing file that a library scenario may have
// been meant.
func unknownScenario(faults scenarios.Diagnostics, arg string) scenarios.Diagnostics {
	for i := range faults {
		if f := &faults[i]; f.Code == scenarios.CodeUnreadable && f.File == arg {
			f.Legal = "a file, - for the standard input, or a library scenario: " + strings.Join(libraryNames(), ", ")
			if name, ok := nearestScenario(arg); ok {
				f.Hint = fmt.Sprintf("did you mean %s?", name)
			}
		}
	}
	return faults
}

// libraryNames lists the names of the library, in order.
func libraryNames() []string {
	var names []string
	for _, s := range scenarios.Library() {
		names = append(names, s.Name)
	}
	return names
}

// completeScenarios completes the names of library scenarios; the shell adds files.
func completeScenarios(_ *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, name := range libraryNames() {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}
