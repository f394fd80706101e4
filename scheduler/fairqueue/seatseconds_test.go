package fairqueue

import (
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestSeatSecondsPrintExactly(t *testing.T) {
	for _, c := range []struct {
		s    SeatSeconds
		text string
	}{
		{0, "0.00000000ss"},
		{1, "0.00000001ss"},
		{99_999_999, "0.99999999ss"},
		{SeatsTimesDuration(1, time.Second), "1.00000000ss"},
		{SeatsTimesDuration(123, 100*time.Millisecond), "12.30000000ss"},
		{SeatsTimesDuration(1203, 10*time.Millisecond), "12.03000000ss"},
		{SeatSeconds(math.MaxUint64), "184467440737.09551615ss"},
	} {
		if got := c.s.String(); got != c.text {
			t.Errorf("SeatSeconds(%d).String() = %q, want %q", uint64(c.s), got, c.text)
		}
	}
}

// A unit is 10 ns of one seat, so half a unit is where rounding shows.
func TestSeatsTimesDurationRoundsHalfAwayFromZero(t *testing.T) {
	for _, c := range []struct {
		seats float64
		d     time.Duration
		want  int64
	}{
		{1, 4, 0},
		{1, 5, 1},
		{1, 14, 1},
		{1, 15, 2},
		{1, -4, 0},
		{1, -5, -1},
		{1, -15, -2},
		{0.5, 10, 1},
		{0, time.Hour, 0},
		{3, 3 * time.Millisecond, 900_000},
		{10, time.Second, 1_000_000_000},
		{10, -time.Second, -1_000_000_000},
	} {
		if got := int64(SeatsTimesDuration(c.seats, c.d)); got != c.want {
			t.Errorf("SeatsTimesDuration(%v, %d ns) = %d units, want %d", c.seats, int64(c.d), got, c.want)
		}
	}
}

func TestNegativeWorkSubtractsByWrapping(t *testing.T) {
	start := SeatsTimesDuration(7, time.Second)
	overrun := SeatsTimesDuration(2, 3*time.Millisecond-time.Second) // ran 1 s, guessed 3 ms
	want := SeatsTimesDuration(7, time.Second) + SeatsTimesDuration(2, 997*time.Millisecond)
	if got := start - overrun; got != want {
		t.Errorf("start - (guess - run) = %v, want %v", got, want)
	}
	if got := start + overrun - overrun; got != start {
		t.Errorf("adding and subtracting the same work gave %v, want %v", got, start)
	}
}

func TestDurationPerSeatTruncates(t *testing.T) {
	for _, c := range []struct {
		s     SeatSeconds
		seats float64
		want  time.Duration
	}{
		{SeatsTimesDuration(10, time.Second), 1, 10 * time.Second},
		{SeatsTimesDuration(1, time.Second), 10, 100 * time.Millisecond},
		{SeatsTimesDuration(13, 5*time.Millisecond), 5, 13 * time.Millisecond},
		{SeatsTimesDuration(11, 5*time.Millisecond), 10, 5500 * time.Microsecond},
		{SeatsTimesDuration(13, 5*time.Millisecond), 7, 9_285_714}, // 9,285,714.28...
		{SeatsTimesDuration(10, 5*time.Millisecond), 6, 8_333_333}, // 8,333,333.33...
		{SeatsTimesDuration(12, 0), 10, 0},
	} {
		if got := c.s.DurationPerSeat(c.seats); got != c.want {
			t.Errorf("%v.DurationPerSeat(%v) = %d ns, want %d ns", c.s, c.seats, int64(got), int64(c.want))
		}
	}
}

// While the product fits a float64 exactly, rounding is decided by exact
// arithmetic: round(seats x ns / 10), halves away from zero.
func TestSeatsTimesDurationAgainstIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seats := rapid.Int64Range(0, 1000).Draw(t, "seats")
		nanos := rapid.Int64Range(-int64(time.Hour), int64(time.Hour)).Draw(t, "nanos")
		product := big.NewInt(0).Mul(big.NewInt(seats), big.NewInt(nanos))
		if product.BitLen() > 53 {
			t.Skip("the product is not exact in float64")
		}
		p := product.Int64()
		want := (max(p, -p) + 5) / 10
		if p < 0 {
			want = -want
		}
		if got := int64(SeatsTimesDuration(float64(seats), time.Duration(nanos))); got != want {
			t.Fatalf("SeatsTimesDuration(%d, %d ns) = %d, want %d", seats, nanos, got, want)
		}
	})
}
