// Package fit makes a scenario of recorded requests: a few populations of clients that send
// as the recorded ones did, so that what happened can be varied (more clients, other rates)
// and not only replayed.
//
// The way of a request through the package:
//
//	request ─ retries.go ─► a retry is part of the operation that was rejected before
//	        ─ names.go   ─► users that are called alike are a class, requests alike a kind
//	        ─ series.go  ─► one series for each user and kind: counts, gaps, durations
//	        ─ loops.go   ─► how many requests of a user are in flight, and its pauses
//
// and at the end:
//
//	classes ─ clusters.go    ─► users of a class with like rates are a population
//	        ─ recognise.go   ─► periodic, a burst, a closed loop, at random
//	        ─ changes.go     ─► random arrivals whose rate changes get stages
//	        ─ durations.go   ─► durations as a constant or a few quantiles
//	        ─ write.go       ─► YAML, with the goodness of each fit as a comment
//
// Memory is bounded by the number of series, which is bounded, and not by the number of
// requests: samples are reservoirs, counts are binned. All is deterministic: the same requests
// give the same scenario.
package fit
