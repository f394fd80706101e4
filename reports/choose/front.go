package choose

import "slices"

// Front returns the points that no other one is better than: none costs no more by any objective and
// misses the goals by no more, and less by one of them. They come in the order of the first
// objective. Of points that are equal, the first one counts.
func Front(visits []*Visit) []*Visit {
	var out []*Visit
	for i, v := range visits {
		better := false
		for j, o := range visits {
			better = better || i != j && dominates(o, v, j < i)
		}
		if !better {
			out = append(out, v)
		}
	}
	slices.SortStableFunc(out, func(a, b *Visit) int {
		return slices.Compare(axes(a), axes(b))
	})
	return out
}

// axes are what points are compared by.
func axes(v *Visit) []float64 {
	var out []float64
	for i := range v.Known.Prices {
		out = append(out, v.Price(i))
	}
	return append(out, v.Excess())
}

// dominates tells whether a is better than b; of equals the earlier one is.
func dominates(a, b *Visit, earlier bool) bool {
	x, y := axes(a), axes(b)
	less := false
	for i := range x {
		if x[i] > y[i] {
			return false
		}
		less = less || x[i] < y[i]
	}
	return less || earlier
}

// Sound are the points that were run, and those that need no run.
func Sound(visits []*Visit) []*Visit {
	var out []*Visit
	for _, v := range visits {
		if v.Replications > 0 || v.Score.Verdict == Met {
			out = append(out, v)
		}
	}
	return out
}
