package seats

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// product multiplies what is not negative. Legal queues can be so many and so long that
// their bytes are more than an int64 tells; it then is the largest one.
func product(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// shownDecimals is how many decimals the arithmetic shows.
const shownDecimals = 3

// quotient is a fraction in decimals, cut off with an ellipsis if it has many.
func quotient(a, b uint64) string {
	text, rest := strconv.FormatUint(a/b, 10), a%b
	if rest == 0 {
		return text
	}
	text += "."
	for range shownDecimals {
		text += strconv.FormatUint(rest*10/b, 10)
		if rest = rest * 10 % b; rest == 0 {
			return text
		}
	}
	return text + "…"
}

// decimals is a number in decimals, cut off with an ellipsis if it has many.
func decimals(x float64) string {
	exact := strconv.FormatFloat(x, 'f', -1, 64)
	whole, fraction, _ := strings.Cut(exact, ".")
	if len(fraction) <= shownDecimals {
		return exact
	}
	return whole + "." + fraction[:shownDecimals] + "…"
}

// durationText is Go duration text without trailing units of zero.
func durationText(d time.Duration) string {
	text := d.String()
	if d >= time.Minute && strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if d >= time.Hour && strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
