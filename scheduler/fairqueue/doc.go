// Package fairqueue is the queue set of one priority level: fair queuing of requests
// that occupy seats for a time not known in advance, as kube-apiserver does it
// (pkg/util/flowcontrol/fairqueuing/queueset; its doc.go has the derivation).
//
// The theory in short. In the virtual world all active queues are served at the same
// rate. The progress meter R tells how many seat-seconds each of them has been given
// since the start: its speed is the number of seats in demand, at most the limit,
// divided by the number of active queues. Each queue keeps the reading of R at which
// its next request would begin, nextDispatchR; adding the work of that request gives
// its virtual finish. The queue whose head finishes first in the virtual world is
// served next in the real one. The length of the service is not known before it is
// over, so a guess is charged at the dispatch and corrected at the finish.
//
// Work and R are counted in fixed point, SeatSeconds, and are rounded where upstream
// rounds them. The releases up to 1.22 count seconds in floating point and choose in other
// ways: they have a QueueSet of their own, so that this one does not pay for it.
//
// What differs from upstream in a Set is the cost. Upstream scans all queues several times for
// each request. Here the sums behind the speed of R are kept up to date, and a
// tournament tree finds the next queue, so a request costs a handful of operations
// plus the logarithm of the number of queues. The decisions are the same, ties and
// accidents included.
package fairqueue
