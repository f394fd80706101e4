package reports

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestAppendDurationIsDurationString(t *testing.T) {
	for _, d := range []time.Duration{
		0, 1, 999, 1000, 1001, 999999, time.Millisecond, time.Second - 1, time.Second, time.Second + 1,
		time.Minute, time.Hour, time.Hour + 1, 10*time.Hour + 30*time.Second, -1, -time.Hour, math.MaxInt64, math.MinInt64,
	} {
		if got := string(appendDuration(nil, d)); got != d.String() {
			t.Errorf("appendDuration(%d) = %q, want %q", int64(d), got, d)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		// Few digits and many zeros are as likely as all others.
		d := time.Duration(rapid.Int64().Draw(t, "d"))
		for range rapid.IntRange(0, 18).Draw(t, "digits dropped") {
			d /= 10
		}
		for range rapid.IntRange(0, 6).Draw(t, "zeros") {
			d *= 10
		}
		if got := string(appendDuration(nil, d)); got != d.String() {
			t.Fatalf("appendDuration(%d) = %q, want %q", int64(d), got, d)
		}
	})
}

func TestAppendStringIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		written := appendString(nil, s)
		var back string
		if err := json.Unmarshal(written, &back); err != nil {
			t.Fatalf("%q is written as %s: %v", s, written, err)
		}
		if want := strings.ToValidUTF8(s, ""); strings.ToValidUTF8(strings.ReplaceAll(back, "\uFFFD", ""), "") != strings.ReplaceAll(want, "\uFFFD", "") {
			t.Fatalf("%q is written as %s, which is %q", s, written, back)
		}
	})
	if got := string(appendString(nil, "a\"b\\c\n\x7f\u00e9")); got != `"a\"b\\c\u000a\u007f`+"\u00e9\"" {
		t.Errorf("got %s", got)
	}
}
