package exposition

import (
	"fmt"
	"slices"

	"github.com/apfsim/apfsim/scheduler/release"
)

// prefix begins the names of the metrics of package metrics of kube-apiserver's flow control.
const prefix = "apiserver_flowcontrol_"

// definition is a metric in a range of releases. A metric that changed has several.
type definition struct {
	name string
	id   id
	// since and until are the first and the last minor release, and patch is the first patch of since.
	since, patch, until int
	kind                kind
	stability           string
	help                string
	// labels are in the order of their names.
	labels  []string
	buckets []float64
	// deprecated is the minor release that deprecates the metric, 0 if none does.
	deprecated int
}

// kind is the type of a metric.
type kind string

const (
	counter   kind = "counter"
	gauge     kind = "gauge"
	histogram kind = "histogram"
	// timing is a histogram of a value over time.
	timing kind = "timing"
)

// The levels of stability.
const (
	alpha  = "ALPHA"
	beta   = "BETA"
	stable = "STABLE"
)

// last is the newest minor release.
var last = release.Last.Minor

// The buckets (pkg/util/flowcontrol/metrics/metrics.go).
var (
	secondsBuckets = []float64{0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30}
	seconds15      = []float64{0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30}
	lengthBuckets  = []float64{0, 10, 25, 50, 100, 250, 500, 1000}
	watchBuckets   = []float64{0, 1, 10, 100, 1000, 10000}
	widths10       = []float64{1, 2, 4, 10}
	widths100      = []float64{1, 2, 4, 8, 16, 32, 64, 100}
	tenths         = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}
	requestRatios  = []float64{0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1}
	seatRatios     = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1}
	kindRatios     = []float64{0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1}
	demandRatios   = []float64{0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6}
)

// The labels.
var (
	none       []string
	ofLevel    = []string{"priority_level"}
	ofSchema   = []string{"flow_schema", "priority_level"}
	ofReason   = []string{"flow_schema", "priority_level", "reason"}
	ofExecute  = []string{"execute", "flow_schema", "priority_level"}
	ofType     = []string{"flow_schema", "priority_level", "type"}
	ofBound    = []string{"bound", "priority_level"}
	ofSuccess  = []string{"priority_level", "success"}
	ofPhase    = []string{"phase", "priority_level"}
	ofMark     = []string{"mark", "phase", "priority_level"}
	ofKind     = []string{"request_kind"}
	ofKinds    = []string{"phase", "request_kind"}
	ofKindMark = []string{"mark", "phase", "request_kind"}
)

// catalog returns the metrics that a release shows, in the order of their names.
func catalog(v release.Version) []definition {
	var shown []definition
	for _, group := range [][]definition{requestMetrics, seatMetrics, timeMetrics, neighbours} {
		for _, d := range group {
			if d.in(v) && !d.hidden(v) {
				shown = append(shown, d)
			}
		}
	}
	slices.SortFunc(shown, func(a, b definition) int {
		switch {
		case a.name < b.name:
			return -1
		case a.name > b.name:
			return 1
		}
		panic("exposition: two definitions of " + a.name + " in " + v.String())
	})
	return shown
}

// in tells whether a release has the metric.
func (d *definition) in(v release.Version) bool {
	return v.Minor <= d.until && (v.Minor > d.since || v.Minor == d.since && v.Patch >= d.patch)
}

// hidden tells whether a release does not show the metric any more: it was deprecated in an
// earlier one (shouldHide in component-base's metrics/registry.go).
func (d *definition) hidden(v release.Version) bool {
	return d.deprecated > 0 && v.Minor > d.deprecated
}

// text returns the help text with what component-base puts in front of it.
func (d *definition) text(v release.Version) string {
	text := d.help
	if d.deprecated > 0 && v.Minor >= d.deprecated {
		text = fmt.Sprintf("(Deprecated since 1.%d.0) %s", d.deprecated, text)
	}
	text = fmt.Sprintf("[%s] %s", d.stability, text)
	if d.kind == timing {
		text = "EXPERIMENTAL: " + text
	}
	return text
}
