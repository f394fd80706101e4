package vary

import (
	"fmt"
	"math/big"
	"strings"
	"time"
)

// expand returns the values that a part of a list stands for: itself, or those of a range.
func expand(text string) ([]string, *Fault) {
	if text == "" {
		return nil, &Fault{Message: "a value is missing here"}
	}
	from, rest, ranged := strings.Cut(text, "..")
	if !ranged || strings.ContainsAny(text, `"'[{`) {
		return []string{text}, nil
	}
	to, step, stepped := strings.Cut(rest, ":")
	r := &span{text: text, whole: true}
	low, fault := r.number(from, 0)
	if fault != nil {
		return nil, fault
	}
	high, fault := r.number(to, len(from)+2)
	if fault != nil {
		return nil, fault
	}
	if high.Cmp(low) < 0 {
		return nil, &Fault{At: len(from) + 2, Message: fmt.Sprintf("the range ends at %s, before it begins", strings.TrimSpace(to))}
	}
	at := min(len(from)+2+len(to)+1, len(text))
	switch factor, times := strings.CutPrefix(strings.TrimSpace(step), "*"); {
	case times:
		return r.multiplied(low, high, factor, at)
	case stepped:
		return r.added(low, high, step, at)
	case !r.whole || r.duration:
		return nil, &Fault{At: len(text), Message: "a range of numbers that are not whole needs a step", Legal: "FROM..TO:STEP, such as " + r.example()}
	}
	return r.added(low, high, "1", at)
}

// span is a range while it is read.
type span struct {
	text string
	// duration tells that its numbers are durations, whole that they have no decimals, of which
	// there are otherwise so many; first is false once a number was read.
	duration, whole, read bool
	decimals              int
}

func (r *span) example() string {
	if r.duration {
		return "1s..10s:500ms"
	}
	return "0.1..0.5:0.1"
}

// number reads a number: a duration in nanoseconds, if the first one was.
func (r *span) number(text string, at int) (*big.Rat, *Fault) {
	text = strings.TrimSpace(text)
	d, err := time.ParseDuration(text)
	isDuration := err == nil && strings.ContainsAny(text, "hmsuµn")
	if !r.read {
		r.duration, r.read = isDuration, true
	}
	if r.duration && isDuration {
		return big.NewRat(int64(d), 1), nil
	}
	value, ok := new(big.Rat).SetString(text)
	switch {
	case r.duration:
		return nil, &Fault{At: at, Message: fmt.Sprintf("%q is no duration, and the range begins with one", text), Legal: "such as 1s..10s:500ms"}
	case !ok || strings.ContainsAny(text, "/eExXpP_"):
		return nil, &Fault{At: at, Message: fmt.Sprintf("%q is no number", text), Legal: "whole numbers, decimal numbers or durations, as in 200..800:100"}
	}
	if _, fraction, decimal := strings.Cut(text, "."); decimal {
		r.whole, r.decimals = false, max(r.decimals, len(fraction))
	}
	return value, nil
}

// format writes a value of the range.
func (r *span) format(v *big.Rat) string {
	if r.duration {
		return time.Duration(new(big.Int).Quo(v.Num(), v.Denom()).Int64()).String() // whole nanoseconds
	}
	text := v.FloatString(r.decimals)
	if r.decimals > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// added goes through the range in equal steps.
func (r *span) added(low, high *big.Rat, step string, at int) ([]string, *Fault) {
	d, fault := r.number(step, at)
	if fault != nil {
		return nil, fault
	}
	if d.Sign() <= 0 {
		return nil, &Fault{At: at, Message: "a step has to be more than 0"}
	}
	return r.walk(low, high, at, func(v *big.Rat) { v.Add(v, d) })
}

// multiplied goes through the range by a factor; values are rounded where they have to be whole.
func (r *span) multiplied(low, high *big.Rat, factor string, at int) ([]string, *Fault) {
	f, ok := new(big.Rat).SetString(strings.TrimSpace(factor))
	switch {
	case !ok || f.Cmp(big.NewRat(1, 1)) <= 0:
		return nil, &Fault{At: at, Message: fmt.Sprintf("%q is nothing to multiply with", factor), Legal: "a number above 1, as in 16..512:*2"}
	case low.Sign() <= 0:
		return nil, &Fault{At: 0, Message: "a range that is multiplied has to begin above 0"}
	}
	return r.walk(low, high, at, func(v *big.Rat) { rounded(v.Mul(v, f), places) })
}

// places is how many decimals a value has while a range is multiplied: of exact ones there would be more
// with every step.
const places = 18

// rounded keeps so many decimals of a number that is not negative, and drops the rest.
func rounded(v *big.Rat, decimals int64) {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil)
	n := new(big.Int).Mul(v.Num(), scale)
	v.SetFrac(n.Quo(n, v.Denom()), scale)
}

// walk lists the values up to the end.
func (r *span) walk(low, high *big.Rat, at int, next func(*big.Rat)) ([]string, *Fault) {
	var out []string
	steps := 0
	for v := new(big.Rat).Set(low); v.Cmp(high) <= 0; next(v) {
		if text := r.format(v); len(out) == 0 || out[len(out)-1] != text {
			out = append(out, text)
		}
		if steps++; steps > MaxValues { // of which several may be rounded to one value
			return nil, &Fault{At: at, Message: fmt.Sprintf("the range has more than %d values", MaxValues), Hint: "make the step larger"}
		}
	}
	return out, nil
}
