package reports

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// appendDuration appends what d.String() returns, without allocating: decision logs
// hold up to three times a line. The format is Go's: hours, minutes and seconds with
// the decimals that are needed, or below a second the largest of ms, µs and ns that
// leaves digits before the point; zero is "0s".
func appendDuration(b []byte, d time.Duration) []byte {
	u := uint64(d)
	if d < 0 {
		b = append(b, '-')
		u = -u
	}
	switch {
	case u == 0:
		return append(b, "0s"...)
	case u < uint64(time.Microsecond):
		return append(strconv.AppendUint(b, u, 10), "ns"...)
	case u < uint64(time.Millisecond):
		return append(appendFraction(b, u, 3), "µs"...)
	case u < uint64(time.Second):
		return append(appendFraction(b, u, 6), "ms"...)
	}
	const minute, hour = uint64(time.Minute), uint64(time.Hour)
	if u >= hour {
		b = append(strconv.AppendUint(b, u/hour, 10), 'h')
	}
	if u >= minute {
		b = append(strconv.AppendUint(b, u%hour/minute, 10), 'm')
	}
	return append(appendFraction(b, u%minute, 9), 's')
}

// appendFraction appends u / 10^places as a decimal number without trailing zeros.
func appendFraction(b []byte, u uint64, places int) []byte {
	unit := uint64(1)
	for range places {
		unit *= 10
	}
	b = strconv.AppendUint(b, u/unit, 10)
	rest := u % unit
	if rest == 0 {
		return b
	}
	b = append(b, '.')
	for rest != 0 {
		unit /= 10
		b = append(b, byte('0'+rest/unit))
		rest %= unit
	}
	return b
}

// appendString appends s as a JSON string: quotes, backslashes and control characters
// are escaped, and bytes that are not UTF-8 become the replacement character.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r)
			i += size
			continue
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' || c == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
		i++
	}
	return append(b, '"')
}
