package reports

// Timeline is what happened over time in the first replication, from its very start and
// without regard to the warm-up, slice by slice. Slice i covers the time from i times Slice up
// to the next one. Its size does not depend on how long the run was: long runs have long
// slices.
type Timeline struct {
	Slice Duration `json:"slice"`
	// Slices is how many there are; the last one may be shorter than the others.
	Slices int `json:"slices"`
	// The lists are in the order of the result's own, and leave out what never had a request.
	PriorityLevels []LevelTimeline `json:"priorityLevels"`
	FlowSchemas    []GroupTimeline `json:"flowSchemas"`
	Populations    []GroupTimeline `json:"populations"`
}

// GroupTimeline is the timeline of the requests of one flow schema, population or level. All
// lists have one value for each slice; a list is left out if all of them are 0.
type GroupTimeline struct {
	Name string `json:"name"`
	// Arrivals, Executed (dispatched) and the rejections are counts of the slice in which they
	// happened.
	Arrivals         []int64 `json:"arrivals,omitempty"`
	Executed         []int64 `json:"executed,omitempty"`
	QueueFull        []int64 `json:"queueFull,omitempty"`
	ConcurrencyLimit []int64 `json:"concurrencyLimit,omitempty"`
	TimeOut          []int64 `json:"timeOut,omitempty"`
	Cancelled        []int64 `json:"cancelled,omitempty"`
	Ejected          []int64 `json:"ejected,omitempty"`
	// Cut counts the requests that their server took with it when it stopped.
	Cut []int64 `json:"cut,omitempty"`
	// Seats and Waiting are the means over the slice of the seats in use and of the requests
	// that wait.
	Seats   []Number `json:"seats,omitempty"`
	Waiting []Number `json:"waiting,omitempty"`
	// WaitMean and WaitMax are of the waits that ended in the slice, with a dispatch or a
	// time-out, in seconds.
	WaitMean []Number `json:"waitMean,omitempty"`
	WaitMax  []Number `json:"waitMax,omitempty"`
}

// LevelTimeline is the timeline of one priority level.
type LevelTimeline struct {
	GroupTimeline
	// SeatsPeak and WaitingPeak are the most in the slice, of what lasted.
	SeatsPeak   []int64 `json:"seatsPeak,omitempty"`
	WaitingPeak []int64 `json:"waitingPeak,omitempty"`
	// Nominal and Current are the limits at the end of the slice, 0 while the level is not
	// there.
	Nominal []int64 `json:"nominal,omitempty"`
	Current []int64 `json:"current,omitempty"`
	// Queues is left out if nothing ever waited in a queue of the level.
	Queues *QueueTimeline `json:"queues,omitempty"`
}

// QueueTimeline is how long the queues of a level were, on the whole of all servers.
type QueueTimeline struct {
	// Slice is how long its slices are: a multiple of the timeline's.
	Slice Duration `json:"slice"`
	// Group is how many queues a row stands for: 1 up to 256 queues.
	Group int `json:"group"`
	// Rows are lists of the mean number of requests that waited, with three significant digits:
	// a row for each queue or group, and in it a value for each slice. A row is empty if nothing
	// ever waited in it.
	Rows [][]Number `json:"rows"`
}
