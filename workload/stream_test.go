package workload

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestStreamIsPCG holds that a stream is what math/rand/v2 calls PCG, and small.
func TestStreamIsPCG(t *testing.T) {
	s, want := NewStream(3, 4), rand.NewPCG(3, 4)
	for range 1000 {
		if got, want := s.Uint64(), want.Uint64(); got != want {
			t.Fatalf("got %#x, want %#x", got, want)
		}
	}
	if size := unsafe.Sizeof(s); size != 16 {
		t.Errorf("a stream has %d bytes, want 16", size)
	}
}

// TestStreamCopies holds that a copy goes on by itself: streams are values.
func TestStreamCopies(t *testing.T) {
	s := NewStream(1, 2)
	s.Uint64()
	c := s
	if a, b := s.Uint64(), c.Uint64(); a != b {
		t.Errorf("a copy gives %#x, the original %#x", b, a)
	}
}

func TestFloat64(t *testing.T) {
	s := NewStream(5, 6)
	for range 100000 {
		x := s.Float64()
		if x < 0 || x >= 1 || x*0x1p53 != math.Floor(x*0x1p53) {
			t.Fatalf("%v is no multiple of 2^-53 in [0, 1)", x)
		}
		if y := s.OpenFloat64(); y <= 0 || y >= 1 || math.Mod(y*0x1p53, 2) != 1 {
			t.Fatalf("%v is no odd multiple of 2^-53 in (0, 1)", y)
		}
	}
}

// TestInversions holds that Exp and Norm take one number each, and are monotone in it.
func TestInversions(t *testing.T) {
	a, b, c := NewStream(7, 8), NewStream(7, 8), NewStream(7, 8)
	for range 10000 {
		u, e, z := a.OpenFloat64(), b.Exp(), c.Norm()
		if (u < 0.5) != (z < 0) || (u < math.Exp(-1)) != (e > 1) {
			t.Fatalf("u = %v gives Exp %v and Norm %v", u, e, z)
		}
	}
}
