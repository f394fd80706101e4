package study

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Numbers reads the values as numbers, percentages or durations in seconds, which must not be mixed; nil
// if they are something else, or fewer than two.
func (f *Factor) Numbers() []float64 {
	if len(f.Values) < 2 {
		return nil
	}
	for _, read := range []func(string) (float64, bool){plainNumber, percentage, seconds} {
		var out []float64
		for _, v := range f.Values {
			if x, ok := read(v); ok {
				out = append(out, x)
			}
		}
		if len(out) == len(f.Values) {
			return out
		}
	}
	return nil
}

func plainNumber(text string) (float64, bool) {
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

func percentage(text string) (float64, bool) {
	text, ok := strings.CutSuffix(text, "%")
	x, number := plainNumber(text)
	return x, ok && number
}

func seconds(text string) (float64, bool) {
	d, err := time.ParseDuration(text)
	return d.Seconds(), err == nil
}
