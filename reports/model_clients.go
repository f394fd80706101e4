package reports

// Refused counts the attempts that reached no server, by who turned them away: the balancer
// had no server, or the gateway had a reason. APF knows nothing of them.
type Refused struct {
	Total           int64 `json:"total"`
	NoServer        int64 `json:"noServer,omitzero"`
	GatewayRate     int64 `json:"gatewayRate,omitzero"`
	GatewayInFlight int64 `json:"gatewayInFlight,omitzero"`
	GatewayDegraded int64 `json:"gatewayDegraded,omitzero"`
	GatewayNoRule   int64 `json:"gatewayNoRule,omitzero"`
}

// Operations are what the clients of a population wanted done, each with all attempts at it.
// Those count that were begun at the end of the warm-up or later and have ended.
type Operations struct {
	Count     int64 `json:"count"`
	Succeeded int64 `json:"succeeded"`
	// Failed are those that did not succeed, by how the last attempt ended.
	Failed Failures `json:"failed,omitzero"`
	// Withdrawn are those that the client itself had no more use for. They neither succeeded
	// nor failed.
	Withdrawn int64 `json:"withdrawn,omitzero"`
	// Attempts is how often all of them were sent; AttemptsPerSuccess is the mean of those that
	// succeeded.
	Attempts           int64   `json:"attempts"`
	AttemptsPerSuccess *Number `json:"attemptsPerSuccess,omitempty"`
	// Latency is the time from the wish of the client to the answer, of those that succeeded,
	// and LatencyOfAll of all.
	Latency      *Latency `json:"latency,omitempty"`
	LatencyOfAll *Latency `json:"latencyOfAll,omitempty"`
	// Time tells where the time of all of them went.
	Time Time `json:"time"`
}

// Failures counts operations that did not succeed, by how their last attempt ended.
type Failures struct {
	Total int64 `json:"total"`
	// TooManyRequests is a 429, Unavailable a 503, TimedOut a 504 or the client's own deadline,
	// Expired a 410, Failed a 500.
	TooManyRequests int64 `json:"tooManyRequests,omitzero"`
	Unavailable     int64 `json:"unavailable,omitzero"`
	TimedOut        int64 `json:"timedOut,omitzero"`
	Expired         int64 `json:"expired,omitzero"`
	Failed          int64 `json:"failed,omitzero"`
	// Refused got no connection, Lost lost it.
	Refused int64 `json:"refused,omitzero"`
	Lost    int64 `json:"lost,omitzero"`
}

// Latency is the distribution of a time that clients waited for something. Quantiles are as in
// Wait.
type Latency struct {
	Count         int64    `json:"count"`
	Mean          Duration `json:"mean"`
	P50           Duration `json:"p50"`
	P90           Duration `json:"p90"`
	P99           Duration `json:"p99"`
	P999          Duration `json:"p999"`
	Max           Duration `json:"max"`
	FewSamplesFor []string `json:"fewSamplesFor,omitempty"`
}

// Time is a sum of times, by where they went.
type Time struct {
	Total Total `json:"total"`
	// Throttled was spent in the clients' own limiters, Paused between attempts.
	Throttled Total `json:"throttled"`
	Paused    Total `json:"paused"`
	// Queued was spent in the queues of APF, Executing on dispatched requests.
	Queued    Total `json:"queued"`
	Executing Total `json:"executing"`
	// Elsewhere is the rest: on the way to the servers, in a gateway, or until a client noticed
	// that there was no answer.
	Elsewhere Total `json:"elsewhere"`
}

// Executions compares how long the requests of a population executed with how long they
// would have on an idle server, those among them that passed APF by included.
type Executions struct {
	Finished int64 `json:"finished"`
	// Mean is how long they executed, without what they waited for their calls; Unloaded how
	// long the scenario says that they take.
	Mean     Duration `json:"mean"`
	Unloaded Duration `json:"unloaded"`
	// InStorage is the part of Mean that was spent with etcd, waiting for it included.
	InStorage Duration `json:"inStorage,omitzero"`
	// TimedOut counts those whose time was over before they were done, TimedOutInCalls those of
	// which it was over while they waited for their calls, which the others do not.
	TimedOut        int64 `json:"timedOut,omitzero"`
	TimedOutInCalls int64 `json:"timedOutInCalls,omitzero"`
	// Calls is how long those that succeeded waited for their calls, in the mean.
	Calls Duration `json:"calls,omitzero"`
}

// NotReady counts the nodes whose heartbeats were missing for too long.
type NotReady struct {
	// Times is how often a node became not ready.
	Times int64 `json:"times"`
	// Peak is the most nodes that were not ready at once, since PeakAt, of all replications.
	Peak   int64    `json:"peak"`
	PeakAt Duration `json:"peakAt"`
	// AtEnd counts those that were not ready at the end.
	AtEnd int64 `json:"atEnd"`
	// Time is the number of nodes multiplied by the time for which they were not ready.
	Time Total `json:"time"`
}

// Sync tells how clients came to know what they watch.
type Sync struct {
	// Times are those from the first request to the end of the last LIST.
	Times *Latency `json:"times,omitempty"`
	// Never counts the clients that have never synced.
	Never int64 `json:"never"`
	// Relists counts how often a client could not go on with its watch and had to list again.
	Relists int64 `json:"relists"`
}

// Backlog is what is left to do: requests that wait in queues, and clients that will send
// theirs again after a pause.
type Backlog struct {
	// Peak is the most there was of it for some time, since PeakAt, of all replications.
	Peak   int64    `json:"peak"`
	PeakAt Duration `json:"peakAt"`
	// DrainedAt is when there was nothing left, for the first time after that; absent if that
	// never came. Of replications with the same peak it is the latest.
	DrainedAt *Duration `json:"drainedAt,omitempty"`
}

// Barren is a time in which the requests of a population executed until their time was over,
// and not one of its operations succeeded: the longest time of that kind, if it was half a
// minute or more.
type Barren struct {
	From  Duration `json:"from"`
	Until Duration `json:"until"`
	// Requests counts those that executed in vain.
	Requests int64 `json:"requests"`
}
