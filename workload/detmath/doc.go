// Package detmath has the few elementary functions that sampling needs, with the same
// result to the last bit on every platform.
//
// The functions of package math do not promise that: some platforms compute Exp and Log
// in assembly, and the compiler may fuse x*y + z into one operation with one rounding
// where the hardware has it (arm64, ppc64, s390x, riscv64; not amd64 by default). The Go
// specification forbids fusing across an explicit conversion, so here every product that
// is added or subtracted is written float64(x*y). What is left are single operations of
// IEEE 754, which round in one way only.
//
// The price is a few ulps; each function states its bound, and the tests hold it against
// arithmetic of high precision. The methods are textbook ones: argument reduction to a
// short interval and a polynomial there, as in Sun's fdlibm, with coefficients computed
// for this package (interpolation at the Chebyshev nodes, 60 digits).
package detmath
