package workload

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Session is somebody who does the same steps again and again, with a pause in between: a person
// at kubectl, a script, an agent that makes a job and waits for it. A step that fails ends the
// session.
type Session struct {
	// At and Over tell when the first sessions begin: at random within Over, from At on.
	At, Over time.Duration
	// Think is the pause between sessions.
	Think Distribution
	// Times is how many sessions there are; 0 is no end.
	Times int
	// Steps are what is done, in this order.
	Steps []Step
}

// Step is one request of a population, sent once or more.
type Step struct {
	// Request is the index of the request.
	Request int
	// Times is how often it is sent; 0 counts as 1.
	Times int
	// Together: all at the same time, and the step is over when all have their answer.
	// Otherwise one after the other.
	Together bool
	// Pause is the time between an answer and the next request, also the first one of the next
	// step.
	Pause time.Duration
}

// Requests is part of Behaviour.
func (s Session) Requests() int {
	most := 0
	for i := range s.Steps {
		most = max(most, s.Steps[i].Request+1)
	}
	return most
}

// String is part of Behaviour.
func (s Session) String() string {
	var steps []string
	for i := range s.Steps {
		steps = append(steps, s.Steps[i].String())
	}
	return mapping("session", "at", s.At.String(), "over", s.Over.String(), "think", "{"+s.Think.String()+"}",
		"times", strconv.Itoa(s.Times), "steps", "["+strings.Join(steps, ", ")+"]")
}

// String returns the step as a scenario file has it.
func (s Step) String() string {
	return braces("request", strconv.Itoa(s.Request), "times", strconv.Itoa(s.times()),
		"together", strconv.FormatBool(s.Together), "pause", s.Pause.String())
}

func (s Step) times() int { return max(s.Times, 1) }

// Validate is part of Behaviour.
func (s Session) Validate() []error {
	all := faultsOf(
		checkDuration("session.at", s.At, 0),
		checkDuration("session.over", s.Over, 0),
		checkCount("session.times", s.Times, 0))
	if s.Think.IsZero() {
		all = append(all, &FieldError{"session.think", "is not given", "a distribution"})
	} else if s.Think.Mean() <= 0 {
		all = append(all, &FieldError{"session.think", "is 0: sessions that fail would follow each other without end", "a pause above 0"})
	}
	if len(s.Steps) == 0 {
		all = append(all, &FieldError{"session.steps", "is empty", "at least one step"})
	}
	for i := range s.Steps {
		field := fmt.Sprintf("session.steps[%d].", i)
		all = append(all, faultsOf(
			checkCount(field+"request", s.Steps[i].Request, 0),
			checkCount(field+"times", s.Steps[i].Times, 0),
			checkDuration(field+"pause", s.Steps[i].Pause, 0))...)
	}
	return all
}
