package wire

import (
	"fmt"
	"strconv"
	"time"
)

// QueueSetCase is a list of operations on one queue set, in order of time.
type QueueSetCase struct {
	Operations []Operation `json:"operations"`
}

// Operation is one step. The first one configures. Requests are named by the number of
// the operation that brought them.
type Operation struct {
	At Duration `json:"at"`
	// One of the following is set.
	Configure *Configuration `json:"configure,omitempty"`
	Arrive    *Arrival       `json:"arrive,omitempty"`
	// Finish ends the execution of a request, Expire the context of a waiting one. Nothing
	// happens if there is no such request.
	Finish *int `json:"finish,omitempty"`
	Expire *int `json:"expire,omitempty"`
}

// Configuration is that of a queue set.
type Configuration struct {
	Queues           int `json:"queues"`
	HandSize         int `json:"handSize,omitempty"`
	QueueLengthLimit int `json:"queueLengthLimit,omitempty"`
	Limit            int `json:"limit"`
	// WaitLimit is how long a request may have waited when another one comes. Releases
	// from 1.28.5 on have no such limit.
	WaitLimit Duration `json:"waitLimit,omitempty"`
}

// Arrival is a request that comes.
type Arrival struct {
	Hash              uint64   `json:"hash"`
	Initial           int      `json:"initial"`
	Final             int      `json:"final,omitempty"`
	AdditionalLatency Duration `json:"additionalLatency,omitempty"`
}

// Outcome is what an operation brought about, with all that came to pass by itself since
// the one before, and what the queue set holds then.
type Outcome struct {
	// Queue is the index of the queue that an arriving request got into, absent if it was
	// rejected or there are no queues.
	Queue    *int `json:"queue,omitempty"`
	Rejected bool `json:"rejected,omitempty"`
	// Dispatched and Ejected are requests, in order of their numbers.
	Dispatched []int `json:"dispatched,omitempty"`
	Ejected    []int `json:"ejected,omitempty"`
	Waiting    int   `json:"waiting"`
	Executing  int   `json:"executing"`
	// SeatsInUse is -1 in releases that do not count them.
	SeatsInUse int `json:"seatsInUse"`
	// R is the progress meter in whole seat-seconds, "" in releases with a float.
	R string `json:"r,omitempty"`
}

// String shows an operation in one line.
func (o Operation) String() string {
	at := time.Duration(o.At)
	switch {
	case o.Configure != nil:
		return fmt.Sprintf("%v configure %+v", at, *o.Configure)
	case o.Arrive != nil:
		return fmt.Sprintf("%v arrive %+v", at, *o.Arrive)
	case o.Finish != nil:
		return fmt.Sprintf("%v finish %d", at, *o.Finish)
	default:
		return fmt.Sprintf("%v expire %d", at, *o.Expire)
	}
}

// String shows an outcome in one line.
func (o Outcome) String() string {
	queue := "-"
	if o.Queue != nil {
		queue = strconv.Itoa(*o.Queue)
	}
	return fmt.Sprintf("queue %s rejected %t dispatched %v ejected %v waiting %d executing %d seats %d R %s",
		queue, o.Rejected, o.Dispatched, o.Ejected, o.Waiting, o.Executing, o.SeatsInUse, o.R)
}
