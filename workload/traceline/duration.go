package traceline

import "time"

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

// unit is a unit of time that parseTerms knows.
type unit struct {
	// nanos is the unit in nanoseconds, and decimals how many digits after the point are
	// still whole nanoseconds; 0 where they would have to be rounded.
	nanos    int64
	decimals int
	// whole is a number of digits before the point that cannot overflow: the product is
	// below 2^62. It is 0 for no unit, which no number fits.
	whole int
}

func unitOf(name []byte) unit {
	switch string(name) {
	case "s":
		return unit{1e9, 9, 9}
	case "ms":
		return unit{1e6, 6, 12}
	case "us", "µs":
		return unit{1e3, 3, 15}
	case "ns":
		return unit{1, 0, 18}
	case "m":
		return unit{60e9, 0, 7}
	case "h":
		return unit{3600e9, 0, 6}
	}
	return unit{}
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
	fraction, fractionDigits := int64(0), 0
	if len(rest) > 0 && rest[0] == '.' {
		after := rest[1:]
		fraction, rest = digits(after)
		fractionDigits = len(after) - len(rest)
	}
	name, rest := unitName(rest)
	u := unitOf(name)
	if wholeDigits == 0 || wholeDigits > u.whole || fractionDigits > u.decimals {
		return 0, nil, false
	}
	for n := fractionDigits; n < u.decimals; n++ {
		fraction *= 10
	}
	return time.Duration(whole*u.nanos + fraction), rest, true
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
