package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/plots"
	"github.com/spf13/pflag"
)

// plotsFlag is the flag --plots of the verbs that have results.
type plotsFlag struct{ dir string }

// register adds the flag to a verb.
func (f *plotsFlag) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.dir, "plots", "", "`folder` for the charts as PNG, which is made if it is not there")
}

// open checks the flag and makes the folder, so that one which cannot be written is known
// before the work begins.
func (f *plotsFlag) open(p *Process, given bool) error {
	switch {
	case !given:
		return nil
	case f.dir == "":
		return usagef("name a folder, as in --plots charts", "--plots: the folder has no name")
	}
	if info, err := p.FS.Stat(f.dir); err == nil && !info.IsDir() {
		return inputf("name a folder", "%s: is not a folder", f.dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannotWrite(f.dir, err)
	}
	if err := p.FS.MkdirAll(f.dir); err != nil {
		return inputf("", "%s: cannot make the folder: %s", f.dir, fileReason(err))
	}
	return nil
}

// write draws all charts of the results into files, which appear with the others. With several
// results their names begin with that of the scenario.
func (f *plotsFlag) write(files *outputs, results []*reports.Result) error {
	if f.dir == "" {
		return nil
	}
	seen := map[string]int{}
	for _, r := range results {
		prefix := ""
		if len(results) > 1 {
			prefix = r.Metadata.Name + "-"
			if seen[prefix]++; seen[prefix] > 1 {
				prefix += strconv.Itoa(seen[prefix]) + "-"
			}
		}
		if err := f.draw(files, plots.Charts(r), prefix); err != nil {
			return err
		}
	}
	return nil
}

// draw draws charts into files whose names begin with a prefix.
func (f *plotsFlag) draw(files *outputs, charts []plots.Chart, prefix string) error {
	for i := range charts {
		name := filepath.Join(f.dir, prefix+charts[i].ID+".png")
		picture, err := charts[i].PNG(plots.DefaultWidth, 0)
		if err != nil {
			return err
		}
		w, err := files.create(name)
		if err != nil {
			return err
		}
		if _, err := w.Write(picture); err != nil {
			return cannotWrite(name, err)
		}
	}
	return nil
}
