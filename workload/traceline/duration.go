package traceline

import (
	"bytes"
	"time"
)

// parseDuration is time.ParseDuration for bytes. What traces are full of, a decimal number
// and one unit with no more digits than nanoseconds, is computed here, exactly and without
// allocation; all else is left to time.ParseDuration.
func parseDuration(text []byte) (time.Duration, bool) {
	if d, ok := parseDecimal(text); ok {
		return d, true
	}
	d, err := time.ParseDuration(string(text))
	return d, err == nil
}

// units are the units that parseDecimal knows.
var units = []struct {
	name []byte
	// nanos is the unit in nanoseconds, and decimals how many digits after the point are
	// still whole nanoseconds; 0 where they would have to be rounded.
	nanos    int64
	decimals int
	// whole is a number of digits before the point that cannot overflow.
	whole int
}{
	{[]byte("s"), 1e9, 9, 9},
	{[]byte("ms"), 1e6, 6, 12},
	{[]byte("us"), 1e3, 3, 15},
	{[]byte("ns"), 1, 0, 18},
	{[]byte("m"), 60e9, 0, 7},
	{[]byte("h"), 3600e9, 0, 6},
}

// parseDecimal parses digits, optionally a point and more digits, and a unit. It returns
// false where it does not apply.
func parseDecimal(text []byte) (time.Duration, bool) {
	whole, rest := digits(text)
	wholeDigits := len(text) - len(rest)
	if wholeDigits == 0 || wholeDigits > 18 {
		return 0, false
	}
	fraction, fractionDigits := int64(0), 0
	if len(rest) > 0 && rest[0] == '.' {
		after := rest[1:]
		fraction, rest = digits(after)
		fractionDigits = len(after) - len(rest)
		if fractionDigits == 0 || fractionDigits > 9 {
			return 0, false
		}
	}
	for i := range units {
		u := &units[i]
		if !bytes.Equal(rest, u.name) {
			continue
		}
		if wholeDigits > u.whole || fractionDigits > u.decimals {
			return 0, false
		}
		for n := fractionDigits; n < u.decimals; n++ {
			fraction *= 10
		}
		return time.Duration(whole*u.nanos + fraction), true
	}
	return 0, false
}

// digits returns the number at the beginning of text and what follows it. It overflows
// silently beyond 18 digits.
func digits(text []byte) (n int64, rest []byte) {
	i := 0
	for i < len(text) && text[i]-'0' <= 9 {
		n = n*10 + int64(text[i]-'0')
		i++
	}
	return n, text[i:]
}
