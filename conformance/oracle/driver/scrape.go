package driver

import (
	"bytes"
	"reflect"
	"strings"
	"testing/synctest"
	"time"
	"unsafe"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/component-base/metrics/legacyregistry"
)

// told tells whether a metric is one that the simulator may tell too.
func told(name string) bool {
	switch name {
	case "apiserver_current_inflight_requests", "apiserver_current_inqueue_requests", "apiserver_dropped_requests_total":
		return true
	}
	return strings.HasPrefix(name, "apiserver_flowcontrol_")
}

// scrape begins what a server does for its metrics at its start, and scrapes it at time 0,
// which is now, and at the given times.
func (p *replayer) scrape(release *Release, times []Duration) <-chan []Scrape {
	result := make(chan []Scrape, 1)
	if len(times) == 0 {
		result <- nil
		return result
	}
	release.KindsInOrder()
	stop := make(chan struct{})
	beginSeconds(stop)
	go maintain(stop)
	if c, ok := p.server.Controller.(interface{ MaintainObservations(<-chan struct{}) }); ok {
		go c.MaintainObservations(stop)
	}
	synctest.Wait()
	all := []Scrape{{Text: text()}}
	go func() {
		defer close(stop)
		for _, at := range times {
			time.Sleep(time.Duration(at) - p.now())
			all = append(all, Scrape{time.Duration(at), text()})
		}
		result <- all
	}()
	return result
}

// beginSeconds begins the seconds over which the highest numbers of requests are taken. They end a nanosecond before
// the limits are adjusted and not with that, when what an adjustment lets go would be counted before or after them, or in
// part, as Go's scheduler has it.
func beginSeconds(stop <-chan struct{}) {
	first := make(chan struct{})
	filters.StartPriorityAndFairnessWatermarkMaintenance(first)
	synctest.Wait()
	close(first)
	go func() {
		time.Sleep(time.Second - time.Nanosecond)
		filters.StartPriorityAndFairnessWatermarkMaintenance(stop)
	}()
}

// gather reads the metrics of the process.
func gather() []*dto.MetricFamily {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		panic(err)
	}
	return families
}

// text writes the metrics of the process that concern flow control.
func text() string {
	var b bytes.Buffer
	for _, f := range gather() {
		if !told(f.GetName()) {
			continue
		}
		if _, err := expfmt.MetricFamilyToText(&b, f); err != nil {
			panic(err)
		}
	}
	return b.String()
}

// beginSamples lets the time by which samplers take samples go on from the start of the
// process, for which they have taken it down, with that of the bubble, which is long ago.
// Now has to be a whole millisecond of the bubble.
func beginSamples(samplers []any) {
	for _, s := range samplers {
		v := reflect.ValueOf(s)
		for v.Kind() == reflect.Struct { // the pointer is in the only field of structs
			v = v.Field(0)
		}
		began := exposed(v.Elem().FieldByName("t0")).Interface().(time.Time)
		exposed(v.Elem().FieldByName("clock")).Set(reflect.ValueOf(continued{began, time.Now()}))
	}
}

// exposed returns a private field of something that a pointer leads to, to be set.
func exposed(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// continued is a clock that shows a time of outside at a time of the bubble.
type continued struct{ outside, inside time.Time }

// Now is the time.
func (c continued) Now() time.Time { return c.outside.Add(time.Since(c.inside)) }

// Since is how long ago a time is.
func (c continued) Since(t time.Time) time.Duration { return c.Now().Sub(t) }
