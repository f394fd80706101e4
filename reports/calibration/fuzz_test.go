package calibration

import (
	"encoding/json"
	"io"
	"testing"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/workload/recording"
)

// FuzzObserved holds that whatever an observed file says is compared and written without a panic, unless it has a
// problem.
func FuzzObserved(f *testing.F) {
	f.Add([]byte(`{"servers":[{"intervals":[{"from":"0s","until":"30s","cells":[{"flowSchema":"a","priorityLevel":"b","arrivals":300,"executed":290,"rejected":{"queue-full":10},
		"wait":{"bounds":[0,0.1,1],"counts":[1,200,80,9],"sum":100},"execution":{"bounds":[0,0.1,1],"counts":[1,200,80,9],"sum":100}}],
		"levels":[{"priorityLevel":"b","nominalSeats":245,"seatsMean":12.5}]}]}]}`))
	f.Add([]byte(`{"servers":[{"name":"x","intervals":[{"from":"0s","until":"1s","cells":[{"arrivals":9223372036854775807,"executed":9223372036854775807,
		"wait":{"bounds":[],"counts":[9223372036854775807],"sum":1e308},"execution":{"bounds":[-1],"counts":[1,1],"sum":-1}}]},{"from":"1s","until":"2s","cells":[{"arrivals":9223372036854775807}]}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var o recording.Observed
		if json.Unmarshal(text, &o) != nil || o.Problem() != "" {
			return
		}
		spans := MetricSpans(&o, 0)
		other := o
		other.Servers = o.Servers[:1]
		c := &Calibration{}
		c.Compare(&Input{Recorded: FromMetrics(&o, spans, 0), Simulated: []*Side{FromMetrics(&other, spans, 0), FromMetrics(&o, spans, 0)}, Within: 0.05})
		for _, err := range []error{WriteText(io.Discard, c, TextOptions{All: true}), WriteMarkdown(io.Discard, c, true), reports.WriteIndented(io.Discard, c)} {
			if err != nil {
				t.Error(err)
			}
		}
	})
}
