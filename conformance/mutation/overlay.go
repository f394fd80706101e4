package mutation

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// product is the import path of the product's module, module that of this one.
const (
	product = "github.com/apfsim/apfsim"
	module  = product + "/conformance"
)

// overlay is what the go command takes for the content of files: the real ones stay
// as they are, and packages can be made that no folder has.
type overlay struct {
	root    string // of the repository
	dir     string // where the texts are kept
	Replace map[string]string
}

func newOverlay(root, dir string) *overlay {
	return &overlay{root: root, dir: dir, Replace: map[string]string{}}
}

// put sets the content of a file of the repository, which need not exist.
func (o *overlay) put(path, text string) error {
	kept := filepath.Join(o.dir, fmt.Sprintf("%d.go", len(o.Replace)))
	o.Replace[filepath.Join(o.root, path)] = kept
	return os.WriteFile(kept, []byte(text), 0o600)
}

// write writes the list that the go command reads, and returns its name.
func (o *overlay) write() (string, error) {
	data, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	name := filepath.Join(o.dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o600)
}

// copied are the packages that a mutant of the queue set has copies of.
var copied = []string{"scheduler/fairqueue", "scheduler/borrowing"}

// program adds a program to the overlay in which every mutant is a package: it takes
// the name of one and drives it (see programText). It returns its import path.
func (o *overlay) program(mutants []Mutant) (string, error) {
	var imports, cases strings.Builder
	for i := range mutants {
		m := &mutants[i]
		if err := o.copyOf(m); err != nil {
			return "", err
		}
		fmt.Fprintf(&imports, "\tm%d %q\n", i, module+"/mutation/built/"+m.Name+"/ours")
		fmt.Fprintf(&cases, "\t%q: m%d.New,\n", m.Name, i)
	}
	text := fmt.Sprintf(programText, imports.String(), cases.String())
	return module + "/mutation/built", o.put("conformance/mutation/built/main.go", text)
}

// copyOf adds the packages of one mutant: copies of the product's with the patches,
// and of the adapter, all importing each other.
func (o *overlay) copyOf(m *Mutant) error {
	patched, err := m.patched(o.root)
	if err != nil {
		return err
	}
	home := "conformance/mutation/built/" + m.Name
	for _, dir := range copied {
		files, err := filepath.Glob(filepath.Join(o.root, dir, "*.go"))
		if err != nil {
			return err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			name := dir + "/" + filepath.Base(file)
			text, ok := patched[name]
			if !ok {
				data, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				text = string(data)
			}
			delete(patched, name)
			if err := o.put(home+strings.TrimPrefix(name, "scheduler"), own(text, m.Name)); err != nil {
				return err
			}
		}
	}
	for name := range patched {
		return fmt.Errorf("mutant %s: %s is not among the copied packages", m.Name, name)
	}
	adapter, err := os.ReadFile(filepath.Join(o.root, "conformance/queueset/ours/ours.go"))
	if err != nil {
		return err
	}
	text := strings.Replace(string(adapter), "subject \""+product+"/scheduler/", "subject \""+module+"/mutation/built/"+m.Name+"/", 1)
	return o.put(home+"/ours/ours.go", text)
}

// own makes a copied file import the copies of the same mutant.
func own(text, name string) string {
	for _, dir := range copied {
		text = strings.ReplaceAll(text, `"`+product+"/"+dir+`"`, `"`+module+"/mutation/built/"+name+strings.TrimPrefix(dir, "scheduler")+`"`)
	}
	return text
}

// programText is the program that drives one mutant through random operations. It
// ends with status 1 and the difference if there is one.
const programText = `// Command built drives one wrong queue set through random operations.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/apfsim/apfsim/conformance/queueset"
%s)

var makers = map[string]queueset.Maker{
%s}

func main() {
	operations, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil || makers[os.Args[1]] == nil {
		fmt.Println("usage: built MUTANT OPERATIONS")
		os.Exit(2)
	}
	queueset.Quiet()
	c := queueset.Campaign{Make: makers[os.Args[1]], Seed: 1, Operations: operations}
	_, diff := c.Run()
	if diff != nil {
		fmt.Printf("after %%d operations: %%v\n", c.Total(), diff)
		os.Exit(1)
	}
}
`
