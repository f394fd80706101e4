package exposition

// id is what a metric is about, whatever a release calls it and whatever its buckets are.
type id uint8

// What metrics are about.
const (
	rejectedTotal id = iota
	dispatchedTotal
	inqueueRequests
	inqueueSeats
	executingRequests
	executingSeats
	queueLength
	waitSeconds
	executionSeconds
	watchCount
	estimatedSeats
	noAccommodation
	epochAdvances
	currentR
	dispatchR
	latestS
	nextS
	nextDiscountedS
	nominalLimit
	lowerLimit
	upperLimit
	currentLimit
	demandHighest
	demandAverage
	demandDeviation
	demandSmoothed
	targetSeats
	fairFraction
	demandRatio
	seatRatio
	requestRatio
	kindRatio
	seatSamples
	seatMarks
	requestSamples
	requestMarks
	kindSamples
	kindMarks
	inflightKinds
	inqueueKinds
	droppedTotal
)

// requestMetrics are about requests by priority level and flow schema.
var requestMetrics = []definition{
	{name: prefix + "rejected_requests_total", id: rejectedTotal, since: 20, until: 23, kind: counter, stability: alpha, labels: ofReason,
		help: "Number of requests rejected by API Priority and Fairness system"},
	{name: prefix + "rejected_requests_total", id: rejectedTotal, since: 24, until: 27, kind: counter, stability: alpha, labels: ofReason,
		help: "Number of requests rejected by API Priority and Fairness subsystem"},
	{name: prefix + "rejected_requests_total", id: rejectedTotal, since: 28, until: last, kind: counter, stability: beta, labels: ofReason,
		help: "Number of requests rejected by API Priority and Fairness subsystem"},
	{name: prefix + "dispatched_requests_total", id: dispatchedTotal, since: 20, until: 23, kind: counter, stability: alpha, labels: ofSchema,
		help: "Number of requests released by API Priority and Fairness system for service"},
	{name: prefix + "dispatched_requests_total", id: dispatchedTotal, since: 24, until: 27, kind: counter, stability: alpha, labels: ofSchema,
		help: "Number of requests executed by API Priority and Fairness subsystem"},
	{name: prefix + "dispatched_requests_total", id: dispatchedTotal, since: 28, until: last, kind: counter, stability: beta, labels: ofSchema,
		help: "Number of requests executed by API Priority and Fairness subsystem"},
	{name: prefix + "current_inqueue_requests", id: inqueueRequests, since: 20, until: 23, kind: gauge, stability: alpha, labels: ofSchema,
		help: "Number of requests currently pending in queues of the API Priority and Fairness system"},
	{name: prefix + "current_inqueue_requests", id: inqueueRequests, since: 24, until: 27, kind: gauge, stability: alpha, labels: ofSchema,
		help: "Number of requests currently pending in queues of the API Priority and Fairness subsystem"},
	{name: prefix + "current_inqueue_requests", id: inqueueRequests, since: 28, until: last, kind: gauge, stability: beta, labels: ofSchema,
		help: "Number of requests currently pending in queues of the API Priority and Fairness subsystem"},
	{name: prefix + "current_inqueue_seats", id: inqueueSeats, since: 28, patch: 5, until: last, kind: gauge, stability: alpha, labels: ofSchema,
		help: "Number of seats currently pending in queues of the API Priority and Fairness subsystem"},
	{name: prefix + "current_executing_requests", id: executingRequests, since: 20, until: 22, kind: gauge, stability: alpha, labels: ofSchema,
		help: "Number of requests currently executing in the API Priority and Fairness system"},
	{name: prefix + "current_executing_requests", id: executingRequests, since: 23, until: 23, kind: gauge, stability: alpha, labels: ofSchema,
		help: "Number of requests in regular execution phase in the API Priority and Fairness system"},
	{name: prefix + "current_executing_requests", id: executingRequests, since: 24, until: 27, kind: gauge, stability: alpha, labels: ofSchema,
		help: "Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem"},
	{name: prefix + "current_executing_requests", id: executingRequests, since: 28, until: last, kind: gauge, stability: beta, labels: ofSchema,
		help: "Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem"},
	{name: prefix + "current_executing_seats", id: executingSeats, since: 28, until: last, kind: gauge, stability: beta, labels: ofSchema,
		help: executingSeatsHelp},
	{name: prefix + "request_concurrency_in_use", id: executingSeats, since: 22, until: 22, kind: gauge, stability: alpha, labels: ofSchema,
		help: "Concurrency (number of seats) occupided by the currently executing requests in the API Priority and Fairness system"},
	{name: prefix + "request_concurrency_in_use", id: executingSeats, since: 23, until: 23, kind: gauge, stability: alpha, labels: ofSchema,
		help: "Concurrency (number of seats) occupided by the currently executing (all phases count) requests in the API Priority and Fairness system"},
	{name: prefix + "request_concurrency_in_use", id: executingSeats, since: 24, until: 36, kind: gauge, stability: alpha, labels: ofSchema, deprecated: 31,
		help: executingSeatsHelp},
	{name: prefix + "request_queue_length_after_enqueue", id: queueLength, since: 20, until: 23, kind: histogram, stability: alpha, labels: ofSchema, buckets: lengthBuckets,
		help: "Length of queue in the API Priority and Fairness system, as seen by each request after it is enqueued"},
	{name: prefix + "request_queue_length_after_enqueue", id: queueLength, since: 24, until: last, kind: histogram, stability: alpha, labels: ofSchema, buckets: lengthBuckets,
		help: "Length of queue in the API Priority and Fairness subsystem, as seen by each request after it is enqueued"},
	{name: prefix + "request_wait_duration_seconds", id: waitSeconds, since: 20, until: 27, kind: histogram, stability: alpha, labels: ofExecute, buckets: secondsBuckets,
		help: "Length of time a request spent waiting in its queue"},
	{name: prefix + "request_wait_duration_seconds", id: waitSeconds, since: 28, until: last, kind: histogram, stability: beta, labels: ofExecute, buckets: seconds15,
		help: "Length of time a request spent waiting in its queue"},
	{name: prefix + "request_execution_seconds", id: executionSeconds, since: 20, until: 22, kind: histogram, stability: alpha, labels: ofSchema, buckets: secondsBuckets,
		help: "Duration of request execution in the API Priority and Fairness system"},
	{name: prefix + "request_execution_seconds", id: executionSeconds, since: 23, until: 23, kind: histogram, stability: alpha, labels: ofSchema, buckets: secondsBuckets,
		help: "Duration of regular phase of request execution in the API Priority and Fairness system"},
	{name: prefix + "request_execution_seconds", id: executionSeconds, since: 24, until: 27, kind: histogram, stability: alpha, labels: ofType, buckets: secondsBuckets,
		help: executionHelp},
	{name: prefix + "request_execution_seconds", id: executionSeconds, since: 28, until: last, kind: histogram, stability: alpha, labels: ofType, buckets: seconds15,
		help: executionHelp},
	{name: prefix + "watch_count_samples", id: watchCount, since: 23, until: last, kind: histogram, stability: alpha, labels: ofSchema, buckets: watchBuckets,
		help: "count of watchers for mutating requests in API Priority and Fairness"},
	{name: prefix + "work_estimated_seats", id: estimatedSeats, since: 24, until: 33, kind: histogram, stability: alpha, labels: ofSchema, buckets: widths10,
		help: estimatedHelp},
	{name: prefix + "work_estimated_seats", id: estimatedSeats, since: 34, until: last, kind: histogram, stability: alpha, labels: ofSchema, buckets: widths100,
		help: estimatedHelp},
	{name: prefix + "request_dispatch_no_accommodation_total", id: noAccommodation, since: 24, until: last, kind: counter, stability: alpha, labels: ofSchema,
		help: "Number of times a dispatch attempt resulted in a non accommodation due to lack of available seats"},
}

// Help texts of several metrics.
const (
	executingSeatsHelp = "Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem"
	executionHelp      = "Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API Priority and Fairness subsystem"
	estimatedHelp      = "Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness"
	nominalHelp        = "Nominal number of execution seats configured for each priority level"
)

// neighbours are outside of flow control: by the kind of requests, read-only or mutating.
var neighbours = []definition{
	{name: "apiserver_current_inflight_requests", id: inflightKinds, since: 20, until: 22, kind: gauge, stability: alpha, labels: ofKind,
		help: inflightHelp},
	{name: "apiserver_current_inflight_requests", id: inflightKinds, since: 23, until: last, kind: gauge, stability: stable, labels: ofKind,
		help: inflightHelp},
	{name: "apiserver_current_inqueue_requests", id: inqueueKinds, since: 20, until: last, kind: gauge, stability: alpha, labels: ofKind,
		help: "Maximal number of queued requests in this apiserver per request kind in last second."},
	{name: "apiserver_dropped_requests_total", id: droppedTotal, since: 20, until: 23, kind: counter, stability: alpha, labels: ofKind,
		help: "Number of requests dropped with 'Try again later' response"},
	{name: "apiserver_dropped_requests_total", id: droppedTotal, since: 24, until: 24, kind: counter, stability: alpha, labels: ofKind, deprecated: 24,
		help: "Number of requests dropped with 'Try again later' response. Use apiserver_request_total and/or apiserver_request_terminations_total metrics instead."},
}

const inflightHelp = "Maximal number of currently used inflight request limit of this apiserver per request kind in last second."
