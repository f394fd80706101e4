package reports

// ServerUse is what happened at one of several API servers, or at one that did not run all
// the time or has a backend. Averages and peaks are as in Occupancy.
type ServerUse struct {
	Server int `json:"server"`
	// Requests are those that went through the APF of this server, LongRunning the others;
	// Share is their part of the requests of all servers.
	Requests    Requests `json:"requests"`
	LongRunning int64    `json:"longRunning"`
	Share       *Number  `json:"share,omitempty"`
	// Refused counts the attempts that were sent to this server and found it down.
	Refused int64 `json:"refused,omitzero"`
	// SeatsUsedAverage and SeatsUsedPeak are of all levels together; left out for a single
	// server.
	SeatsUsedAverage *Number `json:"seatsUsedAverage,omitempty"`
	SeatsUsedPeak    *int64  `json:"seatsUsedPeak,omitempty"`
	// Stops and Starts are how often it stopped and started, OutOfMemory how often it was
	// killed because it needed too much memory, Down for how long it was not there.
	Stops       int64 `json:"stops,omitzero"`
	Starts      int64 `json:"starts,omitzero"`
	OutOfMemory int64 `json:"outOfMemory,omitzero"`
	Down        Total `json:"down,omitzero"`
	// Machine is left out without a backend.
	Machine *MachineUse `json:"machine,omitempty"`
}

// MachineUse is what the cores and the memory of a server did.
type MachineUse struct {
	// Utilization is the part of the core time that was used, from 0 to 1.
	Utilization Number `json:"utilization"`
	// MemoryPeak is the most that was in use, in bytes, the warm-up included, also if it was
	// too much; MemoryLimit is what is allowed, absent for anything.
	MemoryPeak  int64 `json:"memoryPeak"`
	MemoryLimit int64 `json:"memoryLimit,omitzero"`
}

// MemberUse is what an etcd member did.
type MemberUse struct {
	Member int        `json:"member"`
	Reads  StationUse `json:"reads"`
	Writes StationUse `json:"writes"`
}

// StationUse is what the reads or the writes of an etcd member did.
type StationUse struct {
	Served int64 `json:"served"`
	// Utilization is the part of its slots that were busy, over time.
	Utilization Number `json:"utilization"`
	// WaitingPeak is the most that waited, the warm-up included.
	WaitingPeak int `json:"waitingPeak"`
}

// Deadlocks are the times in which requests that hold seats waited for requests that they had
// called for, around a cycle, so that nothing could move.
type Deadlocks struct {
	// Count is their number, Listed the first ten.
	Count  int64      `json:"count"`
	Listed []Deadlock `json:"listed"`
}

// Deadlock is one of them.
type Deadlock struct {
	Replication int      `json:"replication"`
	Since       Duration `json:"since"`
	// Ended is absent if it lasted to the end of the run; By says what has ended it.
	Ended *Duration `json:"ended,omitempty"`
	By    string    `json:"by,omitempty"`
	// Cycle leads from level to level: each step begins where the one before it ends.
	Cycle []DeadlockStep `json:"cycle"`
	// Levels are all that were stuck.
	Levels []StuckLevel `json:"levels"`
	// Requests counts the callers that were caught in it, Failed those among them that failed,
	// Seats what they held when it began.
	Requests int `json:"requests"`
	Failed   int `json:"failed"`
	Seats    int `json:"seats"`
}

// DeadlockStep is one step of a cycle: requests of a population hold seats of a level, and
// wait for requests that they have called for.
type DeadlockStep struct {
	Server        int    `json:"server"`
	PriorityLevel string `json:"priorityLevel"`
	Population    string `json:"population"`
	// Requests is how many of them there are, Seats what they hold.
	Requests int `json:"requests"`
	Seats    int `json:"seats"`
	// Calls is the population that they wait for, and at which server and level.
	Calls    string `json:"calls"`
	AtServer int    `json:"atServer"`
	AtLevel  string `json:"atLevel"`
	// Executing tells that the called requests were dispatched and wait for calls of their own;
	// otherwise they wait in a queue or for another attempt.
	Executing bool `json:"executing,omitzero"`
}

// StuckLevel is a level of a deadlock, as it was when that was found.
type StuckLevel struct {
	Server        int    `json:"server"`
	PriorityLevel string `json:"priorityLevel"`
	Limit         int    `json:"limit"`
	Seats         int    `json:"seats"`
	Waiting       int    `json:"waiting"`
}

// Inversion is that calls waited in the queues of one level while those who had called them
// held seats of another one: the caller's priority was worth no more than that of the call.
type Inversion struct {
	Caller      string `json:"caller"`
	CallerLevel string `json:"callerLevel"`
	Called      string `json:"called"`
	CalledLevel string `json:"calledLevel"`
	// Requests counts the calls that had to wait, Time is their waits together, Longest the
	// longest one.
	Requests int64    `json:"requests"`
	Time     Total    `json:"time"`
	Longest  Duration `json:"longest"`
}
