package plots

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// counted writes a number with a noun.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return grouped(int64(n)) + " " + noun
}

// grouped writes a whole number with a comma after every three digits.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	first := 1
	if n < 0 {
		first = 2
	}
	for at := len(digits) - 3; at >= first; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// number writes a figure with three significant digits, and large ones whole.
func number(x float64) string {
	switch {
	case x == 0:
		return "0"
	case math.Abs(x) >= 999.5:
		return grouped(int64(math.Round(x)))
	}
	return strconv.FormatFloat(significant(x), 'f', -1, 64)
}

// significant rounds to three significant digits by way of the decimal text, which has one
// answer on every processor.
func significant(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}

// percent writes a share of 1, never as 0 or 100 % if it is not that.
func percent(share float64) string {
	p := 100 * share
	switch {
	case p <= 0:
		return "0%"
	case p < 0.1:
		return "<0.1%"
	case p > 99.9 && p < 100:
		return ">99.9%"
	case p < 10:
		return strconv.FormatFloat(p, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + "%"
}

// lasting writes a time in seconds with three significant digits in a unit that fits.
func lasting(seconds float64) string {
	if seconds == 0 {
		return "0"
	}
	for _, unit := range []struct {
		size float64
		name string
	}{{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}} {
		if x := significant(seconds / unit.size); x < 1000 && !(unit.size == 1 && x >= 60) {
			return strconv.FormatFloat(x, 'f', -1, 64) + unit.name
		}
	}
	return moment(math.Round(seconds))
}

// moment writes a point of time in seconds exactly, without trailing zero units.
func moment(seconds float64) string {
	d := time.Duration(math.Round(seconds * 1e9))
	if d == 0 {
		return "0s"
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// compact writes a count for an axis: 500, 1.5k, 2M.
func compact(x float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if math.Abs(x) >= unit.size {
			return strconv.FormatFloat(significant(x/unit.size), 'f', -1, 64) + unit.name
		}
	}
	return strconv.FormatFloat(significant(x), 'f', -1, 64)
}

// slug makes an identifier of a name: its letters and digits in lower case, with hyphens
// between them.
func slug(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}), "-")
}
