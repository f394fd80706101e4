package reports

// Flows are the flows that were told apart: those of levels with several queues.
type Flows struct {
	// Count is the number of flows that sent anything.
	Count int `json:"count"`
	// Listed are the flows worth a look: of each level the crushed mice, at most 100, the 20
	// that offered the most work, and the 20 that suffered the most, by rejections and
	// then by the longest wait. They are in the order of level, offered work and name.
	Listed []Flow `json:"listed"`
}

// Flow is what happened to one flow: a flow schema and a distinguisher.
type Flow struct {
	PriorityLevel string `json:"priorityLevel"`
	FlowSchema    string `json:"flowSchema"`
	// Distinguisher is the user or the namespace, or empty if the schema tells no flows
	// apart.
	Distinguisher string `json:"distinguisher"`
	// Hand lists the queues that the flow was dealt.
	Hand     []int32  `json:"hand"`
	Role     FlowRole `json:"role"`
	Crushed  bool     `json:"crushed"`
	Requests Requests `json:"requests"`
	Wait     *Wait    `json:"wait,omitempty"`
	// SeatsOffered is the mean number of seats that would be in use if all requests of the
	// flow had been executed at once: the sum of width times (execution and additional
	// latency) over the time. SeatsUsed is the mean number that was in use. Both go by the
	// widths estimated on arrival.
	SeatsOffered Number `json:"seatsOffered"`
	SeatsUsed    Number `json:"seatsUsed"`
}

// FlowRole is the part that a flow played in its level.
type FlowRole string

// The roles. A level is crowded between two adjustments if its flows offer more work
// in that time than its limit can do; the fair share is then the largest amount to which
// all of them can be cut so that what is left fits (max-min fairness). An elephant
// offered more, over all crowded periods together, than the sum of those shares. All
// others are mice, and so is everyone in a level that was never crowded.
const (
	Elephant FlowRole = "elephant"
	Mouse    FlowRole = "mouse"
)

// Sharding tells how well shuffle sharding kept the elephants of a level from the
// mice. A mouse is crushed if each queue of its hand is in the hand of some elephant:
// it has no queue to itself.
type Sharding struct {
	// CrowdedPeriods counts the adjustment periods in which more work was offered than the
	// limit could do.
	CrowdedPeriods int64     `json:"crowdedPeriods"`
	Elephants      FlowGroup `json:"elephants"`
	CrushedMice    FlowGroup `json:"crushedMice"`
	OtherMice      FlowGroup `json:"otherMice"`
	// Odds is the exact probability that a mouse is crushed by so many elephants when all
	// hands are random; left out above 1000 elephants.
	Odds *Number `json:"odds,omitempty"`
}

// FlowGroup is a number of flows taken together. The quantiles of the wait have two
// significant digits.
type FlowGroup struct {
	Flows        int      `json:"flows"`
	Requests     Requests `json:"requests"`
	Wait         *Wait    `json:"wait,omitempty"`
	SeatsOffered Number   `json:"seatsOffered"`
	SeatsUsed    Number   `json:"seatsUsed"`
}
