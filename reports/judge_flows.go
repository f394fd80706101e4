package reports

import "fmt"

// ofFlow tells that a metric can be of one flow.
func (m Metric) ofFlow() bool {
	switch m {
	case MetricWait, MetricArrivals, MetricExecuted, MetricRejected, MetricRejectedFraction, MetricCut, MetricSeats:
		return true
	}
	return false
}

// isShare tells that the values of a metric are from 0 to 1.
func (m Metric) isShare() bool {
	switch m {
	case MetricErrorRate, MetricServerShare, MetricRejectedFraction, MetricFairness, MetricBlame:
		return true
	}
	return false
}

// measureFlow takes a figure of one flow of a schema.
func (v *Verdict) measureFlow(b *books, s selection) {
	e := &v.Expectation
	c := b.flow(s, *e.Flow)
	v.Samples = c.arrivals
	switch {
	case c.arrivals == 0 && e.Metric != MetricArrivals:
		v.Why = fmt.Sprintf("no request of a flow %q arrived", *e.Flow)
		if !b.hasFlows(s) {
			v.Why = fmt.Sprintf("no flow of flow schema %s was told apart", e.FlowSchema)
		}
	case e.Metric == MetricWait:
		v.quantile(&c.waits, "no request of the flow was dispatched or timed out")
	case e.Metric == MetricCut:
		v.Value = float64(c.cutWaiting+c.cutExecuting) / float64(b.runs)
	case e.Metric == MetricSeats && b.window == 0:
		v.Why = "the run ended in its warm-up"
	case e.Metric == MetricSeats:
		v.Value = c.seatTime.over(float64(b.window))
	default:
		v.measureRequests(c, b.runs)
	}
}

// eachFlow calls visit for all flows of a schema, and of a level if the selection has one.
func (b *books) eachFlow(s selection, visit func(*flowRun)) {
	for _, run := range b.replications {
		for i := range run.flows {
			if f := &run.flows[i]; int(f.Schema) == s.schema && (s.level == all || int(f.Level) == s.level) {
				visit(f)
			}
		}
	}
}

// flow adds up one flow over replications, servers and the levels that its schema led to.
func (b *books) flow(s selection, distinguisher string) *cell {
	total := &cell{}
	b.eachFlow(s, func(f *flowRun) {
		if f.Distinguisher == distinguisher {
			total.counts.plus(&f.counts)
			total.waits.merge(&f.waits, coarse)
			total.seatTime.plus(f.occupancy.total)
		}
	})
	return total
}

// hasFlows tells whether any flow of a schema was told apart.
func (b *books) hasFlows(s selection) (found bool) {
	b.eachFlow(s, func(*flowRun) { found = true })
	return found
}
