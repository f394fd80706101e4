// Package reports turns what a simulation shows into what people and machines read:
// collectors, the versioned result model, the renderers and the decision log.
//
// A Collector observes one replication and keeps sums, histograms and a bounded
// series; Merge makes one Result of the replications, whatever the order in which they
// ended; WriteText and WriteJSON render it, and Judge holds it against expectations.
// DecisionLog is the other observer: it writes what was decided on every request.
//
// # What is counted
//
// The warm-up is left out, by two rules. A request counts, with all that ever happens
// to it, if it arrived at the end of the warm-up or later; so arrivals are always the
// sum of executed, rejected and still waiting requests. A figure over time (seats in
// use, waiting requests, limits) covers the time from the end of the warm-up to the
// end of the run, whoever the seats belong to. What happens to a client and not to a
// request (a retry, a lost lease) counts if it happens in that time too. Requests that are present
// when a run begins count if there is no warm-up.
//
// A collector can be about a window of the run instead (Between): what is said of the end of
// the warm-up holds for the start of the window, and figures over time stop at its end.
//
// Every attempt is a request of its own: a retry arrives again.
//
// # How numbers are written
//
// Durations are Go duration text ("1.5s"), as in scenarios and decision logs. Counts
// are integers. Other numbers have six significant digits: what the last bits of a
// float64 are depends on the processor, six digits do not.
package reports
