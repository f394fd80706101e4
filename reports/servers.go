package reports

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
)

// serverStats is what is known of one API server.
type serverStats struct {
	apf      server
	stations []*station // by level
	// flows holds the number, in the Collector, of each flow of a server that is one of
	// several; -1 is none.
	flows []int32

	// counts are of the requests that went through APF, longRunning of the others, both in the end.
	// refused counts the attempts that found the server down.
	counts
	longRunning, refused int64
	events               [serverEvents]int64
	// up tells that the server is there. down is how long it was not, without the time since
	// stoppedAt.
	up        bool
	stoppedAt time.Duration
	down      Total

	// seats are in use, of all levels, since changedAt; the sum over time and the peak are
	// those since the warm-up.
	seats     int64
	changedAt time.Duration
	seatTime  Total
	seatPeak  int64
}

// serverEvents is how many kinds of events of a server are counted.
const serverEvents = int(sim.OutOfMemory) + 1

// seatsChanged notes that more or fewer seats are in use.
func (s *serverStats) seatsChanged(now time.Duration, by int64) {
	s.advance(now)
	s.seats += by
}

// advance brings the sums up to now.
func (s *serverStats) advance(now time.Duration) {
	if now == s.changedAt {
		return
	}
	s.seatTime.addProduct(s.seats, now-s.changedAt)
	s.seatPeak = max(s.seatPeak, s.seats)
	s.changedAt = now
}

// begin forgets what has been before the end of the warm-up.
func (s *serverStats) begin(now time.Duration) {
	s.advance(now)
	s.seatTime, s.seatPeak, s.down = Total{}, 0, Total{}
	s.stoppedAt = max(s.stoppedAt, now)
}

// end closes the books of a server.
func (s *serverStats) end(now time.Duration) {
	s.advance(now)
	if !s.up {
		s.downUntil(now)
	}
}

// downUntil adds the time for which the server was not there.
func (s *serverStats) downUntil(now time.Duration) { s.down.add(now - min(s.stoppedAt, now)) }

// flow returns the statistics of the flow of a request, which may be new. Each server numbers
// its flows by itself.
func (c *Collector) flow(r *sim.Request) *flowStats {
	if !c.several && int(r.Flow) < len(c.flows) {
		return &c.flows[r.Flow]
	}
	return c.findFlow(r)
}

func (c *Collector) findFlow(r *sim.Request) *flowStats {
	if !c.several {
		c.meet(r.Flow)
		return &c.flows[r.Flow]
	}
	s := &c.servers[r.Server]
	for int(r.Flow) >= len(s.flows) {
		s.flows = append(s.flows, -1)
	}
	if s.flows[r.Flow] < 0 {
		s.flows[r.Flow] = c.identify(r)
	}
	return &c.flows[s.flows[r.Flow]]
}

// meet makes room for a flow.
func (c *Collector) meet(id scheduler.FlowID) {
	for int(id) >= len(c.flows) {
		c.flows = append(c.flows, flowStats{schema: -1, level: -1, id: scheduler.FlowID(len(c.flows))})
	}
}

// identify returns the number of a flow by what it is.
func (c *Collector) identify(r *sim.Request) int32 {
	info := c.servers[r.Server].apf.Flow(r.Flow)
	key := flowKey{info.Schema, info.Level, info.Distinguisher}
	number, known := c.flowNumbers[key]
	if !known {
		number = int32(len(c.flows))
		c.flowNumbers[key] = number
		c.flows = append(c.flows, flowStats{schema: -1, level: -1, server: r.Server, id: r.Flow})
	}
	return number
}
