package reports

// Blame tells who held the seats of a priority level while others waited for them: the waiting
// time of each population, split over the populations that held seats of the level meanwhile,
// in proportion to their seats at each instant. It covers the time since the warm-up, of all
// replications.
type Blame struct {
	// Waiters are the populations that waited, in the order of the scenario.
	Waiters []Waiter `json:"waiters"`
}

// Waiter is a population that waited.
type Waiter struct {
	Population string `json:"population"`
	// Time is its waiting time in the level: requests multiplied by time.
	Time Total `json:"time"`
	// Holders are those who held the seats meanwhile, the one with the largest part first.
	// Their times add up to Time but for rounding; what nobody held is of the holder "".
	Holders []Holder `json:"holders"`
}

// Holder is a population that held seats while another one, or itself, waited.
type Holder struct {
	Population string `json:"population"`
	// Time is its part of the waiting time in seconds, Share the same of 1.
	Time  Number `json:"time"`
	Share Number `json:"share"`
	// SharedQueues is how many queues of its hand a flow of the waiter has in common with the
	// hands of the holder's flows, in the mean over the waiter's flows; absent where no flow
	// was told apart.
	SharedQueues *Number `json:"sharedQueues,omitempty"`
}

// Fairness is how evenly a priority level served its flows.
type Fairness struct {
	// Flows is how many asked for seats.
	Flows int `json:"flows"`
	// Jain is the fairness index of R. Jain, D. Chiu and W. Hawe (DEC-TR-301, 1984) over what
	// each flow got of what it was due: 1 is even, 1/Flows is all for one.
	Jain Number `json:"jain"`
}
