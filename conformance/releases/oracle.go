package releases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/conformance/oracle/driver/wire"
	"github.com/apfsim/apfsim/scheduler/release"
)

// oracleFolder holds a folder with a module for each release under test.
const oracleFolder = "../oracle"

// oracle is the real code of one release.
type oracle struct {
	// name is that of its folder: the release, with the patch if it matters.
	name string
	// version is that of the code.
	version release.Version

	// Of a program that runs:
	questions io.WriteCloser
	answers   *json.Decoder
	// apiVersion is the version of the API that its controller reads, and bootstrap the
	// built-in objects in that version.
	apiVersion string
	bootstrap  []json.RawMessage
}

var apiserver = regexp.MustCompile(`(?m)^\s*(?:require )?k8s\.io/apiserver v0(\.\d+\.\d+)`)

// oracles returns the releases under test, from the oldest on.
func oracles() ([]*oracle, error) {
	files, err := filepath.Glob(filepath.Join(oracleFolder, "1.*", "go.mod"))
	if err != nil {
		return nil, err
	}
	var all []*oracle
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found := apiserver.FindSubmatch(text)
		if found == nil {
			return nil, fmt.Errorf("%s requires no release of k8s.io/apiserver", file)
		}
		version, err := release.Parse("1" + string(found[1]))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, &oracle{name: filepath.Base(filepath.Dir(file)), version: version})
	}
	slices.SortFunc(all, func(a, b *oracle) int { return a.version.Compare(b.version) })
	return all, nil
}

// programs is where the programs are built, once each.
var programs string

// build returns the program of the release.
func (o *oracle) build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(programs, o.name)
	if _, err := os.Stat(program); err == nil {
		return program
	}
	// What metrics are deprecated the code tells by the version that it is built with.
	flags := "-s -w -X k8s.io/component-base/version.gitVersion=v" + o.version.String()
	build := exec.Command("go", "test", "-c", "-ldflags", flags, "-o", program, ".")
	build.Dir = filepath.Join(oracleFolder, o.name)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the oracle for %s: %v\n%s", o.name, err, out)
	}
	return program
}

// start starts the program. It ends with the test.
func (o *oracle) start(t *testing.T) {
	t.Helper()
	program := o.build(t)
	run := exec.Command(program, "-test.run", "^TestOracle$", "-test.timeout", "0", "-serve")
	var complaints bytes.Buffer
	run.Stderr = &complaints
	var err error
	if o.questions, err = run.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	o.answers = json.NewDecoder(out)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(o.questions.Close(), run.Wait()); err != nil {
			t.Errorf("the oracle for %s: %v\n%s", o.name, err, firstLines(complaints.String(), 40))
		}
	})
	o.bootstrap = o.ask(t, wire.Question{Bootstrap: true}).Bootstrap
	var kind struct{ APIVersion string }
	if err := json.Unmarshal(o.bootstrap[0], &kind); err != nil {
		t.Fatal(err)
	}
	o.apiVersion = kind.APIVersion
}

// ask asks the program something and fails the test if it cannot answer.
func (o *oracle) ask(t *testing.T, q wire.Question) wire.Answer {
	t.Helper()
	if err := json.NewEncoder(o.questions).Encode(q); err != nil {
		t.Fatalf("the oracle for %s has ended: %v", o.name, err)
	}
	var a wire.Answer
	if err := o.answers.Decode(&a); err != nil {
		t.Fatalf("the oracle for %s does not answer: %v", o.name, err)
	}
	if a.Error != "" {
		t.Fatalf("the oracle for %s: %s", o.name, a.Error)
	}
	return a
}

func firstLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "")
}
