package workload

import "strconv"

// Recorder records events: it counts what is the same, combines what is similar, drops what is
// too much about one object, and sends one after the other (client-go tools/record, v0.37.2).
//
// The requests of its population are, in this order: create an event, patch an event. Without
// the latter nothing is ever counted in an event that exists.
type Recorder struct {
	// Rate is how many events happen each second, at random.
	Rate float64
	// Objects is how many objects they are about, with equal chances.
	Objects int
	// Messages is how many different messages there are about each object, with equal chances.
	// 0: each is another one, as of messages that hold a number or a time. At most 64.
	Messages int
	// Aggregate: as client-go does it by default. Without it each event is sent as it is.
	Aggregate bool
}

// recorderMessagesMax is how many messages fit into the bits that remember them.
const recorderMessagesMax = 64

// recorderObjectsMax is how many objects the caches of the original hold (maxLruCacheEntries).
const recorderObjectsMax = 4096

// Requests is part of Behaviour.
func (r Recorder) Requests() int { return 1 }

// String is part of Behaviour.
func (r Recorder) String() string {
	return mapping("recorder", "rate", number(r.Rate), "objects", strconv.Itoa(r.Objects),
		"messages", strconv.Itoa(r.Messages), "aggregate", strconv.FormatBool(r.Aggregate))
}

// Validate is part of Behaviour.
func (r Recorder) Validate() []error {
	all := faultsOf(checkRate("recorder.rate", r.Rate))
	if r.Messages < 0 || r.Messages > recorderMessagesMax {
		all = append(all, fault("recorder.messages", r.Messages, "a whole number from 0 to "+strconv.Itoa(recorderMessagesMax)))
	}
	if r.Objects < 1 || r.Objects > recorderObjectsMax {
		all = append(all, fault("recorder.objects", r.Objects, "a whole number from 1 to "+strconv.Itoa(recorderObjectsMax)))
	}
	return all
}
