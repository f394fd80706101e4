package kubernetes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/apfsim/apfsim/conformance/kubernetes/oracle/judge"
)

// inProcess is the release whose code is in this program.
const inProcess = 37

// server is the code of one release.
type server struct {
	minor int
	// program is the oracle, "" for the release in process.
	program string
}

// build makes the oracle of a release in a folder.
func build(minor int, folder string) (server, error) {
	if minor == inProcess {
		return server{minor: minor}, nil
	}
	program := filepath.Join(folder, fmt.Sprintf("oracle-1.%d", minor))
	cmd := exec.Command("go", "build", fmt.Sprintf("-modfile=releases/1.%d.mod", minor), "-tags", tags(minor), "-o", program, ".")
	cmd.Dir = "oracle"
	if out, err := cmd.CombinedOutput(); err != nil {
		return server{}, fmt.Errorf("build the oracle of 1.%d: %w\n%s", minor, err, out)
	}
	return server{minor, program}, nil
}

// tags are the build tags that select what differs between the releases in package judge:
// the version that the controller speaks, and the functions of the ensurer.
func tags(minor int) string {
	switch {
	case minor < 22:
		return "controller_v1beta1,ensurer_none"
	case minor < 23:
		return "controller_v1beta1,ensurer_client"
	case minor < 26:
		return "controller_v1beta2,ensurer_lister"
	case minor < 28:
		return "controller_v1beta3,ensurer_lister"
	case minor < 29:
		return "controller_v1beta3"
	}
	return ""
}

// ask returns the answers of the release to questions, in their order.
func (s server) ask(questions []judge.Question) ([]judge.Reply, error) {
	replies := make([]judge.Reply, len(questions))
	if s.program == "" {
		for i, q := range questions {
			replies[i] = judge.Answer(s.minor, q)
		}
		return replies, nil
	}
	var in, faults bytes.Buffer
	for _, q := range questions {
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			return nil, fmt.Errorf("write a question: %w", err)
		}
	}
	cmd := exec.Command(s.program, fmt.Sprint(s.minor))
	cmd.Stdin, cmd.Stderr = &in, &faults
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the oracle of 1.%d: %w\n%s", s.minor, err, faults.Bytes())
	}
	answers := json.NewDecoder(bytes.NewReader(out))
	for i := range replies {
		if err := answers.Decode(&replies[i]); err != nil {
			return nil, fmt.Errorf("the oracle of 1.%d, answer %d: %w", s.minor, i, err)
		}
	}
	return replies, nil
}
