package reports

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// Duration is a time.Duration that JSON shows as Go duration text, such as "1.5s".
type Duration time.Duration

// MarshalText writes Go duration text.
func (d Duration) MarshalText() ([]byte, error) {
	return appendDuration(nil, time.Duration(d)), nil
}

// UnmarshalText reads Go duration text.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return err
	}
	*d = Duration(v)
	return nil
}

// Number is a figure that is not a count: an average, a share, odds. It has six
// significant digits, in memory as in JSON, so that a result that was written and read
// again is the same result.
type Number float64

// numberDigits is the number of significant digits of a Number.
const numberDigits = 6

// newNumber rounds a float to a Number. It panics on what JSON cannot hold.
func newNumber(x float64) Number {
	if x == 0 {
		return 0
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		panic(fmt.Sprintf("reports: %v is no number for a result", x))
	}
	return Number(roundSignificant(x, numberDigits))
}

// roundSignificant rounds to so many significant decimal digits, by way of the decimal
// text, which has one answer on every processor.
func roundSignificant(x float64, digits int) float64 {
	text := strconv.FormatFloat(x, 'e', digits-1, 64)
	rounded, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("reports: rounding %v to %d digits: %v", x, digits, err))
	}
	return rounded + 0 // minus zero becomes zero
}

// MarshalJSON writes at most six significant digits.
func (n Number) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(n), 'g', numberDigits, 64), nil
}

// Total is an exact sum of times, or of seats multiplied by times: an integer of 128
// bits in nanoseconds, so that no run is long enough to overflow it. JSON shows it as
// decimal seconds, such as "0.000000015s", and always as seconds, because a Go duration
// ends at 292 years.
type Total struct{ hi, lo uint64 }

// add adds a time, which must not be negative.
func (t *Total) add(d time.Duration) {
	var carry uint64
	t.lo, carry = bits.Add64(t.lo, uint64(d), 0)
	t.hi += carry
}

// sub takes a time away. The sum may be negative in between: the arithmetic is modular.
func (t *Total) sub(d time.Duration) {
	var borrow uint64
	t.lo, borrow = bits.Sub64(t.lo, uint64(d), 0)
	t.hi -= borrow
}

// addProduct adds n times d, neither of them negative.
func (t *Total) addProduct(n int64, d time.Duration) {
	hi, lo := bits.Mul64(uint64(n), uint64(d))
	t.plus(Total{hi, lo})
}

// subProduct takes n times d away. The sum may be negative in between: the arithmetic
// is modular.
func (t *Total) subProduct(n int64, d time.Duration) {
	hi, lo := bits.Mul64(uint64(n), uint64(d))
	var borrow uint64
	t.lo, borrow = bits.Sub64(t.lo, lo, 0)
	t.hi, _ = bits.Sub64(t.hi, hi, borrow)
}

// minus takes another total away.
func (t *Total) minus(u Total) {
	var borrow uint64
	t.lo, borrow = bits.Sub64(t.lo, u.lo, 0)
	t.hi, _ = bits.Sub64(t.hi, u.hi, borrow)
}

// plus adds another total.
func (t *Total) plus(u Total) {
	var carry uint64
	t.lo, carry = bits.Add64(t.lo, u.lo, 0)
	t.hi, _ = bits.Add64(t.hi, u.hi, carry)
}

// over returns the total divided by n, to the nearest float64.
func (t Total) over(n float64) float64 {
	return t.float() / n
}

// float returns the total in nanoseconds.
func (t Total) float() float64 {
	if t.hi == 0 {
		return float64(t.lo)
	}
	f, _ := new(big.Float).SetInt(t.int()).Float64()
	return f
}

// Seconds returns the total in seconds, to the nearest float64.
func (t Total) Seconds() float64 { return t.float() / 1e9 }

// int returns the total in nanoseconds.
func (t Total) int() *big.Int {
	i := new(big.Int).SetUint64(t.hi)
	return i.Add(i.Lsh(i, 64), new(big.Int).SetUint64(t.lo))
}

// compare orders totals.
func (t Total) compare(u Total) int {
	return cmp.Or(cmp.Compare(t.hi, u.hi), cmp.Compare(t.lo, u.lo))
}

// mean returns the total divided by n, rounded to whole nanoseconds, half up. It
// panics without samples and where no time.Duration can hold the quotient.
func (t Total) mean(n int64) time.Duration {
	if n <= 0 {
		panic(fmt.Sprintf("reports: mean of %d samples", n))
	}
	quotient, rest := bits.Div64(t.hi, t.lo, uint64(n))
	if rest >= uint64(n)-rest {
		quotient++
	}
	return time.Duration(quotient)
}

// MarshalText writes decimal seconds.
func (t Total) MarshalText() ([]byte, error) {
	seconds, rest := new(big.Int).QuoRem(t.int(), big.NewInt(int64(time.Second)), new(big.Int))
	text := seconds.String()
	if rest.Sign() != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%09d", rest.Int64()), "0")
	}
	return []byte(text + "s"), nil
}

// UnmarshalText reads what MarshalText writes.
func (t *Total) UnmarshalText(text []byte) error {
	fault := fmt.Errorf("%q is not a sum of times: decimal seconds such as \"12.5s\" expected", text)
	number, ok := strings.CutSuffix(string(text), "s")
	if !ok {
		return fault
	}
	whole, fraction, _ := strings.Cut(number, ".")
	if whole == "" || len(fraction) > 9 || strings.Trim(whole+fraction, "0123456789") != "" {
		return fault
	}
	nanos, _ := new(big.Int).SetString(whole+fraction+strings.Repeat("0", 9-len(fraction)), 10)
	if nanos.BitLen() > 128 {
		return fault
	}
	t.lo = new(big.Int).And(nanos, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	t.hi = nanos.Rsh(nanos, 64).Uint64()
	return nil
}
