package scheduler

import "time"

// NoLimit is the WaitLimit of a request that nothing makes leave its queue: a year, so that
// adding it to a time is safe and those who wait for its end are not held up for ever.
const NoLimit = 365 * 24 * time.Hour

// maxWait is the most that any request may wait where it has a deadline of its own for that
// (getRequestWaitContext in pkg/server/filters/priority-and-fairness.go).
const maxWait = time.Minute

// waitLimit is how long a request may wait in a queue: a quarter of its deadline. A watch
// has no deadline and gets what a request without a wish for one gets.
//
// In older releases only the end of the request's context takes it out of its queue, apart
// from arrivals (see arrivalLimit). A watch's context does not end by itself.
func (s *Server) waitLimit(t *target, timeout time.Duration) time.Duration {
	rules := &s.profile.Waiting
	if timeout <= 0 || timeout > s.cfg.RequestTimeout || t.watch || !rules.ClientTimeouts {
		timeout = s.cfg.RequestTimeout
	}
	switch {
	case !rules.LimitedAtArrival:
		return min(timeout/4, maxWait)
	case t.watch:
		return NoLimit
	}
	return timeout
}

// arrivalLimit is how long a request may have waited when another one arrives at its queue,
// 0 where that makes no difference (RequestTimeout/4 in pkg/server/options).
func (s *Server) arrivalLimit() time.Duration {
	if s.profile.Waiting.LimitedAtArrival {
		return s.cfg.RequestTimeout / 4
	}
	return 0
}
