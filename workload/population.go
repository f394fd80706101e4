package workload

// Population is a number of identical clients. Exactly one of Open, Closed, Lease and
// Trace tells when they send.
type Population struct {
	// Name identifies the population, also in the names of its random streams.
	Name string
	// Preset names the preset that it was made from, "" for none.
	Preset string
	// Clients is how many there are. A trace has no clients of its own: 0.
	Clients int
	// User may contain {index}, the number of the client from 0; Groups are verbatim,
	// none is implied. A trace brings its own.
	User   string
	Groups []string
	// Requests are what a client sends, chosen by weight. A trace brings its own.
	Requests []Template
	// Duration is how long a request executes, unless its template says so itself.
	Duration Distribution
	// Retry is the reaction to a rejection.
	Retry Retry

	// Open: requests arrive whatever the answers are, for each client.
	Open *Arrivals
	// Closed: each client keeps a number of requests in flight.
	Closed *Closed
	// Lease: each client renews a leader election lease.
	Lease *Lease
	// Trace: recorded requests.
	Trace *Trace
}
