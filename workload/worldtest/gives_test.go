package worldtest

import (
	"math/rand/v2"
	"testing"
)

// TestGives holds that a stream gives what it was made to give.
func TestGives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		u := r.Float64()
		if s := Gives(u); s.Float64() != u {
			t.Fatalf("%v is not given", u)
		}
	}
	for _, u := range []float64{0, 0.5, 1 - 0x1p-53} {
		if s := Gives(u); s.Float64() != u {
			t.Errorf("%v is not given", u)
		}
	}
}
