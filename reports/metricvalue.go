package reports

import (
	"fmt"
	"math"
	"strconv"
)

// MetricValue is a number of a metric, with all its digits. In JSON it is a number, or, where it is none,
// the text that Prometheus has for it: "NaN", "+Inf" or "-Inf".
type MetricValue float64

// MarshalJSON implements json.Marshaler.
func (v MetricValue) MarshalJSON() ([]byte, error) {
	f := float64(v)
	switch {
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case math.IsInf(f, 0):
		return []byte(`"` + strconv.FormatFloat(f, 'g', -1, 64) + `"`), nil
	case f == math.Trunc(f) && math.Abs(f) < 1e15:
		return strconv.AppendFloat(nil, f, 'f', -1, 64), nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *MetricValue) UnmarshalJSON(text []byte) error {
	s := string(text)
	if unquoted, err := strconv.Unquote(s); err == nil {
		s = unquoted
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return fmt.Errorf("%s is no value of a metric", text)
	}
	*v = MetricValue(f)
	return nil
}
