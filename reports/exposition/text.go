package exposition

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/apfsim/apfsim/reports"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

// Times returns the times for which a result holds what the servers would have told, in their order.
func Times(r *reports.Result) []time.Duration {
	var times []time.Duration
	for i := range r.Expositions {
		if at := time.Duration(r.Expositions[i].Time); len(times) == 0 || times[len(times)-1] != at {
			times = append(times, at)
		}
	}
	return times
}

// WriteText writes what all servers would have told at a time in the text format of Prometheus. Several servers
// are told apart by a label instance, "apiserver-0" and so on, as a scrape of each would do.
// The time is one of Times.
func WriteText(w io.Writer, r *reports.Result, at time.Duration) error {
	var then []reports.Exposition
	for _, e := range r.Expositions {
		if time.Duration(e.Time) == at {
			then = append(then, e)
		}
	}
	if len(then) == 0 {
		panic(fmt.Sprintf("exposition: the result of %s holds nothing of %v", r.Metadata.Name, at))
	}
	for _, f := range families(then, len(r.Servers) > 1) {
		out := f.message()
		for i := range f.samples {
			out.Metric = append(out.Metric, f.samples[i].message())
		}
		if _, err := expfmt.MetricFamilyToText(w, out); err != nil {
			return err
		}
	}
	return nil
}

// WriteOpenMetrics writes what all servers would have told at all times, as OpenMetrics text with
// timestamps: time 0 of the run is the epoch. The series of one metric are together, each in the order of time, as
// promtool tsdb create-blocks-from openmetrics wants it. Of times within the same millisecond, which is what a
// timestamp can tell, only the first is written.
func WriteOpenMetrics(w io.Writer, r *reports.Result, epoch time.Time) error {
	for _, f := range families(distinctMillis(r.Expositions), len(r.Servers) > 1) {
		out := f.message()
		for i := range f.samples {
			m := f.samples[i].message()
			m.TimestampMs = new(epoch.UnixMilli() + f.samples[i].at.Milliseconds())
			out.Metric = append(out.Metric, m)
		}
		if _, err := expfmt.MetricFamilyToOpenMetrics(w, out); err != nil {
			return err
		}
	}
	_, err := expfmt.FinalizeOpenMetrics(w)
	return err
}

// distinctMillis leaves out what is of another time in the same millisecond.
func distinctMillis(all []reports.Exposition) []reports.Exposition {
	var kept []reports.Exposition
	for i := range all {
		at := time.Duration(all[i].Time)
		if n := len(kept); n > 0 {
			before := time.Duration(kept[n-1].Time)
			if at != before && at.Milliseconds() == before.Milliseconds() {
				continue
			}
		}
		kept = append(kept, all[i])
	}
	return kept
}

// family is a metric with what all servers told of it.
type family struct {
	*reports.MetricFamily
	samples []sample
}

// sample is a series at a time.
type sample struct {
	*reports.MetricFamily
	*reports.MetricSeries
	server   int
	instance string // "" for the only server
	at       time.Duration
}

// families gathers the metrics of several scrapes, in the order of their names; each with its series in
// the order of instances and labels, and then of time.
func families(all []reports.Exposition, several bool) []family {
	index := map[string]int{}
	var out []family
	for i := range all {
		e := &all[i]
		instance := ""
		if several {
			instance = "apiserver-" + strconv.Itoa(e.Server)
		}
		for j := range e.Families {
			f := &e.Families[j]
			place, known := index[f.Name]
			if !known {
				place = len(out)
				index[f.Name] = place
				out = append(out, family{MetricFamily: f})
			}
			for k := range f.Series {
				out[place].samples = append(out[place].samples, sample{f, &f.Series[k], e.Server, instance, time.Duration(e.Time)})
			}
		}
	}
	slices.SortFunc(out, func(a, b family) int { return cmp.Compare(a.Name, b.Name) })
	for i := range out {
		slices.SortStableFunc(out[i].samples, func(a, b sample) int {
			return cmp.Or(cmp.Compare(a.server, b.server), slices.Compare(a.MetricSeries.Labels, b.MetricSeries.Labels))
		})
	}
	return out
}

// message returns the metric without series.
func (f *family) message() *dto.MetricFamily {
	kinds := map[string]dto.MetricType{
		string(counter): dto.MetricType_COUNTER, string(gauge): dto.MetricType_GAUGE, string(histogram): dto.MetricType_HISTOGRAM,
	}
	kind := kinds[f.Type]
	return &dto.MetricFamily{Name: &f.Name, Help: &f.Help, Type: &kind}
}

// message returns one series.
func (s *sample) message() *dto.Metric {
	m := &dto.Metric{}
	if s.instance != "" {
		m.Label = append(m.Label, &dto.LabelPair{Name: new("instance"), Value: &s.instance})
	}
	for i := range s.MetricSeries.Labels {
		m.Label = append(m.Label, &dto.LabelPair{Name: &s.MetricFamily.Labels[i], Value: &s.MetricSeries.Labels[i]})
	}
	slices.SortFunc(m.Label, func(a, b *dto.LabelPair) int { return cmp.Compare(a.GetName(), b.GetName()) })
	value := float64(s.Value)
	switch s.Type {
	case string(counter):
		m.Counter = &dto.Counter{Value: &value}
	case string(gauge):
		m.Gauge = &dto.Gauge{Value: &value}
	default:
		m.Histogram = s.histogram()
	}
	return m
}

// histogram adds the buckets up.
func (s *sample) histogram() *dto.Histogram {
	h := &dto.Histogram{SampleSum: new(float64(s.Sum))}
	n := uint64(0)
	for i, count := range s.Counts {
		n += count
		if i < len(s.Buckets) {
			h.Bucket = append(h.Bucket, &dto.Bucket{UpperBound: &s.Buckets[i], CumulativeCount: new(n)})
		}
	}
	h.SampleCount = &n
	return h
}
