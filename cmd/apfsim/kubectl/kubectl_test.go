package kubectl

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/apfsim/apfsim/scenarios/explain"
)

// TestSentences reads command lines, one each, with the requests that they stand for.
func TestSentences(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if strings.HasSuffix(path, ".yaml") {
			return
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "kubectl" {
				t.Fatalf("%s: %s is no command of these scripts", d.Pos, d.Cmd)
			}
			var b strings.Builder
			for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
				writeSentence(&b, line)
			}
			return b.String()
		})
	})
}

// writeSentence writes what one command line sends.
func writeSentence(b *strings.Builder, line string) {
	fmt.Fprintf(b, "%s\n", line)
	c, err := Parse(strings.Fields(line), func(name string) ([]byte, error) { return os.ReadFile("testdata/" + name) })
	var f *Fault
	if errors.As(err, &f) {
		fmt.Fprintf(b, "  fault: %s\n", f.Message)
		if f.Hint != "" {
			fmt.Fprintf(b, "  hint: %s\n", f.Hint)
		}
		return
	}
	if err != nil {
		fmt.Fprintf(b, "  error: %v\n", err)
		return
	}
	if c.As.User != "" {
		fmt.Fprintf(b, "  as %s of %q\n", c.As.User, c.As.Groups)
	}
	for i := range c.Requests {
		fmt.Fprintf(b, "  %s\n", requestText(&c.Requests[i]))
		for _, n := range c.Requests[i].Notes {
			fmt.Fprintf(b, "    %s\n", n)
		}
	}
}

// requestText shows a request in one line.
func requestText(r *explain.Request) string {
	resource := r.Resource
	if r.APIGroup != "" {
		resource += "." + r.APIGroup
	}
	if r.Subresource != "" {
		resource += "/" + r.Subresource
	}
	text := strings.TrimSpace(fmt.Sprintf("%s %s%s %s", r.Verb, resource, r.Path, r.Name))
	for _, o := range []struct{ name, value string }{
		{"namespace", r.Namespace}, {"limit", number(r.Limit)}, {"resourceVersion", r.ResourceVersion},
		{"fieldSelector", r.FieldSelector}, {"labelSelector", r.LabelSelector},
	} {
		if o.value != "" {
			text += fmt.Sprintf(", %s %s", o.name, o.value)
		}
	}
	if r.Timeout != 0 {
		text += ", timeout " + r.Timeout.String()
	}
	return text + ": " + r.Purpose
}

func number(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// TestFlagsOfAllVerbs holds that the flags of each verb can be defined beside the global
// ones, and that a flag that is not among them is a fault.
func TestFlagsOfAllVerbs(t *testing.T) {
	for _, name := range verbNames {
		_, err := Parse(append(strings.Fields(name), "--no-such-flag"), nil)
		var f *Fault
		if !errors.As(err, &f) || !strings.Contains(f.Message, "--no-such-flag of kubectl "+name) {
			t.Errorf("kubectl %s --no-such-flag: %v", name, err)
		}
	}
}

// FuzzParse holds that no command line makes the reader panic, and that what it makes of
// one is a request or a fault.
func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"get pods -n prod -l app=x --as system:serviceaccount:ci:bot", "get --raw /api/v1/pods?watch", "delete pods --all", "logs deploy/web",
		"-n x create token a --request-timeout 5", "apply -f a", "cp a/b:c d", "scale deploy/a --replicas=1", "exec a -- b", "taint nodes a b=c:d",
	} {
		f.Add(line)
	}
	manifest := []byte("apiVersion: example.com/v1\nkind: Gateway\nmetadata: {name: a}")
	f.Fuzz(func(t *testing.T, line string) {
		c, err := Parse(strings.Fields(line), func(string) ([]byte, error) { return manifest, nil })
		var fault *Fault
		switch {
		case err == nil && len(c.Requests) == 0:
			t.Errorf("%q sends nothing", line)
		case err != nil && (!errors.As(err, &fault) || fault.Message == ""):
			t.Errorf("%q: %v", line, err)
		case err == nil:
			for _, r := range c.Requests {
				if r.Verb == "" || (r.Resource == "") == (r.Path == "") {
					t.Errorf("%q: %+v", line, r)
				}
			}
		}
	})
}
