package driver

import "github.com/apfsim/apfsim/conformance/oracle/driver/wire"

// What is asked and answered, in words of package wire.
type (
	Case       = wire.Case
	Change     = wire.Change
	Objects    = wire.Objects
	Watch      = wire.Watch
	Request    = wire.Request
	Duration   = wire.Duration
	Float      = wire.Float
	Run        = wire.Run
	Scrape     = wire.Scrape
	Decision   = wire.Decision
	Adjustment = wire.Adjustment

	QueueSetCase  = wire.QueueSetCase
	Operation     = wire.Operation
	Configuration = wire.Configuration
	Arrival       = wire.Arrival
	Outcome       = wire.Outcome

	Question = wire.Question
	Answer   = wire.Answer
)
