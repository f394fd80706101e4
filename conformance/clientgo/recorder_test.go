package clientgo

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/worldtest"
)

// sink is where a real recorder sends its events.
type sink struct {
	*play
	// there are the events that the server has, by their names.
	there map[string]bool
	// failures counts the requests about the current event that could not reach the server, failed
	// is when the latest one was, and slept how long the pauses after the first ones were, by that
	// time.
	failures int
	failed   time.Duration
	slept    map[time.Duration]time.Duration
}

func (s *sink) Create(e *corev1.Event) (*corev1.Event, error) {
	err := s.send(0)
	if err == nil {
		s.there[e.Name] = true
	}
	return e, err
}

func (s *sink) Update(e *corev1.Event) (*corev1.Event, error) { return e, errFailed }

func (s *sink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	if err := s.send(1); err != nil {
		return nil, err
	}
	if !s.there[e.Name] {
		return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "events"}, e.Name)
	}
	return e, nil
}

// send is a request. Its first retry tells how long the client has slept, a random time.
func (s *sink) send(request int32) error {
	if s.failures == 1 {
		s.slept[s.failed] = s.now() - s.failed
	}
	status, err := s.call(context.Background(), 0, request, 0)
	if err != nil {
		return err
	}
	switch status {
	case workload.OK:
		s.failures = 0
		return nil
	case workload.Refused, workload.Lost:
		s.failed = s.now()
		if s.failures++; s.failures == 12 {
			s.failures = 0 // the event is given up
		}
		return failure(status)
	}
	s.failures = 0
	return apierrors.NewGenericServerResponse(http.StatusInternalServerError, "post", schema.GroupResource{}, "", "", 0, true)
}

// happening is an event that a client records: the object and the message, -1 for one of its own.
type happening struct {
	at              time.Duration
	object, message int
}

// told finds out when things happen in our machine, which does not depend on the server: it is at
// the times for which it wants to be woken.
type told struct {
	*worldtest.World
	at []time.Duration
}

func (w *told) Wake(client, timer int32, at time.Duration) {
	if timer == -1 {
		w.at = append(w.at, at)
	}
	w.World.Wake(client, timer, at)
}

// tellsWakes lets a machine see a told world.
type tellsWakes struct {
	workload.Machine
	world *told
}

func (m tellsWakes) Start(_ workload.World, client int32) { m.Machine.Start(m.world, client) }
func (m tellsWakes) Due(_ workload.World, client, timer int32) {
	m.Machine.Due(m.world, client, timer)
}

// draws is what a recorder of ours draws: for each instant the numbers that are drawn then, one
// after the other.
func (p *play) draws(now time.Duration, n int) float64 {
	return float64(mix(p.seed, uint64(now), 2, uint64(n))>>11) / (1 << 53)
}

// ourRecorder runs ours, and returns what happens, too.
func ourRecorder(p *play, r workload.Recorder, run time.Duration, slept map[time.Duration]time.Duration) ([]string, []happening) {
	m := r.Machine(1, make([]workload.Template, 2))
	w := &told{World: worldtest.New(nil, 1, p.respond)}
	w.Machine = tellsWakes{m, w}
	last, n := time.Duration(-1), 0
	w.Script = func(int32) float64 {
		if d, ok := slept[w.Now()]; ok {
			return (float64(d) + 0.5) / float64(10*time.Second)
		}
		if w.Now() != last {
			last, n = w.Now(), -1
		}
		n++
		return p.draws(w.Now(), n)
	}
	w.Start()
	w.RunUntil(run)
	var happens []happening
	for _, at := range w.at {
		h, n := happening{at: at, message: -1}, 0
		if r.Objects > 1 {
			h.object = int(p.draws(at, n) * float64(r.Objects))
			n++
		}
		if r.Messages > 0 {
			h.message = int(p.draws(at, n) * float64(r.Messages))
		}
		happens = append(happens, h)
	}
	return w.Lines, happens
}

// realRecorder runs client-go's.
func realRecorder(t *testing.T, s *sink, happens []happening, run time.Duration) {
	synctest.Test(t, func(*testing.T) {
		s.start = time.Now()
		b := record.NewBroadcaster(record.WithContext(context.Background()))
		b.StartRecordingToSink(s)
		r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "test"})
		var done sync.WaitGroup
		done.Go(func() {
			for i, h := range happens {
				if h.at >= run {
					break
				}
				time.Sleep(h.at - s.now())
				message := fmt.Sprint("message ", h.message)
				if h.message < 0 {
					message = fmt.Sprint("unique ", i)
				}
				r.Event(&corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: fmt.Sprint("pod-", h.object), APIVersion: "v1"}, corev1.EventTypeNormal, "Reason", message)
			}
		})
		done.Wait()
		time.Sleep(run - s.now())
		b.Shutdown()
		time.Sleep(time.Hour)
	})
}

// TestRecorderEqualsUpstream lets events happen about several objects: too similar, too many, and
// while the server cannot be reached or rejects them.
func TestRecorderEqualsUpstream(t *testing.T) {
	const run = 20 * time.Minute
	patches := 0
	for i := range uint64(40 * *times) {
		n := random(13<<20 + i)
		ours := workload.Recorder{
			Rate: pick(n, 0.05, 0.3, 1), Objects: 1 + n.IntN(12), Messages: pick(n, 0, 1, 3, 9), Aggregate: true,
		}
		p := &play{seed: i, usual: 50 * time.Millisecond, windows: drawTroubles(14<<20+i, run, time.Second,
			workload.Refused, workload.Lost, workload.Failed, workload.TooManyRequests)}
		_, happens := ourRecorder(p, ours, run, nil)
		s := &sink{play: p, there: map[string]bool{}, slept: map[time.Duration]time.Duration{}}
		realRecorder(t, s, happens, run)
		lines, _ := ourRecorder(p, ours, run, s.slept)
		var theirs []string
		for _, line := range p.sent {
			if at(line) < run {
				theirs = append(theirs, line)
			}
		}
		equal(t, fmt.Sprintf("%d %v %+v", i, ours, p.windows), sends(lines), theirs, 5)
		for _, line := range lines {
			if line[len(line)-len("sends 1"):] == "sends 1" {
				patches++
			}
		}
	}
	if patches < 300 {
		t.Errorf("%d patches: too few to mean anything", patches)
	}
}
