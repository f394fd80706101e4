package clientgo

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clientfeatures "k8s.io/client-go/features"
	featurestesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/worldtest"
)

// ending is the end of all watches that are open at a time.
type ending struct {
	at     time.Duration
	status workload.Status
}

// resource is a resource as a reflector sees it: what the play says, with the time as the version.
type resource struct {
	*play
	endings []ending
	mu      sync.Mutex
	// timeouts are the lengths of the watches that were asked for, by the time of the request.
	timeouts map[time.Duration]int64
	// firsts is the index of the first request: the stream, or the LIST.
	stream bool
}

// The requests of a reflector that asks for initial events. One that does not has no stream.
func (c *resource) request(name string) int32 {
	n := map[string]int32{"stream": 0, "list": 1, "watch": 2}[name]
	if !c.stream {
		n--
	}
	return n
}

// versionAt is the version of the resource now.
func (c *resource) version() string { return strconv.FormatInt(int64(c.now()), 10) }

// since is what a client knows that names a version.
func since(version string) time.Duration {
	if version == "" {
		return 0
	}
	n, err := strconv.ParseInt(version, 10, 64)
	if err != nil {
		panic(err)
	}
	return time.Duration(n)
}

// failure is an answer as client-go's rest client gives it.
func failure(s workload.Status) error {
	switch s {
	case workload.TooManyRequests:
		return apierrors.NewTooManyRequests("wait", 1)
	case workload.Refused:
		return fmt.Errorf("dial: %w", syscall.ECONNREFUSED)
	case workload.Expired:
		return apierrors.NewResourceExpired("too old")
	case workload.Failed:
		return apierrors.NewInternalError(errFailed)
	case workload.Unavailable:
		return apierrors.NewServiceUnavailable("unavailable")
	}
	return errFailed
}

func (c *resource) list(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	s, err := c.call(ctx, 0, c.request("list"), since(o.ResourceVersion))
	if err != nil {
		return nil, err
	}
	if s != workload.OK {
		return nil, failure(s)
	}
	return &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: c.version()}}, nil
}

// watch is a request for a watch. One whose connection breaks before the answer is to client-go a
// watch that has ended (Request.Watch).
func (c *resource) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	c.mu.Lock()
	c.timeouts[c.now()] = *o.TimeoutSeconds
	c.mu.Unlock()
	asked := c.now()
	initial := o.SendInitialEvents != nil && *o.SendInitialEvents
	name := "watch"
	if initial {
		name = "stream"
	}
	s, err := c.call(ctx, 0, c.request(name), since(o.ResourceVersion))
	switch {
	case err != nil:
		return nil, err
	case s == workload.Lost || s == workload.TimedOut:
		return watch.NewEmptyWatch(), nil
	case s != workload.OK:
		return nil, failure(s)
	}
	w := &opened{out: make(chan watch.Event, 2), stopped: make(chan struct{})}
	if initial {
		w.out <- c.bookmark(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
		asked = c.now() // the watch counts from the end of the initial events
	}
	go w.serve(c, asked, time.Duration(*o.TimeoutSeconds)*time.Second)
	return w, nil
}

func (c *resource) bookmark(annotations map[string]string) watch.Event {
	return watch.Event{Type: watch.Bookmark, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: c.version(), Annotations: annotations}}}
}

// opened is an open watch.
type opened struct {
	out     chan watch.Event
	stopped chan struct{}
	once    sync.Once
}

func (w *opened) Stop()                          { w.once.Do(func() { close(w.stopped) }) }
func (w *opened) ResultChan() <-chan watch.Event { return w.out }

// serve ends a watch when its time is over, or when all watches end. Before the end it tells the
// version, unless it was asked for less than a second ago.
func (w *opened) serve(c *resource, asked, timeout time.Duration) {
	defer close(w.out)
	began := c.now()
	end := ending{at: began + timeout}
	for _, e := range c.endings {
		if e.at > began && e.at < end.at {
			end = e
			break
		}
	}
	select {
	case <-w.stopped:
		return
	case <-time.After(end.at - began):
	}
	switch s := end.status; {
	case s == workload.OK || s == workload.Lost:
		if c.now()-asked >= time.Second {
			w.out <- c.bookmark(nil)
		}
	default:
		status := apierrors.NewInternalError(errFailed).Status()
		if err, ok := failure(s).(apierrors.APIStatus); ok {
			status = err.Status()
		}
		w.out <- watch.Event{Type: watch.Error, Object: &status}
	}
}

// realReflector runs client-go's reflector.
func realReflector(t *testing.T, c *resource, run time.Duration) {
	featurestesting.SetFeatureDuringTest(t, clientfeatures.WatchListClient, c.stream)
	// The handlers of errors log, and sleep for as long as the clock is behind that of the program.
	handlers := utilruntime.ErrorHandlers
	defer func() { utilruntime.ErrorHandlers = handlers }()
	utilruntime.ErrorHandlers = nil
	synctest.Test(t, func(*testing.T) {
		c.start = time.Now()
		before := jitterRand
		defer func() { jitterRand = before }()
		jitterRand = func() float64 { return c.uniform(c.now()) }
		lw := &cache.ListWatch{ListWithContextFunc: c.list, WatchFuncWithContext: c.watch}
		r := cache.NewReflectorWithOptions(lw, &corev1.Pod{}, cache.NewStore(cache.MetaNamespaceKeyFunc), cache.ReflectorOptions{})
		ctx, cancel := context.WithCancel(context.Background())
		var done sync.WaitGroup
		done.Go(func() { r.RunWithContext(ctx) })
		time.Sleep(run)
		cancel()
		done.Wait()
		time.Sleep(time.Hour) // for watches that nobody has stopped
	})
}

// ourReflector runs ours, and returns what it has sent. The lengths of its watches are those that
// client-go has drawn, from a source that no test can replace.
func ourReflector(c *resource, run time.Duration) *worldtest.World {
	templates := []workload.Template{{Verb: "list"}, {Verb: "watch"}}
	watches := []int32{1}
	if c.stream {
		templates = append([]workload.Template{{Verb: "watch", Options: workload.RawOptions{SendInitialEvents: true}}}, templates...)
		watches = []int32{0, 2}
	}
	w := worldtest.New(workload.Informer{}.Machine(1, templates), 1, c.respond)
	w.Watches = watches
	w.Script = func(int32) float64 {
		if seconds, ok := c.timeouts[w.Now()]; ok {
			return (float64(seconds) - 299.5) / 300
		}
		return c.uniform(w.Now())
	}
	w.Start()
	for _, e := range c.endings {
		w.At(e.at, func() { w.EndWatches(workload.Answer{Status: e.status}) })
	}
	w.RunUntil(run)
	return w
}

// TestReflectorEqualsUpstream lets a reflector list and watch while the server has its troubles
// and ends watches, with initial events and without.
func TestReflectorEqualsUpstream(t *testing.T) {
	const run = time.Hour
	seen := map[workload.Status]int{}
	relisted := 0
	for i := range uint64(150 * *times) {
		c := &resource{timeouts: map[time.Duration]int64{}, stream: i%2 == 0, play: &play{
			seed: i, usual: 300 * time.Millisecond,
			windows: drawTroubles(11<<20+i, run, pick(random(i), 100*time.Millisecond, 5*time.Second), workload.TooManyRequests,
				workload.TimedOut, workload.Failed, workload.Expired, workload.Refused, workload.Lost, workload.Unavailable),
		}}
		// Sometimes there is trouble from the beginning.
		if i%3 == 0 {
			c.windows[0].from, c.windows[0].to = 0, c.windows[0].to-c.windows[0].from
		}
		r := random(12<<20 + i)
		for now := time.Duration(0); now < run; {
			now += pick(r, 1+exponential(r, 2*time.Minute), 1+exponential(r, 5*time.Second))
			e := ending{now, pick(r, workload.OK, workload.Lost, workload.Expired, workload.TooManyRequests, workload.Failed)}
			c.endings = append(c.endings, e)
			seen[e.status]++
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) { realReflector(t, c, run) })
		w := ourReflector(c, run)
		var theirs []string
		for _, line := range c.sent {
			if at(line) < run {
				theirs = append(theirs, line)
			}
		}
		equal(t, fmt.Sprintf("%d, stream %v, %+v", i, c.stream, c.windows), sends(w.Lines), theirs, 20)
		relisted += len(sends(w.Lines, "relisted")) - len(sends(w.Lines))
	}
	if relisted < 500 {
		t.Errorf("%d LISTs after the first, and watches that ended %v: too few to mean anything", relisted, seen)
	}
}
