package reports

// Blame tells who held the seats of a priority level while others waited for them: the waiting
// time of each population, split over the populations that held seats of the same server's
// level meanwhile, in proportion to their seats at each instant. Seats go by the widths
// estimated on arrival, and are held until they are released, lingering included. It covers
// the time since the warm-up, of all servers and replications, whenever the requests arrived.
type Blame struct {
	// Waiters are the populations that waited, in the order of the scenario.
	Waiters []Waiter `json:"waiters"`
}

// Waiter is a population that waited.
type Waiter struct {
	Population string `json:"population"`
	// Time is its waiting time in the level: requests multiplied by time.
	Time Total `json:"time"`
	// Holders are those who held the seats meanwhile, the one with the largest part first, at
	// most 32 of them. Their times and that of Others add up to Time but for rounding. The holder
	// "" is nobody: no seat was in use, since the limit was 0, or all that waited had to go on
	// waiting by a rule of the server.
	Holders []Holder `json:"holders"`
	// Others are the holders with smaller parts; absent if all are listed.
	Others *OtherHolders `json:"others,omitempty"`
}

// OtherHolders are the populations that held seats and are not listed.
type OtherHolders struct {
	// Count is how many they are.
	Count int `json:"count"`
	// Time is their part of the waiting time in seconds, Share the same of 1.
	Time  Number `json:"time"`
	Share Number `json:"share"`
}

// Holder is a population that held seats while another one, or itself, waited.
type Holder struct {
	Population string `json:"population"`
	// Time is its part of the waiting time in seconds, Share the same of 1.
	Time  Number `json:"time"`
	Share Number `json:"share"`
	// SharedQueues is how many queues of its hand a flow of the waiter has in common with the
	// hands of the holder's flows, in the mean over the waiter's flows. A flow that several
	// populations use is one of each; where waiter and holder are one, a flow is held against
	// the other flows. It is absent where no flow was told apart.
	SharedQueues *Number `json:"sharedQueues,omitempty"`
}

// Fairness is how evenly a priority level served its flows.
type Fairness struct {
	// Flows is how many were due anything.
	Flows int `json:"flows"`
	// Jain is the fairness index of R. Jain, D. Chiu and W. Hawe (DEC-TR-301, 1984) over what
	// each flow got of what it was due: with x for the seats that a flow held multiplied by
	// the time, over the same of what it was due, it is the square of the sum of all x, divided
	// by their number and by the sum of their squares. 1 is even, 1/Flows is all for one. It is the
	// mean of the indexes of the replications: who is unlucky in one of them is so there.
	//
	// What a flow was due is, period by period between two adjustments of the limits, what it
	// offered (see Flow.SeatsOffered), and in a period in which more was offered than the
	// limit could do, not more than the max-min fair share (see FlowRole). Who asks for little
	// and gets all of it is served as well as who asks for much and gets a fair share. What a
	// flow got is all since the warm-up, so a flow with a few requests at the end of the run
	// that have not been served by then counts as one that got less.
	Jain Number `json:"jain"`
}
