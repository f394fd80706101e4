package reports

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A Total is held against big integers.
func TestTotalIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var total Total
		want := new(big.Int)
		for range rapid.IntRange(1, 20).Draw(t, "terms") {
			n := rapid.Int64Range(0, 1<<40).Draw(t, "n")
			d := rapid.Int64Range(0, math.MaxInt64).Draw(t, "d")
			term := new(big.Int).Mul(big.NewInt(n), big.NewInt(d))
			total.addProduct(n, time.Duration(d))
			total.add(time.Duration(d))
			want.Add(want, term).Add(want, big.NewInt(d))
		}
		if total.int().Cmp(want) != 0 {
			t.Fatalf("total %v, want %v", total.int(), want)
		}
		if f, _ := new(big.Float).SetInt(want).Float64(); total.float() != f {
			t.Fatalf("as a float %v, want %v", total.float(), f)
		}
		// Written and read it is the same.
		text, err := json.Marshal(total)
		if err != nil {
			t.Fatal(err)
		}
		var back Total
		if err := json.Unmarshal(text, &back); err != nil || back != total {
			t.Fatalf("%v is written as %s and read as %v: %v", total, text, back, err)
		}
	})
}

// Seats that are taken early and freed late, in any order, leave the exact integral.
func TestOccupancyIsTheIntegralOfSeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o occupancy
		want := new(big.Int)
		end := time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "end"))
		for range rapid.IntRange(1, 10).Draw(t, "requests") {
			seats := rapid.IntRange(1, 1000).Draw(t, "seats")
			from := time.Duration(rapid.Int64Range(0, int64(end)).Draw(t, "from"))
			until := time.Duration(rapid.Int64Range(int64(from), int64(end)).Draw(t, "until"))
			o.take(from, seats)
			if rapid.Bool().Draw(t, "stays") {
				until = end
			} else {
				o.free(until, seats)
			}
			want.Add(want, new(big.Int).Mul(big.NewInt(int64(seats)), big.NewInt(int64(until-from))))
		}
		o.settle(end)
		if o.total.int().Cmp(want) != 0 || o.seats != 0 {
			t.Fatalf("%v with %d seats left, want %v", o.total.int(), o.seats, want)
		}
	})
}

func TestTotalMeanRoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		sum  Total
		n    int64
		want time.Duration
	}{
		{Total{0, 10}, 4, 3}, // 2.5
		{Total{0, 9}, 4, 2},  // 2.25
		{Total{0, 11}, 4, 3}, // 2.75
		{Total{0, 0}, 7, 0},
		{Total{0, math.MaxUint64}, math.MaxInt64, 2},     // 2 and a little
		{Total{1, 0}, 4, 1 << 62},                        // more than 64 bits
		{Total{0, 1}, math.MaxInt64, 0},                  // rounding must not overflow
		{Total{0, math.MaxInt64}, math.MaxInt64, 1},      // exact
		{Total{0, 1<<62 + 1}, math.MaxInt64, 1},          // just over one half
		{Total{0, 1<<62 - 1}, math.MaxInt64, 0},          // just under
		{Total{0, 3 * uint64(time.Second)}, 2, 15 * 1e8}, // 1.5 s
	} {
		if got := c.sum.mean(c.n); got != c.want {
			t.Errorf("%v over %d = %d, want %d", c.sum.int(), c.n, got, c.want)
		}
	}
}

func TestTotalText(t *testing.T) {
	for _, c := range []struct {
		total Total
		text  string
	}{
		{Total{}, "0s"},
		{Total{0, 15}, "0.000000015s"},
		{Total{0, 1_500_000_000}, "1.5s"},
		{Total{0, 7_200_000_000_000}, "7200s"},
		{Total{1, 0}, "18446744073.709551616s"},
	} {
		if got, _ := c.total.MarshalText(); string(got) != c.text {
			t.Errorf("%v is written as %s, want %s", c.total, got, c.text)
		}
	}
	for _, text := range []string{"", "s", "1", "1m", "-1s", "+1s", "1.0000000001s", ".5s", "1.-5s", "1e3s", "400000000000000000000000000000000000000s"} {
		var total Total
		if err := total.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as %v", text, total)
		}
	}
}

func TestNumbersHaveSixDigits(t *testing.T) {
	for _, c := range []struct {
		x    float64
		text string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "0"},
		{1.0 / 3, "0.333333"},
		{2.0 / 3, "0.666667"},
		{123456.5, "123456"}, // half to even, as strconv does
		{1234567, "1.23457e+06"},
		{1.6142900214878192e-05, "1.61429e-05"},
	} {
		n := newNumber(c.x)
		text, err := json.Marshal(n)
		if err != nil || string(text) != c.text {
			t.Errorf("%v is written as %s, want %s: %v", c.x, text, c.text, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := newNumber(rapid.Float64Range(-1e300, 1e300).Draw(t, "x"))
		text, _ := json.Marshal(n)
		back, err := strconv.ParseFloat(string(text), 64)
		if err != nil || Number(back) != n {
			t.Fatalf("%v is written as %s and read as %v: %v", n, text, back, err)
		}
	})
}

func TestNumbersAreFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is a number", x)
				}
			}()
			newNumber(x)
		}()
	}
}
