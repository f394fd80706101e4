package explain

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// wait says what happens when the seats of the level are taken.
func (a *asking) wait() *Wait {
	l, profile := a.level, a.scheduler.Profile()
	if l.Exempt {
		return &Wait{AtLimit: []string{"the level is exempt: the request never waits and is never rejected"}}
	}
	out := &Wait{RetryAfter: "always 1 s"}
	if profile.AdaptiveRetryAfter {
		out.RetryAfter = "1 s at first, up to 32 s the more the level rejects"
	}
	full := "no seat is free"
	if n := max(a.arrival.Estimate.InitialSeats, a.arrival.Estimate.FinalSeats); n > 1 {
		full = fmt.Sprintf("fewer than %d seats are free", n)
	}
	if l.Queues == 0 {
		out.AtLimit = []string{fmt.Sprintf("the level has no queues: when %s, 429 at once (concurrency-limit)", full)}
		return out
	}
	choice := "with the least work"
	if !profile.Queues.SeatSeconds {
		choice = "with the fewest waiting"
	}
	out.AtLimit = []string{
		fmt.Sprintf("when %s, it waits in the queue of its hand %s", full, choice),
		fmt.Sprintf("when %d are waiting there and all seats are taken, 429 at once (queue-full)", l.QueueLengthLimit),
	}
	out.Limit, out.Arithmetic = a.waitLimit()
	out.AtLimit = append(out.AtLimit, a.leaving(out.Limit)...)
	return out
}

// waitLimit returns the limit of the wait, "" for none, and how it comes about.
func (a *asking) waitLimit() (limit, arithmetic string) {
	waiting := a.scheduler.Profile().Waiting
	if a.arrival.WaitLimit == scheduler.NoLimit {
		return "", "a watch has no deadline of its own"
	}
	limit = durationText(a.arrival.WaitLimit)
	whole, of := a.deadline()
	switch {
	case waiting.LimitedAtArrival:
		return limit, of
	case whole/4 > time.Minute:
		return limit, fmt.Sprintf("min(%s / 4, 1m), by %s", durationText(whole), of)
	}
	return limit, fmt.Sprintf("%s / 4, by %s", durationText(whole), of)
}

// deadline returns the time after which the request ends in any case, and who sets it.
func (a *asking) deadline() (time.Duration, string) {
	server, asked := a.server.RequestTimeout, a.request.Timeout
	const serverSets = "the server's request timeout"
	switch {
	case asked <= 0:
		return server, serverSets
	case a.request.Verb == "watch":
		return server, serverSets + ", whatever a watch asks for"
	case !a.scheduler.Profile().Waiting.ClientTimeouts:
		return server, serverSets + ", whatever the client asks for"
	case asked > server:
		return server, serverSets + ", as its own " + durationText(asked) + " is longer"
	}
	return asked, "the request's own timeout"
}

// leaving says how a request that waits for too long leaves its queue.
func (a *asking) leaving(limit string) []string {
	waiting := a.scheduler.Profile().Waiting
	if !waiting.LimitedAtArrival {
		return []string{fmt.Sprintf("when it has waited %s, 429 (%s)", limit, waiting.Expired)}
	}
	counted := fmt.Sprintf(" (%s)", waiting.Expired)
	if waiting.Expired == fairqueue.Ejected {
		counted = ", which no metric counts"
	}
	end := "when it has waited " + limit
	if limit == "" {
		end = "when its client gives up"
	}
	quarter := a.server.RequestTimeout / 4
	if a.arrival.WaitLimit <= quarter && limit != "" {
		return []string{end + ", it leaves" + counted}
	}
	return []string{
		fmt.Sprintf("when it has waited %s and another request comes to its queue, 429 (time-out)", durationText(quarter)),
		fmt.Sprintf("%s, it leaves in any case%s", end, counted),
	}
}
