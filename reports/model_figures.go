package reports

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/apfsim/apfsim/reports/stats"
)

// Figure is one metric of one subject, as an expectation would be judged on it: over all
// replications, and of each by itself. What compares results, or judges how sure a result
// is, works on figures alone.
type Figure struct {
	Metric Metric `json:"metric"`
	// PriorityLevel, FlowSchema, Client and Server are the subject, as in Expectation. Without
	// any, the figure is of the whole run.
	PriorityLevel string `json:"priorityLevel,omitempty"`
	FlowSchema    string `json:"flowSchema,omitempty"`
	Client        string `json:"client,omitempty"`
	Server        *int   `json:"server,omitempty"`
	// Holder is the population that is blamed, of the metric blame.
	Holder string `json:"holder,omitempty"`
	// Quantile is of a distribution; absent is its mean, and for other metrics.
	Quantile float64 `json:"quantile,omitzero"`
	// Value is over all replications: of a distribution that of all samples together.
	Value Value `json:"value"`
	// Samples is the number of requests that the value rests on.
	Samples int64 `json:"samples"`
	// EffectiveSamples is how many independent samples would tell as much about a quantile: waits
	// in one queue depend on each other, so that it is often much less. Left out where it is not
	// known: with fewer than three replications, and for the maximum.
	EffectiveSamples int64 `json:"effectiveSamples,omitzero"`
	// FewSamples tells that a quantile rests on too few requests to be more than a hint: fewer
	// than one sample, or effective sample, lies beyond it.
	FewSamples bool `json:"fewSamples,omitzero"`
	// Replications are the values of the replications in their order; null where one has no
	// data.
	Replications []*Value `json:"replications"`
}

// Figures are the figures of a result.
type Figures []Figure

// Known returns the values of the replications that have the figure; false if one has no end.
func (f *Figure) Known() (samples []float64, ok bool) {
	for _, v := range f.Replications {
		switch {
		case v == nil:
		case math.IsInf(float64(*v), 0):
			return nil, false
		default:
			samples = append(samples, float64(*v))
		}
	}
	return samples, true
}

// Interval returns the mean of the figure over the replications, with its confidence interval;
// false if none has it, or if one has no end.
func (f *Figure) Interval() (stats.Interval, bool) {
	samples, ok := f.Known()
	if !ok || len(samples) == 0 {
		return stats.Interval{}, false
	}
	return stats.Mean(samples), true
}

// Value is a figure in its base unit: seconds for a time, else a number. JSON shows times to
// the nanosecond, other numbers with six significant digits unless they are whole, and what
// has no end as "+Inf".
type Value float64

// seconds makes the value of a time in nanoseconds.
func seconds(nanos float64) Value { return Value(nanos / 1e9) }

// Duration returns a value that is a time, to the nanosecond; math.MaxInt64 without end.
func (v Value) Duration() time.Duration {
	if math.IsInf(float64(v), 1) {
		return math.MaxInt64
	}
	return time.Duration(math.Round(float64(v) * 1e9))
}

// MarshalJSON writes a number, or "+Inf".
func (v Value) MarshalJSON() ([]byte, error) {
	x := float64(v)
	switch {
	case math.IsInf(x, 1):
		return []byte(`"+Inf"`), nil
	case math.IsNaN(x) || math.IsInf(x, -1):
		return nil, fmt.Errorf("reports: %v is no figure", x)
	}
	return strconv.AppendFloat(nil, x, 'f', -1, 64), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(text []byte) error {
	if string(text) == `"+Inf"` {
		*v = Value(math.Inf(1))
		return nil
	}
	return json.Unmarshal(text, (*float64)(v))
}
