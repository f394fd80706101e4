package detmath

import "math"

// NormQuantile returns the quantile function of the standard normal distribution, for p
// in [0, 1]; it is -Inf at 0 and +Inf at 1, and NaN outside.
//
// It is algorithm AS 241 (PPND16) of M. J. Wichura, "The percentage points of the normal
// distribution", Applied Statistics 37 (1988) 477-484: three rational functions, with a
// relative error of about 1e-16 in exact arithmetic; the rounding here adds up to 4 ulps.
func NormQuantile(p float64) float64 {
	q := p - 0.5
	if q >= -0.425 && q <= 0.425 {
		return q * central(0.180625-float64(q*q))
	}
	r := p
	if q > 0 {
		r = 1 - p
	}
	switch {
	case !(r >= 0): // also NaN
		return math.NaN()
	case r == 0:
		return math.Copysign(math.Inf(1), q)
	}
	r = math.Sqrt(-Log(r))
	if r <= 5 {
		r = middle(r - 1.6)
	} else {
		r = tail(r - 5)
	}
	if q < 0 {
		return -r
	}
	return r
}

// central serves |p - 1/2| <= 0.425.
func central(r float64) float64 {
	num := float64(r*2.5090809287301226727e+3) + 3.3430575583588128105e+4
	num = float64(r*num) + 6.7265770927008700853e+4
	num = float64(r*num) + 4.5921953931549871457e+4
	num = float64(r*num) + 1.3731693765509461125e+4
	num = float64(r*num) + 1.9715909503065514427e+3
	num = float64(r*num) + 1.3314166789178437745e+2
	num = float64(r*num) + 3.3871328727963666080e+0
	den := float64(r*5.2264952788528545610e+3) + 2.8729085735721942674e+4
	den = float64(r*den) + 3.9307895800092710610e+4
	den = float64(r*den) + 2.1213794301586595867e+4
	den = float64(r*den) + 5.3941960214247511077e+3
	den = float64(r*den) + 6.8718700749205790830e+2
	den = float64(r*den) + 4.2313330701600911252e+1
	den = float64(r*den) + 1
	return num / den
}

// middle serves sqrt(-ln p) <= 5, which is p above 1.4e-11.
func middle(r float64) float64 {
	num := float64(r*7.74545014278341407640e-4) + 2.27238449892691845833e-2
	num = float64(r*num) + 2.41780725177450611770e-1
	num = float64(r*num) + 1.27045825245236838258e+0
	num = float64(r*num) + 3.64784832476320460504e+0
	num = float64(r*num) + 5.76949722146069140550e+0
	num = float64(r*num) + 4.63033784615654529590e+0
	num = float64(r*num) + 1.42343711074968357734e+0
	den := float64(r*1.05075007164441684324e-9) + 5.47593808499534494600e-4
	den = float64(r*den) + 1.51986665636164571966e-2
	den = float64(r*den) + 1.48103976427480074590e-1
	den = float64(r*den) + 6.89767334985100004550e-1
	den = float64(r*den) + 1.67638483018380384940e+0
	den = float64(r*den) + 2.05319162663775882187e+0
	den = float64(r*den) + 1
	return num / den
}

// tail serves the rest.
func tail(r float64) float64 {
	num := float64(r*2.01033439929228813265e-7) + 2.71155556874348757815e-5
	num = float64(r*num) + 1.24266094738807843860e-3
	num = float64(r*num) + 2.65321895265761230930e-2
	num = float64(r*num) + 2.96560571828504891230e-1
	num = float64(r*num) + 1.78482653991729133580e+0
	num = float64(r*num) + 5.46378491116411436990e+0
	num = float64(r*num) + 6.65790464350110377720e+0
	den := float64(r*2.04426310338993978564e-15) + 1.42151175831644588870e-7
	den = float64(r*den) + 1.84631831751005468180e-5
	den = float64(r*den) + 7.86869131145613259100e-4
	den = float64(r*den) + 1.48753612908506148525e-2
	den = float64(r*den) + 1.36929880922735805310e-1
	den = float64(r*den) + 5.99832206555887937690e-1
	den = float64(r*den) + 1
	return num / den
}
