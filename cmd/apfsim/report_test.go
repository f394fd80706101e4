package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// formsOf are the forms that there are of so many results.
func formsOf(results int) []string {
	return slices.DeleteFunc(formNames(), func(form string) bool { return results > 1 && slices.Contains(serverForms, form) })
}

// everyForm are the flags that write each form of so many results into a file of its own.
func everyForm(folder string, results int) []string {
	var flags []string
	for _, name := range formsOf(results) {
		flags = append(flags, "-o", name+"="+folder+"/"+name)
	}
	return flags
}

// files returns what a process has written into a folder, by the names in it.
func (p *testProcess) files(folder string) map[string]string {
	out := map[string]string{}
	for _, name := range p.fs.names() {
		if base, in := strings.CutPrefix(name, folder+"/"); in {
			out[base] = p.fs.files[name]
		}
	}
	return out
}

// TestSavedResultsGiveTheSameBytes holds that each form of a saved result is, byte by byte, what
// the run itself writes, for one result and for several, and from a list as from single files.
func TestSavedResultsGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	cases := [][]string{
		{"elephants-and-mice"}, {"leader-election"}, {"webhook-deadlock"}, {"one-server-of-three"}, {"lists-never-read"},
		{"new-level-under-load"}, {"nodes-retry-at-once"}, {"events-on-catch-all", "slow-backend-stall", "one-user-floods-live-dump"},
	}
	for _, names := range cases {
		t.Run(strings.Join(names, "+"), func(t *testing.T) {
			t.Parallel()
			sameBytes(t, names)
		})
	}
}

func sameBytes(t *testing.T, names []string) {
	direct := newProcess(nil, slices.Concat([]string{"run", "--replications", "2"}, names, everyForm("direct", len(names)))...)
	code := run(&direct.Process)
	want := direct.files("direct")
	if len(want) != len(formsOf(len(names))) {
		t.Fatalf("exit code %d, and only the forms %q\n%s", code, slices.Sorted(maps.Keys(want)), direct.err.String())
	}
	again := newProcess(direct.fs.files, append([]string{"report", "direct/json"}, everyForm("saved", len(names))...)...)
	if got := run(&again.Process); got != code {
		t.Errorf("exit code %d, of the run it was %d\n%s", got, code, again.err.String())
	}
	compareForms(t, formsOf(len(names)), want, again.files("saved"))
	if len(names) == 1 {
		return
	}
	var single []string
	files := map[string]string{}
	for _, name := range names {
		one := newProcess(nil, "run", name, "--replications", "2", "-o", "json="+name+".json")
		run(&one.Process)
		files[name+".json"] = one.fs.files[name+".json"]
		single = append(single, name+".json")
	}
	joined := newProcess(files, slices.Concat([]string{"report"}, single, everyForm("joined", len(names)))...)
	run(&joined.Process)
	compareForms(t, formsOf(len(names)), want, joined.files("joined"))
}

func compareForms(t *testing.T, forms []string, want, got map[string]string) {
	t.Helper()
	for _, form := range forms {
		if got[form] == want[form] && want[form] != "" {
			continue
		}
		a, b := strings.Split(want[form], "\n"), strings.Split(got[form], "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Errorf("%s, line %d: the run writes\n%.200s\nand of the saved result comes\n%.200s", form, i+1, a[i], b[i])
				break
			}
		}
		t.Errorf("%s: %d lines of the run, %d of the saved result", form, len(a), len(b))
	}
}

// TestStepSummary holds that the summary of a step is appended to what is there, and is there
// for the form github alone.
func TestStepSummary(t *testing.T) {
	saved := newProcess(nil, "run", "lists-never-read", "-o", "json=r.json")
	run(&saved.Process)
	for _, c := range []struct {
		before string
		args   []string
		room   int
	}{
		{"", []string{"report", "r.json", "-o", "github"}, 1 << 20},
		{"# Before\n", []string{"report", "r.json", "-o", "github=log.txt", "-o", "text"}, 1 << 20},
		{strings.Repeat("x", 1<<20-100), []string{"report", "r.json", "-o", "github"}, 0},
		{"", []string{"report", "r.json", "-o", "markdown"}, -1},
	} {
		p := newProcess(map[string]string{"r.json": saved.fs.files["r.json"]}, c.args...)
		p.Env = func(name string) string { return map[string]string{stepSummary: "summary.md"}[name] }
		if c.before != "" {
			p.fs.files["summary.md"] = c.before
		}
		if code := run(&p.Process); code != exitOK {
			t.Fatalf("exit code %d: %s", code, p.err.String())
		}
		got, there := p.fs.files["summary.md"]
		switch {
		case there != (c.room >= 0):
			t.Errorf("%q: a summary is there: %v", c.args, there)
		case !strings.HasPrefix(got, strings.TrimRight(c.before, "\n")) || len(got) > 1<<20:
			t.Errorf("%q: %d bytes, and the summary begins with %.40q", c.args, len(got), got)
		case c.room > 0 && !strings.Contains(got, "## lists-never-read: "):
			t.Errorf("%q: the summary is %.100q", c.args, got)
		}
	}
	p := newProcess(map[string]string{"r.json": saved.fs.files["r.json"]}, "report", "r.json", "-o", "github")
	p.Env = func(name string) string { return map[string]string{stepSummary: "locked/summary.md"}[name] }
	p.want(t, exitInput, "", "locked/summary.md: cannot read the file of GITHUB_STEP_SUMMARY: permission denied")
}
