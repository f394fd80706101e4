package main

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/apfsim/apfsim/reports/study"
)

// read reads the records of a folder. One that another folder has, too, is the same.
func (m *merged) read(number int) error {
	folder := m.folders[number]
	return folder.each(func(key string, r *study.Record, text []byte) error {
		sum := sha256.Sum256(text)
		known := m.records[key]
		if known == nil {
			r.Slim()
			m.records[key] = &mergedRecord{r, sum, []int{number}}
			return nil
		}
		if known.sum != sum {
			return inputf("one of them was changed: remove it, and make it again", "%s and %s are of the same run, and differ",
				m.folders[known.in[0]].file(recordName(key)), folder.file(recordName(key)))
		}
		known.in = append(known.in, number)
		return nil
	})
}

// index finds the rows of a sweep, and refuses what is none of them.
func (m *merged) index() error {
	places := map[string]bool{}
	for _, at := range m.study.Places() {
		run := m.study.Bare(at)
		places[run.Key()] = true
	}
	for _, key := range slices.Sorted(maps.Keys(m.records)) {
		r := m.records[key]
		bare := r.Of.Bare()
		row := bare.Key()
		name := m.folders[r.in[0]].file(recordName(key))
		switch {
		case !places[row]:
			return inputf("remove it", "%s: this is the run of another study", name)
		case m.rows[row] != nil || r.Invalid == "" && len(r.Asked) != len(m.study.Columns):
			return inputf("remove it", "%s: this has the figures of another study", name)
		}
		m.rows[row] = r
	}
	return nil
}

// at returns the record of a row, nil if it is missing.
func (m *merged) at(place study.Place) *mergedRecord {
	run := m.study.Bare(place)
	return m.rows[run.Key()]
}

// find returns the record of a scenario at a point.
func (m *merged) find(scenario, point int) *study.Record {
	if r := m.at(study.Place{Scenario: scenario, Point: point}); r != nil {
		return r.Record
	}
	return nil
}

// writeTo puts all of it into a folder, "" for none. Its files are those that were read.
func (m *merged) writeTo(p *Process, name string) error {
	if name == "" {
		return nil
	}
	to, err := openStudy(p, name, m.study)
	if err != nil {
		return err
	}
	there := slices.IndexFunc(m.folders, func(f *studyFolder) bool { return f.name == name })
	for _, key := range slices.Sorted(maps.Keys(m.records)) {
		r := m.records[key]
		if slices.Contains(r.in, there) {
			continue
		}
		file := m.folders[r.in[0]].file(recordName(key))
		text, err := p.FS.ReadFile(file)
		if err != nil {
			return inputf("", "%s: cannot read the file: %s", file, fileReason(err))
		}
		if sha256.Sum256(text) != r.sum {
			return inputf("", "%s: the file has changed while it was merged", file)
		}
		if err := to.put(recordName(key), text); err != nil {
			return err
		}
	}
	return nil
}

// missing are the numbers of the places that nobody has run.
func (m *merged) missing() []int {
	var out []int
	for i, at := range m.study.Places() {
		if m.at(at) == nil {
			out = append(out, i)
		}
	}
	return out
}

// toldMissing is how many of many missing points are named, and toldShards how many commands.
const toldMissing, toldShards = 10, 32

// tellMissing says what is missing, and how to make it.
func (m *merged) tellMissing(p *Process, missing []int, results string) {
	places := m.study.Places()
	fmt.Fprintf(p.Stderr, "%d of %d runs are missing:\n", len(missing), len(places))
	for i, number := range missing {
		if i == toldMissing && len(missing) > toldMissing+1 {
			fmt.Fprintf(p.Stderr, "  and %d more\n", len(missing)-toldMissing)
			break
		}
		fmt.Fprintf(p.Stderr, "  %s\n", m.placeText(places[number]))
	}
	next := "make them, and merge again:"
	if results != "" {
		next = "the others are in " + results + "; this makes them there, and prints the table:"
	}
	fmt.Fprintln(p.Stderr, next)
	for _, command := range m.commands(missing, results) {
		fmt.Fprintf(p.Stderr, "  %s\n", command)
	}
}

// placeText names a row.
func (m *merged) placeText(at study.Place) string {
	text := m.study.Scenarios[at.Scenario].Name
	if at.Point == study.AsItIs {
		return text + ", as it is"
	}
	text += fmt.Sprintf(", point %d:", at.Point)
	for i, value := range m.study.Values(at.Point) {
		text += " " + m.study.Factors[i].Path + "=" + value
	}
	return text
}

// commands make what is missing: all of it in the folder for all, or else shard by shard, where the
// folders tell how many there are, in the folder of that shard.
func (m *merged) commands(missing []int, results string) []string {
	if results != "" {
		return []string{m.study.Command + " --results " + shellWord(results)}
	}
	count, folders := m.shards()
	if count < 2 {
		return []string{m.study.Command + " --results " + shellWord(m.folders[0].name)}
	}
	var out []string
	wanted := map[int]bool{}
	for _, number := range missing {
		wanted[number%count] = true
	}
	for i := range count {
		if !wanted[i] {
			continue
		}
		if len(out) == toldShards {
			return append(out, fmt.Sprintf("and so on, for %d more shards", len(wanted)-toldShards))
		}
		folder, known := folders[i]
		if !known {
			folder = fmt.Sprintf("shard-%d-of-%d", i, count)
		}
		out = append(out, fmt.Sprintf("%s --results %s --shard %d/%d", m.study.Command, shellWord(folder), i, count))
	}
	return out
}

// shards finds how many shards there were, 0 if that cannot be told, and which folder has which:
// the places in the folder of one shard are so many from each other, or a multiple of that.
func (m *merged) shards() (count int, folders map[int]string) {
	first := make([]int, len(m.folders))
	for i := range first {
		first[i] = -1
	}
	for number, at := range m.study.Places() {
		r := m.at(at)
		if r == nil {
			continue
		}
		for _, i := range r.in {
			if first[i] < 0 {
				first[i] = number
			}
			count = commonDivisor(count, number-first[i])
		}
	}
	folders = map[int]string{}
	for i, number := range first {
		if number >= 0 && count > 0 {
			folders[number%count] = m.folders[i].name
		}
	}
	return count, folders
}

// commonDivisor is the greatest common divisor; that of 0 and b is b.
func commonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
