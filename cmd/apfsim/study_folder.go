package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/study"
)

// The files of a folder of results.
const (
	studyFile     = "study.json"
	recordsFolder = "records"
	recordSuffix  = ".json"
)

// studyFolder is a folder of results: what is studied, and a file for each record. Several
// processes may fill it side by side, for a record is the same whoever makes it, and is there
// whole or not at all.
type studyFolder struct {
	process *Process
	name    string
}

// openStudy makes a folder for a study, or goes on with one that is about the same.
func openStudy(p *Process, name string, s *study.Study) (*studyFolder, error) {
	f := &studyFolder{p, name}
	text := studyText(s)
	found, err := p.FS.ReadFile(f.file(studyFile))
	switch {
	case err == nil:
		return f, f.same(found, s)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, inputf("", "%s: cannot read the file: %s", f.file(studyFile), fileReason(err))
	}
	if entries, err := p.FS.ReadDir(name); err == nil && slices.ContainsFunc(entries, foreign) {
		return nil, inputf("name an empty folder, or one that does not exist", "%s: the folder holds something else than results", name)
	}
	if err := p.FS.MkdirAll(path.Join(name, recordsFolder)); err != nil {
		return nil, cannotWrite(name, err)
	}
	return f, f.put(studyFile, text)
}

// foreign tells whether something in a folder without a study is not of one that another process is just
// beginning, or had begun when it was killed.
func foreign(entry fs.DirEntry) bool {
	return entry.Name() != recordsFolder && !strings.HasPrefix(entry.Name(), ".")
}

// studyText is a study as its file holds it.
func studyText(s *study.Study) []byte {
	var b bytes.Buffer
	if err := reports.WriteIndented(&b, s); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func (f *studyFolder) file(name string) string { return path.Join(f.name, name) }

// same refuses a folder that is about something else.
func (f *studyFolder) same(found []byte, s *study.Study) error {
	other, err := f.parse(found)
	if err != nil {
		return err
	}
	if what := s.Differs(other); what != "" {
		return inputf("name another folder, or do what it was made with", "%s: the folder is about something else: %s", f.file(studyFile), what)
	}
	return nil
}

// parse reads the text of its study.
func (f *studyFolder) parse(text []byte) (*study.Study, error) {
	s := &study.Study{}
	err := json.Unmarshal(text, s)
	if err == nil {
		err = s.Sound()
	}
	if err != nil {
		return nil, inputf("", "%s: this is no study of apfsim: %v", f.file(studyFile), err)
	}
	return s, nil
}

// put writes a file whole.
func (f *studyFolder) put(name string, text []byte) error {
	file, err := f.process.FS.Create(f.file(name))
	if err != nil {
		return cannotWrite(f.file(name), err)
	}
	if _, err := file.Write(text); err != nil {
		return errors.Join(cannotWrite(f.file(name), err), file.Discard())
	}
	if err := file.Commit(); err != nil {
		return cannotWrite(f.file(name), err)
	}
	return nil
}

// write writes a record.
func (f *studyFolder) write(key string, r *study.Record) error {
	sealed := *r
	sealed.Checksum = r.Sum()
	var b bytes.Buffer
	if err := reports.WriteIndented(&b, &sealed); err != nil {
		return err
	}
	return f.put(recordName(key), b.Bytes())
}

// recordName is the name of the file of a record in its folder.
func recordName(key string) string { return path.Join(recordsFolder, key+recordSuffix) }

// read reads all records.
func (f *studyFolder) read() (map[string]*study.Record, error) {
	out := map[string]*study.Record{}
	err := f.each(func(key string, r *study.Record, _ []byte) error {
		out[key] = r
		return nil
	})
	return out, err
}

// each reads the records one by one, in the order of their keys, with their texts. One that is damaged is a
// fault: nothing is passed over in silence.
func (f *studyFolder) each(do func(key string, r *study.Record, text []byte) error) error {
	folder := f.file(recordsFolder)
	entries, err := f.process.FS.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return inputf("", "%s: cannot read the folder: %s", folder, fileReason(err))
	}
	for _, entry := range entries {
		key, ok := strings.CutSuffix(entry.Name(), recordSuffix)
		if !ok || strings.HasPrefix(key, ".") { // what a process that was killed has begun
			continue
		}
		name := f.file(recordName(key))
		text, err := f.process.FS.ReadFile(name)
		if err != nil {
			return inputf("", "%s: cannot read the file: %s", name, fileReason(err))
		}
		r := &study.Record{}
		if err := json.Unmarshal(text, r); err != nil || r.Kind != study.RecordKind || r.Of.Key() != key || r.Checksum != r.Sum() {
			return inputf("remove it, and it will be made again", "%s: this is not the record that its name says, or it is damaged", name)
		}
		if err := do(key, r, text); err != nil {
			return err
		}
	}
	return nil
}
