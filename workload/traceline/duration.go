package traceline

import (
	"bytes"
	"time"
)

// parseDuration is time.ParseDuration for bytes. What traces are full of, terms like "1m" or
// "2.345s" with no more decimals than nanoseconds, is computed here, exactly and without
// allocation; all else is left to time.ParseDuration.
func parseDuration(text []byte) (time.Duration, bool) {
	if d, ok := parseTerms(text); ok {
		return d, true
	}
	d, err := time.ParseDuration(string(text))
	return d, err == nil
}

// units are the units that parseTerms knows.
var units = []struct {
	name []byte
	// nanos is the unit in nanoseconds, and decimals how many digits after the point are
	// still whole nanoseconds; 0 where they would have to be rounded.
	nanos    int64
	decimals int
	// whole is a number of digits before the point that cannot overflow: the product is
	// below 2^62.
	whole int
}{
	{[]byte("s"), 1e9, 9, 9},
	{[]byte("ms"), 1e6, 6, 12},
	{[]byte("us"), 1e3, 3, 15},
	{[]byte("µs"), 1e3, 3, 15},
	{[]byte("ns"), 1, 0, 18},
	{[]byte("m"), 60e9, 0, 7},
	{[]byte("h"), 3600e9, 0, 6},
}

// parseTerms parses one term after another, each of digits, optionally a point and more
// digits, and a unit. It returns false where it does not apply.
func parseTerms(text []byte) (time.Duration, bool) {
	sum, ok := time.Duration(0), false
	for len(text) > 0 {
		var d time.Duration
		if d, text, ok = parseTerm(text); !ok || sum > 1<<62 {
			return 0, false
		}
		sum += d
	}
	return sum, ok
}

// parseTerm parses the term at the beginning of text.
func parseTerm(text []byte) (d time.Duration, rest []byte, ok bool) {
	whole, rest := digits(text)
	wholeDigits := len(text) - len(rest)
	if wholeDigits == 0 || wholeDigits > 18 {
		return 0, nil, false
	}
	fraction, fractionDigits := int64(0), 0
	if len(rest) > 0 && rest[0] == '.' {
		after := rest[1:]
		fraction, rest = digits(after)
		fractionDigits = len(after) - len(rest)
		if fractionDigits == 0 || fractionDigits > 9 {
			return 0, nil, false
		}
	}
	name, rest := unitName(rest)
	for i := range units {
		u := &units[i]
		if !bytes.Equal(name, u.name) {
			continue
		}
		if wholeDigits > u.whole || fractionDigits > u.decimals {
			return 0, nil, false
		}
		for n := fractionDigits; n < u.decimals; n++ {
			fraction *= 10
		}
		return time.Duration(whole*u.nanos + fraction), rest, true
	}
	return 0, nil, false
}

// unitName returns what stands before the next digit or point, and what follows it.
func unitName(text []byte) (name, rest []byte) {
	i := 0
	for i < len(text) && text[i] != '.' && text[i]-'0' > 9 {
		i++
	}
	return text[:i], text[i:]
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
