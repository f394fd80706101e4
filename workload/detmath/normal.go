package detmath

import "math"

// NormQuantile returns the quantile function of the standard normal distribution, for p
// in [0, 1]; it is -Inf at 0 and +Inf at 1, and NaN outside.
//
// It is algorithm AS 241 (PPND16) of M. J. Wichura, "The percentage points of the normal
// distribution", Applied Statistics 37 (1988) 477-484: three rational functions, with a
// relative error of about 1e-16 in exact arithmetic; the rounding here makes that 5 ulps at most.
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
	r2 := r * r
	r4 := r2 * r2
	num := poly7(r, r2, r4,
		3.3871328727963666080e+0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3)
	den := poly7(r, r2, r4,
		1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3)
	return num / den
}

// middle serves sqrt(-ln p) <= 5, which is p above 1.4e-11.
func middle(r float64) float64 {
	r2 := r * r
	r4 := r2 * r2
	num := poly7(r, r2, r4,
		1.42343711074968357734e+0, 4.63033784615654529590e+0, 5.76949722146069140550e+0, 3.64784832476320460504e+0,
		1.27045825245236838258e+0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4)
	den := poly7(r, r2, r4,
		1, 2.05319162663775882187e+0, 1.67638483018380384940e+0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9)
	return num / den
}

// tail serves the rest.
func tail(r float64) float64 {
	r2 := r * r
	r4 := r2 * r2
	num := poly7(r, r2, r4,
		6.65790464350110377720e+0, 5.46378491116411436990e+0, 1.78482653991729133580e+0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7)
	den := poly7(r, r2, r4,
		1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15)
	return num / den
}

// poly7 returns c0 + c1 r + ... + c7 r^7, by pairs (Estrin's scheme), which the processor can
// work on side by side.
func poly7(r, r2, r4, c0, c1, c2, c3, c4, c5, c6, c7 float64) float64 {
	low := c0 + float64(r*c1) + float64(r2*(c2+float64(r*c3)))
	high := c4 + float64(r*c5) + float64(r2*(c6+float64(r*c7)))
	return low + float64(r4*high)
}
