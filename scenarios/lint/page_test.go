package lint

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of the codes in docs/lint.md")

// The page of the advice has the table of all codes.
func TestPage(t *testing.T) {
	const name, begin, end = "../../docs/lint.md", "<!-- codes -->\n", "<!-- end of codes -->\n"
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place for the table", name)
	}
	table := "\n| code | severity | what is found |\n|---|---|---|\n"
	for _, r := range Catalogue() {
		table += fmt.Sprintf("| %s | %s | %s |\n", r.Code, r.Severity, r.Title)
	}
	want := before + begin + table + "\n" + end + after
	if want == string(page) {
		return
	}
	if !*update {
		t.Fatalf("the table of codes in %s is not that of the catalogue; go test ./scenarios/lint -update writes it", name)
	}
	if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
