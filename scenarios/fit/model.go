package fit

import (
	"time"

	"github.com/apfsim/apfsim/workload"
)

// Fitted is what a fit has found.
type Fitted struct {
	// Duration is that of the scenario.
	Duration time.Duration
	// Start is its start, in nanoseconds since 1970.
	Start int64
	// Servers is how many API servers the record tells of.
	Servers int
	// Requests counts those of the record, and Rejected those of them that flow control turned away.
	Requests, Rejected int64
	// Waits tells whether the record tells how long requests waited.
	Waits       bool
	Populations []Population
	// LeftOut are the populations and kinds of requests that the scenario does not have.
	LeftOut []LeftOut
}

// LeftOut is what is too small to be in the scenario.
type LeftOut struct {
	Name     string
	Requests int64
}

// LeftOutRequests counts all of them.
func (f *Fitted) LeftOutRequests() int64 {
	n := int64(0)
	for _, l := range f.LeftOut {
		n += l.Requests
	}
	return n
}

// Population is a population of the scenario.
type Population struct {
	Name, User, Agent string
	Groups            []string
	Count             int
	Requests          []Request
	// Arrivals are those of each client, unless it is Closed.
	Arrivals workload.Arrivals
	Closed   *Closed
	// Retry is the policy by which rejected requests are sent again; "" if they are not.
	Retry string
	// Timeout is the deadline that nearly all of its requests ask for; 0 if they do not.
	Timeout time.Duration
	Fit     Goodness
}

// Closed is a closed loop.
type Closed struct {
	Concurrency int
	Think       *Durations
}

// Request is a kind of request of a population.
type Request struct {
	kind
	// Weight is its share of the population's requests.
	Weight    float64
	Durations *Durations
}

// Goodness tells how well a population stands for what it was fitted to.
type Goodness struct {
	// Operations are requests without retries, Retries are those, and Rejected counts both.
	Operations, Retries, Rejected int64
	// RateError is by which share the population's rate is off.
	RateError float64
	// Gaps is the Kolmogorov-Smirnov distance of the gaps between the arrivals of a client,
	// negative where it says nothing.
	Gaps float64
	// Dispersion is the variance over the mean of the counts of arrivals within segments of
	// constant rate, 1 for a Poisson process, 0 where it says nothing.
	Dispersion float64
	// Notes say what the population does not show.
	Notes []string
}
