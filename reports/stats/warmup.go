package stats

import "math"

// batch is how many values go into one, so that what the statistic sees is smooth (the 5 of
// MSER-5).
const batch = 5

// minBatches is how many batches a series must have for anything to be said about it.
const minBatches = 20

// Settled returns from which value on a series looks like the rest of it: the number of values
// at its beginning to leave out, a multiple of 5, such that the mean of the others is known best.
// It is false if the series is too short, or if half of it would have to be left out, which
// means that it does not settle at all.
//
// This is MSER-5: of all truncation points up to the half, that with the smallest sum of squares around the mean of what is left, over the square of its number. K. White, M.
// Cobb and S. Spratt, A comparison of five steady-state truncation heuristics for simulation,
// Winter Simulation Conference 2000.
func Settled(series []float64) (from int, ok bool) {
	batches := batchMeans(series)
	n := len(batches)
	if n < minBatches {
		return 0, false
	}
	best, at := math.Inf(1), 0
	sum, squares := 0.0, 0.0
	for d := n - 1; d >= 0; d-- { // from behind, so that the sums are kept
		sum += batches[d]
		squares += float64(batches[d] * batches[d])
		if d > n/2 {
			continue // a few values that happen to be alike say nothing
		}
		left := float64(n - d)
		statistic := math.Max(squares-float64(sum*sum)/left, 0) / (left * left)
		if statistic <= best { // of equal ones the earliest
			best, at = statistic, d
		}
	}
	if at == n/2 {
		return 0, false
	}
	return at * batch, true
}

// batchMeans are the means of each 5 values; what is left over at the end is left out.
func batchMeans(series []float64) []float64 {
	out := make([]float64, 0, len(series)/batch)
	for len(series) >= batch {
		sum := 0.0
		for _, x := range series[:batch] {
			sum += x
		}
		out, series = append(out, sum/batch), series[batch:]
	}
	return out
}

// Differs tells whether the beginning of a series, up to the value of that number, is another
// one than the rest: by more than the part least of the mean of the rest, and by more than what
// the batches of the rest vary anyway. It is false if the rest itself goes on to change: if the
// means of its halves differ as much.
func Differs(series []float64, from int, least float64) bool {
	head, rest := series[:from], batchMeans(series[from:])
	if len(head) == 0 || len(rest) < minBatches/2 {
		return false
	}
	half := len(rest) / 2
	return apart(batchMeans(head), rest, least) && !apart(rest[:half], rest[half:], least)
}

// apart tells whether the means of two groups of batches differ by more than the part least of
// the second one's, and by more than three standard errors.
func apart(a, b []float64, least float64) bool {
	if len(a) == 0 {
		return false
	}
	meanA, _ := moments(a)
	meanB, variance := moments(b)
	gap := math.Abs(meanA - meanB)
	size := math.Max(math.Abs(meanA), math.Abs(meanB))
	standard := math.Sqrt(variance * (1/float64(len(a)) + 1/float64(len(b))))
	return gap > float64(least*size) && gap > float64(3*standard)
}
