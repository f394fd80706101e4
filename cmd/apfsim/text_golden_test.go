package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// goldenTexts are scenarios whose reports show together all there is in reports: deadlocks and
// inversions, changes of the configuration, servers and a backend, elephants and mice.
var goldenTexts = []string{"webhook-deadlock", "new-level-under-load", "relist-after-restart-cured", "lists-never-read", "leases-behind-a-firewall"}

// escapes are what colours lines, and how golden files show it.
var escapes = strings.NewReplacer("\x1b[1m", "{bold}", "\x1b[31m", "{red}", "\x1b[33m", "{yellow}", "\x1b[0m", "{}")

// longLine matches the lines that may be longer than the width: each expectation has one line, so
// that it can be searched for.
var longLine = regexp.MustCompile(`^  (passed|FAILED|failed|no data|NO DATA): `)

// TestTexts holds the reports of some scenarios at the widths of usual terminals against
// testdata/text: NAME.WIDTH.txt is the report, and NAME.WIDTH.color.txt what is coloured in it. To
// rewrite these files: go test ./cmd/apfsim -run TestTexts -update
func TestTexts(t *testing.T) {
	t.Parallel()
	for _, name := range goldenTexts {
		for _, width := range []int{80, 120} {
			plain := newProcess(nil, "run", name, "--replications", "2")
			plain.Env = func(name string) string { return map[string]string{"COLUMNS": strconv.Itoa(width)}[name] }
			plain.want(t, exitOK, "\n", "")
			coloured := newProcess(nil, "run", name, "--replications", "2")
			coloured.StdoutTerminal = Terminal{Attended: true, Width: width}
			coloured.want(t, exitOK, "\n", "")
			file := name + "." + strconv.Itoa(width)
			checkGolden(t, file+".txt", []byte(plain.out.String()))
			checkGolden(t, file+".color.txt", colouredLines(t, plain.out.String(), coloured.out.String()))
			checkWidth(t, file, plain.out.String(), width)
		}
	}
}

// checkGolden compares with a file, or writes it.
func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "text", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\nbut the report is\n%s", file, want, got)
	}
}

// colouredLines returns the lines of a report that are coloured, and checks that without colour
// they are those of the plain report.
func colouredLines(t *testing.T, plain, coloured string) []byte {
	t.Helper()
	var out bytes.Buffer
	lines := strings.Split(plain, "\n")
	for i, line := range strings.Split(coloured, "\n") {
		shown := escapes.Replace(line)
		bare := strings.NewReplacer("{bold}", "", "{red}", "", "{yellow}", "", "{}", "").Replace(shown)
		if i >= len(lines) || bare != lines[i] {
			t.Fatalf("line %d in colour is %q, and not that of the plain report", i+1, line)
		}
		if shown != line {
			out.WriteString(shown + "\n")
		}
	}
	return out.Bytes()
}

// checkWidth holds that no line is too long, or has blanks at its end.
func checkWidth(t *testing.T, file, text string, width int) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > width && !longLine.MatchString(line) {
			t.Errorf("%s: line %d has %d columns: %s", file, i+1, n, line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("%s: line %d has blanks at its end", file, i+1)
		}
	}
}

// TestColumns holds which width a report has: that of the terminal, then COLUMNS, then 100.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		terminal Terminal
		columns  string
		want     int
	}{
		{Terminal{}, "", 0}, {Terminal{}, "72", 72}, {Terminal{Attended: true}, "72", 72},
		{Terminal{Attended: true, Width: 90}, "72", 90}, {Terminal{Attended: true, Width: 90}, "", 90},
		{Terminal{}, "wide", 0}, {Terminal{}, "-5", 0}, {Terminal{}, "99999999", 0}, {Terminal{}, "0", 0},
	} {
		p := Process{Env: func(name string) string { return map[string]string{"COLUMNS": c.columns}[name] }}
		if got := p.columns(c.terminal); got != c.want {
			t.Errorf("%+v, COLUMNS=%q: %d columns, want %d", c.terminal, c.columns, got, c.want)
		}
	}
	// The file of -o has no terminal.
	p := newProcess(nil, "run", "nine-hundred-at-once", "-o", "text=r.txt")
	p.Env = func(name string) string { return map[string]string{"COLUMNS": "60"}[name] }
	p.StdoutTerminal = Terminal{Attended: true, Width: 200}
	p.want(t, exitOK, "", "")
	text := p.fs.files["r.txt"]
	checkWidth(t, "r.txt", text, 60)
	if !strings.Contains(text, "\nIn short\n") {
		t.Errorf("the report is\n%s", text)
	}
}
