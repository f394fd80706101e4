package workload

import (
	"fmt"
	"time"
)

// Heartbeat is a node: its kubelet renews a lease and reports the node's status, and the node
// lifecycle controller looks at both and calls the node not ready when they are missing for too
// long.
//
// The requests of its population are, in this order: update the lease, get the lease, patch the
// node's status, get the node. The last two may be missing: then there is no status, and a lease
// alone brings a node back. Further requests are the groups of an Informer.
//
// A run begins amid the life of the nodes: each is somewhere in its periods.
type Heartbeat struct {
	// LeaseInterval is the pause from one renewal to the next, to which up to 4 % are added:
	// 10 s, a quarter of kubelet's nodeLeaseDurationSeconds.
	LeaseInterval time.Duration
	// StatusInterval is after how long a status that has not changed is sent: 5 m, kubelet's
	// nodeStatusReportFrequency. UpdateInterval is how often it looks whether it is time, to
	// which up to 4 % are added: 10 s, nodeStatusUpdateFrequency.
	StatusInterval, UpdateInterval time.Duration
	// GracePeriod is how long heartbeats may be missing before a node is not ready: 40 s, and
	// 50 s from Kubernetes 1.32 on (kube-controller-manager's node-monitor-grace-period).
	GracePeriod time.Duration
	// MonitorPeriod is how often the node lifecycle controller looks: 5 s.
	MonitorPeriod time.Duration
}

// DefaultHeartbeat returns the heartbeat of the current release (v1.37.2: kubelet's
// apis/config/v1beta1/defaults.go, and pkg/controller/nodelifecycle/config/v1alpha1/defaults.go).
func DefaultHeartbeat() Heartbeat {
	return Heartbeat{
		LeaseInterval:  10 * time.Second,
		StatusInterval: 5 * time.Minute,
		UpdateInterval: 10 * time.Second,
		GracePeriod:    50 * time.Second,
		MonitorPeriod:  5 * time.Second,
	}
}

// Requests is part of Behaviour.
func (h Heartbeat) Requests() int { return 2 }

// String is part of Behaviour.
func (h Heartbeat) String() string {
	return mapping("heartbeat", "leaseInterval", h.LeaseInterval.String(), "statusInterval", h.StatusInterval.String(),
		"updateInterval", h.UpdateInterval.String(), "gracePeriod", h.GracePeriod.String(), "monitorPeriod", h.MonitorPeriod.String())
}

// Validate is part of Behaviour.
func (h Heartbeat) Validate() []error {
	all := faultsOf(
		checkDuration("heartbeat.leaseInterval", h.LeaseInterval, time.Second),
		checkDuration("heartbeat.statusInterval", h.StatusInterval, time.Second),
		checkDuration("heartbeat.updateInterval", h.UpdateInterval, time.Second),
		checkDuration("heartbeat.gracePeriod", h.GracePeriod, time.Second),
		checkDuration("heartbeat.monitorPeriod", h.MonitorPeriod, time.Second))
	if len(all) == 0 && h.GracePeriod <= h.LeaseInterval {
		all = append(all, fault("heartbeat.gracePeriod", h.GracePeriod, fmt.Sprintf("longer than leaseInterval, which is %v", h.LeaseInterval)))
	}
	// A node that reports is found by going from one look to the next.
	if len(all) == 0 && h.StatusInterval/h.UpdateInterval > statusLooksMax {
		all = append(all, fault("heartbeat.statusInterval", h.StatusInterval, fmt.Sprintf("at most %d times updateInterval, which is %v", statusLooksMax, h.UpdateInterval)))
	}
	return all
}

// statusLooksMax bounds how often a node looks at its status before it sends it; the kubelet
// does 30 times.
const statusLooksMax = 10_000
