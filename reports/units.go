package reports

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// none stands for a figure that there is no data for.
const none = "-"

// formatDuration writes a time for people: three significant digits in a unit that
// fits, whole units from a minute on. Zero is "0".
func formatDuration(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d < 0:
		return "-" + formatDuration(-d)
	case d < time.Microsecond:
		return strconv.FormatInt(int64(d), 10) + "ns"
	}
	for _, unit := range []struct {
		size time.Duration
		name string
		end  time.Duration // what is this long or longer needs a larger unit
	}{
		{time.Microsecond, "µs", time.Millisecond},
		{time.Millisecond, "ms", time.Second},
		{time.Second, "s", time.Minute},
	} {
		if d >= unit.end {
			continue
		}
		text := threeDigits(d, unit.size)
		if text != "1000" {
			return text + unit.name
		}
	}
	return wholeUnits(d)
}

// threeDigits writes d in a unit with three significant digits, rounded half up in
// integers.
func threeDigits(d, unit time.Duration) string {
	decimals := 0
	for step := 100 * unit; d < step && decimals < 2; step /= 10 {
		decimals++
	}
	scale := time.Duration(1)
	for range decimals {
		scale *= 10
	}
	n := (d*scale + unit/2) / unit
	if n == 1000 && decimals > 0 { // 9.996 became 10.00: one decimal less
		decimals--
		n, scale = n/10, scale/10
	}
	if decimals == 0 {
		return strconv.FormatInt(int64(n), 10)
	}
	return fmt.Sprintf("%d.%0*d", n/scale, decimals, n%scale)
}

// wholeUnits writes a minute or more in hours, minutes and seconds, leaving out those
// at the end that are zero.
func wholeUnits(d time.Duration) string {
	text := d.Round(time.Second).String()
	text, _ = strings.CutSuffix(text, "m0s")
	if text, cut := strings.CutSuffix(text, "h0"); cut {
		return text + "h"
	}
	if !strings.HasSuffix(text, "s") {
		text += "m"
	}
	return text
}

// formatTime writes a point or span of virtual time exactly, without trailing zero
// units.
func formatTime(d time.Duration) string {
	if d >= time.Minute && d%time.Second == 0 {
		return wholeUnits(d)
	}
	return d.String()
}

// formatMoment writes a point of virtual time to the millisecond: that a level has gone can
// happen at any nanosecond.
func formatMoment(d time.Duration) string { return formatTime(d.Round(time.Millisecond)) }

// formatCount writes a count with a comma after every three digits.
func formatCount(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// formatNumber writes an average, which is not negative, with one decimal, or three
// significant digits if it is below ten.
func formatNumber(n Number) string {
	x := float64(n)
	switch {
	case x == 0:
		return "0"
	case x < 0.001:
		return "<0.001"
	case x < 9.995:
		return strconv.FormatFloat(roundSignificant(x, 3), 'f', -1, 64)
	}
	whole, decimal, _ := strings.Cut(strconv.FormatFloat(x, 'f', 1, 64), ".")
	digits, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("reports: %v is no average of anything: %v", x, err))
	}
	return formatCount(digits) + "." + decimal
}

// formatShare writes n of total as a percentage, never rounded to 0 or 100 % unless it
// is that exactly.
func formatShare(n, total int64) string {
	switch {
	case total == 0:
		return none
	case n == 0:
		return "0%"
	case n == total:
		return "100%"
	}
	percent := 100 * (float64(n) / float64(total))
	switch {
	case percent < 0.1:
		return "<0.1%"
	case percent > 99.9:
		return ">99.9%"
	}
	return strconv.FormatFloat(percent, 'f', 1, 64) + "%"
}
