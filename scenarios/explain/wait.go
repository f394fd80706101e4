package explain

import (
	"fmt"
	"time"
)

// wait says what happens when the seats of the level are taken.
func (a *asking) wait() *Wait {
	l := a.level
	if l.Exempt {
		return &Wait{AtLimit: []string{"the level is exempt: the request never waits and is never rejected"}}
	}
	out := &Wait{RetryAfter: "1 s at first, up to 32 s the more the level rejects"}
	if !a.scheduler.Profile().AdaptiveRetryAfter {
		out.RetryAfter = "always 1 s"
	}
	fits := "no seat is free"
	if n := max(a.arrival.Estimate.InitialSeats, a.arrival.Estimate.FinalSeats); n > 1 {
		fits = fmt.Sprintf("fewer than %d seats are free", n)
	}
	if l.Queues == 0 {
		out.AtLimit = []string{fmt.Sprintf("the level has no queues: when %s, 429 at once (concurrency-limit)", fits)}
		return out
	}
	out.Limit = durationText(a.arrival.WaitLimit)
	out.Arithmetic = a.waitArithmetic()
	out.AtLimit = []string{
		fmt.Sprintf("when %s, it waits in the queue of its hand with the least work", fits),
		fmt.Sprintf("when %d are waiting there and all seats are taken, 429 at once (queue-full)", l.QueueLengthLimit),
		fmt.Sprintf("when it has waited %s, 429 (time-out)", out.Limit),
	}
	return out
}

// waitArithmetic shows how the wait limit comes about.
func (a *asking) waitArithmetic() string {
	server := a.server.RequestTimeout
	whole, of := server, "the server's request timeout"
	asked := a.request.Timeout
	switch {
	case a.request.Verb == "watch" && asked > 0:
		of += ", whatever a watch asks for"
	case asked > 0 && asked <= server && a.request.Verb != "watch":
		whole, of = asked, "the request's own timeout"
	case asked > server:
		of += ", as its own " + durationText(asked) + " is longer"
	}
	text := fmt.Sprintf("%s / 4: a quarter of %s", durationText(whole), of)
	if whole/4 > time.Minute {
		text += ", at most 1m"
	}
	return text
}
