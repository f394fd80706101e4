package plots

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{moment(0), "0s"}, {moment(90), "1m30s"}, {moment(120), "2m"}, {moment(7200), "2h"}, {moment(0.01), "10ms"}, {moment(36000), "10h"},
		{lasting(0), "0"}, {lasting(0.0123456), "12.3ms"}, {lasting(0.9999), "1s"}, {lasting(59.96), "1m"}, {lasting(75.4), "1m15s"}, {lasting(2e-7), "200ns"},
		{compact(0), "0"}, {compact(999), "999"}, {compact(1500), "1.5k"}, {compact(2e6), "2M"}, {compact(0.25), "0.25"},
		{number(0), "0"}, {number(1234567), "1,234,567"}, {number(12.345), "12.3"},
		{percent(0), "0%"}, {percent(1), "100%"}, {percent(0.0004), "<0.1%"}, {percent(0.9999), ">99.9%"}, {percent(0.034), "3.4%"},
		{grouped(-1234), "-1,234"}, {grouped(123), "123"}, {grouped(-123), "-123"},
		{slug("Workload Low/x.y"), "workload-low-x-y"},
		{shorten(labelStyle, "system:serviceaccounts:very-long-name", 100), "system:s…ng-name"},
		{hundredths(-50), "-.5"}, {hundredths(5), ".05"}, {hundredths(-1234), "-12.34"}, {hundredths(1200), "12"}, {hundredths(0), "0"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// ticksOf writes the labels of an axis.
func ticksOf(a axis, n int) string {
	var labels []string
	for _, t := range a.ticks(n) {
		labels = append(labels, t.Label)
	}
	return strings.Join(labels, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{ticksOf(from0(counts, 0), 2), "0 0.5 1"},
		{ticksOf(from0(counts, 98), 4), "0 25 50 75 100"},
		{ticksOf(from0(counts, 602), 4), "0 200 400 600"},
		{ticksOf(axis{kind: times, max: 120}, 8), "0s 15s 30s 45s 1m 1m15s 1m30s 1m45s 2m"},
		{ticksOf(axis{kind: times, max: 86400}, 4), "0s 6h 12h 18h 24h"},
		{ticksOf(axis{kind: shares, max: 1}, 5), "0% 20% 40% 60% 80% 100%"},
		{ticksOf(zoomed(0.93), 5), "90% 92% 94% 96% 98% 100%"},
		{ticksOf(spanAxis(0.002, 14), 6), "1ms 10ms 100ms 1s 10s 1m"},
		{ticksOf(spanAxis(0.002, 14), 3), "1ms 100ms 10s"},
		{ticksOf(spanAxis(1, 1), 3), "1s 10s"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
