package reports

// Unit names what the values of a metric are, as in Value.
type Unit string

// The units. A share is from 0 to 1; what clients and servers do is counted as it is called.
const (
	UnitSeconds Unit = "seconds"
	UnitSeats   Unit = "seats"
	UnitShare   Unit = "share"
	UnitCount   Unit = "count"
)

// Unit tells what the values of a metric are.
func (m Metric) Unit() Unit {
	switch {
	case m.isTime():
		return UnitSeconds
	case m == MetricSeats || m == MetricSeatsPeak || m == MetricLimit:
		return UnitSeats
	case m.isShare():
		return UnitShare
	}
	return UnitCount
}

// IsDistribution tells that the values of a metric are quantiles of a distribution, or its mean.
func (m Metric) IsDistribution() bool { return m.hasQuantiles() }
