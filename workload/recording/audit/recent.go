package audit

import "github.com/apfsim/apfsim/workload/recording"

// recent knows the requests of the last minute by their IDs. A request that kube-apiserver relays
// to an aggregated API server keeps its auditID there, and arrives there while it is executing
// here; where both write to one log, the second is not another request of the server.
type recent struct {
	// received is when the requests arrived, by ID: those since turned, and those of the time
	// before, which is as long at least.
	now, before map[uint64]int64
	turned      int64
}

// The bounds of recent: how far back it knows, at least, in nanoseconds, and how many requests.
const (
	recentSpan = int64(inFlight)
	recentMax  = 1 << 18
)

// again tells whether a request with the same ID has arrived within the span before.
func (r *recent) again(q *recording.Request) bool {
	if r.now == nil {
		r.now, r.before = map[uint64]int64{}, map[uint64]int64{}
	}
	if q.Received-r.turned > recentSpan || len(r.now) >= recentMax {
		r.now, r.before, r.turned = r.before, r.now, q.Received
		clear(r.now)
	}
	at, known := r.now[q.ID]
	if !known {
		at, known = r.before[q.ID]
	}
	if known && q.Received-at <= recentSpan {
		return true
	}
	r.now[q.ID] = q.Received
	return false
}
