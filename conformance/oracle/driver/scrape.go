package driver

import (
	"reflect"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/apfsim/apfsim/conformance/oracle/driver/scrape"
)

// scrapeAt begins what a server does for its metrics at its start, and scrapes it at time 0,
// which is now, and at the given times.
func (p *replayer) scrapeAt(release *Release, times []Duration) <-chan []Scrape {
	result := make(chan []Scrape, 1)
	if len(times) == 0 {
		result <- nil
		return result
	}
	release.KindsInOrder()
	stop := make(chan struct{})
	scrape.BeginSeconds(stop)
	go maintain(stop)
	if c, ok := p.server.Controller.(interface{ MaintainObservations(<-chan struct{}) }); ok {
		go c.MaintainObservations(stop)
	}
	synctest.Wait()
	all := []Scrape{{Text: scrape.Text()}}
	go func() {
		defer close(stop)
		for _, at := range times {
			time.Sleep(time.Duration(at) - p.now())
			all = append(all, Scrape{Time: time.Duration(at), Text: scrape.Text()})
		}
		result <- all
	}()
	return result
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
