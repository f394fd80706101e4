package workload

import (
	"errors"
	"math"
	"testing"
	"time"
)

// TestConstructorsRefuse holds that parameters out of range are refused, with the name of
// the field and what would be legal.
func TestConstructorsRefuse(t *testing.T) {
	const max = MaxDuration
	second := func(_ Distribution, err error) error { return err }
	for _, c := range []struct {
		err   error
		field string
		legal string
	}{
		{second(Constant(-1)), "constant", "a duration from 0s to 640511h56m49.213693952s"},
		{second(Constant(max + 1)), "constant", "a duration from 0s to 640511h56m49.213693952s"},
		{second(Exponential(0)), "exponential.mean", "a duration from 1ns to 640511h56m49.213693952s"},
		{second(Lognormal(0, 1)), "lognormal.p50", "a duration from 1ns to 640511h56m49.213693952s"},
		{second(Lognormal(2*ms, 1*ms)), "lognormal.p99", "a duration from 2ms to 640511h56m49.213693952s"},
		{second(Lognormal(1, 1000*time.Second)), "lognormal.p99", "at most 1.27e10 times p50"},
		{second(Gamma(0, 1)), "gamma.mean", "a duration from 1ns to 640511h56m49.213693952s"},
		{second(Gamma(1, 0)), "gamma.cv", "a number from 0.01 to 100"},
		{second(Gamma(1, math.NaN())), "gamma.cv", "a number from 0.01 to 100"},
		{second(Weibull(-1, 1)), "weibull.mean", "a duration from 1ns to 640511h56m49.213693952s"},
		{second(Weibull(1, 0.05)), "weibull.shape", "a number from 0.1 to 100"},
		{second(Weibull(1, math.Inf(1))), "weibull.shape", "a number from 0.1 to 100"},
		{second(Pareto(0, 1, 1)), "pareto.min", "a duration from 1ns to 640511h56m49.213693952s"},
		{second(Pareto(2*ms, 1*ms, 1)), "pareto.max", "a duration from 2ms to 640511h56m49.213693952s"},
		{second(Pareto(1*ms, 2*ms, 0)), "pareto.alpha", "a number from 0.01 to 100"},
		{second(Quantiles(nil)), "quantiles", "points from p0 to p100"},
		{second(Quantiles([]Quantile{{0, 1}})), "quantiles", "points from p0 to p100"},
		{second(Quantiles([]Quantile{{0, 1}, {0.5, 2}})), "quantiles", "points from p0 to p100"},
		{second(Quantiles([]Quantile{{0.5, 1}, {1, 2}})), "quantiles", "points from p0 to p100"},
		{second(Quantiles([]Quantile{{0, 1}, {1.5, 2}})), "quantiles", "a number from 0 to 1"},
		{second(Quantiles([]Quantile{{0, 1}, {0.5, 2}, {0.5, 3}, {1, 4}})), "quantiles.p50", "points in rising order"},
		{second(Quantiles([]Quantile{{0, 5 * ms}, {0.999, 4 * ms}, {1, 6 * ms}})), "quantiles.p99.9", "a duration from 5ms to 640511h56m49.213693952s"},
		{second(Quantiles([]Quantile{{0, -1}, {1, 4}})), "quantiles.p0", "a duration from 0s to 640511h56m49.213693952s"},
	} {
		var fe *FieldError
		if !errors.As(c.err, &fe) {
			t.Errorf("%s: want a FieldError, got %v", c.field, c.err)
			continue
		}
		if fe.Field != c.field || fe.Legal != c.legal {
			t.Errorf("got %q, want the field %q and legal %q", fe, c.field, c.legal)
		}
	}
}

// TestDecay compares (1 - e^-x)/x with math.Expm1, on both sides of where the series ends.
func TestDecay(t *testing.T) {
	for x := -40.0; x < 40; x += 0.0173 {
		want := -math.Expm1(-x) / x
		if got := decay(x); math.Abs(got-want) > 4e-15*want {
			t.Errorf("decay(%v) = %v, want %v", x, got, want)
		}
	}
	if got := decay(0); got != 1 {
		t.Errorf("decay(0) = %v, want 1", got)
	}
}
