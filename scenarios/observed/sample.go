package observed

import (
	"math"
	"slices"
	"strings"
)

// noTime stands for the time of a sample that has none of its own.
const noTime = math.MinInt64

// sample is one value of one series.
type sample struct {
	name   string
	labels []label
	// at is its time in nanoseconds since 1970, or noTime.
	at    int64
	value float64
}

// label is a label of a series with its value.
type label struct{ name, value string }

// label returns the value of the first of the labels that the series has, "" without any.
func (s *sample) label(names ...string) string {
	for _, name := range names {
		for i := range s.labels {
			if s.labels[i].name == name {
				return s.labels[i].value
			}
		}
	}
	return ""
}

// prefix begins the names of the metrics of flow control.
const prefix = "apiserver_flowcontrol_"

// neighbours are the metrics beside those of flow control that are read.
var neighbours = []string{"kubernetes_build_info", "process_start_time_seconds"}

// wanted tells whether a metric is read at all. A server tells of thousands of others.
func wanted(name string) bool {
	return strings.HasPrefix(name, prefix) || slices.Contains(neighbours, name)
}
