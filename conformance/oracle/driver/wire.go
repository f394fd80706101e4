package driver

import "github.com/apfsim/apfsim/conformance/oracle/driver/wire"

// What is asked and answered, in words of package wire.
type (
	// Case is a server and the requests that it is sent.
	Case = wire.Case
	// Change is a change of the API objects during a run.
	Change = wire.Change
	// Objects is what the server knows of the stored objects of a resource.
	Objects = wire.Objects
	// Watch is a number of equal watches.
	Watch = wire.Watch
	// Request is one line of a trace.
	Request = wire.Request
	// Duration is a time whose text is that of Go.
	Duration = wire.Duration
	// Float is a number whose text keeps every bit.
	Float = wire.Float
	// Run is what the server did with a trace.
	Run = wire.Run
	// Scrape is what the server told of its metrics at a time.
	Scrape = wire.Scrape
	// Decision is one line of a decision log.
	Decision = wire.Decision
	// Adjustment is what an adjustment of the limits left behind for a level.
	Adjustment = wire.Adjustment

	// QueueSetCase is a list of operations on one queue set.
	QueueSetCase = wire.QueueSetCase
	// Operation is one step of them.
	Operation = wire.Operation
	// Configuration is that of a queue set.
	Configuration = wire.Configuration
	// Arrival is a request that comes.
	Arrival = wire.Arrival
	// Outcome is what an operation brought about.
	Outcome = wire.Outcome

	// Question is one line of the input.
	Question = wire.Question
	// Answer is one line of the output.
	Answer = wire.Answer
)
