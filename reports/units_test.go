package reports

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestFormatDuration(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0"},
		{1, "1ns"},
		{999, "999ns"},
		{1000, "1.00µs"},
		{1234, "1.23µs"},
		{1235, "1.24µs"}, // half up
		{9994, "9.99µs"},
		{9996, "10.0µs"},
		{99_960, "100µs"},
		{999_400, "999µs"},
		{999_600, "1.00ms"},
		{12_345_678, "12.3ms"},
		{999_600_000, "1.00s"},
		{15 * time.Second, "15.0s"},
		{59_960 * time.Millisecond, "60.0s"},
		{time.Minute, "1m"},
		{time.Minute + time.Second, "1m1s"},
		{time.Hour, "1h"},
		{time.Hour + 30*time.Minute, "1h30m"},
		{time.Hour + time.Second, "1h0m1s"},
		{-12_345_678, "-12.3ms"},
	} {
		if got := formatDuration(c.d); got != c.want {
			t.Errorf("formatDuration(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}

// What is written is within half a unit of the third digit, or half a second.
func TestFormatDurationIsClose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(1, int64(200*time.Hour)).Draw(t, "d"))
		for range rapid.IntRange(0, 12).Draw(t, "digits dropped") {
			d = max(d/10, 1)
		}
		back, err := time.ParseDuration(formatDuration(d))
		if err != nil {
			t.Fatal(err)
		}
		margin := float64(d) * 0.00501
		if d >= time.Minute {
			margin = float64(500 * time.Millisecond)
		}
		if math.Abs(float64(back-d)) > margin {
			t.Fatalf("formatDuration(%v) = %v", d, back)
		}
	})
}

func TestFormatTime(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"},
		{10 * time.Second, "10s"},
		{12*time.Second + 345678, "12.000345678s"},
		{10 * time.Minute, "10m"},
		{90 * time.Second, "1m30s"},
		{time.Hour, "1h"},
		{time.Minute + time.Millisecond, "1m0.001s"},
	} {
		if got := formatTime(c.d); got != c.want {
			t.Errorf("formatTime(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}

func TestFormatFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{formatCount(0), "0"},
		{formatCount(999), "999"},
		{formatCount(1000), "1,000"},
		{formatCount(-1234567), "-1,234,567"},
		{formatNumber(0), "0"},
		{formatNumber(0.0004), "<0.001"},
		{formatNumber(0.0123456), "0.0123"},
		{formatNumber(9.994), "9.99"},
		{formatNumber(9.996), "10.0"},
		{formatNumber(367.96), "368.0"},
		{formatNumber(12345.6), "12,345.6"},
		{formatShare(0, 0), "-"},
		{formatShare(0, 5), "0%"},
		{formatShare(5, 5), "100%"},
		{formatShare(1, 100000), "<0.1%"},
		{formatShare(99999, 100000), ">99.9%"},
		{formatShare(1, 3), "33.3%"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
