package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// The forms of output.
const (
	formText   = "text"
	formJSON   = "json"
	formCSV    = "csv"
	formName   = "name"
	formYAML   = "yaml"
	formHTML   = "html"
	formGitHub = "github"
	formJUnit  = "junit"
)

// outputFlag is the flag -o, which may repeat, each time as FORM or FORM=FILE.
type outputFlag struct{ values []string }

// register adds the flag to a command.
func (o *outputFlag) register(c *cobra.Command, forms string) {
	c.Flags().StringArrayVarP(&o.values, "output", "o", nil,
		"`form` of the output: "+forms)
}

// target is one form and where it goes.
type target struct {
	form string
	// file is "" for the standard output.
	file string
	// moment is when the form is about, for a form that is about a moment.
	moment moment
}

// targets parses the values against the legal forms; the first of these is the default.
// At most one target is the standard output: two forms mixed there are of no use.
func (o *outputFlag) targets(legal ...string) ([]target, error) {
	if len(o.values) == 0 {
		return []target{{form: legal[0]}}, nil
	}
	var all []target
	for _, v := range o.values {
		form, file, hasFile := strings.Cut(v, "=")
		if !slices.Contains(legal, form) {
			return nil, usagef(didYouMean(form, legal), "-o %s: no such form of output", v)
		}
		if hasFile && file == "" {
			return nil, usagef("name a file, as in -o "+form+"=result."+form, "-o %s: the file has no name", v)
		}
		if file == "-" {
			file = ""
		}
		all = append(all, target{form: form, file: file})
	}
	return all, distinct(all)
}

// distinct refuses two outputs to one place.
func distinct(all []target) error {
	for i, t := range all {
		for _, earlier := range all[:i] {
			if cleaned(t.file) != cleaned(earlier.file) {
				continue
			}
			if t.file == "" {
				return usagef(fmt.Sprintf("give one of them a file, as in -o %s=FILE", t.form),
					"both %s and %s would go to the standard output", earlier.form, t.form)
			}
			return usagef("give each its own file", "both %s and %s would go to %s", earlier.form, t.form, t.file)
		}
	}
	return nil
}

// cleaned is the name of a file in its shortest form, so that a and ./a are one file; "" stays.
func cleaned(file string) string {
	if file == "" {
		return ""
	}
	return filepath.Clean(file)
}

// single is for verbs with one output: a form, to the standard output.
func (o *outputFlag) single(legal ...string) (string, error) {
	all, err := o.targets(legal...)
	if err != nil {
		return "", err
	}
	if len(all) > 1 || all[0].file != "" {
		return "", usagef("redirect the standard output to write a file", "-o takes one form here, and no file")
	}
	return all[0].form, nil
}

// outputs are the files of one command. They appear together at the end, or none does.
type outputs struct {
	fs FS

	mu    sync.Mutex
	files []pending
}

// newOutputs gathers the files of a verb, which are removed if it is left behind.
func newOutputs(p *Process) *outputs {
	o := &outputs{fs: p.FS}
	p.stopper.owns(o)
	return o
}

// pending is a file in the making and its name.
type pending struct {
	name string
	PendingFile
}

// create begins a file. That it can be written is known before the work begins.
func (o *outputs) create(name string) (io.Writer, error) {
	f, err := o.fs.Create(name)
	if err != nil {
		return nil, cannotWrite(name, err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files = append(o.files, pending{name, f})
	return f, nil
}

// take hands the files over to who ends them.
func (o *outputs) take() []pending {
	o.mu.Lock()
	defer o.mu.Unlock()
	files := o.files
	o.files = nil
	return files
}

// commit makes all files appear, or reports the first that cannot and removes the rest.
func (o *outputs) commit() error {
	files := o.take()
	for i, f := range files {
		if err := f.Commit(); err != nil {
			return errors.Join(cannotWrite(f.name, err), discardAll(files[i+1:]))
		}
	}
	return nil
}

// drop removes one file that is not wanted after all.
func (o *outputs) drop(name string) error {
	files := o.take()
	i := slices.IndexFunc(files, func(f pending) bool { return f.name == name })
	if i < 0 {
		panic("dropping a file that was not created: " + name)
	}
	dropped := files[i]
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files = append(o.files, slices.Delete(files, i, i+1)...)
	return dropped.Discard()
}

// discard removes what has not been committed.
func (o *outputs) discard() error { return discardAll(o.take()) }

// discardAll removes files in the making.
func discardAll(files []pending) error {
	var faults []error
	for _, f := range files {
		faults = append(faults, f.Discard())
	}
	return errors.Join(faults...)
}

// renderFault is the fault of a form: of what it was to show, or of the file.
func renderFault(name string, err error) error {
	var known *fault
	if errors.As(err, &known) {
		return err
	}
	return cannotWrite(name, err)
}

// cannotWrite is the fault of an output file.
func cannotWrite(name string, err error) error {
	return inputf("", "%s: cannot write the file: %s", name, fileReason(err))
}
