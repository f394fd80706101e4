package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/apfsim/apfsim/reports/study"
	"github.com/spf13/cobra"
)

// mergeLong explains `apfsim merge`.
const mergeLong = `Put the folders that the shards of one study have filled together, and print what the study
prints that was run as one. The order of the folders changes nothing, and neither does a point
that is in several of them: it is the same to the byte, whoever has run it.

With --results, all of it is put into one folder: that of the sweep as one, to the byte. If the
folder is there, it is one of those that are merged. The folders of a search, as apfsim tune
fills them, have no table; they are put into the folder, and the search goes on from there.

If points are missing, they are named, with the commands that make them, and the exit code is 5.
--partial prints the table all the same, with the rows that are missing.`

// mergeFlags are the flags of `apfsim merge`.
type mergeFlags struct {
	all     bool
	output  outputFlag
	results string
	partial bool
}

// mergeCommand makes `apfsim merge`.
func mergeCommand(p *Process) *cobra.Command {
	var f mergeFlags
	c := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Put the results of the shards of a study together",
		Long:  mergeLong,
		Example: `  apfsim merge shard-0 shard-1
  apfsim merge shard-0 shard-1 --results all -o csv=points.csv
  apfsim merge shard-1 shard-0 --partial`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the folders that --results of the shards named", "no folder to merge")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("results") && f.results == "" {
				return usagef("is a variable of the shell empty?", "--results: the folder has no name")
			}
			return f.run(p, args)
		},
	}
	f.output.register(c, tableFormsHelp())
	c.Flags().StringVar(&f.results, "results", "", "`folder` for all of it")
	c.Flags().BoolVar(&f.partial, "partial", false, "print the table also if points are missing")
	c.Flags().BoolVar(&f.all, "all", false, allHelp)
	return c
}

// run reads the folders and prints the table.
func (f *mergeFlags) run(p *Process, args []string) error {
	targets, err := f.output.targets(tableForms...)
	if err != nil {
		return err
	}
	m, err := readMerged(p, args, f.results)
	if err != nil {
		return err
	}
	if !m.study.Sweep() {
		return f.search(p, m)
	}
	if err := m.index(); err != nil {
		return err
	}
	if err := m.writeTo(p, f.results); err != nil {
		return err
	}
	missing := m.missing()
	if len(missing) > 0 {
		m.tellMissing(p, missing, f.results)
		if !f.partial {
			return verdict(exitLimit)
		}
	}
	files := newOutputs(p)
	writers, err := openTargets(p, files, targets)
	if err != nil {
		return withCleanup(err, files)
	}
	if err := writeTable(p, study.NewTable(m.study, m.find), f.all, targets, writers); err != nil {
		return withCleanup(err, files)
	}
	if err := files.commit(); err != nil || len(missing) == 0 {
		return err
	}
	return verdict(exitLimit)
}

// search puts the folders of a search together.
func (f *mergeFlags) search(p *Process, m *merged) error {
	switch {
	case f.results == "":
		return usagef("name a folder for all of it: --results all", "these are the folders of a search, which has no table of points")
	case len(f.output.values) > 0:
		return usagef("leave out -o, and give the command of the search --results "+f.results,
			"these are the folders of a search, which has no table of points")
	}
	if err := m.writeTo(p, f.results); err != nil {
		return err
	}
	fmt.Fprintf(p.Stderr, "%d %s of a search are in %s", len(m.records), plural(len(m.records), "record", "records"), f.results)
	if m.study.Command != "" {
		fmt.Fprintf(p.Stderr, ", which goes on from there:\n  %s --results %s", m.study.Command, shellWord(f.results))
	}
	fmt.Fprintln(p.Stderr)
	return nil
}

// merged are the folders of one study together.
type merged struct {
	study   *study.Study
	folders []*studyFolder
	// records are all of them by their keys, without what a table does not need.
	records map[string]*mergedRecord
	// rows are the records of a sweep by what was run.
	rows map[string]*mergedRecord
}

// mergedRecord is a record, what its file holds, and the folders that have it.
type mergedRecord struct {
	*study.Record
	sum [32]byte
	// in are the numbers of the folders.
	in []int
}

// readMerged reads folders of one study, and that for all of it if there is one already.
func readMerged(p *Process, names []string, results string) (*merged, error) {
	m := &merged{records: map[string]*mergedRecord{}, rows: map[string]*mergedRecord{}}
	if results != "" {
		if _, err := p.FS.Stat((&studyFolder{p, results}).file(studyFile)); err == nil {
			names = append(names[:len(names):len(names)], results)
		}
	}
	for _, name := range names {
		folder := &studyFolder{p, name}
		s, err := folder.study()
		if err != nil {
			return nil, err
		}
		if err := m.add(folder, s); err != nil {
			return nil, err
		}
	}
	for i := range m.folders {
		if err := m.read(i); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// study reads what the folder is about.
func (f *studyFolder) study() (*study.Study, error) {
	text, err := f.process.FS.ReadFile(f.file(studyFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, inputf("name a folder that --results of a sweep named", "%s: this is no folder of results: it has no %s", f.name, studyFile)
	case err != nil:
		return nil, inputf("", "%s: cannot read the file: %s", f.file(studyFile), fileReason(err))
	}
	return f.parse(text)
}

// add adds a folder, which has to be about the same. Of commands that differ, as the names of files
// may, the first one in the order of texts stands for all.
func (m *merged) add(folder *studyFolder, s *study.Study) error {
	m.folders = append(m.folders, folder)
	if m.study == nil {
		m.study = s
		return nil
	}
	if what := m.study.Differs(s); what != "" {
		return inputf("merge the folders of one study", "%s is about something else than %s: %s", folder.name, m.folders[0].name, what)
	}
	m.study.Command = min(m.study.Command, s.Command)
	return nil
}
