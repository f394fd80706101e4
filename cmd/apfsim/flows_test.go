package main

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// shuffleFlows runs apfsim shuffle --flows on a text.
func shuffleFlows(text string, more ...string) *testProcess {
	args := append([]string{"shuffle", "--flows", "flows.txt", "--queues", "4", "--hand-size", "2"}, more...)
	return newProcess(map[string]string{"flows.txt": text}, args...)
}

const handsText = `4 flows, dealt hands of 2 of 4 queues.

FLOW SCHEMA       DISTINGUISHER                   HASH              HAND
service-accounts  system:serviceaccount:ci:bot-0  47c2a29022b5290f  3 2
service-accounts  system:serviceaccount:ci:bot-1  7e9a2427cf982bb3  3 0
global-default    alice smith                     3da9ae5dcdd8ce6f  3 2
kube-scheduler    -                               65449dc4908c79fe  2 0

4 of 4 flows are wholly covered by others; with random names 3.02 would be, on average.

COVERED FLOW                                     BY ONE FLOW  BY A PAIR  SMALLEST GROUP
service-accounts system:serviceaccount:ci:bot-0  1            1          global-default alice smith
service-accounts system:serviceaccount:ci:bot-1  0            2          service-accounts system:serviceaccount:ci:bot-0 + kube-scheduler
global-default alice smith                       1            1          service-accounts system:serviceaccount:ci:bot-0
kube-scheduler                                   0            2          service-accounts system:serviceaccount:ci:bot-0 + service-accounts system:serviceaccount:ci:bot-1

Expected share of each queue, if all flows send alike and spread over their hands;
1 queue is in no hand.

  QUEUE  FLOWS   SHARE
      0      2  25.00%
      2      3  37.50%
      3      3  37.50%
`

// TestFlowForms holds that lines, CSV and JSON of the same flows give the same hands.
func TestFlowForms(t *testing.T) {
	for name, text := range map[string]string{
		"lines": "# flows\nservice-accounts\tsystem:serviceaccount:ci:bot-0\n\n  service-accounts   system:serviceaccount:ci:bot-1\r\nglobal-default alice smith\nkube-scheduler\n",
		"csv": "flowSchema,distinguisher\nservice-accounts,system:serviceaccount:ci:bot-0\n" +
			"service-accounts,system:serviceaccount:ci:bot-1\nglobal-default,\"alice smith\"\nkube-scheduler,\n",
		"json lines": `{"flowSchema":"service-accounts","distinguisher":"system:serviceaccount:ci:bot-0"}
{"flowSchema":"service-accounts","distinguisher":"system:serviceaccount:ci:bot-1"}
{"distinguisher":"alice smith","flowSchema":"global-default"} {"flowSchema":"kube-scheduler"}`,
		"json array": `[{"flowSchema":"service-accounts","distinguisher":"system:serviceaccount:ci:bot-0"},
{"flowSchema":"service-accounts","distinguisher":"system:serviceaccount:ci:bot-1"},
{"distinguisher":"alice smith","flowSchema":"global-default"}, {"flowSchema":"kube-scheduler"}]`,
	} {
		p := shuffleFlows(text)
		if code := run(&p.Process); code != exitOK || p.out.String() != handsText || p.err.String() != "" {
			t.Errorf("%s: exit code %d, stdout\n%s\nstderr\n%s", name, code, p.out.String(), p.err.String())
		}
	}
}

// TestFlowsAgain holds that the CSV that shuffle writes can be read again.
func TestFlowsAgain(t *testing.T) {
	first := shuffleFlows("a x\na y\nb\n", "-o", "csv")
	if code := run(&first.Process); code != exitOK {
		t.Fatalf("exit code %d: %s", code, first.err.String())
	}
	shuffleFlows(first.out.String(), "-o", "csv").want(t, exitOK, first.out.String(), "")
	shuffleFlows("a x\na y\nb\n", "-o", "json").want(t, exitOK, `"kind": "ShuffleHands"`, "")
	stdin := newProcess(nil, "shuffle", "--flows", "-", "--queues", "4", "--hand-size", "2", "-o", "csv")
	stdin.Stdin = strings.NewReader("a x\na y\nb\n")
	stdin.want(t, exitOK, first.out.String(), "")
}

func TestFlowFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "flows.txt:1:1: the file holds no flow [SC005]\n  legal: one flow a line"},
		{"# nothing\n", "flows.txt:1:1: the file holds no flow [SC005]"},
		{"a b\nc \xff\n", "flows.txt:2:3: the file is not text in UTF-8 [SC002]"},
		{"\ta b\n\t\n", ""},
		{`{"flowSchema":"a"}` + "\n" + `{"flowschema":"a"}`, `flows.txt:2:2: a flow has no field "flowschema" [SC010]`},
		{`{"flowSchema":7}`, "flows.txt:1:15: flowSchema is of the wrong type [SC011]"},
		{`[{"flowSchema":"a"}, 7]`, "flows.txt:1:22: the flow is of the wrong type [SC011]"},
		{`{"distinguisher":"a"}`, "flows.txt:1:1: the flow has no flow schema [SC012]"},
		{`{"flowSchema":"a b"}`, `flows.txt:1:1: "a b" is no name of a FlowSchema [SC013]`},
		{`{"flowSchema":"a"`, "flows.txt:1:18: the file is not JSON: unexpected EOF [SC003]"},
		{`[{"flowSchema":"a"}`, "flows.txt:1:20: the file is not JSON: unexpected EOF [SC003]"},
		{`[]`, "flows.txt:1:1: the file holds no flow"},
		{`[{"flowSchema":"a"}] {"flowSchema":"b"}`, "flows.txt:1:22: the file goes on after the end of the array [SC003]"},
		{"flowSchema,user\na,b\n", "flows.txt:1:1: the table has no column distinguisher [SC012]"},
		{"flowSchema,distinguisher\na,b,c\n", "flows.txt:2:1: the file is not CSV: wrong number of fields [SC003]"},
		{"flowSchema,distinguisher\na,\"b\n", "flows.txt:3:1: the file is not CSV: extraneous or missing"},
	} {
		p := shuffleFlows(c.text)
		if c.want == "" {
			p.want(t, exitOK, "1 flow,", "")
			continue
		}
		p.want(t, exitInput, "", c.want)
	}
	shuffleFlows("a x\nb y\na x\n").want(t, exitOK, "2 flows,",
		"flows.txt:3:1: warning: the flow is on line 1 already, and counts once [SC019]\n")
}

// FuzzFlows holds that whatever is in the file, there is either a fault with a position
// or a list of different flows.
func FuzzFlows(f *testing.F) {
	for _, seed := range []string{"a b\n", "flowSchema,distinguisher\na,b\n", `[{"flowSchema":"a"}]`, `{"flowSchema":"a","distinguisher":"b"}`, "\xff", "[", "{\"flowSchema\":\"\\ud800\"}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := newProcess(map[string]string{"f": text})
		flows, err := readFlows(&p.Process, "f")
		if err != nil {
			bad, ok := err.(badInput)
			if !ok || !bad.faults.HasErrors() {
				t.Fatalf("%T: %v", err, err)
			}
			for _, d := range bad.faults {
				if d.Line < 1 || d.Column < 1 || d.Line > 2+strings.Count(text, "\n") {
					t.Fatalf("position %s in %q", d.Position(), text)
				}
			}
			return
		}
		if len(flows) == 0 {
			t.Fatal("no flow and no fault")
		}
		for i, flow := range flows {
			if flow.FlowSchema == "" || !utf8.ValidString(flow.Distinguisher) || slices.Contains(flows[:i], flow) {
				t.Fatalf("flow %d of %q", i, flows)
			}
		}
	})
}
