package scenarios

import "github.com/apfsim/apfsim/workload"

// The part of the format that is about clients that are state machines.

type informerSpec struct {
	At   *duration `json:"at,omitempty"`
	Over *duration `json:"over,omitempty"`
}

type heartbeatSpec struct {
	LeaseInterval  *duration `json:"leaseInterval,omitempty"`
	StatusInterval *duration `json:"statusInterval,omitempty"`
	UpdateInterval *duration `json:"updateInterval,omitempty"`
	GracePeriod    *duration `json:"gracePeriod,omitempty"`
	MonitorPeriod  *duration `json:"monitorPeriod,omitempty"`
}

type controllerSpec struct {
	Workers    *int     `json:"workers,omitempty"`
	Rate       *float64 `json:"rate,omitempty"`
	Initial    *int     `json:"initial,omitempty"`
	Keys       *int     `json:"keys,omitempty"`
	MaxRetries *int     `json:"maxRetries,omitempty"`
}

type recorderSpec struct {
	Rate      float64 `json:"rate"`
	Objects   *int    `json:"objects,omitempty"`
	Messages  *int    `json:"messages,omitempty"`
	Aggregate *bool   `json:"aggregate,omitempty"`
}

type sessionSpec struct {
	At    *duration         `json:"at,omitempty"`
	Over  *duration         `json:"over,omitempty"`
	Think *distributionSpec `json:"think"`
	Times *int              `json:"times,omitempty"`
	Steps []stepSpec        `json:"steps,omitempty"`
}

type stepSpec struct {
	Request  *int      `json:"request"`
	Times    *int      `json:"times,omitempty"`
	Together bool      `json:"together,omitempty"`
	Pause    *duration `json:"pause,omitempty"`
}

type rolloutSpec struct {
	At             *duration         `json:"at,omitempty"`
	MaxUnavailable *int              `json:"maxUnavailable,omitempty"`
	Start          *distributionSpec `json:"start"`
}

// newBehaviourSpec writes a behaviour with all its figures.
func newBehaviourSpec(b workload.Behaviour) *arrivalsSpec {
	l, ok := b.(workload.Lease)
	if !ok {
		return reread[arrivalsSpec](b)
	}
	// Its text leaves out what is 0, which some defaults are not.
	return &arrivalsSpec{Lease: &leaseSpec{
		Duration: durationRef(l.Duration), RenewDeadline: durationRef(l.RenewDeadline), RetryPeriod: durationRef(l.RetryPeriod),
		Candidates: &l.Candidates, Restart: durationRef(l.Restart), Release: l.Release, ListWhenLeading: l.ListWhenLeading,
	}}
}
