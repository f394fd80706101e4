package queueset

import (
	"fmt"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// Kind is what an operation does.
type Kind uint8

// The kinds of operations.
const (
	// Arrive brings a request.
	Arrive Kind = iota
	// Finish ends the execution of one of the executing requests.
	Finish
	// Release lets time pass until the next seats stop lingering, and frees them.
	Release
	// Expire ejects one of the waiting requests.
	Expire
	// SetLimit sets the limit and keeps the configuration.
	SetLimit
	// Configure sets both.
	Configure
	// TakeDemand asks for the demand statistics.
	TakeDemand
	// Kinds is their number.
	Kinds
)

// String returns the name of a kind.
func (k Kind) String() string {
	return [...]string{"arrive", "finish", "release", "expire", "set-limit", "configure", "take-demand"}[k]
}

// Operation is one step of a sequence. It makes sense in any state, so that steps
// before it can be left out: where it needs a request and there is none, it does
// nothing but let its time pass.
type Operation struct {
	Kind Kind
	// After is how much time passes first. Seats that stop lingering within that time
	// are freed at their moment; those due exactly at its end are not, yet.
	After time.Duration
	// Pick says which request is meant, modulo the number of candidates.
	Pick uint32
	// Hash and Estimate are those of an arriving request.
	Hash     uint64
	Estimate fairqueue.Estimate
	// Config and Limit are what is set.
	Config fairqueue.Config
	Limit  int
}

// String returns one line that tells all that matters to the kind.
func (o Operation) String() string {
	head := fmt.Sprintf("+%-14v %-11s", o.After, o.Kind)
	switch o.Kind {
	case Arrive:
		return fmt.Sprintf("%s hash %#016x seats %d, final %d for %v", head, o.Hash,
			o.Estimate.InitialSeats, o.Estimate.FinalSeats, o.Estimate.AdditionalLatency)
	case SetLimit:
		return fmt.Sprintf("%s limit %d", head, o.Limit)
	case Configure:
		return fmt.Sprintf("%s %s limit %d", head, configText(o.Config), o.Limit)
	case TakeDemand:
		return strings.TrimSpace(head)
	default:
		return fmt.Sprintf("%s pick %d", head, o.Pick)
	}
}

// configText writes a configuration as a reader of flow-control objects expects it.
func configText(c fairqueue.Config) string {
	switch {
	case c.Queues < 0:
		return "exempt"
	case c.Queues == 0:
		return "reject"
	default:
		return fmt.Sprintf("queues %d handSize %d queueLengthLimit %d", c.Queues, c.HandSize, c.QueueLengthLimit)
	}
}

// Sequence is a list of operations on a new queue set. The first configuration is
// set before them.
type Sequence struct {
	// Seed and Profile are where the sequence was drawn from.
	Seed    uint64
	Profile string
	Config  fairqueue.Config
	Limit   int
	Ops     []Operation
}

// String lists the sequence, one operation a line.
func (s Sequence) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, profile %s, %d operations after %s limit %d\n",
		s.Seed, s.Profile, len(s.Ops), configText(s.Config), s.Limit)
	for i, o := range s.Ops {
		fmt.Fprintf(&b, "%5d  %s\n", i, o)
	}
	return b.String()
}
