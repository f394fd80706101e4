package fullrun

import (
	"testing"
	"testing/synctest"
	"time"

	epmetrics "k8s.io/apiserver/pkg/endpoints/metrics"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"

	"github.com/apfsim/apfsim/conformance/oracle/driver/scrape"
)

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
				scrape.BeginSeconds(stop)
				all = append(all, Scrape{Text: scrape.Text()})
				go func() {
					defer close(scraped)
					for _, at := range times {
						time.Sleep(at - p.now())
						all = append(all, Scrape{Time: at, Text: scrape.Text()})
					}
				}()
			})
			<-scraped
			close(stop)
		})
	})
	return all
}
