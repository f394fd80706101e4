package fullrun

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/common/expfmt"
	epmetrics "k8s.io/apiserver/pkg/endpoints/metrics"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
)

// Scrape is what the real server told of its metrics at a time.
type Scrape struct {
	Time time.Duration
	// Text has the metrics that concern flow control, in the text format of Prometheus.
	Text string
}

// compared tells whether a metric is one that the simulator tells too.
func compared(name string) bool {
	switch name {
	case "apiserver_current_inflight_requests", "apiserver_current_inqueue_requests", "apiserver_dropped_requests_total":
		return true
	}
	return strings.HasPrefix(name, "apiserver_flowcontrol_")
}

// ReplayScraped sends the trace through the real server and scrapes it at time 0, when the
// configuration is in force and nothing has arrived, and at the given times, at which nothing else may
// happen. The metrics are those of the process and belong to the bubble in which they
// came up: a process can do this once.
func ReplayScraped(t *testing.T, sc *Scenario, trace []Request, times []time.Duration) []Scrape {
	t.Helper()
	metrics.Register()
	epmetrics.Register()
	var all []Scrape
	withWatchProgress(sc.ConsistentReads, func() {
		synctest.Test(t, func(t *testing.T) {
			stop := make(chan struct{})
			scraped := make(chan struct{})
			replay(sc, trace, func(p *replayer) {
				kindsInOrder()
				beginSeconds(stop)
				all = append(all, scrape(t, 0))
				go func() {
					defer close(scraped)
					for _, at := range times {
						time.Sleep(at - p.now())
						all = append(all, scrape(t, at))
					}
				}()
			})
			<-scraped
			close(stop)
		})
	})
	return all
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

// scrape gathers the metrics of the process.
func scrape(t *testing.T, at time.Duration) Scrape {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for _, f := range families {
		if !compared(f.GetName()) {
			continue
		}
		if _, err := expfmt.MetricFamilyToText(&text, f); err != nil {
			t.Fatal(err)
		}
	}
	return Scrape{at, text.String()}
}
