package stats

import "math"

// Count is how many samples of one replication there are, and how many of them lie above some
// value.
type Count struct{ Samples, Above int64 }

// EffectiveSize returns how many independent samples would tell as much about the share that
// lies above a value, and so about the quantile there, as those of the replications do. Waits in
// one queue come in runs, long ones after long ones, so that a hundred thousand of them can be
// worth a few hundred. It is never more than the number of samples, and false with fewer than
// three replications or if none or all lie above, where nothing can be said.
//
// The share p is a ratio of sums over replications, its variance is that of a ratio estimator
// (W. Cochran, Sampling Techniques, 3rd edition, section 6.4), and n independent samples would
// have the variance p(1-p)/n.
func EffectiveSize(replications []Count) (n float64, ok bool) {
	var samples, above float64
	for _, c := range replications {
		samples += float64(c.Samples)
		above += float64(c.Above)
	}
	runs := float64(len(replications))
	if len(replications) < 3 || above == 0 || above == samples {
		return 0, false
	}
	p := above / samples
	squares := 0.0
	for _, c := range replications {
		d := float64(c.Above) - float64(p*float64(c.Samples))
		squares += float64(d * d)
	}
	variance := runs / (runs - 1) * squares / samples / samples
	if variance == 0 {
		return samples, true
	}
	return math.Min(float64(p*(1-p))/variance, samples), true
}
