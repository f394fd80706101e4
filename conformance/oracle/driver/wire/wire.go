// Package wire is what oracles are asked and what they answer, in JSON, a line each. It says nothing of
// Kubernetes, so that both sides can share it: the driver, which is compiled with the code of every release
// under test, and the packages of the conformance module, which compare the answers with the simulator's.
package wire

import "encoding/json"

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
	Bootstrap []json.RawMessage `json:"bootstrap,omitempty"`
	Replay    *Run              `json:"replay,omitempty"`
	QueueSet  []Outcome         `json:"queueSet,omitempty"`
	// Error tells what is wrong with the question.
	Error string `json:"error,omitempty"`
}
