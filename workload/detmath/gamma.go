package detmath

import "math"

// reciprocalGamma are the coefficients of 1/Gamma(1+w) as a power series in w (Abramowitz
// and Stegun, 6.1.34). It converges everywhere; for |w| <= 1/2 what is left out is below
// 1e-26.
var reciprocalGamma = [...]float64{
	1.0, 0.57721566490153286061, -0.65587807152025388108, -0.042002635034095235529,
	0.1665386113822914895, -0.042197734555544336748, -0.0096219715278769735621,
	0.0072189432466630995424, -0.0011651675918590651121, -0.00021524167411495097282,
	0.00012805028238811618615, -0.000020134854780788238656, -1.2504934821426706573e-6,
	1.1330272319816958824e-6, -2.0563384169776071035e-7, 6.1160951044814158179e-9,
	5.0020076444692229301e-9, -1.1812745704870201446e-9, 1.0434267116911005105e-10,
	7.782263439905071254e-12, -3.6968056186422057082e-12, 5.100370287454475979e-13,
}

// Gamma returns the gamma function of x for 0.5 <= x <= 171, with a relative error below
// 2e-16 times (1 + x). It is NaN outside.
func Gamma(x float64) float64 {
	if !(x >= 0.5 && x <= 171) {
		return math.NaN()
	}
	product := 1.0
	for x > 1.5 { // Gamma(x) = (x-1) Gamma(x-1); the subtraction is exact
		x--
		product *= x
	}
	w := x - 1
	sum := 0.0
	for i := len(reciprocalGamma) - 1; i >= 0; i-- {
		sum = float64(sum*w) + reciprocalGamma[i]
	}
	return product / sum
}
