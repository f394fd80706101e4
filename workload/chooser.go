package workload

// Chooser picks one of several things by weight.
type Chooser struct {
	// upTo holds the running sums of the weights, up to the last one above 0.
	upTo []float64
}

// NewChooser returns a chooser among things of the given weights, which must be finite and
// not negative; the faults that it finds are Template.Validate's. If all weights are 0, as
// in templates that say nothing of weights, all are equally likely.
func NewChooser(weights []float64) Chooser {
	sum := 0.0
	upTo := make([]float64, len(weights))
	for i, w := range weights {
		sum += w
		upTo[i] = sum
	}
	if sum == 0 {
		for i := range upTo {
			upTo[i] = float64(i + 1)
		}
	}
	last := len(upTo)
	for sum > 0 && weights[last-1] == 0 {
		last--
	}
	return Chooser{upTo[:last]}
}

// Pick returns the index for u in [0, 1), each with the probability weight / sum of
// weights. It does not allocate. It searches from the front: populations have a few
// templates, seldom more than ten.
func (c *Chooser) Pick(u float64) int {
	last := len(c.upTo) - 1
	x := u * c.upTo[last]
	for i := range last {
		if x < c.upTo[i] {
			return i
		}
	}
	return last
}
