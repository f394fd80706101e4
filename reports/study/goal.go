package study

// Status is how a point does by a goal, as package tuning judges it.
type Status string

// The statuses. A goal is Met if the whole interval over the replications is what is wanted, Missed if
// none of it is, and Unclear in between: it takes more replications to tell.
const (
	Met     Status = "met"
	Missed  Status = "missed"
	Unclear Status = "unclear"
	NoData  Status = "no data"
)
