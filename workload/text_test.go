package workload

import (
	"fmt"
	"testing"
	"time"
)

// TestString holds that everything prints as a scenario file has it.
func TestString(t *testing.T) {
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{Distribution{}, "none"},
		{must(Constant(ms)), "constant: 1ms"},
		{must(Exponential(90 * time.Second)), "exponential: {mean: 1m30s}"},
		{must(Lognormal(40*ms, 400*ms)), "lognormal: {p50: 40ms, p99: 400ms}"},
		{must(Gamma(ms, 0.25)), "gamma: {mean: 1ms, cv: 0.25}"},
		{must(Weibull(ms, 1.5)), "weibull: {mean: 1ms, shape: 1.5}"},
		{must(Pareto(ms, time.Second, 1.1)), "pareto: {min: 1ms, max: 1s, alpha: 1.1}"},
		{must(Quantiles([]Quantile{{0, 0}, {0.5, ms}, {0.999, 2 * ms}, {1, time.Second}})),
			"quantiles: {p0: 0s, p50: 1ms, p99.9: 2ms, p100: 1s}"},
		{Arrivals{}, "none"},
		{Poisson(0.1), "poisson: {rate: 0.1}"},
		{Periodic(time.Second, ms), "periodic: {every: 1s, jitter: 1ms}"},
		{Burst(time.Second, 5, 2*time.Second), "burst: {at: 1s, count: 5, over: 2s}"},
		{Stages([]Stage{{0, 5}, {time.Minute, 1e6}}), "stages: [{duration: 0s, rate: 5}, {duration: 1m0s, rate: 1e+06}]"},
		{Closed{3, must(Constant(0))}, "closed: {concurrency: 3, think: {constant: 0s}}"},
		{Lease{Duration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}, "lease: {duration: 15s, renewDeadline: 10s, retryPeriod: 2s}"},
		{Retry{}, "retry: {policy: none}"},
		{Retry{Policy: RetryClientGo}, "retry: {policy: client-go, maxRetries: 10}"},
		{Retry{Policy: RetryImmediate}, "retry: {policy: immediate, turnaround: 1ms}"},
		{Retry{Policy: RetryFixed, Every: time.Second, Jitter: 0.1, MaxRetries: 3}, "retry: {policy: fixed, every: 1s, jitter: 0.1, maxRetries: 3, turnaround: 1ms}"},
		{Retry{Policy: RetryExponential, Base: time.Second}, "retry: {policy: exponential, base: 1s, factor: 2, turnaround: 1ms}"},
		{Retry{Policy: RetryExponential, Base: time.Second, Factor: 1.5, Cap: time.Minute, Jitter: 1, Turnaround: 5}, "retry: {policy: exponential, base: 1s, factor: 1.5, cap: 1m0s, jitter: 1, turnaround: 5ns}"},
		{RetryClientGo, "client-go"},
		{KindLognormal, "lognormal"},
		{KindStages, "stages"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
