// Package scrape reads the metrics of kube-apiserver that concern flow control. It uses only what has kept its
// signature from k8s.io/apiserver 0.20 on.
package scrape

import (
	"bytes"
	"strings"
	"testing/synctest"
	"time"

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

// BeginSeconds begins the seconds over which the highest numbers of requests are taken. They end a nanosecond before
// the limits are adjusted and not with that, when what an adjustment lets go would be counted before or after them, or in
// part, as Go's scheduler has it.
func BeginSeconds(stop <-chan struct{}) {
	first := make(chan struct{})
	filters.StartPriorityAndFairnessWatermarkMaintenance(first)
	synctest.Wait()
	close(first)
	go func() {
		time.Sleep(time.Second - time.Nanosecond)
		filters.StartPriorityAndFairnessWatermarkMaintenance(stop)
	}()
}

// Gather reads the metrics of the process.
func Gather() []*dto.MetricFamily {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		panic(err)
	}
	return families
}

// Text writes the metrics of the process that concern flow control.
func Text() string {
	var b bytes.Buffer
	for _, f := range Gather() {
		if !told(f.GetName()) {
			continue
		}
		if _, err := expfmt.MetricFamilyToText(&b, f); err != nil {
			panic(err)
		}
	}
	return b.String()
}
