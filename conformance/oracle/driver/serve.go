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

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
)

// Question is one line of the input. Exactly one field is set.
type Question struct {
	// Bootstrap asks for the objects that the server maintains by itself.
	Bootstrap bool `json:"bootstrap,omitempty"`
	// Replay asks for the decisions on a trace.
	Replay *Case `json:"replay,omitempty"`
	// QueueSet asks for what a queue set does.
	QueueSet *QueueSetCase `json:"queueSet,omitempty"`
}

// Answer is one line of the output.
type Answer struct {
	Bootstrap []runtime.Object `json:"bootstrap,omitempty"`
	Replay    *Run             `json:"replay,omitempty"`
	QueueSet  []Outcome        `json:"queueSet,omitempty"`
	// Error tells what is wrong with the question.
	Error string `json:"error,omitempty"`
}

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
		a.Bootstrap = release.Bootstrap()
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
	for _, o := range release.Bootstrap() {
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		c.FlowControl = append(c.FlowControl, text)
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
