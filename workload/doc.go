// Package workload says who asks what, when, and how they react to the answer: random
// streams, distributions, arrival processes, closed loops, leases, request templates,
// retries, and recorded traces.
//
// Two families, one vocabulary. In an open workload requests arrive whatever the server
// does (Arrivals, Trace): that is how overload begins. In a closed one a client waits for
// its answer before it asks again (Closed, Lease): that is how overload limits itself. A
// Population uses exactly one of the four.
//
// Everything here is pure: (state, random stream) -> next. Nothing reads a clock; all
// times are time.Duration since the start of the run. Nothing is shared between clients,
// so adding a client never changes what another one does.
//
// # The same bytes everywhere
//
// Samples must be equal to the last bit on every platform. So the sampling paths use only
// operations that IEEE 754 defines exactly: addition, multiplication, division and square
// root in float64, each rounded on its own, and package detmath on top of them. The
// standard library's Exp, Log and Pow are not used: some platforms have them in assembly,
// and the Go compiler may fuse a multiplication with an addition where the hardware can.
// An explicit float64(x*y) forbids that, and is written wherever a product is added.
package workload

import "time"

// MaxDuration bounds every sample, every arrival and the length of a run: 1<<61 ns, about
// 73 years. A time.Duration holds four times as much, less a nanosecond. So a request may
// arrive at any time of a run and execute for as long as there is, and as much is left again
// for what comes on top: the wait in a queue, the pauses between retries and the seats that
// linger, which are 18 years at most together. Nobody has to check a sum of these.
const MaxDuration = time.Duration(1) << 61
