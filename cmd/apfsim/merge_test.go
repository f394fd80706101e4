package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// mergedFiles are two shards of a sweep of three points, and the names of the files of records of
// the first.
func mergedFiles(t *testing.T) (map[string]string, []string) {
	t.Helper()
	files := withShards(t, map[string]string{}, 2)
	var records []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(name, "shard-0/records/") {
			records = append(records, name)
		}
	}
	if len(records) != 2 {
		t.Fatalf("the first shard has the records %q", records)
	}
	return files, records
}

// TestMergeRefuses holds that no damage to a folder passes unnoticed.
func TestMergeRefuses(t *testing.T) {
	t.Parallel()
	files, records := mergedFiles(t)
	record := records[0]
	base := strings.TrimPrefix(record, "shard-0/")
	for _, c := range []struct {
		name   string
		change func(files map[string]string)
		want   string
	}{
		{"cut short", func(f map[string]string) { f[record] = f[record][:len(f[record])/2] },
			record + ": this is not the record that its name says, or it is damaged"},
		{"a digit", func(f map[string]string) { f[record] = strings.Replace(f[record], `"seats": 6`, `"seats": 7`, 1) },
			record + ": this is not the record that its name says, or it is damaged"},
		{"another name", func(f map[string]string) { f["shard-0/records/00112233445566778899.json"] = f[record] },
			"shard-0/records/00112233445566778899.json: this is not the record"},
		{"empty", func(f map[string]string) { f[record] = "" }, "or it is damaged"},
		{"two that differ", func(f map[string]string) { f["shard-1/"+base] = f[record] + "\n" },
			record + " and shard-1/" + base + " are of the same run, and differ"},
		{"no study", func(f map[string]string) { f["shard-1/study.json"] = "{" }, "shard-1/study.json: this is no study of apfsim"},
		{"another kind", func(f map[string]string) { f["shard-1/study.json"] = "{}" }, "is needed"},
		{"a point beyond", func(f map[string]string) {
			f["shard-1/study.json"] = strings.Replace(f["shard-1/study.json"], "[2]", "[3]", 1)
		}, "its point 2 has the value number 3 of priorityLevel/workload-low.handSize, which has 3"},
		{"another program", func(f map[string]string) {
			f["shard-1/study.json"] = strings.Replace(f["shard-1/study.json"], "v1.2.3", "v1.2.4", 1)
		}, "it is of apfsim v1.2.4 (abc), and not v1.2.3 (abc)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := maps.Clone(files)
			c.change(changed)
			if maps.Equal(changed, files) {
				t.Fatal("nothing was changed")
			}
			p := newProcess(changed, "merge", "shard-0", "shard-1", "--results", "all")
			p.want(t, exitInput, "", c.want)
			for _, name := range p.fs.names() {
				if strings.HasPrefix(name, "all/") {
					t.Errorf("%s was written", name)
				}
			}
		})
	}
}

// TestMergeOfSearch holds that folders without points are put together, and nothing more.
func TestMergeOfSearch(t *testing.T) {
	t.Parallel()
	files, records := mergedFiles(t)
	for _, name := range []string{"shard-0/study.json", "shard-1/study.json"} {
		text := files[name]
		begin, end := strings.Index(text, `  "factors"`), strings.Index(text, `  "columns"`)
		files[name] = text[:begin] + text[end:]
	}
	newProcess(files, "merge", "shard-0", "shard-1").want(t, exitUsage, "", "name a folder for all of it: --results all")
	newProcess(files, "merge", "shard-0", "--results", "all", "-o", "csv").want(t, exitUsage, "", "leave out -o")
	p := newProcess(files, "merge", "shard-0", "shard-1", "--results", "all")
	p.want(t, exitOK, "", "4 records of a search are in all, which goes on from there:\n  apfsim sweep lists-never-read --vary")
	for _, name := range records {
		if p.fs.files["all/"+strings.TrimPrefix(name, "shard-0/")] != files[name] {
			t.Errorf("%s is not in all as it was", name)
		}
	}
}
