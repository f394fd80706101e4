// Package scheduler is the API Priority and Fairness of one kube-apiserver: it takes
// the decisions that the server takes on the same requests at the same times.
//
// A Server is a passive state machine. It has no clock, goroutine or randomness; it
// is told the time and answers with decisions. The same code serves the simulator,
// the tests and anyone who embeds it.
//
// It behaves as the release that Config.Release names, by default as the newest one; package
// release knows what differs. All else in a Config is the caller's to say: a default of the
// API or of the server's flags is none here.
//
// Its configuration can change while it runs: Server.Reconfigure does what the real server
// does when API objects change. Levels and schemas have numbers that stay.
//
// What a decision needs is in the packages below: classify finds the FlowSchema,
// shuffle deals hands of queues, estimate foresees the work, fairqueue queues and
// dispatches, borrowing moves seats between levels, retryafter answers the rejected.
// This package ties them together as upstream's filter and controller do
// (pkg/server/filters/priority-and-fairness.go, pkg/util/flowcontrol/apf_controller.go).
package scheduler
