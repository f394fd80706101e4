package workload

import "fmt"

// Chooser picks one of several things by weight.
type Chooser struct {
	// upTo holds the running sums of the weights, up to the last one above 0.
	upTo []float64
}

// NewChooser returns a chooser among things of the given weights, which must be finite and
// not negative. If all are 0, as in templates that say nothing of weights, all are equally
// likely. The error names the first weight that is not legal.
func NewChooser(weights []float64) (Chooser, error) {
	if len(weights) == 0 {
		return Chooser{}, &FieldError{"requests", "is empty", "at least one request"}
	}
	sum := 0.0
	upTo := make([]float64, len(weights))
	last := 0
	for i, w := range weights {
		if err := checkNumber(fmt.Sprintf("requests[%d].weight", i), w, 0, weightMax); err != nil {
			return Chooser{}, err
		}
		if w > 0 {
			last = i
		}
		sum += w
		upTo[i] = sum
	}
	if sum > 0 {
		return Chooser{upTo[:last+1]}, nil
	}
	for i := range upTo {
		upTo[i] = float64(i + 1)
	}
	return Chooser{upTo}, nil
}

// weightMax keeps the sums of weights exact enough: beyond it a weight of 1 would vanish.
const weightMax = 1e9

// Choose returns the index for u in [0, 1), each with the probability weight / sum of
// weights. It does not allocate. It searches from the front: populations have a few
// templates, seldom more than ten.
func (c *Chooser) Choose(u float64) int {
	last := len(c.upTo) - 1
	x := u * c.upTo[last]
	for i := range last {
		if x < c.upTo[i] {
			return i
		}
	}
	return last
}
