package workload

import (
	"slices"
	"sort"
	"time"
)

// Quantile is one point of an empirical distribution: a share P of the values is at most
// Value.
type Quantile struct {
	P     float64 // 0 to 1
	Value time.Duration
}

// quantileTable is an inverse distribution function, linear between its points.
type quantileTable struct{ points []Quantile }

// Quantiles returns the distribution with the given quantiles, linear between them. There
// must be one for 0 and one for 1; P must rise and Value must not fall.
func Quantiles(points []Quantile) (Distribution, error) {
	for i, p := range points {
		field := "quantiles.p" + number(p.percent())
		if err := checkNumber("quantiles", p.P, 0, 1); err != nil {
			return Distribution{}, err
		}
		least := time.Duration(0)
		if i > 0 {
			least = points[i-1].Value
			if p.P <= points[i-1].P {
				return Distribution{}, &FieldError{field, "is not above the one before it", "points in rising order"}
			}
		}
		if err := checkDuration(field, p.Value, least); err != nil {
			return Distribution{}, err
		}
	}
	n := len(points)
	if n < 2 || points[0].P != 0 || points[n-1].P != 1 {
		return Distribution{}, &FieldError{"quantiles", "has no p0 or no p100", "points from p0 to p100"}
	}
	table := &quantileTable{slices.Clone(points)}
	return Distribution{kind: KindQuantiles, table: table, mean: table.mean()}, nil
}

// mean is the area under the inverse distribution function: trapezoids.
func (t *quantileTable) mean() time.Duration {
	sum := 0.0
	for i := 1; i < len(t.points); i++ {
		p, q := t.points[i-1], t.points[i]
		sum += float64((q.P - p.P) * (float64(p.Value) + float64(q.Value)) / 2)
	}
	return toDuration(sum)
}

// at returns the value at u in [0, 1).
func (t *quantileTable) at(u float64) time.Duration {
	i := sort.Search(len(t.points)-1, func(i int) bool { return u < t.points[i].P })
	p, q := t.points[i-1], t.points[i]
	x := (u - p.P) / (q.P - p.P)
	return min(p.Value+toDuration(x*float64(q.Value-p.Value)), q.Value)
}

func (t *quantileTable) equal(u *quantileTable) bool {
	if t == nil || u == nil {
		return t == u
	}
	return slices.Equal(t.points, u.points)
}
