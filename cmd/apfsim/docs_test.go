package main

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docCommand is one command of a page and what the page says that it prints.
type docCommand struct {
	line    int
	command string
	output  []string
}

// docCommands reads the commands of the fenced blocks of a page: lines that begin with
// "$ ", each with the lines after it as its output.
func docCommands(page string) []docCommand {
	var commands []docCommand
	fenced := false
	inCommand := false
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "```") {
			fenced, inCommand = !fenced, false
			continue
		}
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case !fenced:
		case isCommand:
			inCommand = true
			commands = append(commands, docCommand{line: i + 1, command: command})
		case inCommand:
			last := &commands[len(commands)-1]
			last.output = append(last.output, line)
		}
	}
	return commands
}

// matches compares what was printed with a pattern of lines, in which "..." stands for
// any number of lines. How a line ends does not matter.
func matches(pattern, lines []string) bool {
	if len(pattern) == 0 {
		return len(lines) == 0
	}
	if strings.TrimSpace(pattern[0]) == "..." {
		for i := range len(lines) + 1 {
			if matches(pattern[1:], lines[i:]) {
				return true
			}
		}
		return false
	}
	return len(lines) > 0 && strings.TrimRight(lines[0], " \r") == strings.TrimRight(pattern[0], " ") &&
		matches(pattern[1:], lines[1:])
}

// notRun are the commands that a page may show and that a test cannot run, or that are
// what runs the test.
var notRun = []string{"go test ./...", "git clone ", "cd ", "go install "}

// docShell runs the commands of one page, which share their files.
type docShell struct {
	files map[string]string
	code  int
}

// run executes one command and returns what it prints.
func (s *docShell) run(c docCommand) (string, error) {
	words := shellFields(c.command)
	switch {
	case words[0] == "apfsim":
		words = words[1:]
	case strings.HasPrefix(c.command, "go run ./cmd/apfsim "):
		words = words[3:]
	case c.command == "echo $?":
		return fmt.Sprintln(s.code), nil
	case words[0] == "cat" && len(words) == 2:
		// A file that a page shows is there for its later commands.
		if _, ok := s.files[words[1]]; !ok {
			s.files[words[1]] = strings.Join(c.output, "\n") + "\n"
		}
		return s.files[words[1]], nil
	default:
		return "", fmt.Errorf("%q is no command that can be checked", c.command)
	}
	if strings.ContainsAny(unquoted(c.command), `'"|>&;`+"`") {
		return "", fmt.Errorf("%q needs a shell", c.command)
	}
	p := newProcess(s.files, words...)
	p.Stderr = p.Stdout
	s.code = run(&p.Process)
	for _, name := range p.fs.names() {
		s.files[name] = p.fs.files[name]
	}
	return p.out.String(), nil
}

// quoted is text in single quotes, as a shell has it.
var quoted = regexp.MustCompile(`'[^']*'`)

// unquoted is a command line without what stands in quotes.
func unquoted(command string) string { return quoted.ReplaceAllString(command, "") }

// shellFields splits a command line into words as a shell does. Single quotes are all that it
// knows.
func shellFields(command string) []string {
	var words []string
	inWord, inQuotes := false, false
	for _, r := range command {
		switch {
		case r == '\'':
			inQuotes = !inQuotes
			if !inWord {
				words, inWord = append(words, ""), true
			}
		case r == ' ' && !inQuotes:
			inWord = false
		case !inWord:
			words, inWord = append(words, string(r)), true
		default:
			words[len(words)-1] += string(r)
		}
	}
	return words
}

func TestShellFields(t *testing.T) {
	got := shellFields(`a 'b  c' d'e f'g '' h`)
	if want := []string{"a", "b  c", "de fg", "", "h"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// docPages are README.md and the pages of docs/ and of the folders within.
func docPages(t *testing.T, root fs.FS) []string {
	t.Helper()
	pages := []string{"README.md"}
	err := fs.WalkDir(root, "docs", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".md" {
			pages = append(pages, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// everything makes the tests of this package do what takes long, too. The checks of the repository do.
var everything = flag.Bool("everything", false, "run what takes long, too: all pages and examples, the whole library")

// quickPages are the pages whose commands are executed in any case.
var quickPages = []string{"README.md", "docs/tutorial.md", "docs/command-line.md", "docs/seats.md", "docs/diff.md", "docs/lint.md", "docs/explain.md"}

// TestDocs executes every command that README.md and the pages under docs/ show, of most of them only with
// -everything, and compares what it prints. The decisions are of their time, and are left.
func TestDocs(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	total := 0
	for _, name := range docPages(t, root) {
		if !strings.HasPrefix(name, "docs/decisions/") {
			page, err := fs.ReadFile(root, name)
			if err != nil {
				t.Fatal(err)
			}
			commands := docCommands(string(page))
			total += len(commands)
			if !slices.Contains(quickPages, name) && !*everything {
				continue
			}
			t.Run(name, func(t *testing.T) { checkPage(t, name, commands) })
		}
	}
	if total < 5 {
		t.Errorf("only %d commands were found in the pages", total)
	}
}

// checkPage executes the commands of one page, in their order.
func checkPage(t *testing.T, name string, commands []docCommand) {
	t.Helper()
	shell := &docShell{files: map[string]string{}}
	for _, c := range commands {
		if example, ok := strings.CutPrefix(c.command, "cd docs/examples/"); ok {
			maps.Copy(shell.files, filesOfExample(t, example))
			continue
		}
		if slices.ContainsFunc(notRun, func(prefix string) bool { return strings.HasPrefix(c.command, prefix) }) {
			continue
		}
		got, err := shell.run(c)
		if err != nil {
			t.Errorf("%s:%d: %v", name, c.line, err)
			continue
		}
		var lines []string
		if got != "" {
			lines = strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		}
		if !matches(c.output, lines) {
			t.Errorf("%s:%d: %s prints\n%s", name, c.line, c.command, got)
		}
	}
}

// TestDocumentedExitCodes holds that the page of the command line has the table of exit
// codes.
func TestDocumentedExitCodes(t *testing.T) {
	page, err := os.ReadFile("../../docs/command-line.md")
	if err != nil {
		t.Fatal(err)
	}
	want := "| exit code | meaning |\n|--:|---|\n"
	for _, e := range exitCodes {
		want += fmt.Sprintf("| %d | %s |\n", e.code, e.meaning)
	}
	if !strings.Contains(string(page), want+"\n") {
		t.Errorf("the page lacks the table\n%s", want)
	}
}

// TestDocLinks holds that links within the repository lead somewhere.
func TestDocLinks(t *testing.T) {
	root := os.DirFS("../..")
	for _, name := range docPages(t, root) {
		page, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(page), "](")[1:] {
			target, _, _ := strings.Cut(part, ")")
			target, _, _ = strings.Cut(target, "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			if _, err := fs.Stat(root, path.Join(path.Dir(name), target)); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, target)
			}
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"a b", "a b", true}, {"a b", "a b c", false}, {"a ... c", "a b b c", true}, {"a ...", "a", true},
		{"... c", "a b", false}, {"a ... b ... c", "a x b c", true}, {"", "a", false},
	} {
		if got := matches(strings.Fields(c.pattern), strings.Fields(c.text)); got != c.want {
			t.Errorf("%q and %q: %v", c.pattern, c.text, got)
		}
	}
}
