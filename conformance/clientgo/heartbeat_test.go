package clientgo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/component-helpers/apimachinery/lease"
	"k8s.io/utils/clock"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/worldtest"
)

// nodeClient is the client of a kubelet that has one lease.
type nodeClient struct {
	kubernetes.Interface
	coordination.CoordinationV1Interface
	coordination.LeaseInterface
	*play
}

func (c *nodeClient) CoordinationV1() coordination.CoordinationV1Interface { return c }
func (c *nodeClient) Leases(string) coordination.LeaseInterface            { return c }

func (c *nodeClient) Get(ctx context.Context, _ string, _ metav1.GetOptions) (*coordinationv1.Lease, error) {
	return c.send(ctx, 1)
}

func (c *nodeClient) Update(ctx context.Context, _ *coordinationv1.Lease, _ metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	return c.send(ctx, 0)
}

func (c *nodeClient) send(ctx context.Context, request int32) (*coordinationv1.Lease, error) {
	s, err := c.call(ctx, 0, request, 0)
	switch {
	case err != nil:
		return nil, err
	case s != workload.OK:
		return nil, failure(s)
	}
	return &coordinationv1.Lease{}, nil
}

// realNode runs the lease controller of a kubelet.
func realNode(t *testing.T, p *play, interval, run time.Duration) {
	synctest.Test(t, func(*testing.T) {
		p.start = time.Now()
		before := jitterRand
		defer func() { jitterRand = before }()
		jitterRand = func() float64 { return p.uniform(p.now()) }
		c := &nodeClient{play: p}
		controller := lease.NewController(clock.RealClock{}, kubernetesOnly{c}, "node", 40, nil, interval, "node", "kube-node-lease", nil)
		ctx, cancel := context.WithCancel(context.Background())
		go controller.Run(ctx)
		time.Sleep(run)
		cancel()
		time.Sleep(time.Hour)
	})
}

// kubernetesOnly hides the methods that the parts of a nodeClient have in common.
type kubernetesOnly struct{ *nodeClient }

// TestNodeLeaseEqualsUpstream lets a node renew its lease while the server has its troubles. A
// real kubelet reads its lease first and ours has long known it, so they are compared from the
// second renewal of the real one on.
func TestNodeLeaseEqualsUpstream(t *testing.T) {
	const run = 30 * time.Minute
	reads := 0
	for i := range uint64(80 * *times) {
		n := random(17<<20 + i)
		interval := pick(n, 10*time.Second, 1+exponential(n, 20*time.Second))
		p := &play{seed: i, usual: 50 * time.Millisecond, windows: drawTroubles(18<<20+i, run, pick(n, time.Millisecond, 10*time.Second),
			workload.Refused, workload.TimedOut, workload.Failed, workload.TooManyRequests)}
		for k := range p.windows {
			p.windows[k].from += 2 * (interval + time.Second)
			p.windows[k].to += 2 * (interval + time.Second)
		}
		realNode(t, p, interval, run)
		second := at(p.sent[2])
		// Ours begins in the middle of an interval.
		shift := second - interval/2
		w := worldtest.New(workload.Heartbeat{LeaseInterval: interval, GracePeriod: time.Hour, MonitorPeriod: time.Hour}.Machine(1, make([]workload.Template, 2)), 1,
			func(now time.Duration, r worldtest.Request) (time.Duration, workload.Answer) {
				return p.respond(now+shift, r)
			})
		w.Script = func(int32) float64 {
			if w.Now() == 0 {
				return 0.5
			}
			return p.uniform(w.Now() + shift)
		}
		w.Start()
		w.RunUntil(run - shift)
		ours := sends(w.Lines)
		for k, line := range ours {
			_, what, _ := strings.Cut(line, " ")
			ours[k] = fmt.Sprintf("%v %s", at(line)+shift, what)
		}
		theirs := slices.DeleteFunc(p.sent[2:], func(line string) bool { return at(line) >= run })
		equal(t, fmt.Sprintf("%d, each %v, %+v", i, interval, p.windows), ours, theirs, 30)
		for _, line := range ours {
			if strings.HasSuffix(line, "sends 1") {
				reads++
			}
		}
	}
	if reads < 500 {
		t.Errorf("a lease was read %d times: too few to mean anything", reads)
	}
}
