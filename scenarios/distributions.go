package scenarios

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// distribution makes the distribution that is written at a path. It reports what is
// wrong and then returns the zero value.
func (d *decoder) distribution(path string, s *distributionSpec) workload.Distribution {
	kind, ok := d.oneOf(path, s)
	if !ok {
		return workload.Distribution{}
	}
	var out workload.Distribution
	var err error
	inner := join(path, kind)
	switch kind {
	case "constant":
		out, err = workload.Constant(time.Duration(*s.Constant))
	case "exponential":
		if d.requireAll(inner, "mean") {
			out, err = workload.Exponential(time.Duration(s.Exponential.Mean))
		}
	case "lognormal":
		if d.requireAll(inner, "p50", "p99") {
			out, err = workload.Lognormal(time.Duration(s.Lognormal.P50), time.Duration(s.Lognormal.P99))
		}
	case "gamma":
		if d.requireAll(inner, "mean", "cv") {
			out, err = workload.Gamma(time.Duration(s.Gamma.Mean), s.Gamma.CV)
		}
	case "weibull":
		if d.requireAll(inner, "mean", "shape") {
			out, err = workload.Weibull(time.Duration(s.Weibull.Mean), s.Weibull.Shape)
		}
	case "pareto":
		if d.requireAll(inner, "min", "max", "alpha") {
			out, err = workload.Pareto(time.Duration(s.Pareto.Min), time.Duration(s.Pareto.Max), s.Pareto.Alpha)
		}
	case "quantiles":
		return d.quantiles(path, s.Quantiles)
	}
	if err != nil {
		d.workloadFault(path, err)
	}
	return out
}

// shapeHint helps who writes a duration where a distribution is expected.
func (s *distributionSpec) shapeHint(n *node) string {
	if _, f := parseDuration("", n.text); n.kind == scalarNode && f == nil {
		return fmt.Sprintf("write {constant: %s}", n.text)
	}
	return didYouMean(n.text, fieldNames(reflect.TypeFor[distributionSpec]()))
}

// requireAll reports all fields that have to be there and are not. It tells whether
// all are there and sound; those of a preset, which the file does not hold, are.
func (d *decoder) requireAll(path string, fields ...string) bool {
	if !d.has(path) {
		return true
	}
	ok := true
	for _, f := range fields {
		ok = d.require(path, f, "") && ok
	}
	return ok
}

const quantileLegal = "points from p0 to p100, such as {p0: 1ms, p50: 4ms, p99.9: 80ms, p100: 2s}"

func (d *decoder) quantiles(path string, points map[string]duration) workload.Distribution {
	var list []workload.Quantile
	sound := true
	for _, key := range sortedKeys(points) {
		inner := join(path, "quantiles["+key+"]")
		p, err := strconv.ParseFloat(strings.TrimPrefix(key, "p"), 64)
		if err != nil || !strings.HasPrefix(key, "p") || !(p >= 0 && p <= 100) {
			d.refuse(inner, fault{code: CodeNotLegal, message: fmt.Sprintf("%q is no quantile", shorten(key)), legal: quantileLegal})
			sound = false
			continue
		}
		sound = sound && d.sound(inner)
		list = append(list, workload.Quantile{P: p / 100, Value: time.Duration(points[key])})
	}
	if !sound {
		return workload.Distribution{}
	}
	slices.SortFunc(list, func(a, b workload.Quantile) int { return cmp.Compare(a.P, b.P) })
	out, err := workload.Quantiles(list)
	if err != nil {
		d.workloadFault(path, err)
	}
	return out
}
