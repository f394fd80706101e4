package scenarios

import (
	"path/filepath"
	"slices"
	"strings"
)

// Found are the scenarios in a folder.
type Found struct {
	// Files are those that hold a scenario, in the order of their names.
	Files []string
	// Others is how many files hold other documents, such as manifests.
	Others int
}

// scenarioSuffixes are the names that the scenarios of a folder end with.
var scenarioSuffixes = []string{".yaml", ".yml"}

// FindScenarios looks for scenarios in a folder and the folders within. Names that begin with a
// dot are left out, as are files of other names than *.yaml and *.yml. The faults are those of
// files of which it cannot be told what they are.
func FindScenarios(folder string, files Files) (Found, Diagnostics) {
	c := newCollector()
	var out Found
	findScenarios(c, folder, files, &out)
	return out, c.list.sorted()
}

func findScenarios(c *collector, folder string, files Files, out *Found) {
	entries, err := files.ReadDir(folder)
	if err != nil {
		c.error(Place{folder, 1, 1}, unreadable(files, folder, err))
		return
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		suffix := slices.ContainsFunc(scenarioSuffixes, func(s string) bool { return strings.HasSuffix(e.Name(), s) })
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			findScenarios(c, name, files, out)
		case suffix && holdsScenario(c, name, files):
			out.Files = append(out.Files, name)
		case suffix:
			out.Others++
		}
	}
}

// holdsScenario tells whether any document of a file that can be read is a scenario.
func holdsScenario(c *collector, name string, files Files) bool {
	text, err := files.ReadFile(name)
	if err != nil {
		c.error(Place{name, 1, 1}, unreadable(files, name, err))
		return false
	}
	faults := len(c.list)
	docs := readDocuments(name, text, c)
	return len(c.list) == faults && slices.ContainsFunc(docs, func(d document) bool { return isScenario(d.root) })
}
