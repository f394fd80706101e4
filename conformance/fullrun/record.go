package fullrun

import (
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// recorder observes a run of the simulator and writes down what its clients send.
type recorder struct {
	sim.Silent
	config *sim.Config
	limit  int
	trace  []Request
}

var _ sim.Observer = (*recorder)(nil)

// Record runs a scenario with clients of its own and returns at most the first limit
// requests that they send.
func Record(config *sim.Config, limit int) ([]Request, error) {
	r := &recorder{config: config, limit: limit}
	if _, err := sim.Run(config, 0, r, nil); err != nil {
		return nil, err
	}
	return r.trace, nil
}

// Arrived writes a request down.
func (r *recorder) Arrived(now time.Duration, q *sim.Request) {
	if len(r.trace) == r.limit {
		return
	}
	population := &r.config.Populations[q.Population]
	t := &population.Requests[q.Template]
	expand := func(pattern string) string { return workload.Expand(pattern, int(q.Client)) }
	r.trace = append(r.trace, Request{
		Arrival: Duration(now), Duration: Duration(q.Execution), Timeout: Duration(t.Timeout),
		User: expand(population.User), Groups: population.Groups,
		Verb: t.Verb, APIGroup: t.APIGroup, Resource: t.Resource, Subresource: t.Subresource,
		Namespace: expand(t.Namespace), Name: expand(t.Name), Path: expand(t.Path),
		Limit: t.Options.Limit, ResourceVersion: t.Options.ResourceVersion, ResourceVersionMatch: t.Options.ResourceVersionMatch,
		Continue: t.Options.Continue, FieldSelector: t.Options.FieldSelector, LabelSelector: t.Options.LabelSelector,
		SendInitialEvents: t.Options.SendInitialEvents,
	})
}

// Start concerns nobody here, and so do all the following.
func (*recorder) Start(*sim.World) {}

// Dispatched is not recorded.
func (*recorder) Dispatched(time.Duration, *sim.Request) {}

// Rejected is not recorded.
func (*recorder) Rejected(time.Duration, *sim.Request) {}

// Finished is not recorded.
func (*recorder) Finished(time.Duration, *sim.Request) {}

// Released is not recorded.
func (*recorder) Released(time.Duration, *sim.Request) {}

// Adjusted is not recorded.
func (*recorder) Adjusted(time.Duration, int32) {}

// Reconfigured is not recorded.
func (*recorder) Reconfigured(time.Duration, int32) {}

// End is not recorded.
func (*recorder) End(time.Duration, bool) {}
