// Command oracle judges flow control objects as kube-apiserver does. It reads questions
// from the standard input and writes answers to the standard output, in JSON, one a line. The argument is the minor number of the release that is compiled in.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/apfsim/apfsim/conformance/kubernetes/oracle/judge"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return fmt.Errorf("one argument is expected, the minor number of the release, not %d", len(args))
	}
	minor, err := strconv.Atoi(args[0])
	if err != nil {
		return fmt.Errorf("minor number: %w", err)
	}
	questions, w := json.NewDecoder(in), bufio.NewWriter(out)
	answers := json.NewEncoder(w)
	for {
		var q judge.Question
		if err := questions.Decode(&q); err == io.EOF {
			return w.Flush()
		} else if err != nil {
			return fmt.Errorf("read a question: %w", err)
		}
		if err := answers.Encode(judge.Answer(minor, q)); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
}
