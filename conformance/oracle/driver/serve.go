package driver

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"k8s.io/klog/v2"
)

var serve = flag.Bool("serve", false, "answer the questions on standard input")

// Serve answers questions from standard input on standard output until the input ends,
// if the flag says so; otherwise it asks itself something simple. It is the body of each
// release's only test: a bubble of testing/synctest exists only within a test. An upstream
// panic ends the process, with its text on standard error.
func Serve(t *testing.T, release Release) {
	quiet()
	if !*serve {
		try(t, &release)
		return
	}
	questions := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<16))
	questions.DisallowUnknownFields()
	answers := json.NewEncoder(os.Stdout)
	for {
		var q Question
		switch err := questions.Decode(&q); err {
		case nil:
		case io.EOF:
			return
		default:
			t.Fatal(err)
		}
		if err := answers.Encode(answer(t, &release, &q)); err != nil {
			t.Fatal(err)
		}
	}
}

func answer(t *testing.T, release *Release, q *Question) *Answer {
	a := new(Answer)
	var err error
	switch {
	case q.Bootstrap:
		a.Bootstrap, err = bootstrap(release)
	case q.Replay != nil:
		a.Replay, err = replayCase(t, release, q.Replay)
	case q.QueueSet != nil:
		a.QueueSet, err = operate(t, release, q.QueueSet)
	default:
		err = fmt.Errorf("a question that asks nothing")
	}
	if err != nil {
		a = &Answer{Error: err.Error()}
	}
	return a
}

// bootstrap returns the objects that the server maintains by itself.
func bootstrap(release *Release) ([]json.RawMessage, error) {
	var all []json.RawMessage
	for _, o := range release.Bootstrap() {
		text, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}

// quiet silences upstream, which logs every adjustment of limits.
func quiet() {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	for _, f := range []string{"-logtostderr=false", "-stderrthreshold=FATAL"} {
		if err := flags.Parse([]string{f}); err != nil {
			panic(err)
		}
	}
	klog.SetOutput(io.Discard)
}

// try sends a server without any load one request of an administrator and one of somebody
// else, both of which have to be executed at once.
func try(t *testing.T, release *Release) {
	c := Case{Seats: 600, RequestTimeout: Duration(time.Minute), Trace: []Request{
		{Arrival: 1, Duration: 1000, Verb: "get", Resource: "pods", User: "admin", Groups: []string{"system:masters"}},
		{Arrival: 2, Duration: 1000, Verb: "get", Resource: "pods", User: "alice", Groups: []string{"system:authenticated"}},
	}}
	var err error
	if c.FlowControl, err = bootstrap(release); err != nil {
		t.Fatal(err)
	}
	a := answer(t, release, &Question{Replay: &c})
	if a.Error != "" {
		t.Fatal(a.Error)
	}
	for i, level := range []string{"exempt", "global-default"} {
		if d := a.Replay.Decisions[i]; d.PriorityLevel != level || d.Dispatched != d.Arrival {
			t.Errorf("request %d: %+v, want %s to execute it at once", i, d, level)
		}
	}
}
